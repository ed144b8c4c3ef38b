/** Where rows of widgets come from: queries on executors, metrics, runs and outputs of the job. */
import { type WidgetDataBody, mostRows } from '../../../contract/dashboard-views.ts'
import { msg } from '../../../contract/messages.ts'
import type {
  DashboardData,
  MetricData,
  OutputData,
  QueryData,
  RunsData,
} from '../../../language/dashboard/dashboard.types.ts'
import type { DashboardScope } from '../../../language/dashboard/dashboard-scope.ts'
import { findBinds } from '../../../language/sql-binds.ts'
import { createResolver } from '../../../language/task/resolver.ts'
import type { Json } from '../../../language/task/task.types.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalidState, unavailable } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { MetricsService } from '../metrics/metrics.service.ts'
import { type HeldResult, type ResultsService, rowsOf } from '../queries/results.service.ts'
import { chosenQuery, dialectOfType, spreadLists } from './bound-query.rules.ts'
import type { CachedRows, DataCache, MadeRows } from './data-cache.ts'
import type { RowsOfJob } from './dashboards.service.ts'
import {
  type AllRows,
  createCollector,
  hasValues,
  madeOf,
  rowsOfMetric,
  rowsOfOutput,
  rowsOfRuns,
} from './made-rows.rules.ts'
import type { SlotUser, createQuerySlots } from './query-slots.ts'
import { createRunRowsStore } from './run-rows.store.ts'

interface Dependencies {
  jobs: Pick<JobsService, 'forRun' | 'heldSnapshot'>
  connectors: Pick<ConnectorsService, 'get' | 'opened'>
  results: Pick<ResultsService, 'open'>
  metrics: Pick<MetricsService, 'query'>
  cache: DataCache
  slots: ReturnType<typeof createQuerySlots>
}

/** What rows are asked for with. */
export interface Asking {
  scope: DashboardScope
  refresh?: boolean | undefined
  /** Values of `:name` that no `params` give: those of options. */
  binds?: Record<string, unknown>
  /** Only the options with these values. */
  chosen?: readonly string[]
  /** Only rows with these values, see `drill_by`. */
  by?: WidgetDataBody['drill_by']
  /** Rows at most, in place of `max_rows`: options aren’t what a widget shows. */
  most?: number
  /** Without limits and past the cache, of data that is no query. */
  whole?: true
  /** Asked before rows are made, and refuses by throwing. */
  mayMake?: () => void
  /** Whose places queries take; by default those of people. */
  user?: SlotUser
}

interface BoundQuery {
  connectorId: number
  sql: string
  params: Record<string, unknown>
  timeout_ms: number
}

/** Runs are read from the store itself, so what is older than this is read again. */
const runsTtlMs = 2_000
const bucketMs: Record<MetricData['bucket'], number> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 31 * 86_400_000,
}

