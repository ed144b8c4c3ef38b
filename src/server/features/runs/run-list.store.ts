/**
 * Lists of runs that take the same time whatever the filters and however many runs there are.
 *
 * Rows: newest first by (created_at, id). One index ends in created_at behind (status, trigger_type) and one behind
 * (task_id, status, trigger_type). A filter that leaves a column open is answered by merging one index range for each of
 * its few values, each read no further than the page is long; so every combination of filters is read exactly, and
 * nothing is skipped over.
 *
 * Total: ended runs are counted by run_counts, whole days by its day rows, the rest of the first and last day by its
 * minute rows; only what lies inside a broken minute, and the runs that have not ended, are counted one by one.
 */
import type { Database, Statement } from 'better-sqlite3'
import { type RunStatus, runStatuses, triggerTypes } from '../../../contract/runs.ts'
import { endStatuses, hasEnded } from './runs.rules.ts'
import type { RunRow, TriggerType } from './runs.table.ts'

export interface RunFilters {
  /** Any of them, as of the other lists. */
  task_id?: readonly number[]
  job_run_id?: number
  /** Only together with a job run. */
  task_key?: string
  status?: readonly RunStatus[]
  trigger_type?: readonly TriggerType[]
  /** Created at or after, ISO UTC with milliseconds. */
  from?: string
  /** Created before. */
  to?: string
}

/** The place of a run in the list. */
export interface RunPlace {
  /** When it was created, or ended: as the list is sorted. */
  at: string
  id: number
}

export type Values = (string | number)[]

/** Prepared once. Texts differ by which filters are set, never by their values: there are some dozens. */
export function statementsOf(sqlite: Database): (sql: string) => Statement<Values> {
  const statements = new Map<string, Statement<Values>>()
  return (sql) => {
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = sqlite.prepare<Values>(sql)))
    return statement
  }
}

export function createRunListStore(sqlite: Database) {
  const prepare = statementsOf(sqlite)

  /** Runs beyond `place` (newer ones when `newer`), the nearest first. */
  function page(filters: RunFilters, place: RunPlace | undefined, newer: boolean, limit: number): RunRow[] {
    const order = newer ? 'created_at ASC, id ASC' : 'created_at DESC, id DESC'
    const bounds = place ? beyond(filters, place, newer) : period(filters)
    const parts = branches(filters).map((branch): [string, Values] => {
      const [where, values] = joined([...branch, ...bounds])
      return [`SELECT id, created_at FROM runs ${where} ORDER BY ${order} LIMIT ?`, [...values, limit]]
    })
    const merged = parts.map(([sql]) => `SELECT * FROM (${sql})`).join(' UNION ALL ')
    const keys = `SELECT id, created_at FROM (${merged}) ORDER BY ${order} LIMIT ?`
    const values = [...parts.flatMap(([, branchValues]) => branchValues), limit]
    // CROSS keeps SQLite from walking `runs` in list order instead. The columns are those of the table module.
    const rows = `SELECT runs.* FROM (${keys}) AS keys CROSS JOIN runs ON runs.id = keys.id`
    return prepare(`${rows} ORDER BY ${order.replaceAll(/(\w+) (ASC|DESC)/g, 'keys.$1 $2')}`).all(...values) as RunRow[]
  }

  function one(sql: string, values: Values): number {
    // Every statement given here selects a single number named n.
    return (prepare(sql).get(...values) as { n: number | null }).n ?? 0
  }

  function countRows(filters: RunFilters): number {
    const parts = branches(filters).map((branch) => joined([...branch, ...period(filters)]))
    const sql = parts.map(([where]) => `SELECT count(*) AS n FROM runs ${where}`).join(' UNION ALL ')
    return one(
      `SELECT sum(n) AS n FROM (${sql})`,
      parts.flatMap(([, values]) => values),
    )
  }

  function countBuckets(filters: RunFilters, grain: 0 | 1, first: number | undefined, end: number | undefined): number {
    // Task 0 is all tasks.
    const terms: [string, Values][] = [oneOf('task_id', filters.task_id ?? [0]), ['grain = ?', [grain]]]
    if (first !== undefined) terms.push(['bucket >= ?', [first]])
    if (end !== undefined) terms.push(['bucket < ?', [end]])
    if (filters.status) terms.push(oneOf('status', filters.status))
    if (filters.trigger_type) terms.push(oneOf('trigger_type', filters.trigger_type))
    const [where, values] = joined(terms)
    return one(`SELECT sum(n) AS n FROM run_counts ${where}`, values)
  }

  function countEnded(filters: RunFilters): number {
    const status = (filters.status ?? endStatuses).filter(hasEnded)
    if (status.length === 0) return 0
    let total = 0
    for (const piece of pieces(filters.from, filters.to)) {
      if (piece.kind === 'rows') total += countRows({ ...filters, status, from: piece.from, to: piece.to })
      else total += countBuckets({ ...filters, status }, piece.kind === 'days' ? 0 : 1, piece.first, piece.end)
    }
    return total
  }

  return {
    page,
    count(filters: RunFilters): number {
      // A job run has as many runs as its template has tasks.
      if (filters.job_run_id !== undefined) return countRows(filters)
      const open = (filters.status ?? runStatuses).filter((status) => !hasEnded(status))
      return (open.length > 0 ? countRows({ ...filters, status: open }) : 0) + countEnded(filters)
    },
  }
}

