import { useTranslation } from 'react-i18next'
import type { TaskPreview } from '../../../contract/task-preview.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import classes from './preview.module.css'

type Target = NonNullable<TaskPreview['target']>
type Drift = Target['drift'][number]

const tones: Record<Drift['outcome'], string | undefined> = {
  added: classes.added,
  left_out: classes.amber,
  widened: classes.amber,
  recreated: classes.amber,
  refused: classes.removed,
  not_written: undefined,
}

/** Where the rows and the table that they go into differ, and what the task makes of it. */
export function TargetDrift({ target }: { target: Target }) {
  const { t } = useTranslation('tasks')
  const { table, exists, drift, error } = target
  if (error) {
    return (
      <div className={classes.diff} role="note">
        <span className={classes.removed}>
          <CodeWords text={t('preview.target.unseen', { table, reason: error.message })} />
        </span>
      </div>
    )
  }
  if (!exists || drift.length === 0) {
    return (
      <div className={classes.diff} role="note">
        <span>{t(exists ? 'preview.target.fits' : 'preview.target.new', { table })}</span>
      </div>
    )
  }
  return (
    <div className={classes.diff} role="note" aria-label={t('preview.target.label', { table })}>
      <span>{t('preview.target.label', { table })}</span>
      {drift.map(({ column, there, coming, outcome }) => (
        <span key={column} className={tones[outcome]} data-outcome={outcome}>
          {column}{' '}
          <small>
            {there ?? t('preview.target.lacking')} → {coming ?? t('preview.target.lacking')}{' '}
            {t(`preview.target.outcome.${outcome}`)}
          </small>
        </span>
      ))}
    </div>
  )
}
