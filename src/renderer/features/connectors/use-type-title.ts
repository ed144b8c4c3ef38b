import { useCallback, useMemo } from 'react'
import { listConnectorTypes } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { connectorTypeTexts, useInLanguage } from '../../i18n/server-texts.ts'

/** What people call a type of connectors: `PostgreSQL` for `postgres`. */
export function useTypeTitle(): (type: string) => string {
  const types = useInLanguage(useOperation(listConnectorTypes).data, connectorTypeTexts)
  const titles = useMemo(() => new Map(types?.map(({ type, title }) => [type, title])), [types])
  return useCallback((type) => titles.get(type) ?? type, [titles])
}
