/** What values of custom metrics amount to, and what is wrong with them. Pure. */
import type { CustomMetric, MetricSource, MetricState, metricAggregates } from '../../../contract/custom-metrics.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { definitions } from './metrics.rules.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { grainMs, grains } from './rollup.rules.ts'

export type Aggregate = (typeof metricAggregates)[number]
export type FreshnessSource = Extract<MetricSource, { kind: 'freshness' }>
export type QuerySource = Extract<MetricSource, { kind: 'query' }>

/** The values of a time. `last` is the one at `last_at`, the newest. */
export interface Values {
  n: number
  sum: number
  min: number
  max: number
  last: number
  last_at: number
}
export const valuesOf = (value: number, at: number): Values => ({
  n: 1,
  sum: value,
  min: value,
  max: value,
  last: value,
  last_at: at,
})

/** Of two values of the same moment, the later one that arrived is the last. */
export function together(a: Values | undefined, b: Values): Values {
  if (!a) return { ...b }
  const { last, last_at } = b.last_at >= a.last_at ? b : a
  return { n: a.n + b.n, sum: a.sum + b.sum, min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), last, last_at }
}

/** The places in which a value counts. */
export const placesOfValue = (at: number): { grain: 0 | 1 | 2; bucket: number }[] =>
  ([grains.quarter, grains.hour, grains.day] as const).map((grain) => ({
    grain,
    bucket: Math.floor(at / grainMs(grain)),
  }))

export const aggregateOf = ({ aggregate, source }: Pick<CustomMetric, 'aggregate' | 'source'>): Aggregate =>
  aggregate ?? (source.kind === 'freshness' ? 'max' : 'last')
export const unitOf = ({ unit, source }: Pick<CustomMetric, 'unit' | 'source'>): string =>
  source.kind === 'freshness' ? 'ms' : (unit ?? '')
export const emptyOf = (aggregate: Aggregate): 0 | null => (aggregate === 'sum' ? 0 : null)

export function aggregated(values: Values | undefined, aggregate: Aggregate): number | null {
  if (!values) return emptyOf(aggregate)
  return aggregate === 'avg' ? values.sum / values.n : values[aggregate]
}

/** The number at a path of dots; undefined where there is none. */
export function numberAt(json: string | null, path: string): number | undefined {
  // Written by this server as JSON; whatever is in it is looked at.
  let at: unknown = json === null ? undefined : JSON.parse(json)
  // A key may have dots itself.
  const keys = isObject(at) && Object.hasOwn(at, path) ? [path] : path.split('.')
  for (const key of keys) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  return typeof at === 'number' && Number.isFinite(at) ? at : undefined
}
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** How a value violates the threshold; null: it doesn’t. */
export function violationOf(value: number, { threshold }: Pick<CustomMetric, 'threshold'>): Message | null {
  const { above = null, below = null } = threshold ?? {}
  if (above !== null && value > above) return msg('metric_above', { value, limit: above })
  if (below !== null && value < below) return msg('metric_below', { value, limit: below })
  return null
}

export const dueAt = (writtenAt: string, { deadline_minutes }: Pick<FreshnessSource, 'deadline_minutes'>): number =>
  Date.parse(writtenAt) + deadline_minutes * 60_000

/** Nothing is written at a time that is yet to come: the clock was put back since. */
export const notAfter = (at: string, now: string): string => (at > now ? now : at)

/** Failures of a query in a row that are more than bad luck. */
const failuresInARow = 3
export function stateOf(row: { violated_at: string | null; failures: number; value_at: string | null }): MetricState {
  if (row.violated_at !== null) return 'violated'
  if (row.failures >= failuresInARow) return 'failing'
  return row.value_at === null ? 'no_value' : 'ok'
}

/** What can be told from the list alone. */
export function mistakesIn(custom: readonly CustomMetric[]): ErrorDetail[] {
  return custom.flatMap((metric, at): ErrorDetail[] => {
    const path = `body.custom[${at}]`
    const { above = null, below = null } = metric.threshold ?? {}
    const fresh = metric.source.kind === 'freshness'
    const found: (ErrorDetail | false)[] = [
      custom.findIndex(({ name }) => name === metric.name) < at && {
        path: `${path}.name`,
        ...msg('metric_name_taken'),
      },
      definitions.has(metric.name) && {
        path: `${path}.name`,
        ...msg('metric_name_builtin', { name: metric.name }),
      },
      fresh && (above !== null || below !== null) && { path: `${path}.threshold`, ...msg('metric_threshold_not_here') },
      fresh && metric.unit !== undefined && { path: `${path}.unit`, ...msg('metric_unit_not_here') },
      above !== null &&
        below !== null &&
        above < below && { path: `${path}.threshold.above`, ...msg('metric_threshold_order') },
    ]
    return found.filter((detail) => detail !== false)
  })
}
