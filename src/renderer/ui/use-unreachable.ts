import { useTranslation } from 'react-i18next'
import { useOffline } from '../api/events.ts'

/** Why what needs the server is disabled; undefined: it isn’t, the server is there. */
export function useUnreachable(): string | undefined {
  const { t } = useTranslation()
  return useOffline() ? t('error.kinds.offline.title') : undefined
}
