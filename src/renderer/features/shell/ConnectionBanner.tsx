import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useOffline } from '../../api/events.ts'
import classes from './Shell.module.css'

/** Says that the server is gone while it is, and goes by itself. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell')
  if (!useOffline()) return null
  return (
    <div className={classes.banner} role="status">
      <IconPlugConnectedX size={15} aria-hidden />
      <b>{t('connection.offline')}</b> {t('connection.offlineText')}
    </div>
  )
}
