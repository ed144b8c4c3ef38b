/**
 * Runs by when they ended, newest end first by (completed_at, id). Without a task, one index holds every column that is filtered by, so
 * that what doesn’t fit is passed over without looking at its row; of a task, the rows of its time are looked at.
 */
import type { Database } from 'better-sqlite3'
import type { DurationPlace } from './run-list-by-duration.store.ts'
import { type RunFilters, type RunPlace, type Values, statementsOf } from './run-list.store.ts'
import type { RunRow } from './runs.table.ts'

type Term = readonly [sql: string, values: Values]

export interface EndFilters extends Pick<RunFilters, 'task_id' | 'status' | 'trigger_type' | 'from' | 'to'> {
  completed_from?: string | undefined
  completed_to?: string | undefined
  job_id?: number
  executor_id?: number
}

export const isByEnd = ({ completed_from, completed_to }: EndFilters): boolean =>
  completed_from !== undefined || completed_to !== undefined

export function createRunListByEndStore(sqlite: Database) {
  const prepare = statementsOf(sqlite)
  const table = ({ task_id }: EndFilters) => `runs INDEXED BY ${task_id ? 'runs_by_task_end' : 'runs_by_end'}`

  return {
    /** Runs beyond `place` (later ones when `newer`), the nearest first; `timeless`: those without a duration. */
    page(filters: EndFilters, place: RunPlace | undefined, newer: boolean, limit: number, timeless = false): RunRow[] {
      const order = newer ? 'completed_at ASC, id ASC' : 'completed_at DESC, id DESC'
      const beyond: Term[] = place ? [[`(completed_at, id) ${newer ? '>' : '<'} (?, ?)`, [place.at, place.id]]] : []
      const without: Term[] = timeless ? [['duration_ms IS NULL', []]] : []
      const [where, values] = joined([...termsOf(filters), ...without, ...beyond])
      const sql = `SELECT * FROM ${table(filters)} ${where} ORDER BY ${order} LIMIT ?`
      return prepare(sql).all(...values, limit) as RunRow[] // the columns are those of the table module
    },
    /** By duration: longer ones than `place` when `longer`. The index has the duration, too, so that few rows are looked at. */
    pageByDuration(filters: EndFilters, place: DurationPlace | undefined, longer: boolean, limit: number): RunRow[] {
      const order = longer ? 'duration_ms ASC, id ASC' : 'duration_ms DESC, id DESC'
      const beyond: Term[] = place ? [[`(duration_ms, id) ${longer ? '>' : '<'} (?, ?)`, [place.ms, place.id]]] : []
      const [where, values] = joined([...termsOf(filters), ['duration_ms IS NOT NULL', []], ...beyond])
      const keys = `SELECT id, duration_ms FROM ${table(filters)} ${where} ORDER BY ${order} LIMIT ?`
      const rows = `SELECT runs.* FROM (${keys}) AS keys CROSS JOIN runs ON runs.id = keys.id`
      const sql = `${rows} ORDER BY ${order.replaceAll(/(\w+) (ASC|DESC)/g, 'keys.$1 $2')}`
      return prepare(sql).all(...values, limit) as RunRow[] // as above
    },
    count(filters: EndFilters): number {
      const [where, values] = joined(termsOf(filters))
      return (prepare(`SELECT count(*) AS n FROM ${table(filters)} ${where}`).get(...values) as { n: number }).n
    },
  }
}

function termsOf({ completed_from, completed_to, from, to, ...filters }: EndFilters): Term[] {
  const oneOf = (column: string, values: Readonly<Values> | undefined): Term[] =>
    values ? [[`${column} IN (${values.map(() => '?').join(', ')})`, [...values]]] : []
  const bound = (sql: string, value: string | number | undefined): Term[] =>
    value === undefined ? [] : [[sql, [value]]]
  return [
    ['completed_at IS NOT NULL', []],
    ...bound('completed_at >= ?', completed_from),
    ...bound('completed_at < ?', completed_to),
    ...bound('created_at >= ?', from),
    ...bound('created_at < ?', to),
    ...oneOf('task_id', filters.task_id),
    ...oneOf('status', filters.status),
    ...oneOf('trigger_type', filters.trigger_type),
    ...bound('job_id = ?', filters.job_id),
    ...bound('executor_id = ?', filters.executor_id),
  ]
}

const joined = (terms: readonly Term[]): Term => [
  `WHERE ${terms.map(([sql]) => sql).join(' AND ')}`,
  terms.flatMap(([, values]) => values),
]
