import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import classes from './executors.module.css'

/** The command that starts one more executor against this very server. */
export function StartCommand() {
  const { t } = useTranslation('executors')
  const command = t('command', { url: globalThis.location.origin })
  return (
    <span className={classes.command}>
      <code>{command}</code>
      <CopyIcon value={command} label={t('copyCommand')} />
    </span>
  )
}
