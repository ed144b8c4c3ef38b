import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../../api/events.ts'
import classes from './Shell.module.css'

/** A hiccup shorter than this is not worth a word. */
const patienceMs = 1500

/** Says that the server is gone while it is, and goes by itself. */
export function ConnectionBanner() {
  const { t } = useTranslation('shell')
  const connection = useConnection()
  const [shown, setShown] = useState(false)
  useEffect(() => {
    if (connection !== 'offline') {
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), patienceMs)
    return () => clearTimeout(timer)
  }, [connection])
  if (!shown) return null
  return (
    <div className={classes.banner} role="status">
      <IconPlugConnectedX size={15} aria-hidden />
      <b>{t('connection.offline')}</b> {t('connection.offlineText')}
    </div>
  )
}
