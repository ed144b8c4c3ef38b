import { useTranslation } from 'react-i18next'
import type { MetricResult } from '../../../contract/metrics.ts'
import type { RunsFilter } from '../../paths.ts'
import { paths } from '../../paths.ts'
import { TimeChart, type TimeChartProps } from '../../ui/TimeChart.tsx'
import type { ChartSeries } from '../../ui/time-chart.rules.ts'
import { dateText, roughText } from '../../ui/format.ts'
import { statusColor } from '../../ui/status.ts'
import { durationText } from '../../ui/time.ts'
import classes from './metrics.module.css'
import type { Period } from './metrics.rules.ts'

export type ChartName =
  | 'byStatus'
  | 'duration_p50'
  | 'duration_p95'
  | 'duration_p99'
  | 'queue_delay_p50'
  | 'queue_delay_p95'
  | 'rows'
  | 'rejects'

interface MetricsChartsProps {
  data: Readonly<Record<ChartName, MetricResult>>
  period: Period
  filter: RunsFilter
}

const ended = ['success', 'completed', 'failed', 'cancelled'] as const
// Figures, not statuses: nothing is wrong with a long duration as such.
const colors = {
  p50: 'var(--hg-chart-1)',
  p95: 'var(--hg-chart-2)',
  p99: 'var(--hg-chart-4)',
}

export function MetricsCharts({ data, period, filter }: MetricsChartsProps) {
  const { t } = useTranslation('metrics')
  const { t: word } = useTranslation()
  const { buckets } = data.byStatus
  const hours = period.bucket === 'hour'
  const times = buckets.map(({ from }) => ({
    short: dateText(new Date(from), hours ? 'clock' : 'dayAndMonth'),
    full: dateText(new Date(from), hours ? 'shortMoment' : 'weekdayAndDay'),
  }))
  const to = (index: number) =>
    paths.runs({ ...filter, completed_from: buckets[index]!.from, completed_to: buckets[index]!.to })
  const line = (name: string, of: ChartName, color: string): ChartSeries => ({
    name,
    color,
    values: data[of].series[0]?.values ?? [],
  })
  const statuses = ended.flatMap((status): ChartSeries[] => {
    const found = data.byStatus.series.find(({ group }) => group.status === status)
    return found ? [{ name: word(`status.${status}`), color: statusColor(status), values: found.values }] : []
  })
  const chart = (label: string, rest: Omit<TimeChartProps, 'label' | 'times' | 'to'>) => (
    <section className={classes.panel}>
      <h2>{label}</h2>
      <TimeChart label={label} times={times} to={to} {...rest} />
    </section>
  )
  const time = (value: number) => durationText(Math.round(value))
  return (
    <div className={classes.charts}>
      {chart(t('charts.runs'), { kind: 'bars', series: statuses, format: roughText })}
      {chart(t('charts.duration'), {
        kind: 'lines',
        series: (['p50', 'p95', 'p99'] as const).map((share) => line(share, `duration_${share}`, colors[share])),
        format: time,
      })}
      {chart(t('charts.delay'), {
        kind: 'lines',
        series: (['p50', 'p95'] as const).map((share) => line(share, `queue_delay_${share}`, colors[share])),
        format: time,
      })}
      {chart(t('charts.rows'), {
        kind: 'bars',
        series: [
          line(t('charts.written'), 'rows', 'var(--hg-chart-1)'),
          line(t('charts.rejected'), 'rejects', 'var(--hg-chart-2)'),
        ],
        format: roughText,
      })}
    </div>
  )
}
