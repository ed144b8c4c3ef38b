import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { numberText } from '../../ui/format.ts'
import { durationText } from '../../ui/time.ts'
import { paths } from '../../paths.ts'
import classes from './metrics.module.css'
import { type MetricQuery, regressionsIn } from './metrics.rules.ts'
import { figuresOf, useMetrics } from './use-metrics.ts'

const dayMs = 86_400_000
const most = 200
const shown = 8

interface RegressionsProps {
  now: number
  filters: MetricQuery['filters']
}

/** Tasks that became slower: this week beside the four weeks before. Nothing where none did. */
export function Regressions({ now, filters }: RegressionsProps) {
  const { t } = useTranslation('metrics')
  // By the hour: a week doesn't change by the minute.
  const to = Math.ceil(now / 3_600_000) * 3_600_000
  const iso = (days: number) => new Date(to - days * dayMs).toISOString()
  const base = { bucket: 'total', group_by: ['task'], limit: most, filters } satisfies Partial<MetricQuery>
  const week = { ...base, from: iso(7), to: iso(0) }
  const metrics = useMetrics({
    week: { ...week, metric: 'duration_p95' },
    runs: { ...week, metric: 'runs' },
    before: { ...base, metric: 'duration_p95', from: iso(35), to: iso(7) },
  })
  if (!metrics.data) return null
  const byTask = (name: 'runs' | 'before') => new Map(figuresOf(metrics.data[name]).map(({ id, value }) => [id, value]))
  const found = regressionsIn(figuresOf(metrics.data.week), byTask('before'), byTask('runs')).slice(0, shown)
  if (found.length === 0) return null
  return (
    <section className={classes.panel} aria-label={t('regressions.title')}>
      <h2>{t('regressions.title')}</h2>
      <ul className={classes.regressions}>
        {found.map((task) => (
          <li key={task.id}>
            <Link to={paths.runs({ task_id: task.id, completed_from: iso(7), completed_to: iso(0) })}>{task.name}</Link>
            <b>{t('regressions.times', { times: numberText(task.value / task.before, 1) })}</b>
            <span>{t('regressions.text', { now: durationText(task.value), before: durationText(task.before) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
