import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { numberText, ratioText, roughText } from '../../ui/format.ts'
import { durationText } from '../../ui/time.ts'
import { changeOf } from './metrics.rules.ts'
import classes from './metrics.module.css'
import { dash } from '../../ui/nothing.tsx'

export type FigureName =
  | 'success_rate'
  | 'runs'
  | 'failed_runs'
  | 'duration_p95'
  | 'queue_delay_p95'
  | 'rows'
  | 'rejects'

const isTime = (name: FigureName) => name === 'duration_p95' || name === 'queue_delay_p95'

export function valueText(name: FigureName, value: number): string {
  if (isTime(name)) return durationText(value)
  return name === 'success_rate' ? ratioText(value) : roughText(value)
}

const good: Record<FigureName, 'more' | 'less' | 'neither'> = {
  success_rate: 'more',
  runs: 'neither',
  failed_runs: 'less',
  duration_p95: 'less',
  queue_delay_p95: 'less',
  rows: 'neither',
  rejects: 'less',
}

interface FigureProps {
  name: FigureName
  now: number | null
  /** Absent: there were no runs. */
  before: number | null | undefined
  /** The runs that it is about. */
  to: string
}

/** A figure, what it was in the time before, and whether that is better or worse. */
export function Figure({ name, now, before, to }: FigureProps) {
  const { t } = useTranslation('metrics')
  const ratio = name === 'success_rate'
  const change = changeOf(now, before ?? null, { ratio, good: good[name] })
  const value = typeof before === 'number' ? valueText(name, before) : dash
  const same = t('same', { value })
  const by = change?.by ?? 0
  const told = ratio
    ? t('points', { value: `${by > 0 ? '+' : ''}${numberText(by * 100, 1)}` })
    : ratioText(by, 0, 'exceptZero')
  return (
    <Link
      to={to}
      className={classes.figure}
      title={now === null || ratio || isTime(name) ? undefined : numberText(now)}
    >
      <span className={classes.figureName}>{t(`figures.${name}`)}</span>
      <b>{now === null ? dash : valueText(name, now)}</b>
      {before === undefined ? null : (
        <span className={classes.change} data-tone={change?.tone}>
          {change === null || change.by === 0 ? same : t('before', { change: told, value })}
        </span>
      )}
    </Link>
  )
}
