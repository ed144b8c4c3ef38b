/**
 * Runs by their duration, by (duration_ms, id). Two indexes end in the duration behind (status, trigger_type) and (task_id, status,
 * trigger_type), so that every combination of these filters is merged from ranges that skip nothing, as in `run-list.store.ts`. Of a
 * period, what doesn’t fit is passed over within the index; where few runs fit, these are sorted instead.
 *
 * Runs without a duration (waiting, running, or canceled before they started) are a list of their own, newest first: an index has
 * only them.
 */
import type { Database } from 'better-sqlite3'
import {
  type RunFilters,
  type RunPlace,
  type Values,
  beyond,
  branches,
  joined,
  oneOf,
  period,
  statementsOf,
} from './run-list.store.ts'
import { endStatuses, hasEnded } from './runs.rules.ts'
import type { RunRow } from './runs.table.ts'

/** The place of a run among those that have a duration. */
export interface DurationPlace {
  ms: number
  id: number
}

/** So many runs are sorted faster than they are found among a million others. */
const few = 5_000

export function createRunListByDurationStore(sqlite: Database) {
  const prepare = statementsOf(sqlite)

  function page(filters: RunFilters, place: DurationPlace | undefined, longer: boolean, limit: number, total: number) {
    const status = (filters.status ?? endStatuses).filter(hasEnded)
    if (status.length === 0) return []
    const order = longer ? 'duration_ms ASC, id ASC' : 'duration_ms DESC, id DESC'
    const sorted = filters.job_run_id !== undefined || (isOfPeriod(filters) && total <= few)
    // The unary plus keeps SQLite off the indexes of durations.
    const duration = sorted ? '+duration_ms' : 'duration_ms'
    const index = sorted ? '' : `INDEXED BY ${filters.task_id ? 'runs_by_task_duration' : 'runs_by_duration'}`
    const bounds: [string, Values][] = [[`${duration} IS NOT NULL`, []], ...period(filters)]
    if (place) bounds.push([`(${duration}, id) ${longer ? '>' : '<'} (?, ?)`, [place.ms, place.id]])
    const parts = branches({ ...filters, status }).map((branch): [string, Values] => {
      const [where, values] = joined([...branch, ...bounds])
      return [`SELECT id, duration_ms FROM runs ${index} ${where} ORDER BY ${order} LIMIT ?`, [...values, limit]]
    })
    const merged = parts.map(([sql]) => `SELECT * FROM (${sql})`).join(' UNION ALL ')
    const keys = `SELECT id, duration_ms FROM (${merged}) ORDER BY ${order} LIMIT ?`
    const rows = `SELECT runs.* FROM (${keys}) AS keys CROSS JOIN runs ON runs.id = keys.id`
    const sql = `${rows} ORDER BY ${order.replaceAll(/(\w+) (ASC|DESC)/g, 'keys.$1 $2')}`
    return prepare(sql).all(...parts.flatMap(([, values]) => values), limit) as RunRow[] // columns of the table module
  }

  /** Newest first; newer ones than `place` when `newer`, the nearest first. */
  function without(filters: RunFilters, place: RunPlace | undefined, newer: boolean, limit: number): RunRow[] {
    const terms: [string, Values][] = [
      ['duration_ms IS NULL', []],
      ...(place ? beyond(filters, place, newer) : period(filters)),
    ]
    if (filters.job_run_id !== undefined) terms.push(['job_run_id = ?', [filters.job_run_id]])
    if (filters.task_key !== undefined) terms.push(['task_key = ?', [filters.task_key]])
    if (filters.task_id) terms.push(oneOf('task_id', filters.task_id))
    if (filters.status) terms.push(oneOf('status', filters.status))
    if (filters.trigger_type) terms.push(oneOf('trigger_type', filters.trigger_type))
    const [where, values] = joined(terms)
    const order = newer ? 'created_at ASC, id ASC' : 'created_at DESC, id DESC'
    const sql = `SELECT * FROM runs INDEXED BY runs_without_duration ${where} ORDER BY ${order} LIMIT ?`
    return prepare(sql).all(...values, limit) as RunRow[] // columns of the table module
  }

  return { page, without }
}

const isOfPeriod = ({ from, to }: RunFilters): boolean => from !== undefined || to !== undefined
