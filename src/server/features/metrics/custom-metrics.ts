/** Custom metrics: their values, and when they violate their threshold or deadline. What follows from a run is written in the transaction of its end. */
import type { CustomMetric, CustomMetricState } from '../../../contract/custom-metrics.ts'
import { msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { Metric } from '../../../contract/metrics.ts'
import { type KeptError, keptError, shownParams } from '../../platform/kept-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { type DatasetFreshness, type LineageService, hasWritten } from '../lineage/lineage.service.ts'
import type { MetricUpdate } from '../notifications/notifications.service.ts'
import type { RunRow } from '../runs/runs.service.ts'
import {
  type FreshnessSource,
  type Values,
  aggregateOf,
  dueAt,
  emptyOf,
  mistakesIn,
  notAfter,
  numberAt,
  placesOfValue,
  stateOf,
  together,
  unitOf,
  valuesOf,
  violationOf,
} from './custom-metrics.rules.ts'
import { piecesOf } from './buckets.rules.ts'
import { type CustomMetricRow, type CustomMetricsStore, createCustomMetricsStore } from './custom-metrics.store.ts'
import { quarterMs } from './rollup.rules.ts'

interface Dependencies {
  lineage: Pick<LineageService, 'writtenBy' | 'lastWrite' | 'hasDataset'>
  /** In the transaction in which it happened. */
  notify(update: MetricUpdate): void
}
type FreshnessRow = CustomMetricRow & { source: FreshnessSource }

export function createCustomMetrics({ store, clock, events }: Platform, { lineage, notify }: Dependencies) {
  const custom: CustomMetricsStore = createCustomMetricsStore(store)
  const iso = (ms: number) => new Date(ms).toISOString()

  /** Raises, changes, or clears; whoever listens is notified of the first and the last, once. */
  function judge(row: CustomMetricRow, violation: KeptError | null, at: string): void {
    const { id, name, violated_at: since } = row
    const isNew = (since === null) !== (violation === null)
    if (!isNew && violation?.message === row.violation?.message) return
    custom.noteViolation(id, violation && (since ?? at), violation)
    changed()
    if (!isNew) return
    const { description = null, source } = row.definition
    notify({
      event: violation ? 'metric_violated' : 'metric_recovered',
      name,
      description,
      kind: source.kind,
      unit: unitOf(row.definition),
      value: custom.get(id)?.value ?? null,
      violation: (violation ?? row.violation)?.message ?? '',
      since: since ?? at,
      at,
    })
  }
  const changed = () => events.append('server.changed', 1, { what: 'metrics' })

  function add(id: number, value: number, at: string): void {
    const moment = Date.parse(at)
    for (const place of placesOfValue(moment)) custom.add(id, place, valuesOf(value, moment))
  }

  /** In a transaction: a new value. */
  function take(row: CustomMetricRow, value: number, at: string, runId: number | null): void {
    add(row.id, value, at)
    custom.noteValue(row.id, value, at, runId)
    const violation = violationOf(value, row.definition)
    judge(row, violation && keptError(violation), clock.iso())
  }

  const freshnessOf = (rows: readonly CustomMetricRow[]): FreshnessRow[] =>
    rows.flatMap((row) => {
      const { source } = row.definition
      return source.kind === 'freshness' ? [{ ...row, source }] : []
    })
  /** Since when its age counts. */
  const basisOf = (row: FreshnessRow): string => row.value_at ?? row.created_at
  function overdue(row: FreshnessRow, now: string): KeptError | null {
    const due = dueAt(basisOf(row), row.source)
    if (Date.parse(now) <= due) return null
    return keptError(
      row.value_at === null
        ? msg('metric_never_written', { due: iso(due) })
        : msg('metric_overdue', { at: row.value_at, due: iso(due) }),
    )
  }
  /** In a transaction: it was written. */
  function written(row: FreshnessRow, at: string, runId: number | null): void {
    const now = clock.iso()
    noteAge(row, now)
    // Reports arrive in another order than that of the writes; a write that is yet to come was made by a clock that was wrong.
    const newer = row.value_at !== null && row.value_at > at && row.value_at <= now ? row.value_at : null
    const value_at = newer ?? notAfter(at, now)
    custom.noteValue(row.id, null, value_at, newer === null ? runId : row.run_id)
    judge(row, overdue({ ...row, value_at }, now), now)
  }
  function noteAge(row: FreshnessRow, now: string): void {
    add(row.id, Math.max(0, Date.parse(now) - Date.parse(basisOf(row))), now)
    custom.noteCheck(row.id, now)
  }

  /** In a transaction: the deadline of one, and once in a while its age. */
  function watch(row: FreshnessRow, now: string): void {
    if (basisOf(row) > now) {
      // The clock was put back. Its age starts again, and a violation stays until it is written.
      custom.noteValue(row.id, null, now, row.run_id)
      return
    }
    const since = row.checked_at === null ? Infinity : Date.parse(now) - Date.parse(row.checked_at)
    if (since >= quarterMs || since < 0) noteAge(row, now)
    if (row.violated_at === null) judge(row, overdue(row, now), now)
  }
  const needsWatch = (row: FreshnessRow, now: string): boolean =>
    basisOf(row) > now ||
    row.checked_at === null ||
    Math.abs(Date.parse(now) - Date.parse(row.checked_at)) >= quarterMs ||
    (row.violated_at === null && Date.parse(now) > dueAt(basisOf(row), row.source))

  function define(definition: CustomMetric, at: string): void {
    const before = custom.named(definition.name)
    const id = before?.id ?? custom.insert(definition, at)
    if (before && JSON.stringify(before.definition) === JSON.stringify(definition)) return
    if (before) custom.define(id, definition)
    const isOther = before && JSON.stringify(originOf(before.definition)) !== JSON.stringify(originOf(definition))
    if (isOther) custom.forget(id)
    if (definition.source.kind === 'freshness' && (isOther || !before)) {
      const { freshness_of: of } = definition.source
      const last = 'job_id' in of ? custom.lastJobEnd(of.job_id) : lineage.lastWrite(of)
      if (last) custom.noteValue(id, null, notAfter(last.at, at), last.run_id)
    }
    const row = custom.get(id)!
    const [fresh] = freshnessOf([row])
    const violation = row.value === null ? null : violationOf(row.value, definition)
    judge(row, fresh ? overdue(fresh, at) : violation && keptError(violation), at)
  }

  return {
    custom,
    take,

    /** What can’t be so, before a change. */
    async mistakes(list: readonly CustomMetric[]): Promise<ErrorDetail[]> {
      const details = mistakesIn(list)
      for (const [at, metric] of list.entries()) {
        const { source } = metric
        // What was right when it was saved must not keep others from being saved.
        if (JSON.stringify(custom.named(metric.name)?.definition.source) === JSON.stringify(source)) continue
        const path = `body.custom[${at}].source`
        if (source.kind === 'query') {
          const { connector_id: id } = source
          if (!custom.exists('connector', id))
            details.push({ path: `${path}.connector_id`, ...msg('no_connector', { id }) })
          continue
        }
        const of = source.kind === 'freshness' ? source.freshness_of : source
        const place = source.kind === 'freshness' ? `${path}.freshness_of` : path
        if ('dataset' in of) {
          if (!(await lineage.hasDataset(of.dataset)))
            details.push({ path: `${place}.dataset`, ...msg('metric_no_dataset', { dataset: of.dataset }) })
        } else if ('job_id' in of) {
          if (!custom.exists('job', of.job_id))
            details.push({ path: `${place}.job_id`, ...msg('no_job', { id: of.job_id }) })
        } else if (!custom.exists('task', of.task_id)) {
          details.push({ path: `${place}.task_id`, ...msg('metric_no_task', { id: of.task_id }) })
        }
      }
      return details
    },
    /** In a transaction. */
    configure(list: readonly CustomMetric[]): void {
      const at = clock.iso()
      const names = new Set(list.map(({ name }) => name))
      for (const row of custom.list()) {
        if (names.has(row.name)) continue
        // Whoever was told that it is violated hears that it is over.
        judge(row, null, at)
        custom.remove(row.id)
      }
      for (const definition of list) define(definition, at)
    },
    definitions: (): CustomMetric[] => custom.list().map(({ definition }) => definition),

    /** In the transaction in which a run ends. */
    runEnded(run: RunRow): void {
      const of = custom.ofTask(run.task_id)
      const at = run.completed_at ?? run.updated_at
      if (run.status === 'success' || run.status === 'completed') {
        for (const row of of) {
          const { source } = row.definition
          if (source.kind !== 'summary' && source.kind !== 'output') continue
          const value = numberAt(source.kind === 'summary' ? run.metrics_summary : run.outputs, source.field)
          if (value === undefined)
            custom.noteFailure(row.id, keptError(msg('metric_run_no_number', { run: run.id, field: source.field })))
          else take(row, value, at, run.id)
        }
      }
      if (!hasWritten(run)) return
      for (const row of freshnessOf(of)) written(row, run.committed_at ?? at, run.id)
      const ofDatasets = custom.ofDatasets()
      if (ofDatasets.length === 0) return
      const datasets = new Set(lineage.writtenBy(run))
      for (const row of freshnessOf(ofDatasets.filter(({ dataset }) => datasets.has(dataset))))
        written(row, run.committed_at ?? at, run.id)
    },
    /** In the transaction in which a job run ends. */
    jobRunEnded({
      job_id,
      status,
      completed_at,
    }: {
      job_id: number
      status: string
      completed_at: string | null
    }): void {
      if (status !== 'completed') return
      for (const row of freshnessOf(custom.ofJob(job_id))) written(row, completed_at ?? clock.iso(), null)
    },
    /** Deadlines that have passed. */
    watch(): void {
      const now = clock.iso()
      const due = freshnessOf(custom.ofKind('freshness')).filter((row) => needsWatch(row, now))
      if (due.length > 0) store.transaction(() => due.forEach((row) => watch(row, now)))
    },

    /** As the list of metrics has them. */
    listed: (): Metric[] => custom.list().map(metricOf),
    /** Rules of datasets, the earliest deadline first. */
    datasetRules: (): DatasetFreshness[] =>
      freshnessOf(custom.ofDatasets())
        .map((row) => ({
          dataset: 'dataset' in row.source.freshness_of ? row.source.freshness_of.dataset : '',
          metric: row.name,
          state: row.violated_at === null ? ('ok' as const) : ('violated' as const),
          deadline_at: iso(dueAt(basisOf(row), row.source)),
        }))
        .toSorted((a, b) => (a.deadline_at < b.deadline_at ? -1 : 1)),
    /** What needs someone: violated ones, and queries that fail again and again. */
    amiss: () =>
      custom
        .list()
        .flatMap(({ name, failures, violated_at, violation, error_message, error_params, checked_at, ...row }) => {
          const state = stateOf({ violated_at, failures, value_at: row.value_at })
          if (state === 'violated' && violated_at !== null && violation)
            return [{ name, since: violated_at, message: violation.message, params: violation.params }]
          if (state !== 'failing') return []
          return [
            { name, since: row.value_at ?? checked_at ?? row.created_at, message: error_message, params: error_params },
          ]
        }),
    /** The values of a time; undefined where there are none. */
    valuesIn(id: number, from: number, to: number): Values | undefined {
      let sum: Values | undefined
      for (const piece of piecesOf(from, to)) for (const part of custom.values(id, piece)) sum = together(sum, part)
      return sum
    },
    /** Pieces of work that let go of old values, and of metrics that were removed. */
    lettingGo: (before: number, atOnce: number): (() => boolean)[] =>
      custom.ids().map(({ id, removed }) => () => {
        const more = custom.dropBefore(id, removed ? Infinity : before, atOnce)
        if (!more && removed) custom.gone(id)
        return more
      }),
  }

  function metricOf(row: CustomMetricRow): Metric {
    const { name, definition, value, value_at, run_id, checked_at, violated_at } = row
    const { kind } = definition.source
    const aggregate = aggregateOf(definition)
    const [fresh] = freshnessOf([row])
    const age = fresh ? Math.max(0, clock.now().getTime() - Date.parse(basisOf(fresh))) : value
    const state: CustomMetricState = {
      kind,
      aggregate,
      description: definition.description ?? null,
      state: stateOf(row),
      since: violated_at,
      value: fresh && value_at === null ? null : age,
      value_at,
      run_id,
      deadline_at: fresh ? iso(dueAt(basisOf(fresh), fresh.source)) : null,
      checked_at: kind === 'query' ? checked_at : null,
      error_message: row.violation?.message ?? row.error_message,
      error_params: shownParams(row.violation ? row.violation.params : row.error_params),
    }
    return { name, unit: unitOf(definition), empty: emptyOf(aggregate), custom: state }
  }
}
export type CustomMetrics = ReturnType<typeof createCustomMetrics>

/** What the newest value is of: another one makes it meaningless, another deadline doesn’t. */
function originOf({ source }: CustomMetric): unknown {
  if (source.kind === 'freshness') return source.freshness_of
  const { kind, ...of } = source
  return kind === 'query' && 'query' in of ? [kind, of.connector_id, of.query] : [kind, of]
}