export function createWidgetSources(
  { store, clock, draining }: Pick<Platform, 'store' | 'clock' | 'draining'>,
  { jobs, connectors, results, metrics, cache, slots }: Dependencies,
) {
  const runs = createRunRowsStore(store)

  /** Values of `:name`. */
  function paramsOf(data: QueryData, { scope, binds = {} }: Asking): Record<string, Json> {
    const resolver = createResolver({ ...scope }, clock.iso())
    const values = resolver.binds(data.params, 'params')
    const [problem] = resolver.problems
    if (problem) {
      const { path, ...rest } = problem
      invalidState(msg('widget_expression_fails', { name: path.replace(/^params\.?/, ''), problem: rest }))
    }
    return { ...(binds as Record<string, Json>), ...values } // JSON from a validated body
  }

  function opened({ connectorId, sql, params, timeout_ms }: BoundQuery, userId: number) {
    const connector = connectors.opened(connectorId)
    return results.open({ connector, query: sql, parameters: params, format: { kind: 'rows' }, timeout_ms }, userId)
  }

  async function runQuery(
    { connectorId, sql, params, maxRows, timeout_ms }: BoundQuery & { maxRows: number },
    { by = {}, user = 'people' }: Asking,
  ): Promise<MadeRows> {
    return slots.run(connectorId, user, async () => {
      // Whose query it is counts for limits only: those of dashboards count by connector.
      const result = opened({ connectorId, sql, params, timeout_ms }, -connectorId)
      const timer = setTimeout(() => result.end(new Refusal('TIMEOUT', msg('widget_timed_out'))), timeout_ms + 10_000)
      try {
        const { fields } = await result.start(draining)
        const collector = createCollector(maxRows)
        // The query ends with the last row, and not with the first ones of other marks.
        const isWanted = hasValues(fields, by)
        for (
          let chunk = await result.first(draining);
          chunk && !collector.isFull;
          chunk = await result.first(draining)
        ) {
          const { rows, cut } = rowsOf(chunk, chunk.offset, chunk.rows)
          for (const row of rows) if (isWanted(row)) collector.add(row)
          if (cut.some(({ row }) => isWanted(rows[row - chunk.offset] ?? []))) collector.shortened()
          await result.drop(chunk)
        }
        const { rows, truncated, bytes } = collector
        return { fields, rows, truncated, run: null, bytes }
      } catch (error) {
        return asWidget(error)
      } finally {
        clearTimeout(timer)
        result.end(msg('query_cancelled'))
      }
    })
  }

  function connectorOf({ row }: RowsOfJob, name: string): number {
    const { connector_mapping } = jobs.forRun(row.job_id)
    const id = Object.hasOwn(connector_mapping, name) ? connector_mapping[name] : undefined
    return id ?? invalidState(msg('widget_connector_unbound', { connector: name }))
  }

  /** The query with what is bound in it. */
  function bound(open: RowsOfJob, data: QueryData, asking: Asking) {
    const connectorId = connectorOf(open, data.connector)
    const { type, updated_at, archived } = connectors.get(connectorId)
    if (archived === 1) invalidState(msg('widget_data_archived'))
    const { chosen } = asking
    const text = chosen ? chosenQuery(data.query, type) : data.query
    const dialect = dialectOfType(type)
    const all = { ...paramsOf(data, asking), ...(chosen && { headgate_chosen: [...chosen] }) }
    const used = new Set(findBinds(text, dialect).map(({ name }) => name))
    const named = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)))
    return { connectorId, updated_at, named, timeout_ms: data.timeout_ms, ...spreadLists(text, named, dialect) }
  }

  function query(open: RowsOfJob, dataId: string, data: QueryData, asking: Asking) {
    const { updated_at, named, ...asked } = bound(open, data, asking)
    const maxRows = Math.min(asking.most ?? data.max_rows, mostRows)
    return cached(
      open,
      dataId,
      [asked.connectorId, updated_at, asking.chosen ?? null, keyed(named, asking), asking.most],
      { ttl_ms: data.ttl_ms, ...asking },
      () => runQuery({ ...asked, maxRows }, asking),
    )
  }

  /** Times of a window that ends now differ with each request: its length stands for them. */
  function keyed(params: Record<string, unknown>, { scope }: Asking): unknown {
    const { window } = scope
    if (!window || !('last_ms' in window)) return params
    return [
      window.last_ms,
      Object.entries(params).map(([name, value]) => [
        name,
        value === window.from ? 'window.from' : value === window.to ? 'window.to' : value,
      ]),
    ]
  }

  function cached(
    { row, document }: RowsOfJob,
    dataId: string,
    of: unknown,
    {
      ttl_ms,
      refresh,
      mayMake,
      by,
      whole,
      user,
    }: { ttl_ms: number } & Pick<Asking, 'refresh' | 'mayMake' | 'by' | 'whole' | 'user'>,
    work: () => Promise<MadeRows | AllRows>,
  ): Promise<CachedRows> | CachedRows {
    if (whole) return wholeOf(work)
    const source = row.id ?? [row.job_id, document.data[dataId] ?? null]
    const wanted = { jobId: row.job_id, of: [source, row.template_version, dataId, of, by], ttl_ms, refresh, user }
    const make = async () => {
      const made = await work()
      return 'truncated' in made ? made : madeOf(made, mostRows, by)
    }
    return cache.get(wanted, make, mayMake)
  }

  async function wholeOf(work: () => Promise<MadeRows | AllRows>): Promise<CachedRows> {
    const [made, now] = [await work(), clock.now().getTime()]
    return { ...made, rows: [...made.rows], truncated: null, bytes: 0, as_of: now, fresh_until: now }
  }

  /** The id of a task of the job, by its key. */
  function taskId(jobId: number, key: string): number {
    const { tasks } = jobs.heldSnapshot(jobs.forRun(jobId).snapshot_id)
    const task = Object.hasOwn(tasks, key) ? tasks[key] : undefined
    return task?.task_id ?? invalidState(msg('widget_task_unknown', { task: key }))
  }

  function metric(open: RowsOfJob, dataId: string, data: MetricData, asking: Asking) {
    const { metric: name, task, bucket, last, group_by } = data
    const { window } = asking.scope
    const byWindow = last === null && window
    const key = byWindow ? ('last_ms' in window ? window.last_ms : [window.from, window.to]) : null
    return cached(open, dataId, [key], { ttl_ms: data.ttl_ms, ...asking }, async () => {
      const now = clock.now().getTime()
      // The bucket of now is the last one.
      const from = byWindow ? window.from : new Date(now - ((last ?? 30) - 1) * bucketMs[bucket]).toISOString()
      const to = byWindow ? window.to : new Date(now + 1).toISOString()
      const result = metrics.query({
        metric: name,
        from,
        to,
        bucket,
        ...(group_by && { group_by: [group_by] }),
        filters: {
          job_id: open.row.job_id,
          ...(task !== null && { task_id: taskId(open.row.job_id, task) }),
        },
      })
      return rowsOfMetric(result, group_by !== null, jobs.forRun(open.row.job_id).created_at)
    })
  }

  function jobRuns(open: RowsOfJob, dataId: string, { task, last }: Pick<RunsData, 'task' | 'last'>, asking: Asking) {
    return cached(open, dataId, [task, last], { ttl_ms: runsTtlMs, ...asking }, async () => {
      const { job_id } = open.row
      return task === null
        ? rowsOfRuns(runs.ofJob(job_id, last), 'job_run')
        : rowsOfRuns(runs.ofTask(job_id, task, last), 'run')
    })
  }

  function output(open: RowsOfJob, dataId: string, data: OutputData, asking: Asking) {
    return cached(open, dataId, [], { ttl_ms: runsTtlMs, ...asking }, async () => {
      const all = runs.outputsOf(open.row.job_id, data.task).map((text): Json => {
        const outputs = text === null ? null : (JSON.parse(text) as Json) // as an executor reported it
        if (data.output === null || outputs === null || typeof outputs !== 'object' || Array.isArray(outputs))
          return outputs
        return Object.hasOwn(outputs, data.output) ? (outputs[data.output] ?? null) : null
      })
      const [only = null] = all
      return rowsOfOutput(all.length > 1 ? all.flat() : only)
    })
  }

  return {
    /** Rows of one of `data`. */
    rows(open: RowsOfJob, dataId: string, asking: Asking): Promise<CachedRows> | CachedRows {
      const source = sourceOf(open, dataId)
      switch (source.kind) {
        case 'query':
          return query(open, dataId, source, asking)
        case 'metric':
          return metric(open, dataId, source, asking)
        case 'runs':
          return jobRuns(open, dataId, source, asking)
        case 'output':
          return output(open, dataId, source, asking)
      }
    },
    /** Rows of a widget about runs, which names no data. */
    runsOf: (open: RowsOfJob, widgetId: string, of: Pick<RunsData, 'task' | 'last'>, asking: Asking) =>
      jobRuns(open, `$${widgetId}`, of, asking),
    /** The run whose log a widget shows; no rows, as the log is followed where it is. */
    logOf: (open: RowsOfJob, widgetId: string, task: string | null, asking: Asking) =>
      cached(open, `$${widgetId}`, [task], { ttl_ms: runsTtlMs, ...asking }, async () => {
        const { job_id } = open.row
        const line = task === null ? runs.ofLog(job_id) : runs.ofTask(job_id, task, 1)[0]
        return rowsOfRuns(line ? [line] : [], 'run')
      }),
    connectorOf,
    /** All rows of one of `data` that is a query; null: it is none. They count as one query of the user. */
    open(open: RowsOfJob, dataId: string, asking: Asking, userId: number): HeldResult | null {
      const data = sourceOf(open, dataId)
      return data.kind === 'query' ? opened(bound(open, data, asking), userId) : null
    },
  }
}
function sourceOf({ document: { data } }: RowsOfJob, dataId: string): DashboardData {
  return (Object.hasOwn(data, dataId) ? data[dataId] : undefined) ?? invalidState(msg('dashboard_unreadable'))
}

/** What is wrong with a query, as whoever looks at a dashboard is told it. */
export function asWidget(error: unknown): never {
  // Its executor has gone: who asks again gets another one.
  if (error instanceof Refusal && error.code === 'CONFLICT' && error.reason) unavailable(error.reason)
  // The query stands in the template: a place in what was asked says nothing to who looks.
  if (error instanceof Refusal && error.code === 'VALIDATION_ERROR' && error.reason)
    throw new Refusal(error.code, error.reason)
  throw error
}

export type WidgetSources = ReturnType<typeof createWidgetSources>
