import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../ui/copy-text.ts'
import classes from './LogPane.module.css'
import { copyLimit, readLines } from './copy-lines.ts'
import type { LineRange } from './line-range.ts'
import type { FetchLog } from './log-pages.ts'
import { numberText } from '../../ui/format.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

/** Copies the chosen stretch, or says why it could not. */
export function useCopyLines(fetchLog: FetchLog | undefined) {
  const { t } = useTranslation('runs')
  return async (range: LineRange) => {
    const count = range.to - range.from + 1
    if (count > copyLimit) {
      notifications.show({ color: 'yellow', message: t('log.tooMany', { limit: numberText(copyLimit) }) })
      return
    }
    if (!fetchLog) return
    try {
      await copyText(await readLines(range, fetchLog, AbortSignal.timeout(30_000)))
      notifications.show({ message: t('log.copied', { count }) })
    } catch (error) {
      notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
    }
  }
}

interface ChosenLinesProps {
  range: LineRange
  /** Whether the view shows matches only, so that the context is elsewhere. */
  filtered: boolean
  onCopy(): void
  onCopyLink(): void
  onContext(): void
  onClear(): void
}

/** What can be done with the chosen lines. */
export function ChosenLines({ range, filtered, onCopy, onCopyLink, onContext, onClear }: ChosenLinesProps) {
  const { t } = useTranslation('runs')
  const count = range.to - range.from + 1
  return (
    <div className={classes.chosen}>
      <span>{t('log.chosen', { count, from: numberText(range.from), to: numberText(range.to) })}</span>
      <CommandButton
        id="log.copy-lines"
        label={t('log.copyLines', { count })}
        size="compact-xs"
        variant="default"
        onClick={onCopy}
        shortcut="y"
      />
      <CommandButton
        id="log.copy-link"
        label={t('log.copyLink')}
        size="compact-xs"
        variant="default"
        onClick={onCopyLink}
        shortcut="l"
      />
      {filtered ? (
        <CommandButton
          id="log.in-context"
          label={t('log.inContext')}
          size="compact-xs"
          variant="default"
          onClick={onContext}
        />
      ) : null}
      <CommandButton
        id="log.clear-selection"
        label={t('log.clearSelection')}
        size="compact-xs"
        variant="subtle"
        color="gray"
        onClick={onClear}
      />
    </div>
  )
}
