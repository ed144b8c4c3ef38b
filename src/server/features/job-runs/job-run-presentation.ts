import type { JobRun, JobRunItem, JobRunNode, NodeStatus } from '../../../contract/job-runs.ts'
import type { JobTask } from '../../../language/job/job.types.ts'
import type { ItemSummary, ReadItem } from './job-run-reads.store.ts'
import type { JobRunRow, JobRunTaskRow } from './job-runs.table.ts'
import { shownParams } from '../../platform/kept-error.ts'

/** A job run as the interface shows it; `state` is JSON: task key → status, `author` the name of who started it. */
export function presentJobRun(row: JobRunRow, state: string | undefined, author: string | undefined): JobRun {
  return {
    id: row.id,
    job_id: row.job_id,
    job_name: row.job_name,
    status: row.status,
    trigger_type: row.trigger_type,
    trigger_id: row.trigger_id,
    event_trigger_id: row.event_trigger_id,
    logical_date: row.logical_date,
    timezone: row.timezone,
    arguments: row.arguments,
    parameters: row.parameters,
    selected_tasks: row.selected_tasks,
    skip_deps: row.skip_deps,
    full_refresh: row.full_refresh === 1,
    priority: row.priority,
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    ran_ms: row.ran_ms,
    running_since: row.running_since,
    error_message: row.error_message,
    error_params: shownParams(row.error_params),
    run_state: state ?? null,
    pause_reason: row.pause_reason,
    cancel_requested: row.cancel_requested === 1,
    template_version: row.template_version,
    task_counts: countsOf(state),
    rerun_of: row.rerun_of,
    backfill_id: row.backfill_id,
    created_by: row.created_by,
    created_by_name: author ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

function countsOf(state: string | undefined): Record<string, number> {
  const counts: Record<string, number> = {}
  // Written by the store from statuses.
  const statuses = Object.values(JSON.parse(state ?? '{}') as Record<string, NodeStatus>)
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function presentItem(item: Omit<ReadItem, 'task_key' | 'outputs' | 'attempt' | 'reject_count'>): JobRunItem {
  return {
    index: item.item_index,
    item: item.item === null ? null : (JSON.parse(item.item) as unknown),
    status: item.status,
    run_id: item.run_id,
    started_at: item.started_at,
    completed_at: item.completed_at,
    duration_ms: item.duration_ms ?? duration(item),
    error_message: item.error_message,
    error_params: shownParams(item.error_params),
    item_count: item.item_count,
  }
}

/** What is known of a node beside its own row. */
export interface NodeParts {
  /** From the template; undefined when this server's language does not accept its text any more. */
  plan: JobTask | undefined
  pinned: { task_id: number; task_name: string; version: number } | undefined
  overridden: boolean
  summary: ItemSummary | undefined
  /** Its one unit of work: when it ran is told by that, not by what came before it or failed. */
  single: ReadItem | undefined
  run_count: number | null
  items: ReadItem[]
  decided_by: string | null
  waits_for: string | null
}

export function presentNode(row: JobRunTaskRow, parts: NodeParts): JobRunNode {
  const { plan, pinned, summary, single } = parts
  const counts = summary?.counts ?? {}
  const task = plan?.kind === 'task' ? plan : undefined
  return {
    key: row.task_key,
    kind: row.kind,
    status: row.status,
    reason: row.reason ?? (row.status === 'queued' ? parts.waits_for : null),
    pool: row.pool,
    depends_on: plan?.depends_on ?? [],
    task_id: pinned?.task_id ?? null,
    task_name: pinned?.task_name ?? null,
    task_version: pinned?.version ?? null,
    overridden: parts.overridden,
    for_each: Boolean(task?.for_each),
    message: row.message ?? (plan?.kind === 'gate' ? plan.message : null),
    decided_by: parts.decided_by,
    note: row.note,
    run_id: summary?.run_id ?? null,
    item_total: row.item_total,
    item_counts: counts,
    item_count: summary?.item_count ?? null,
    reject_count: summary?.reject_count ?? null,
    attempt: summary?.attempt ?? null,
    run_count: parts.run_count,
    started_at: single ? single.started_at : row.started_at,
    completed_at: row.completed_at,
    duration_ms: single ? (single.duration_ms ?? duration(single)) : duration(row),
    error_message: row.error_message ?? summary?.error_message ?? null,
    error_params: shownParams(row.error_message === null ? (summary?.error_params ?? null) : row.error_params),
    outputs: summary?.outputs ?? null,
    items: parts.items.map(presentItem),
  }
}

export function duration({ started_at, completed_at }: Pick<JobRunTaskRow, 'started_at' | 'completed_at'>) {
  if (started_at === null || completed_at === null) return null
  return Math.max(0, Date.parse(completed_at) - Date.parse(started_at))
}
