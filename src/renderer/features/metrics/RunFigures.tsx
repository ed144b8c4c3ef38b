import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type RunsFilter, paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { useNow } from '../../ui/ticker.ts'
import { Figure, type FigureName } from './Figure.tsx'
import classes from './metrics.module.css'
import { type MetricQuery, timesOf } from './metrics.rules.ts'
import { totalOf, useMetrics } from './use-metrics.ts'

const figures: readonly FigureName[] = ['success_rate', 'runs', 'duration_p95', 'queue_delay_p95', 'rows', 'rejects']

/** How the runs of one task or job went in the last week, beside the week before. Nothing where it had none. */
export function RunFigures({ of }: { of: { task_id: number } | { job_id: number } }) {
  const { t } = useTranslation('metrics')
  const { period, before } = timesOf('7d', useNow())
  const whole = (metric: string, { from, to }: { from: string; to: string }): MetricQuery => ({
    metric,
    from,
    to,
    bucket: 'total',
    filters: of,
  })
  const { data, error, refetch } = useMetrics(
    Object.fromEntries(
      figures.flatMap((metric) => [
        [metric, whole(metric, period)],
        [`${metric}:before`, whole(metric, before)],
      ]),
    ),
  )
  const value = (name: string) => (data?.[name] ? totalOf(data[name]) : null)
  const title = t('job_id' in of ? 'lastWeekOfJob' : 'lastWeek')
  if (error && !data) {
    return (
      <section className={classes.runFigures} aria-label={title}>
        <header>
          <h2>{title}</h2>
        </header>
        <ErrorState what="metrics" error={error} onRetry={() => void refetch()} compact />
      </section>
    )
  }
  const counted = data?.['runs']?.buckets[0]
  if (!counted || (!value('runs') && !value('runs:before'))) return null
  const filter: RunsFilter = { completed_from: counted.from, completed_to: counted.to, ...of }
  return (
    <section className={classes.runFigures} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Link to={paths.metrics(of)}>{t('allFigures')}</Link>
      </header>
      <div className={classes.figures}>
        {figures.map((name) => (
          <Figure
            key={name}
            name={name}
            now={value(name)}
            before={value('runs:before') ? value(`${name}:before`) : undefined}
            to={paths.runs({ ...filter, ...(name === 'success_rate' ? { status: 'failed' } : {}) })}
          />
        ))}
      </div>
    </section>
  )
}
