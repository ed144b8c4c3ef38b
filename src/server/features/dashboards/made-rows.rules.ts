import { type WidgetDataBody, mostBytes } from '../../../contract/dashboard-views.ts'
import type { MetricResult } from '../../../contract/metrics.ts'
import { cellOf } from '../../../contract/query-cells.ts'
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import type { Json } from '../../../language/task/task.types.ts'
import type { MadeRows } from './data-cache.ts'
import type { RunLine } from './run-rows.store.ts'

export const field = (name: string, type: ValueType): QueryField => ({ name, type, native: '' })

/** Takes rows until one of the limits is reached, and says which. */
export function createCollector(maxRows: number) {
  const rows: unknown[][] = []
  let bytes = 0
  let truncated: MadeRows['truncated'] = null
  return {
    rows,
    get bytes() {
      return bytes
    },
    get truncated() {
      return truncated
    },
    get isFull() {
      return truncated !== null
    },
    shortened(): void {
      truncated = { by: 'bytes', limit: mostBytes }
    },
    add(row: unknown[]): void {
      if (truncated) return
      if (rows.length >= maxRows) {
        truncated = { by: 'rows', limit: maxRows }
        return
      }
      const size = Buffer.byteLength(JSON.stringify(row)) + 1
      if (bytes + size > mostBytes) {
        truncated = { by: 'bytes', limit: mostBytes }
        return
      }
      bytes += size
      rows.push(row)
    },
  }
}

/** Whether a row has these exact values in the columns of the same names. */
export function hasValues(fields: readonly QueryField[], by: NonNullable<WidgetDataBody['drill_by']>) {
  const wanted = Object.entries(by).flatMap(([name, text]) => {
    const at = fields.findIndex((field) => field.name === name)
    return at < 0 ? [] : [{ at, type: fields[at]!.type, text }]
  })
  return (row: readonly unknown[]): boolean =>
    wanted.every(({ at, type, text }) => (cellOf(row[at], type).text ?? null) === text)
}

/** Rows that are all at hand, before any limit. */
export type AllRows = Pick<MadeRows, 'fields' | 'run'> & { rows: readonly unknown[][] }

/** Those of a mark, if one is chosen, up to the limits. */
export function madeOf({ fields, rows, run }: AllRows, maxRows: number, by: WidgetDataBody['drill_by']): MadeRows {
  const collector = createCollector(maxRows)
  for (const row of by ? rows.filter(hasValues(fields, by)) : rows) collector.add(row)
  return { fields, rows: collector.rows, truncated: collector.truncated, run, bytes: collector.bytes }
}

const runFields = [
  field('id', 'integer'),
  field('status', 'text'),
  field('started_at', 'datetime_tz'),
  field('completed_at', 'datetime_tz'),
  field('duration_ms', 'double'),
  field('item_count', 'double'),
]
export function rowsOfRuns(lines: readonly RunLine[], kind: 'job_run' | 'run'): AllRows {
  const [newest] = lines
  const rows = lines.map(({ id, status, started_at, completed_at, duration_ms, item_count }) => [
    id,
    status,
    started_at,
    completed_at,
    duration_ms,
    item_count,
  ])
  return { fields: runFields, rows, run: newest ? { kind, id: newest.id, status: newest.status } : null }
}

/** A row for each time, and with groups one for each time and group. Of times before the job, sums say as little as rates do. */
export function rowsOfMetric({ buckets, series }: MetricResult, grouped: boolean, jobFrom: string): AllRows {
  const fields = [field('from', 'datetime_tz'), field('value', 'double')]
  if (grouped) fields.push(field('group', 'text'))
  const rows = buckets.flatMap(({ from, to }, at) =>
    series.map(({ values, group, names }) => {
      const [[dimension, value] = ['', null]] = Object.entries(group)
      const name = names[dimension] ?? (value === null ? null : String(value))
      const known = to > jobFrom ? (values[at] ?? null) : null
      return grouped ? [from, known, name] : [from, known]
    }),
  )
  return { fields, rows, run: null }
}

const isMap = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A list of maps gives rows with their keys as columns, a list of values rows of one column, anything else one row. */
export function rowsOfOutput(output: Json): AllRows {
  const items = Array.isArray(output) ? output : output === null ? [] : [output]
  const maps = items.filter(isMap)
  if (maps.length !== items.length || items.length === 0) {
    return { fields: [field('value', 'any')], rows: items.map((item) => [tagged(item)]), run: null }
  }
  const names = [...new Set(maps.flatMap((map) => Object.keys(map)))]
  const rows = maps.map((map) => names.map((name) => tagged(Object.hasOwn(map, name) ? (map[name] ?? null) : null)))
  return { fields: names.map((name) => field(name, 'any')), rows, run: null }
}

/** In the form of `any`: an object with the value under its type. */
function tagged(value: Json): unknown {
  if (value === null) return null
  if (typeof value === 'boolean') return { boolean: value }
  if (typeof value === 'number') return { double: value }
  return typeof value === 'string' ? { text: value } : { json: JSON.stringify(value) }
}
