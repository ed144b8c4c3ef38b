import { useClipboard } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from './CopyCode.module.css'
import { Hint } from './Hint.tsx'

/** A name in a sentence that somebody will need elsewhere: a click copies it. */
export function CopyCode({ text }: { text: string }) {
  const { t } = useTranslation()
  const clipboard = useClipboard({ timeout: 1500 })
  return (
    <Hint label={clipboard.copied ? t('copied') : t('copy')} stays>
      <button type="button" className={classes.copy} onClick={() => clipboard.copy(text)}>
        <code>{text}</code>
      </button>
    </Hint>
  )
}
