/** The newest runs of a record, each read from an index that ends there (migration 25). */
import { type RecentSubject, type RecentRun } from '../../../contract/recent-runs.ts'
import { runStatuses, triggerTypes } from '../../../contract/runs.ts'
import type { Store } from '../../platform/store.ts'

export type RecentRow = Omit<RecentRun, 'kind' | 'error_params'> & { error_params: string | null }

const columns = 'created_at, started_at, completed_at, updated_at, duration_ms, error_message, error_params'
const ofRun = 'NULL AS pause_reason'
const newest = 'ORDER BY created_at DESC, id DESC LIMIT @limit'

/** The index of runs by task has the state before the time: one range for each of its few values, merged. */
function runsOf(statuses: readonly string[]): string {
  const ranges = statuses.flatMap((status) =>
    triggerTypes.map(
      (trigger) => `SELECT * FROM (SELECT id, created_at FROM runs
        WHERE task_id = @id AND status = '${status}' AND trigger_type = '${trigger}' ${newest})`,
    ),
  )
  return `SELECT runs.id, status, ${ofRun}, ${columns.replace('created_at', 'runs.created_at')}
    FROM (SELECT id AS key FROM (${ranges.join(' UNION ALL ')}) ${newest}) CROSS JOIN runs ON runs.id = key
    ORDER BY runs.created_at DESC, runs.id DESC`
}

/** None of its tasks has begun, and one only waits for room. */
const queued = `status = 'running'
  AND EXISTS (SELECT 1 FROM job_run_tasks AS node WHERE node.job_run_id = job_runs.id AND node.status = 'queued')
  AND NOT EXISTS (SELECT 1 FROM job_run_tasks AS node
    WHERE node.job_run_id = job_runs.id AND node.status NOT IN ('queued', 'pending', 'skipped'))`

const jobRunsOf = (column: string, more = '') => `
  SELECT id, CASE WHEN success = 1 THEN 'success' WHEN ${queued} THEN 'pending' ELSE status END AS status, pause_reason, ${columns}
  FROM job_runs WHERE ${column} = @id ${more} AND +removed_at IS NULL ${newest}`

const failed = "AND status = 'failed'"

const texts: Readonly<Record<RecentSubject, { runs: string; failure: string }>> = {
  task: { runs: runsOf(runStatuses), failure: runsOf(['failed']) },
  job: { runs: jobRunsOf('job_id'), failure: jobRunsOf('job_id', failed) },
  trigger: { runs: jobRunsOf('trigger_id'), failure: jobRunsOf('trigger_id', failed) },
  event_trigger: { runs: jobRunsOf('event_trigger_id'), failure: jobRunsOf('event_trigger_id', failed) },
  connector: {
    runs: `SELECT id, status, ${ofRun}, ${columns} FROM run_connectors CROSS JOIN runs ON runs.id = run_id
      WHERE connector_id = @id ORDER BY run_id DESC LIMIT @limit`,
    failure: `SELECT id, status, ${ofRun}, ${columns} FROM connector_failures CROSS JOIN runs ON runs.id = run_id
      WHERE connector_id = @id LIMIT @limit`,
  },
}

export function createRecentRunsStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const prepare = (text: string) => sqlite.prepare<[{ id: number; limit: number }], RecentRow>(text)
  const statements = new Map<RecentSubject, { runs: ReturnType<typeof prepare>; failure: ReturnType<typeof prepare> }>()
  function statementsOf(subject: RecentSubject) {
    let found = statements.get(subject)
    if (!found) {
      const { runs, failure } = texts[subject]
      statements.set(subject, (found = { runs: prepare(runs), failure: prepare(failure) }))
    }
    return found
  }
  return {
    runs: (of: RecentSubject, id: number, limit: number): RecentRow[] => statementsOf(of).runs.all({ id, limit }),
    lastFailure: (of: RecentSubject, id: number): RecentRow | undefined =>
      statementsOf(of).failure.get({ id, limit: 1 }),
  }
}
