import { Progress } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Status } from '../../ui/status.ts'
import classes from './exchange.module.css'
import type { ImportRun } from './import-state.ts'
import { numberText } from '../../ui/format.ts'

interface ImportProgressProps {
  run: ImportRun
  /** Records of the bundle; undefined while they are counted. */
  total: number | undefined
  onStop: () => void
}

function lookOf(run: ImportRun): Status {
  if (run.phase === 'sending') return 'running'
  if (run.phase === 'stopped') return 'cancelled'
  if (run.phase === 'failed') return 'failed'
  return run.counts.error > 0 ? 'completed' : 'success'
}

/** How far the import has come, what it has done, and where it stopped. */
export function ImportProgress({ run, total, onStop }: ImportProgressProps) {
  const { t } = useTranslation('exchange')
  const { phase, dryRun, rows } = run
  const done = rows.length
  // The word says what the warning is about; the tabs below say how often.
  const doneWord = run.options.validate_only ? 'validated' : dryRun ? 'checked' : 'applied'
  const words = {
    sending: dryRun ? t('progress.checking') : t('progress.applying'),
    done: t(run.counts.error > 0 ? `progress.withErrors.${doneWord}` : `progress.${doneWord}`),
    stopped: t('progress.stopped'),
    failed: dryRun ? t('progress.notChecked') : t('progress.failed'),
    idle: '',
  }
  const last = rows.at(-1)
  return (
    <div className={classes.progress} role="status">
      <div className={classes.progressLine}>
        <StatusBadge status={lookOf(run)} size="md" label={words[phase]} />
        {phase === 'done' ? null : (
          <span>
            {total === undefined ? numberText(done) : t('progress.of', { done: numberText(done), count: total })}
          </span>
        )}
        {phase === 'sending' ? (
          <CommandButton
            id="import.stop"
            label={t('progress.stop')}
            variant="default"
            size="compact-xs"
            onClick={onStop}
          />
        ) : null}
      </div>
      {phase === 'sending' ? (
        <Progress
          size={4}
          radius={0}
          value={total ? Math.min(100, (done / total) * 100) : 100}
          animated={!total || done === 0}
          aria-label={words.sending}
        />
      ) : null}
      {phase === 'stopped' || (phase === 'failed' && done > 0) ? (
        <p className={classes.message}>
          {last ? t('progress.stoppedAt', { name: last.name }) : t('progress.stoppedBefore')}{' '}
          {dryRun ? t('progress.nothing') : t('progress.stays')}
        </p>
      ) : null}
    </div>
  )
}
