import { IconColumns3 } from '@tabler/icons-react'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { RunStep } from '../../../contract/runs.ts'
import { translateLabel } from '../../i18n/translate.ts'
import { Duration } from '../../ui/Duration.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { statusColor } from '../../ui/status.ts'
import { useFastNow } from '../../ui/ticker.ts'
import { StepDetail } from './StepDetail.tsx'
import classes from './StepTree.module.css'
import { type StepBar, stepBars } from './step-bars.ts'
import { countText } from '../../ui/format.ts'
import { dash } from '../../ui/nothing.tsx'

interface StepRowProps {
  step: RunStep
  bar: StepBar | null
  chosen: boolean
  /** The one row that Tab reaches; arrow keys go on from it. */
  reachable: boolean
  /** The column stands only where some step rejected rows. */
  showRejected: boolean
  onChoose(): void
  onKeyDown(event: KeyboardEvent): void
}

function StepRow({ step, bar, chosen, reachable, showRejected, onChoose, onKeyDown }: StepRowProps) {
  const { t } = useTranslation('runs')
  const label = translateLabel(step)
  const rows = t('steps.rowsInOut', { in: countText(step.rows_in) ?? dash, out: countText(step.rows_out) ?? dash })
  return (
    <div
      className={classes.step}
      role="option"
      aria-selected={chosen}
      tabIndex={reachable ? 0 : -1}
      data-status={step.status}
      data-step={step.index}
      title={rows}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <span className={classes.name}>
        <StatusBadge status={step.status} size="icon" label={t(`steps.statuses.${step.status}`)} />
        <span className={classes.label} title={label}>
          {label}
        </span>
        {step.drift ? (
          <IconColumns3
            className={classes.mark}
            size={14}
            role="img"
            aria-label={t('steps.drift')}
            data-tone={step.drift.some(({ outcome }) => outcome === 'refused') ? 'failed' : undefined}
          />
        ) : null}
      </span>
      <span className={classes.track}>
        {bar ? (
          <span
            className={classes.bar}
            style={{
              left: `${bar.start * 100}%`,
              width: `${bar.width * 100}%`,
              background: statusColor(step.status, 'fill'),
            }}
          />
        ) : null}
      </span>
      <span className={classes.number}>{countText(step.rows_out) ?? <span className={classes.faint}>–</span>}</span>
      {showRejected ? (
        <span className={`${classes.number} ${step.rows_rejected ? classes.rejected : classes.faint}`}>
          {countText(step.rows_rejected) ?? dash}
        </span>
      ) : null}
      <span className={classes.number}>
        <Duration ms={step.duration_ms} since={step.status === 'running' ? step.started_at : null} />
      </span>
    </div>
  )
}

export interface StepTreeProps {
  steps: readonly RunStep[]
  /** Index of the chosen step. */
  chosen: number | null
  onChoose(index: number | null): void
  /** Said below the steps: that they are a plan, or why there are none. */
  note?: string
}

/** The steps of a run as a list whose rows are the bars of its Gantt chart; the chosen one is described below. */
export function StepTree({ steps, chosen, onChoose, note }: StepTreeProps) {
  const { t } = useTranslation('runs')
  const list = useRef<HTMLDivElement>(null)
  const now = useFastNow(steps.some((step) => step.status === 'running'))
  const bars = stepBars(steps, now)
  const step = steps.find((one) => one.index === chosen)
  const showRejected = steps.some((one) => (one.rows_rejected ?? 0) > 0)

  const toggle = (index: number) => onChoose(index === chosen ? null : index)
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const at = steps.findIndex((one) => one.index === index)
    const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: steps.length - 1 }
    if (event.key === 'Escape' && chosen !== null) onChoose(null)
    else if (event.key === 'Enter' || event.key === ' ') toggle(index)
    else {
      const next = moves[event.key]
      const target = next === undefined ? undefined : steps[Math.max(0, Math.min(next, steps.length - 1))]
      if (!target) return
      onChoose(target.index)
      list.current?.querySelector<HTMLElement>(`[data-step="${target.index}"]`)?.focus()
    }
    event.preventDefault()
  }
  return (
    <div className={classes.pane} data-rejected={showRejected || undefined}>
      <div className={classes.head} aria-hidden>
        <span>{t('steps.step')}</span>
        <span />
        <span className={classes.number}>{t('steps.rows')}</span>
        {showRejected ? <span className={classes.number}>{t('steps.rejected')}</span> : null}
        <span className={classes.number}>{t('steps.duration')}</span>
      </div>
      <div ref={list} className={classes.list} role="listbox" aria-label={t('steps.label')}>
        {steps.map((one, index) => (
          <StepRow
            key={one.index}
            step={one}
            bar={bars[index] ?? null}
            chosen={one.index === chosen}
            showRejected={showRejected}
            reachable={step ? one.index === chosen : index === 0}
            onChoose={() => toggle(one.index)}
            onKeyDown={(event) => onKeyDown(event, one.index)}
          />
        ))}
      </div>
      {note ? <div className={classes.note}>{note}</div> : null}
      {step ? <StepDetail step={step} /> : null}
    </div>
  )
}
