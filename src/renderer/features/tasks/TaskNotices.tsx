import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from './dialogs.module.css'
import type { TaskText } from './use-task-text.ts'

interface TaskNoticesProps {
  text: TaskText
  /** Version that somebody saved while this text was being written; null when there is none. */
  newer: number | null
  archived: boolean
  readOnly: boolean
  onCompare(): void
  onTake(): void
}

/** What is to be known before one types on. */
export function TaskNotices({ text, newer, archived, readOnly, onCompare, onTake }: TaskNoticesProps) {
  const { t } = useTranslation('tasks')
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
      {archived ? <div className={classes.bar}>{t('page.archivedNotice')}</div> : null}
      {readOnly && !archived ? <div className={classes.bar}>{t('page.readOnly')}</div> : null}
    </>
  )
}
