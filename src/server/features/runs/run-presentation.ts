import type { Run } from '../../../contract/runs.ts'
import type { RunRow } from './runs.table.ts'
import { shownParams } from '../../platform/kept-error.ts'

/** A run as the interface shows it. */
export function presentRun(row: RunRow): Run {
  return {
    id: row.id,
    task_id: row.task_id,
    task_name: row.task_name,
    task_version: row.task_version,
    job_run_id: row.job_run_id,
    job_id: row.job_id,
    task_key: row.task_key,
    item_index: row.item_index,
    overridden: row.override_hash !== null,
    trigger_type: row.trigger_type,
    status: row.status,
    arguments: row.arguments,
    connector_mapping: row.connector_mapping,
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    item_count: row.item_count,
    reject_count: row.reject_count,
    error_message: row.error_message,
    error_params: shownParams(row.error_params),
    error_code: row.error_code,
    // A name, not a path: the lines lie in the store.
    log_file: row.log_lines > 0 ? `runs/${row.id}.log` : null,
    ...(row.log_removed_at !== null && { log_removed_at: row.log_removed_at }),
    metrics_summary: row.metrics_summary,
    outputs: row.outputs,
    attempt: row.attempt,
    max_attempts: row.max_attempts,
    next_attempt_at: row.status === 'pending' && row.attempt > 1 ? row.ready_at : null,
    executor_id: row.executor_id,
    executor_name: row.executor_name,
    retried_from: row.retried_from,
    ...(row.rejects_of !== null && { rejects_of: row.rejects_of }),
    full_refresh: row.full_refresh === 1,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** The part of a run that `run.created` and `run.changed` events carry. */
export function runEvent(row: RunRow): Record<string, unknown> {
  return {
    id: row.id,
    task_id: row.task_id,
    task_name: row.task_name,
    status: row.status,
    attempt: row.attempt,
    item_count: row.item_count,
    reject_count: row.reject_count,
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    error_message: row.error_message,
    error_params: shownParams(row.error_params),
    trigger_type: row.trigger_type,
    job_run_id: row.job_run_id,
    task_key: row.task_key,
  }
}
