import type { Store } from '../../platform/store.ts'
import { grains } from './rollup.rules.ts'

/** Since the beginning, of a task (0: all) by status. */
export interface TaskTotals {
  task_id: number
  status: string
  runs: number
  items: number
  rejects: number
  bytes: number
  attempts: number
  duration_ms: number
  durations: string
  delay_ms: number
  delays: string
}

const figures = `total(r.runs) AS runs, total(r.items) AS items, total(r.rejects) AS rejects, total(r.bytes) AS bytes,
  total(r.attempts) AS attempts, total(r.duration_ms) AS duration_ms, group_concat(r.durations, '') AS durations,
  total(r.delay_ms) AS delay_ms, group_concat(r.delays, '') AS delays`

export function createPrometheusStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const busiest = sqlite
    .prepare<[number], number>(
      `SELECT task_id FROM metric_rollups WHERE grain = ${grains.ever} AND task_id > 0 GROUP BY task_id
       ORDER BY total(runs) DESC, task_id LIMIT ?`,
    )
    .pluck()
  const ofTasks = sqlite.prepare<[string], TaskTotals>(
    `SELECT r.task_id, r.status, ${figures} FROM json_each(?) AS tasks CROSS JOIN metric_rollups AS r
     WHERE r.grain = ${grains.ever} AND r.task_id = tasks.value GROUP BY r.task_id, r.status`,
  )
  const sums = sqlite.prepare<[string], { task_id: number; sums: string }>(
    `SELECT task_id, group_concat(status || ' ' || total, ' ') AS sums FROM (
       SELECT r.task_id, r.status, printf('%.17g %.17g %.17g %.17g %.17g %.17g %.17g', total(r.runs), total(r.items), total(r.rejects),
         total(r.bytes), total(r.attempts), total(r.duration_ms), total(r.delay_ms)) AS total
       FROM json_each(?) AS tasks CROSS JOIN metric_rollups AS r
       WHERE r.grain = ${grains.ever} AND r.task_id = tasks.value GROUP BY r.task_id, r.status
     ) GROUP BY task_id`,
  )
  const executors = sqlite.prepare<[], { name: string; busy_ms: number }>(
    `SELECT coalesce(executors.name, '') AS name, total(duration_ms) + total(earlier_ms) AS busy_ms
     FROM metric_rollups LEFT JOIN executors ON executors.id = executor_id
     WHERE grain = ${grains.ever} AND task_id = 0 AND executor_id > 0 GROUP BY executor_id`,
  )
  const errors = sqlite.prepare<[], { error_code: string; runs: number }>(
    `SELECT error_code, total(runs) AS runs FROM metric_rollups
     WHERE grain = ${grains.ever} AND task_id = 0 AND error_code <> '' GROUP BY error_code`,
  )
  const names = sqlite.prepare<[string], { id: number; name: string }>(
    'SELECT tasks.id, tasks.name FROM json_each(?) AS wanted JOIN tasks ON tasks.id = wanted.value',
  )
  const current = sqlite.prepare<[], { status: string; n: number }>(
    "SELECT status, count(*) AS n FROM runs WHERE status IN ('pending', 'running') GROUP BY status",
  )

  return {
    busiest: (limit: number): number[] => busiest.all(limit),
    ofTasks: (ids: readonly number[]): TaskTotals[] => ofTasks.all(JSON.stringify(ids)),
    /** Of each task that has ended: a text that is another one once another run has ended. */
    sums: (ids: readonly number[]): Map<number, string> =>
      new Map(sums.all(JSON.stringify(ids)).map(({ task_id, sums: of }) => [task_id, of])),
    executors: () => executors.all(),
    errors: () => errors.all(),
    names: (ids: readonly number[]): Map<number, string> =>
      new Map(names.all(JSON.stringify(ids)).map(({ id, name }) => [id, name])),
    /** Runs that have not ended. */
    current: () => current.all(),
  }
}
export type PrometheusStore = ReturnType<typeof createPrometheusStore>
