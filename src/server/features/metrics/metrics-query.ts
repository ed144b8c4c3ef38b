import { msg } from '../../../contract/messages.ts'
import {
  type MetricDimension,
  type MetricResult,
  type MetricSeries,
  mostBuckets,
  mostSeries,
  type queryMetrics,
} from '../../../contract/metrics.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { instant } from '../../platform/instant.ts'
import { invalid } from '../../platform/refusal.ts'
import type { Store } from '../../platform/store.ts'
import { zoneOf } from '../../platform/zones.ts'
import { edgesOf, piecesOf } from './buckets.rules.ts'
import type { CustomMetrics } from './custom-metrics.ts'
import { aggregateOf, aggregated, unitOf } from './custom-metrics.rules.ts'
import type { CustomMetricRow } from './custom-metrics.store.ts'
import { type Definition, type Sums, addStored, addSums, definitions, noSums } from './metrics.rules.ts'
import { type Owners, type SumsQuery, createMetricsQueryStore } from './metrics-query.store.ts'

type Query = BodyOf<typeof queryMetrics>
/** A group by the values of its dimensions. */
interface Group {
  values: readonly (string | number)[]
  sums: Sums
}

export function createMetricsQuery(
  store: Pick<Store, 'sqlite'>,
  custom: Pick<CustomMetrics, 'custom' | 'valuesIn'>,
  countedRuns: () => number | null,
) {
  const rollups = createMetricsQueryStore(store)

  /** Ids of the tasks that a query is about; undefined: of any. */
  function tasksIn({ task_id, task_ids }: NonNullable<Query['filters']>): readonly number[] | undefined {
    if (task_id === undefined || task_ids === undefined) return task_id === undefined ? task_ids : [task_id]
    return task_ids.includes(task_id) ? [task_id] : []
  }

  function ownersOf({ group_by = [], filters = {} }: Query): Owners {
    const tasks = tasksIn(filters)
    if (tasks !== undefined) return { kind: 'task', ids: tasks }
    if (filters.job_id !== undefined) return { kind: 'job', ids: [filters.job_id] }
    for (const kind of ['task', 'job'] as const) {
      if (group_by.includes(kind)) return { kind, ids: rollups.idsOf(kind) }
    }
    return { kind: 'all' }
  }
  function sumsQueryOf(
    query: Query,
    { histogram, sums }: Partial<Pick<SumsQuery, 'histogram'>> & Pick<SumsQuery, 'sums'>,
  ): SumsQuery {
    const { job_id, executor_id, trigger_type, status, error_code } = query.filters ?? {}
    const filters: [MetricDimension, string | number | undefined][] = [
      // Whose roll-ups are read says the one of the two that comes first.
      ['job', tasksIn(query.filters ?? {}) === undefined ? undefined : job_id],
      ['executor', executor_id],
      ['trigger_type', trigger_type],
      ['status', status],
      ['error_code', error_code],
    ]
    return {
      owners: ownersOf(query),
      groupBy: query.group_by ?? [],
      histogram,
      sums,
      filters: filters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    }
  }

  /** The groups of a time, by key. */
  function groupsIn(query: SumsQuery, from: number, to: number): Map<string, Group> {
    const read = rollups.reader(query)
    const groups = new Map<string, Group>()
    for (const piece of piecesOf(from, to)) {
      for (const row of read(piece)) {
        const values = query.groupBy.map((_, at) => row[`g${at}`]!)
        const key = JSON.stringify(values)
        const group = groups.get(key) ?? { values, sums: noSums() }
        groups.set(key, group)
        addStored(group.sums, row)
      }
    }
    return groups
  }

  function together(parts: readonly Map<string, Group>[]): Map<string, Group> {
    const all = new Map<string, Group>()
    for (const [key, { values, sums }] of parts.flatMap((part) => [...part])) {
      const group = all.get(key) ?? { values, sums: noSums() }
      all.set(key, group)
      addSums(group.sums, sums)
    }
    return all
  }

  /** Only these groups are of interest from now on: fewer rows are read. */
  function narrowed(query: SumsQuery, groups: readonly Group[]): SumsQuery {
    const { owners, groupBy } = query
    if (owners.kind === 'all') return query
    const at = groupBy.indexOf(owners.kind)
    // The column holds ids.
    return at < 0
      ? query
      : { ...query, owners: { kind: owners.kind, ids: [...new Set(groups.map(({ values }) => Number(values[at])))] } }
  }

  function presented(groupBy: readonly MetricDimension[], { values }: Group): Pick<MetricSeries, 'group' | 'names'> {
    const group: MetricSeries['group'] = {}
    const names: MetricSeries['names'] = {}
    for (const [at, dimension] of groupBy.entries()) {
      const value = values[at]!
      group[dimension] = value === 0 || value === '' ? null : value
      if (dimension !== 'task' && dimension !== 'job' && dimension !== 'executor') continue
      const name = rollups.nameOf(dimension, Number(value))
      if (name !== undefined) names[dimension] = name
    }
    return { group, names }
  }

  /** Where the buckets of a query begin, and the end of the last one. */
  function edgesIn({ bucket, timezone = 'UTC', ...body }: Query): number[] {
    const zone = zoneOf(timezone) ?? invalid([{ path: 'body.timezone', ...msg('not_a_zone') }])
    const from = Date.parse(instant(body.from, 'body.from'))
    const to = Date.parse(instant(body.to, 'body.to'))
    if (to <= from) invalid([{ path: 'body.to', ...msg('metric_range') }])
    const edges = edgesOf(zone, from, to, bucket, mostBuckets)
    if (edges.length - 1 > mostBuckets) {
      invalid([{ path: 'body.bucket', ...msg('metric_too_many_buckets', { most: mostBuckets }) }])
    }
    return edges
  }

  function seriesOf(body: Query, definition: Definition, edges: readonly number[]): MetricSeries[] {
    const { bucket, group_by: groupBy = [], limit } = body
    const sumsQuery = sumsQueryOf(body, definition)
    const inBucket = (of: SumsQuery, at: number) => groupsIn(of, edges[at]!, edges[at + 1]!)
    const buckets = edges.length - 1
    // Of all tasks together there are few groups: they are read once. Of each task: first which ones are wanted.
    const once = bucket !== 'total' && sumsQuery.owners.kind === 'all'
    const read = once ? Array.from({ length: buckets }, (_, at) => inBucket(sumsQuery, at)) : []
    const all = once ? together(read) : groupsIn(sumsQuery, edges[0]!, edges.at(-1)!)
    if (groupBy.length === 0 && all.size === 0) all.set('[]', { values: [], sums: noSums() })
    if (limit === undefined && all.size > mostSeries) {
      invalid([{ path: 'body.group_by', ...msg('metric_too_many_groups', { most: mostSeries }) }])
    }
    const chosen = [...all]
      .map(([key, group]) => ({ key, group, total: definition.value(group.sums) }))
      .toSorted((a, b) => (b.total ?? -1) - (a.total ?? -1))
      .slice(0, limit ?? mostSeries)
    const few = narrowed(
      sumsQuery,
      chosen.map(({ group }) => group),
    )
    const values = chosen.map(() => [] as (number | null)[])
    for (let at = 0; at < buckets; at++) {
      const found = bucket === 'total' ? all : (read[at] ?? inBucket(few, at))
      for (const [series, { key }] of chosen.entries()) {
        const group = found.get(key)
        values[series]!.push(group ? definition.value(group.sums) : definition.empty)
      }
    }
    return chosen.map(({ group, total }, at) => ({ ...presented(groupBy, group), values: values[at]!, total }))
  }

  /** Its one series. */
  function customSeries(
    body: Query,
    { id, definition, name }: CustomMetricRow,
    edges: readonly number[],
  ): MetricSeries[] {
    for (const part of ['group_by', 'filters'] as const) {
      if (Object.keys(body[part] ?? {}).length > 0) {
        invalid([{ path: `body.${part}`, ...msg('metric_one_series', { name }) }])
      }
    }
    const aggregate = aggregateOf(definition)
    const value = (from: number, to: number) => aggregated(custom.valuesIn(id, from, to), aggregate)
    const values = edges.slice(1).map((end, at) => value(edges[at]!, end))
    return [{ group: {}, names: {}, values, total: value(edges[0]!, edges.at(-1)!) }]
  }

  return function query(body: Query): MetricResult {
    const { metric, timezone = 'UTC' } = body
    const definition = definitions.get(metric)
    const own = definition ? undefined : custom.custom.named(metric)
    if (!definition && !own) invalid([{ path: 'body.metric', ...msg('metric_unknown', { name: metric }) }])
    const edges = edgesIn(body)
    const iso = (ms: number) => new Date(ms).toISOString()
    const buckets = edges.slice(1).map((end, at) => ({ from: iso(edges[at]!), to: iso(end) }))
    if (own) {
      const series = customSeries(body, own, edges)
      return { metric, unit: unitOf(own.definition), timezone, counted: null, buckets, series }
    }
    const series = seriesOf(body, definition!, edges)
    return { metric, unit: definition!.unit, timezone, counted: countedRuns(), buckets, series }
  }
}
