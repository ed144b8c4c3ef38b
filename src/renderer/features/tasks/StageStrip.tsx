import { IconAlertOctagon } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { TaskPreview } from '../../../contract/tasks.ts'
import classes from './preview.module.css'

export type Stage = TaskPreview['stages'][number]

interface StageStripProps {
  stages: readonly Stage[]
  chosen: number
  onChoose(index: number): void
}

/** The stages of a preview from left to right, with the rows that each gave. */
export function StageStrip({ stages, chosen, onChoose }: StageStripProps) {
  const { t } = useTranslation('tasks')
  const onKeyDown = (event: KeyboardEvent) => {
    const at = stages.findIndex((stage) => stage.index === chosen)
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: stages.length - 1 }
    const next = moves[event.key]
    const stage = next === undefined ? undefined : stages[Math.max(0, Math.min(next, stages.length - 1))]
    if (!stage) return
    event.preventDefault()
    onChoose(stage.index)
    document.getElementById(`stage-${stage.index}`)?.focus()
  }
  return (
    <div className={classes.stages} role="tablist" aria-label={t('preview.stages')}>
      {stages.map((stage) => (
        <button
          key={stage.index}
          type="button"
          role="tab"
          id={`stage-${stage.index}`}
          data-stage={stage.index}
          aria-selected={stage.index === chosen}
          aria-controls="stage-panel"
          tabIndex={stage.index === chosen ? 0 : -1}
          className={classes.stage}
          title={stage.label}
          onClick={() => onChoose(stage.index)}
          onKeyDown={onKeyDown}
        >
          <span className={classes.stageName}>
            {stage.index === 0 ? t('preview.source') : `${stage.index} ${stage.key}`}
          </span>
          {stage.error ? (
            <span className={classes.failed}>
              <IconAlertOctagon size={13} aria-hidden /> {t('problems.severity.error')}
            </span>
          ) : (
            <span className={classes.stageRows}>
              {t('preview.rows', { count: stage.row_count, formatted: stage.row_count.toLocaleString() })}
              {stage.rejected > 0 ? <span className={classes.amber}> −{stage.rejected.toLocaleString()}</span> : null}
            </span>
          )}
        </button>
      ))}
    </div>
  )
}
