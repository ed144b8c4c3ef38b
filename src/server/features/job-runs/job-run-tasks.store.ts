import type { Statement } from 'better-sqlite3'
import type { NodeStatus } from '../../../contract/job-runs.ts'
import type { Store } from '../../platform/store.ts'
import { type NodeMove, nodeMoves } from './job-runs.rules.ts'
import type { JobRunTaskRow } from './job-runs.table.ts'

export interface NewNode {
  task_key: string
  position: number
  kind: 'task' | 'gate'
  status: NodeStatus
  reason: string | null
  completed_at: string | null
}

/** Columns that a move may set beside the status. */
export type NodeChange = Partial<
  Pick<
    JobRunTaskRow,
    | 'reason'
    | 'item_total'
    | 'message'
    | 'decided_by'
    | 'note'
    | 'reused_from'
    | 'error_message'
    | 'error_params'
    | 'started_at'
    | 'completed_at'
    | 'max_parallel'
    | 'pool'
    | 'priority'
    | 'queued_at'
  >
>

/** How many nodes have not ended. */
interface Open {
  under_way: number
  gates: number
  pending: number
}
interface KeyOfNode {
  job_run_id: number
  task_key: string
}

export function createJobRunTasksStore({ sqlite }: Store) {
  const insert = sqlite.prepare<[number, string]>(`
    INSERT INTO job_run_tasks (job_run_id, task_key, position, kind, status, reason, completed_at)
    SELECT ?, value ->> 'task_key', value ->> 'position', value ->> 'kind', value ->> 'status', value ->> 'reason',
      value ->> 'completed_at' FROM json_each(?)`)
  const get = sqlite.prepare<[number, string], JobRunTaskRow>(
    'SELECT * FROM job_run_tasks WHERE job_run_id = ? AND task_key = ?',
  )
  const all = sqlite.prepare<[number], JobRunTaskRow>(
    'SELECT * FROM job_run_tasks WHERE job_run_id = ? ORDER BY position',
  )
  const standings = sqlite.prepare<[number], Pick<JobRunTaskRow, 'task_key' | 'status' | 'reason'>>(
    'SELECT task_key, status, reason FROM job_run_tasks WHERE job_run_id = ?',
  )
  const waiting = sqlite.prepare<[number], JobRunTaskRow>(`
    SELECT * FROM job_run_tasks WHERE job_run_id = ? AND n_queued > 0 ORDER BY priority DESC, queued_at, position`)
  const notEnded = "job_run_id = ? AND status IN ('pending', 'queued', 'running', 'paused')"
  const open = sqlite.prepare<[number], Open>(`
    SELECT coalesce(sum(status IN ('queued', 'running')), 0) AS under_way, coalesce(sum(status = 'paused'), 0) AS gates,
      coalesce(sum(status = 'pending'), 0) AS pending FROM job_run_tasks WHERE ${notEnded}`)
  const openOnes = sqlite.prepare<[number], JobRunTaskRow>(
    `SELECT * FROM job_run_tasks WHERE ${notEnded} ORDER BY position`,
  )
  const nextInPool = sqlite.prepare<[string], KeyOfNode>(`
    SELECT tasks.job_run_id, tasks.task_key FROM job_run_tasks AS tasks CROSS JOIN job_runs ON job_runs.id = tasks.job_run_id
    WHERE tasks.pool = ? AND tasks.n_queued > 0 AND (tasks.max_parallel IS NULL OR tasks.n_active < tasks.max_parallel)
      AND job_runs.status = 'running' AND job_runs.cancel_requested = 0 AND job_runs.stop_reason IS NULL
      AND job_runs.active < job_runs.max_tasks
    ORDER BY tasks.priority DESC, tasks.queued_at, tasks.job_run_id, tasks.position LIMIT 1`)
  const poolRoom = sqlite.prepare<[string, string], { slots: number | null; used: number }>(`
    SELECT (SELECT slots FROM pools WHERE name = ?) AS slots,
      (SELECT count(*) FROM runs WHERE pool = ? AND status IN ('pending', 'running')) AS used`)
  const statements = new Map<string, Statement<unknown[], JobRunTaskRow>>()

  return {
    insert: (jobRunId: number, nodes: readonly NewNode[]) => void insert.run(jobRunId, JSON.stringify(nodes)),
    get: (jobRunId: number, key: string): JobRunTaskRow | undefined => get.get(jobRunId, key),
    /** In the order of the template. */
    all: (jobRunId: number): JobRunTaskRow[] => all.all(jobRunId),
    standings: (jobRunId: number) =>
      new Map(standings.all(jobRunId).map(({ task_key, status, reason }) => [task_key, { status, reason }])),

    // An aggregate always gives a row.
    open: (jobRunId: number): Open => open.get(jobRunId)!,
    notEnded: (jobRunId: number): JobRunTaskRow[] => openOnes.all(jobRunId),

    /** The one way in which the status of a node changes. The changed row, or undefined when it has moved meanwhile. */
    move(
      jobRunId: number,
      key: string,
      name: NodeMove,
      to: NodeStatus,
      change: NodeChange = {},
    ): JobRunTaskRow | undefined {
      const { from, to: allowed } = nodeMoves[name]
      const targets: readonly NodeStatus[] = allowed
      if (!targets.includes(to)) throw new Error(`No task can ${name} to ${to}`)
      const columns = Object.keys(change).map((column) => `, ${column} = @${column}`)
      const guard = from.map((status) => `'${status}'`).join(', ')
      const sql = `UPDATE job_run_tasks SET status = @to${columns.join('')}
        WHERE job_run_id = @job_run_id AND task_key = @task_key AND status IN (${guard}) RETURNING *`
      let statement = statements.get(sql)
      if (!statement) statements.set(sql, (statement = sqlite.prepare<unknown[], JobRunTaskRow>(sql)))
      return statement.get({ ...change, to, job_run_id: jobRunId, task_key: key })
    },

    /** Those with units of work that wait for room, in the order in which they get it. */
    waiting: (jobRunId: number): JobRunTaskRow[] => waiting.all(jobRunId),
    /** Of all job runs: the next whose job run would let it have a slot of the pool. */
    nextInPool: (pool: string): KeyOfNode | undefined => nextInPool.get(pool),
    /** Slots of the pool that nobody holds; a pool that is not there limits nobody. */
    poolRoom(pool: string): number {
      const found = poolRoom.get(pool, pool)
      return found?.slots === null || found === undefined ? Infinity : Math.max(0, found.slots - found.used)
    },
  }
}
export type JobRunTasksStore = ReturnType<typeof createJobRunTasksStore>
