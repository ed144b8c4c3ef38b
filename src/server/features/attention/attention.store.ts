/** What waits for someone and is no failure. Every statement follows an index of its own (migration 22). */
import { mostFailuresCounted } from '../../../contract/failures.ts'
import type { Store } from '../../platform/store.ts'

interface WaitingGate {
  job_run_id: number
  job_id: number
  job_name: string
  task_key: string
  message: string | null
  since: string
}
interface UnknownOutcome {
  state_id: number
  task_id: number
  task_name: string
  task_key: string
  /** JSON list of runs. */
  unresolved: string
  since: string
}
interface MissedStart {
  trigger_id: number
  job_id: number
  job_name: string
  task_key: string | null
  /** JSON object of the trigger. */
  arguments: string | null
  timezone: string
  message: string | null
  message_params: string | null
  scheduled_at: string
  count: number
}

export function createAttentionStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const gates = sqlite.prepare<[number], WaitingGate>(`
    SELECT gate.job_run_id, run.job_id, run.job_name, gate.task_key, gate.message, gate.started_at AS since
    FROM job_run_tasks AS gate INDEXED BY job_run_tasks_gates JOIN job_runs AS run ON run.id = gate.job_run_id
    WHERE gate.kind = 'gate' AND gate.status = 'paused' AND run.status IN ('running', 'paused')
      AND run.removed_at IS NULL
    ORDER BY gate.started_at DESC LIMIT ?`)
  const outcomes = sqlite.prepare<[number], UnknownOutcome>(`
    SELECT state.id AS state_id, state.task_id, tasks.name AS task_name, state.task_key, state.unresolved, state.updated_at AS since
    FROM task_states AS state INDEXED BY task_states_unresolved JOIN tasks ON tasks.id = state.task_id
    WHERE state.unresolved <> '[]' ORDER BY state.updated_at DESC LIMIT ?`)
  // A one-off trigger is disabled by its only time. Whoever started the job since has made up for it.
  const missed = sqlite.prepare<[{ from: string; limit: number }], MissedStart>(`
    SELECT firing.trigger_id, firing.job_id, jobs.name AS job_name, firing.task_key, triggers.arguments, triggers.timezone,
      firing.message, firing.message_params, firing.scheduled_at,
      (SELECT count(*) FROM (SELECT 1 FROM trigger_firings AS other WHERE other.trigger_id = firing.trigger_id
        AND other.scheduled_at >= @from AND other.outcome IN ('missed', 'failed') LIMIT ${mostFailuresCounted})) AS count
    FROM trigger_firings AS firing INDEXED BY trigger_firings_missed
      JOIN triggers ON triggers.id = firing.trigger_id JOIN jobs ON jobs.id = firing.job_id
    WHERE firing.outcome IN ('missed', 'failed') AND firing.scheduled_at >= @from
      AND (triggers.enabled = 1 OR triggers.type = 'one_off') AND jobs.status = 'active'
      AND NOT EXISTS (SELECT 1 FROM trigger_firings AS later
        WHERE later.trigger_id = firing.trigger_id AND later.scheduled_at > firing.scheduled_at)
      AND NOT EXISTS (SELECT 1 FROM job_runs AS run
        WHERE run.job_id = firing.job_id AND run.created_at >= firing.scheduled_at)
    ORDER BY firing.scheduled_at DESC LIMIT @limit`)
  return {
    gates: (limit: number): WaitingGate[] => gates.all(limit),
    outcomes: (limit: number): UnknownOutcome[] => outcomes.all(limit),
    missed: (from: string, limit: number): MissedStart[] => missed.all({ from, limit }),
  }
}
