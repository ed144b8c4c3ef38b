import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/** What a button, a menu item, or a command is called that opens a dialog: `Cancel run…`. */
export function useOpening(): (label: string) => string {
  const { t } = useTranslation()
  return useCallback((label) => t('opens', { label }), [t])
}
