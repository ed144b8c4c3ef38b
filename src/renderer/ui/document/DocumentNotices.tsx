import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../RelativeTime.tsx'
import classes from './dialogs.module.css'
import type { DocumentText } from './use-document-text.ts'

interface DocumentNoticesProps {
  text: DocumentText
  /** Version that somebody saved while this text was being written; null when there is none. */
  newer: number | null
  /** What else is to be said: that it is archived, or may only be read. */
  notice: string | null
  onCompare(): void
  onTake(): void
}

/** What is to be known before one types on. */
export function DocumentNotices({ text, newer, notice, onCompare, onTake }: DocumentNoticesProps) {
  const { t } = useTranslation('documents')
  const { restored } = text
  return (
    <>
      {newer === null ? null : (
        <div className={classes.bar} role="status">
          <span>{t('page.newerTitle', { version: newer })}</span>
          <Button size="compact-xs" variant="default" onClick={onCompare}>
            {t('page.newerCompare')}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={onTake}>
            {t('page.newerTake')}
          </Button>
        </div>
      )}
      {restored ? (
        <div className={classes.bar} role="status">
          <span>
            {t('page.draftTitle')} (<RelativeTime at={restored.at} />){' '}
            {restored.version !== text.version
              ? t('page.draftOlder', { version: restored.version, current: text.version })
              : null}
          </span>
          <Button size="compact-xs" variant="default" onClick={text.dismissRestored}>
            {t('page.draftKeep')}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => text.reset(text.saved, text.version)}>
            {t('page.draftDiscard')}
          </Button>
        </div>
      ) : null}
      {notice === null ? null : <div className={classes.bar}>{notice}</div>}
    </>
  )
}
