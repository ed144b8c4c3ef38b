import { IconAlertOctagon } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { TaskPreview } from '../../../contract/task-preview.ts'
import { translateLabel } from '../../i18n/translate.ts'
import classes from './preview.module.css'
import { numberText } from '../../ui/format.ts'

export type Stage = TaskPreview['stages'][number]

interface StageStripProps {
  stages: readonly Stage[]
  /** Names of the stages that lie behind one that failed. */
  notReached: readonly string[]
  chosen: number
  onChoose(index: number): void
}

/** How many rows a stage let through, and how that differs from what came in. */
function Counts({ stage }: { stage: Stage }) {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  if (stage.error) {
    return (
      <span className={classes.failed}>
        <IconAlertOctagon size={13} aria-hidden /> {doc('problems.severity.error')}
      </span>
    )
  }
  return (
    <span className={classes.stageRows}>
      {t('preview.rows', { count: stage.row_count, formatted: numberText(stage.row_count) })}
      {stage.rejected > 0 ? (
        <span
          className={classes.amber}
          title={t('preview.rejected', { count: stage.rejected, formatted: numberText(stage.rejected) })}
        >
          {' '}
          −{numberText(stage.rejected)}
        </span>
      ) : null}
    </span>
  )
}

/** The stages of a preview from left to right, with the rows that each gave. */
export function StageStrip({ stages, notReached, chosen, onChoose }: StageStripProps) {
  const { t } = useTranslation('tasks')
  const all = [
    ...stages.map((stage) => ({ index: stage.index, key: stage.key, label: stage.label, stage })),
    ...notReached.map((key, at) => ({ index: stages.length + at, key, label: key, stage: null })),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const at = all.findIndex((one) => one.index === chosen)
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }
    const next = moves[event.key]
    const target = next === undefined ? undefined : all[Math.max(0, Math.min(next, all.length - 1))]
    if (!target) return
    event.preventDefault()
    onChoose(target.index)
    document.getElementById(`stage-${target.index}`)?.focus()
  }
  // The chosen stage is in sight, also when the caret chose it.
  useEffect(() => {
    document.getElementById(`stage-${chosen}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])
  return (
    <div className={classes.stages} role="tablist" aria-label={t('preview.stages')}>
      {all.map(({ index, key, label, stage }) => (
        <button
          key={index}
          type="button"
          role="tab"
          id={`stage-${index}`}
          data-stage={index}
          aria-selected={index === chosen}
          aria-controls="stage-panel"
          tabIndex={index === chosen ? 0 : -1}
          className={classes.stage}
          data-away={stage ? undefined : ''}
          title={stage ? translateLabel(label) : t('preview.notReached')}
          onClick={() => onChoose(index)}
          onKeyDown={onKeyDown}
        >
          <span className={classes.stageName}>{index === 0 ? key : `${index} ${key}`}</span>
          {stage ? <Counts stage={stage} /> : <span className={classes.stageRows}>–</span>}
        </button>
      ))}
    </div>
  )
}
