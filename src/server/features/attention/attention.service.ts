import { shownParams } from '../../platform/kept-error.ts'
import type { Attention, AttentionItem } from '../../../contract/attention.ts'
import type { Platform } from '../../platform/platform.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import type { MetricsService } from '../metrics/metrics.service.ts'
import type { FailuresService } from '../failures/failures.service.ts'
import { createAttentionStore } from './attention.store.ts'

const horizonMs = 7 * 24 * 3_600_000
/** Most failures the failures feature lists: what has succeeded since must not hide what has not. */
const failuresRead = 200

interface Dependencies {
  failures: Pick<FailuresService, 'list'>
  executors: Pick<ExecutorsService, 'list'>
  metrics: Pick<MetricsService, 'amiss'>
}

const blank = {
  task_keys: [],
  message: null,
  message_params: null,
  status: null,
  count: 1,
  task_id: null,
  job_id: null,
  job_run_id: null,
  run_id: null,
  trigger_id: null,
  executor_id: null,
  start: null,
} satisfies Partial<AttentionItem>

const parsed = (json: string | null): Record<string, unknown> =>
  // Written by this server: a JSON object or nothing.
  json === null ? {} : (JSON.parse(json) as Record<string, unknown>)

export function createAttentionService(platform: Platform, { failures, executors, metrics }: Dependencies) {
  const store = createAttentionStore(platform.store)

  const gates = (limit: number): AttentionItem[] =>
    store.gates(limit).map(({ job_run_id, job_id, job_name, task_key, message, since }) => ({
      ...blank,
      kind: 'gate',
      key: `gate ${job_run_id} ${task_key}`,
      name: job_name,
      task_keys: [task_key],
      message,
      since,
      job_id,
      job_run_id,
    }))

  const outcomes = (limit: number): AttentionItem[] =>
    store.outcomes(limit).map(({ state_id, task_id, task_name, task_key, unresolved, since }) => {
      // Written by this server: a JSON list that is not empty.
      const runs = JSON.parse(unresolved) as { run_id: number }[]
      return {
        ...blank,
        kind: 'outcome',
        key: `outcome ${state_id}`,
        name: task_name,
        task_keys: task_key === '' ? [] : [task_key],
        since,
        count: runs.length,
        task_id,
        run_id: runs[0]?.run_id ?? null,
      }
    })

  const failed = (from: string): AttentionItem[] =>
    failures
      .list({ from, limit: failuresRead })
      .filter(({ status }) => status !== 'success' && status !== 'completed')
      .map(({ kind, id, name, run_id, failed_task_keys, error_message, error_params, failed_at, count, status }) => ({
        ...blank,
        kind: 'failure',
        key: `failure ${kind} ${id}`,
        name,
        task_keys: failed_task_keys,
        message: error_message,
        message_params: error_params,
        status,
        since: failed_at,
        count,
        ...(kind === 'job' ? { job_id: id, job_run_id: run_id } : { task_id: id, run_id }),
      }))

  const missed = (from: string, limit: number): AttentionItem[] =>
    store.missed(from, limit).map((row) => ({
      ...blank,
      kind: 'missed',
      key: `missed ${row.trigger_id}`,
      name: row.job_name,
      task_keys: row.task_key === null ? [] : [row.task_key],
      message: row.message,
      message_params: shownParams(row.message_params),
      since: row.scheduled_at,
      count: row.count,
      job_id: row.job_id,
      trigger_id: row.trigger_id,
      start: {
        logical_date: row.scheduled_at,
        timezone: row.timezone,
        arguments: parsed(row.arguments),
        ...(row.task_key === null ? {} : { selected_tasks: [row.task_key], skip_deps: true }),
      },
    }))

  const amiss = (): AttentionItem[] =>
    metrics
      .amiss()
      .map(({ name, since, message, params }) => ({
        ...blank,
        kind: 'metric' as const,
        key: `metric ${name}`,
        name,
        message,
        message_params: shownParams(params),
        since,
      }))
      .toSorted((a, b) => (a.since < b.since ? 1 : -1))

  const lost = (from: string): AttentionItem[] =>
    executors
      .list()
      .filter(({ status, last_heartbeat_at }) => status === 'lost' && (last_heartbeat_at ?? '') >= from)
      .map(({ id, name, last_heartbeat_at, updated_at, created_at }) => ({
        ...blank,
        kind: 'executor',
        key: `executor ${id}`,
        name,
        since: last_heartbeat_at ?? updated_at ?? created_at,
        executor_id: id,
      }))

  return {
    /** What can't go on without someone first. */
    read(limit = 50): Attention {
      const from = new Date(platform.clock.now().getTime() - horizonMs).toISOString()
      const items = [
        ...gates(limit + 1),
        ...outcomes(limit + 1),
        ...failed(from),
        ...missed(from, limit + 1),
        ...amiss(),
        ...lost(from),
      ]
      return { items: items.slice(0, limit), truncated: items.length > limit }
    },
  }
}
export type AttentionService = ReturnType<typeof createAttentionService>
