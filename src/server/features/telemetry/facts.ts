/** What has happened, as it is kept until other systems were told. */
import type { JobRunUpdate } from '../notifications/notifications.service.ts'
import type { RunRow } from '../runs/runs.service.ts'

export type RunFacts = Pick<
  RunRow,
  | 'id'
  | 'task_id'
  | 'task_name'
  | 'task_version'
  | 'override_hash'
  | 'job_run_id'
  | 'task_key'
  | 'item_index'
  | 'trigger_type'
  | 'connector_mapping'
  | 'logical_date'
  | 'attempt'
  | 'status'
  | 'executor_name'
  | 'created_at'
  | 'started_at'
  | 'completed_at'
  | 'updated_at'
  | 'item_count'
  | 'reject_count'
  | 'error_code'
  | 'error_message'
>
export type JobRunFacts = Pick<
  JobRunUpdate,
  | 'id'
  | 'job_id'
  | 'job_name'
  | 'status'
  | 'logical_date'
  | 'trigger_type'
  | 'started_at'
  | 'completed_at'
  | 'error_message'
>
export type Fact =
  | { kind: 'run_started'; run: RunFacts }
  | { kind: 'run_ended'; run: RunFacts }
  | { kind: 'job_run_ended'; run: JobRunFacts }

/** Without what is secret or large: arguments, outputs, tokens. */
export function factsOfRun(row: RunRow): RunFacts {
  const { id, task_id, task_name, task_version, override_hash, job_run_id, task_key, item_index } = row
  const { trigger_type, connector_mapping, logical_date, attempt, status, executor_name } = row
  const { created_at, started_at, completed_at, updated_at, item_count, reject_count, error_code, error_message } = row
  return {
    id,
    task_id,
    task_name,
    task_version,
    override_hash,
    job_run_id,
    task_key,
    item_index,
    trigger_type,
    connector_mapping,
    logical_date,
    attempt,
    status,
    executor_name,
    created_at,
    started_at,
    completed_at,
    updated_at,
    item_count,
    reject_count,
    error_code,
    error_message,
  }
}

export function factsOfJobRun(update: JobRunUpdate): JobRunFacts {
  const { id, job_id, job_name, status, logical_date, trigger_type, started_at, completed_at, error_message } = update
  return { id, job_id, job_name, status, logical_date, trigger_type, started_at, completed_at, error_message }
}
