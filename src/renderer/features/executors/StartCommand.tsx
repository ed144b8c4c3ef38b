import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/CopyIcon.tsx'
import classes from './executors.module.css'

/** One line for a terminal; `of`: which one, where it isn’t the same for all. */
export function Command({ of, text }: { of?: string; text: string }) {
  const { t } = useTranslation('executors')
  return (
    <span className={classes.command}>
      {of === undefined ? null : <span className={classes.terminal}>{of}</span>}
      <code>{text}</code>
      <CopyIcon value={text} label={t('copyCommand')} />
    </span>
  )
}

/** The command that starts one more executor against this very server. */
export function StartCommand({ of }: { of?: string }) {
  const { t } = useTranslation('executors')
  return <Command {...(of !== undefined && { of })} text={t('command', { url: globalThis.location.origin })} />
}