/** Sets of conditions that each one index range answers; together they are the filters, without their period. */
export function branches(filters: RunFilters): [string, Values][][] {
  const { task_id, job_run_id, task_key, status, trigger_type } = filters
  if (job_run_id !== undefined) {
    const rest: [string, Values][] = [['job_run_id = ?', [job_run_id]]]
    // The unary plus keeps SQLite on the index of the job run.
    if (task_key !== undefined) rest.push(['+task_key = ?', [task_key]])
    if (task_id) rest.push(oneOf('+task_id', task_id))
    if (status) rest.push(oneOf('+status', status))
    if (trigger_type) rest.push(oneOf('+trigger_type', trigger_type))
    return [rest]
  }
  if (!task_id && !status && !trigger_type) return [[]]
  const kinds = [...new Set(status ?? runStatuses)].flatMap((s) =>
    [...new Set(trigger_type ?? triggerTypes)].map((t): [string, Values] => [
      'status = ? AND trigger_type = ?',
      [s, t],
    ]),
  )
  if (!task_id) return kinds.map((kind) => [kind])
  // At most 20 tasks: 360 ranges, where SQLite takes 500.
  return [...new Set(task_id)].flatMap((task) =>
    kinds.map((kind): [string, Values][] => [['task_id = ?', [task]], kind]),
  )
}

export const oneOf = (column: string, values: Readonly<Values>): [string, Values] => [
  `${column} IN (${values.map(() => '?').join(', ')})`,
  [...values],
]

export function period({ from, to }: RunFilters): [string, Values][] {
  const terms: [string, Values][] = []
  if (from !== undefined) terms.push(['created_at >= ?', [from]])
  if (to !== undefined) terms.push(['created_at < ?', [to]])
  return terms
}

/**
 * The part of the period that lies beyond the place. Of two bounds on the same side only the closer one is given: SQLite
 * would start from either.
 */
export function beyond({ from, to }: RunFilters, { at: created_at, id }: RunPlace, newer: boolean): [string, Values][] {
  if (newer) {
    const start = from !== undefined && from > created_at
    const rest: [string, Values] = ['(created_at, id) > (?, ?)', [created_at, id]]
    return start ? period({ from, to }) : [rest, ...period({ to })]
  }
  const end = to !== undefined && to <= created_at
  const rest: [string, Values] = ['(created_at, id) < (?, ?)', [created_at, id]]
  return end ? period({ from, to }) : [rest, ...period({ from })]
}

export function joined(terms: [string, Values][]): [string, Values] {
  const where = terms.length > 0 ? `WHERE ${terms.map(([sql]) => sql).join(' AND ')}` : ''
  return [where, terms.flatMap(([, values]) => values)]
}

export type Piece =
  | { kind: 'days' | 'minutes'; first: number | undefined; end: number | undefined }
  | { kind: 'rows'; from: string; to: string }

const minuteMs = 60_000
const dayMs = 86_400_000

/** A period cut into whole days, whole minutes and what is left of a minute. Bounds may be open. */
export function pieces(from: string | undefined, to: string | undefined): Piece[] {
  const start = from === undefined ? undefined : Date.parse(from)
  const end = to === undefined ? undefined : Date.parse(to)
  if (start !== undefined && end !== undefined && start >= end) return []
  const iso = (ms: number) => new Date(ms).toISOString()
  const up = (ms: number, unit: number) => Math.ceil(ms / unit)
  const down = (ms: number, unit: number) => Math.floor(ms / unit)
  const firstMinute = start === undefined ? undefined : up(start, minuteMs)
  const endMinute = end === undefined ? undefined : down(end, minuteMs)
  if (start !== undefined && end !== undefined && firstMinute! > endMinute!) {
    return [{ kind: 'rows', from: iso(start), to: iso(end) }]
  }
  const found: Piece[] = []
  if (start !== undefined && start < firstMinute! * minuteMs) {
    found.push({ kind: 'rows', from: iso(start), to: iso(firstMinute! * minuteMs) })
  }
  if (end !== undefined && endMinute! * minuteMs < end) {
    found.push({ kind: 'rows', from: iso(endMinute! * minuteMs), to: iso(end) })
  }
  return [...found, ...wholeMinutes(firstMinute, endMinute)]
}

function wholeMinutes(first: number | undefined, end: number | undefined): Piece[] {
  const perDay = dayMs / minuteMs
  const firstDay = first === undefined ? undefined : Math.ceil(first / perDay)
  const endDay = end === undefined ? undefined : Math.floor(end / perDay)
  if (firstDay !== undefined && endDay !== undefined && firstDay > endDay) return [{ kind: 'minutes', first, end }]
  const found: Piece[] = [{ kind: 'days', first: firstDay, end: endDay }]
  if (first !== undefined && first < firstDay! * perDay) found.push({ kind: 'minutes', first, end: firstDay! * perDay })
  if (end !== undefined && endDay! * perDay < end) found.push({ kind: 'minutes', first: endDay! * perDay, end })
  return found
}
