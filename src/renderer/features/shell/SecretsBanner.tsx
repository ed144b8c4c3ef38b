import { IconLockOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getSecretsState } from '../../../contract/server-config.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import classes from './Shell.module.css'

const hiddenKey = 'headgate.lost-secrets-hidden'

/** Secrets that cannot be opened are told to whoever can enter them again. */
export function SecretsBanner() {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const mayKnow = can('getSecretsState')
  const state = useOperation(getSecretsState, {}, { enabled: mayKnow })
  const [hidden, setHidden] = useState(() => sessionStorage.getItem(hiddenKey))
  const lost = (state.data?.lost ?? []).reduce((sum, record) => sum + Math.max(1, record.secrets.length), 0)
  // More of them than were put away are news.
  if (!mayKnow || lost === 0 || hidden === String(lost)) return null
  const hide = () => {
    sessionStorage.setItem(hiddenKey, String(lost))
    setHidden(String(lost))
  }
  return (
    <div className={classes.banner} role="status">
      <IconLockOff size={15} aria-hidden />
      <b>{t('secrets.lost', { count: lost })}</b>
      <span>{t('secrets.text')}</span>
      <Link to={paths.settings('secrets')}>{t('secrets.open')}</Link>
      <button type="button" className={classes.hide} onClick={hide}>
        {t('secrets.hide')}
      </button>
    </div>
  )
}
