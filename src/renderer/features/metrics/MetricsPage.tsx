import { Alert, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { IconChartHistogram } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { type RunsFilter, paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RecordFilter } from '../../ui/RecordFilter.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { numberText, percentText, ratioText } from '../../ui/format.ts'
import { useNow } from '../../ui/ticker.ts'
import { durationText } from '../../ui/time.ts'
import { useAddress, wholeNumber } from '../../ui/use-address.ts'
import { listRuns } from '../../../contract/runs.ts'
import { getTask, listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { ToTasks } from '../runs/ToTasks.tsx'
import { CustomStates } from './CustomStates.tsx'
import { Figure, type FigureName } from './Figure.tsx'
import { MetricsCharts } from './MetricsCharts.tsx'
import { Ranked } from './Ranked.tsx'
import { Regressions } from './Regressions.tsx'
import classes from './metrics.module.css'
import { type MetricQuery, type PeriodName, periodOf, periods, timesOf } from './metrics.rules.ts'
import { ownZone } from '../../ui/time.ts'
import { useMetricsTabs } from './use-metrics-tabs.ts'
import { countedOf, figuresOf, totalOf, useMetrics } from './use-metrics.ts'

const figures: readonly FigureName[] = [
  'success_rate',
  'runs',
  'failed_runs',
  'duration_p95',
  'queue_delay_p95',
  'rows',
  'rejects',
]
const listed = 8

interface ContentProps {
  name: PeriodName
  now: number
  task: number | undefined
  job: number | undefined
}

function useAll({ name, now, task, job }: ContentProps) {
  const { period, before } = timesOf(name, now)
  const filters: MetricQuery['filters'] = {
    ...(task === undefined ? {} : { task_id: task }),
    ...(job === undefined ? {} : { job_id: job }),
  }
  const over = (metric: string): MetricQuery => ({ metric, ...period, timezone: ownZone(), filters })
  const whole = (metric: string, of = period): MetricQuery => ({
    metric,
    from: of.from,
    to: of.to,
    bucket: 'total',
    filters,
  })
  const top = (metric: string, by: 'task' | 'executor'): MetricQuery => ({
    ...whole(metric),
    group_by: [by],
    limit: listed,
  })
  const charts = useMetrics({
    byStatus: { ...over('runs'), group_by: ['status'] },
    duration_p50: over('duration_p50'),
    duration_p95: over('duration_p95'),
    duration_p99: over('duration_p99'),
    queue_delay_p50: over('queue_delay_p50'),
    queue_delay_p95: over('queue_delay_p95'),
    rows: over('rows'),
    rejects: over('rejects'),
  })
  const totals = useMetrics(
    Object.fromEntries(
      figures.flatMap((metric) => [
        [metric, whole(metric)],
        [`${metric}:before`, whole(metric, before)],
      ]),
    ),
  )
  const ranks = useMetrics({
    slowest: top('duration_p95', 'task'),
    failing: top('failed_runs', 'task'),
    load: top('busy_time', 'executor'),
  })
  return { period, filters, charts, totals, ranks }
}

/** Of a shorter time: longer ones are offered; before anything ran, what leads to a first run. */
function NoRuns({ name }: Pick<ContentProps, 'name'>) {
  const { t } = useTranslation('metrics')
  const { t: tRuns } = useTranslation('runs')
  const [, change] = useAddress()
  const any = useOperation(listRuns, { query: { limit: 1 } })
  if (any.isPending) return <Skeleton height={66} />
  if (any.data?.total === 0)
    return (
      <EmptyList
        goal="run"
        icon={IconChartHistogram}
        title={tRuns('list.emptyTitle')}
        text={t('empty.text')}
        action={<ToTasks />}
      />
    )
  return (
    <EmptyState
      icon={IconChartHistogram}
      title={t('empty.title')}
      text={t('empty.text')}
      action={name === '90d' ? undefined : <Button onClick={() => change({ time: '90d' })}>{t('empty.action')}</Button>}
    />
  )
}

function Content(props: ContentProps) {
  const { t } = useTranslation('metrics')
  const { period, filters, charts, totals, ranks } = useAll(props)
  const failed = [charts, totals, ranks].find(({ error }) => error !== null)
  if (failed?.error) return <ErrorState what="metrics" error={failed.error} onRetry={() => void failed.refetch()} />
  if (!charts.data || !totals.data || !ranks.data) return <Skeleton height={66} />
  const share = countedOf(totals.data)
  const counting = share !== null && (
    <Alert color="blue" role="status">
      {t('counting', { share: percentText(share) })}
    </Alert>
  )
  const value = (name: string) => (totals.data[name] ? totalOf(totals.data[name]) : null)
  if (!value('runs') && !value('runs:before')) {
    return counting || <NoRuns name={props.name} />
  }
  // Of the complete buckets that were counted.
  const [counted = period] = totals.data['runs']?.buckets ?? []
  const filter: RunsFilter = {
    completed_from: counted.from,
    completed_to: counted.to,
    ...(props.task === undefined ? {} : { task_id: props.task }),
    ...(props.job === undefined ? {} : { job_id: props.job }),
  }
  const of = (status?: 'failed') => paths.runs({ ...filter, ...(status ? { status } : {}) })
  const isCompared = Boolean(value('runs:before'))
  const elapsed = Date.parse(period.to) - Date.parse(period.from)
  const { slowest, failing, load } = ranks.data
  return (
    <div className={classes.page}>
      {counting}
      <section className={classes.figures} data-with-failed aria-label={t('figures.label')}>
        {figures.map((name) => (
          <Figure
            key={name}
            name={name}
            now={value(name)}
            before={isCompared ? value(`${name}:before`) : undefined}
            to={of(name === 'failed_runs' || name === 'success_rate' ? 'failed' : undefined)}
          />
        ))}
        {isCompared ? null : <p>{t('nothingBefore')}</p>}
      </section>
      <CustomStates />
      <Regressions now={props.now} filters={filters} />
      <MetricsCharts data={charts.data} period={period} filter={filter} />
      <div className={classes.lists}>
        <Ranked
          title={t('tasks.slowest')}
          rows={figuresOf(slowest)}
          format={(ms) => durationText(ms)}
          to={({ id }) => paths.runs({ ...filter, task_id: id })}
          nothing={t('nothing.slowest')}
        />
        <Ranked
          title={t('tasks.failing')}
          rows={figuresOf(failing).filter((task) => task.value > 0)}
          format={(runs) => numberText(runs)}
          to={({ id }) => paths.runs({ ...filter, task_id: id, status: 'failed' })}
          tone="failed"
          nothing={t('nothing.failing')}
        />
        <Ranked
          title={t('tasks.load')}
          rows={figuresOf(load, 'executor')}
          full={elapsed}
          format={(ms) => t('load', { busy: ratioText(ms / elapsed) })}
          to={({ id }) => paths.runs({ ...filter, executor_id: id })}
          nothing={t('nothing.load')}
        />
      </div>
    </div>
  )
}

/** How well runs went, compared with the time before; also of one task or one job. */
export function MetricsPage() {
  const { t } = useTranslation('metrics')
  const [address, change] = useAddress()
  const now = useNow()
  const tabs = useMetricsTabs('runs')
  const name = periodOf(address.get('time'))
  const task = wholeNumber(address.get('task_id'))
  const job = wholeNumber(address.get('job_id'))
  return (
    <Page
      title={t('title')}
      tabs={tabs}
      toolbar={
        <Toolbar>
          <SegmentedControl
            size="xs"
            aria-label={t('period')}
            data={(Object.keys(periods) as PeriodName[]).map((value) => ({ value, label: t(`periods.${value}`) }))} // its own names
            value={name}
            onChange={(value) => change({ time: value })}
          />
          <RecordFilter
            get={getTask}
            list={listTasks}
            label={t('task')}
            placeholder={t('anyTask')}
            nothingFound={t('noTask')}
            value={task}
            onChange={(id) => change({ task_id: id === null ? null : String(id) })}
            width={200}
          />
          <RecordFilter
            get={getJob}
            list={listJobs}
            label={t('job')}
            placeholder={t('anyJob')}
            nothingFound={t('noJob')}
            value={job}
            onChange={(id) => change({ job_id: id === null ? null : String(id) })}
            width={200}
          />
        </Toolbar>
      }
    >
      <Content name={name} now={now} task={task} job={job} />
    </Page>
  )
}
