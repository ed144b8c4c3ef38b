import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { numberText } from '../../ui/format.ts'
import { durationText } from '../../ui/time.ts'
import { paths } from '../../paths.ts'
import classes from './metrics.module.css'
import { type MetricQuery, type TaskFigure, regressionsIn } from './metrics.rules.ts'
import { figuresOf, useMetrics } from './use-metrics.ts'

const dayMs = 86_400_000
/** The slowest tasks of the week are compared. */
const most = 200
const shown = 8

interface RegressionsProps {
  now: number
  filters: MetricQuery['filters']
}

/** Tasks that became slower: this week beside the four weeks before. Nothing where none did. */
export function Regressions({ now, filters }: RegressionsProps) {
  // By the hour: a week doesn't change by the minute.
  const to = Math.ceil(now / 3_600_000) * 3_600_000
  const { data } = useMetrics({
    week: { ...total(to, 7, 0), metric: 'duration_p95', limit: most, filters },
  })
  const week = data ? figuresOf(data.week) : []
  return week.length === 0 ? null : <Slower week={week} to={to} filters={filters} />
}

const total = (to: number, from: number, until: number) => {
  const iso = (days: number) => new Date(to - days * dayMs).toISOString()
  return { bucket: 'total', group_by: ['task'], from: iso(from), to: iso(until) } satisfies Partial<MetricQuery>
}

function Slower({ week, to, filters }: { week: readonly TaskFigure[]; to: number; filters: MetricQuery['filters'] }) {
  const { t } = useTranslation('metrics')
  // Asked for by their ids: among thousands of tasks, those that were quick before are not among the slowest of that time.
  const of = { ...filters, task_ids: week.map(({ id }) => id) }
  const metrics = useMetrics({
    runs: { ...total(to, 7, 0), metric: 'runs', filters: of },
    before: { ...total(to, 35, 7), metric: 'duration_p95', filters: of },
  })
  if (!metrics.data) return null
  const byTask = (name: 'runs' | 'before') => new Map(figuresOf(metrics.data[name]).map(({ id, value }) => [id, value]))
  const found = regressionsIn(week, byTask('before'), byTask('runs')).slice(0, shown)
  const { from, to: until } = total(to, 7, 0)
  if (found.length === 0) return null
  return (
    <section className={classes.panel} aria-label={t('regressions.title')}>
      <h2>{t('regressions.title')}</h2>
      <ul className={classes.regressions}>
        {found.map((task) => (
          <li key={task.id}>
            <Link to={paths.runs({ task_id: task.id, completed_from: from, completed_to: until })}>{task.name}</Link>
            <b>{t('regressions.times', { times: numberText(task.value / task.before, 1) })}</b>
            <span>{t('regressions.text', { now: durationText(task.value), before: durationText(task.before) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
