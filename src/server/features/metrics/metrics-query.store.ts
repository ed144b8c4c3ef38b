/** Sums of roll-ups. SQLite adds up, and puts histograms one behind the other. */
import type { Statement } from 'better-sqlite3'
import type { MetricDimension } from '../../../contract/metrics.ts'
import type { Store } from '../../platform/store.ts'
import type { Piece } from './buckets.rules.ts'
import type { StoredSums, SumName } from './metrics.rules.ts'

const columnOf = {
  task: 'task_id',
  job: 'job_id',
  executor: 'executor_id',
  trigger_type: 'trigger_type',
  status: 'status',
  error_code: 'error_code',
} as const satisfies Record<MetricDimension, string>

const sumOf: Partial<Record<SumName, string>> = {
  succeeded: "total(r.runs) FILTER (WHERE r.status IN ('success', 'completed'))",
  failed: "total(r.runs) FILTER (WHERE r.status = 'failed')",
}

/** Whose roll-ups are read: of all tasks together, of these tasks, or of these jobs. */
export type Owners = { kind: 'all' } | { kind: 'task' | 'job'; ids: readonly number[] }

export interface SumsQuery {
  owners: Owners
  groupBy: readonly MetricDimension[]
  histogram: 'durations' | 'delays' | undefined
  /** What is summed up, beside it. */
  sums: readonly SumName[]
  /** Of the columns other than those of the owners. */
  filters: readonly (readonly [MetricDimension, string | number])[]
}
/** The values of the dimensions, in order, and their sums. */
export type GroupSums = StoredSums & { [K in `g${number}`]: string | number }

export function createMetricsQueryStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const statements = new Map<string, Statement<(string | number)[], GroupSums>>()
  function prepare(sql: string) {
    // They differ by dimensions and filters, never by values.
    let statement = statements.get(sql)
    if (!statement) statements.set(sql, (statement = sqlite.prepare<(string | number)[], GroupSums>(sql)))
    return statement
  }
  const named = (table: 'tasks' | 'jobs' | 'executors') =>
    sqlite.prepare<[number], string>(`SELECT name FROM ${table} WHERE id = ?`).pluck()
  const names = { task: named('tasks'), job: named('jobs'), executor: named('executors') }
  const ids = {
    task: sqlite.prepare<[], number>('SELECT id FROM tasks').pluck(),
    job: sqlite.prepare<[], number>('SELECT id FROM jobs').pluck(),
  }

  function sqlOf({ owners, groupBy, histogram, sums, filters }: SumsQuery): string {
    const groups = groupBy.map((dimension, at) => `r.${columnOf[dimension]} AS g${at}`)
    const selected = [
      ...groups,
      ...sums.map((name) => `${sumOf[name] ?? `total(r.${name})`} AS ${name}`),
      ...(histogram
        ? [`group_concat(r.${histogram}, '') AS ${histogram}`, `max(r.${histogram}_max) AS ${histogram}_max`]
        : []),
    ]
    const from =
      owners.kind === 'all'
        ? 'metric_rollups AS r WHERE r.task_id = 0'
        : owners.kind === 'task'
          ? 'json_each(?) AS owners CROSS JOIN metric_rollups AS r WHERE r.task_id = owners.value'
          : 'json_each(?) AS owners CROSS JOIN metric_rollups AS r INDEXED BY metric_rollups_by_job WHERE r.job_id = owners.value AND r.job_id > 0'
    const where = filters.map(([dimension]) => ` AND r.${columnOf[dimension]} = ?`).join('')
    const grouped = groupBy.length > 0 ? ` GROUP BY ${groupBy.map((_, at) => `g${at}`).join(', ')}` : ''
    return `SELECT ${selected.join(', ')} FROM ${from} AND r.grain = ? AND r.bucket >= ? AND r.bucket < ?${where}${grouped}`
  }

  return {
    /** Answers for a piece of time. */
    reader(query: SumsQuery): (piece: Piece) => GroupSums[] {
      const statement = prepare(sqlOf(query))
      const before = query.owners.kind === 'all' ? [] : [JSON.stringify(query.owners.ids)]
      const after = query.filters.map(([, value]) => value)
      return ({ grain, first, end }) => statement.all(...before, grain, first, end, ...after)
    },
    idsOf: (kind: 'task' | 'job'): number[] => ids[kind].all(),
    nameOf: (kind: 'task' | 'job' | 'executor', id: number): string | undefined => names[kind].get(id),
  }
}
