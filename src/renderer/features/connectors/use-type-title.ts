import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { connectorTypeSpecs, connectorTypes } from '../../../contract/connector-types.ts'
import { connectorTitle } from '../../i18n/server-texts.ts'

const titles = new Map<string, string>(connectorTypes.map((type) => [type, connectorTypeSpecs[type].title]))

/** What people call a type of connectors: `PostgreSQL` for `postgres`. Also while no server answers. */
export function useTypeTitle(): (type: string) => string {
  const { language } = useTranslation().i18n
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- what it says depends on the language
  return useCallback((type) => connectorTitle(type) ?? titles.get(type) ?? type, [language])
}
