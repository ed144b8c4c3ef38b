import { shortened } from '../../../language/shortened.ts'
import type { Message } from '../../../contract/messages.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { ColumnDrift } from '../../../contract/schema-drift.ts'
import type { customMetricKinds } from '../../../contract/custom-metrics.ts'
import type { MetricEvent, channelEvents } from '../../../contract/notifications.ts'
import type { NotifyEvent, NotifyRule } from '../../../language/job/job.types.ts'

/** What is known of a job run that has ended, or is late. */
export interface JobRunUpdate {
  id: number
  job_id: number
  job_name: string
  snapshot_id: number
  status: JobRunStatus
  /** Of the job's job run before it that ended. */
  previous_status: JobRunStatus | null
  logical_date: string
  trigger_type: string
  started_at: string | null
  completed_at: string | null
  duration_ms: number | null
  error_message: string | null
  failed_task_keys: string[]
  drift: { task_key: string; drift: ColumnDrift[] }[]
  /** Rows that were rejected, by task; those of tasks that rejected none are left out. */
  rejects: TaskRejects[]
  /** That waits for approval: why the update is told. */
  gate?: WaitingGate
}

export interface WaitingGate {
  task_key: string
  message: string
}

export interface TaskRejects {
  task_key: string
  rejected: number
}

/** A custom metric that violates its threshold or deadline, or does so no longer. */
export interface MetricUpdate {
  event: MetricEvent
  name: string
  description: string | null
  kind: (typeof customMetricKinds)[number]
  unit: string
  value: number | null
  /** How it is violated, or was. */
  violation: string
  since: string
  at: string
}

export type ChannelEvent = (typeof channelEvents)[number]

/** What is told, as it was when it happened: the body of a webhook without its delivery. */
export interface NotificationContent {
  event: ChannelEvent | 'test'
  job: { id: number; name: string } | null
  job_run: {
    id: number
    status: JobRunStatus
    logical_date: string
    trigger_type: string
    started_at: string | null
    completed_at: string | null
    duration_ms: number | null
    /** Of its page, below the address at which people open this server. */
    path: string
  } | null
  failed_task_keys: string[]
  error_message: string | null
  /** Of `schema_drift`: columns in which rows and tables differed. */
  schema_drift?: (ColumnDrift & { task_key: string })[]
  /** Of `completed_with_rejects`. */
  rejects?: TaskRejects[]
  /** Of `waiting_for_approval`. */
  gate?: WaitingGate
  /** Of a custom metric. */
  metric?: Omit<MetricUpdate, 'event' | 'at'> & { path: string }
  occurred_at: string
}

/** Events of the end of a job run. A canceled one has finished, no more. */
export function eventsOfEnd(run: JobRunUpdate): NotifyEvent[] {
  const { status, previous_status } = run
  const completed = status === 'completed'
  const happened: [NotifyEvent, boolean][] = [
    ['failed', status === 'failed'],
    ['recovered', completed && previous_status === 'failed'],
    ['completed_with_rejects', completed && run.rejects.length > 0],
    ['schema_drift', driftIn(run).length > 0],
    ['finished', true],
  ]
  return happened.flatMap(([event, happens]) => (happens ? [event] : []))
}

/** What a table has become, or would have had to. A skipped column, or one without rows, is the same in every run, so nobody is notified. */
const notable: ReadonlySet<ColumnDrift['outcome']> = new Set(['added', 'widened', 'recreated', 'refused'])

function driftIn({ drift }: JobRunUpdate): (ColumnDrift & { task_key: string })[] {
  return drift.flatMap(({ task_key, drift: columns }) =>
    columns.filter(({ outcome }) => notable.has(outcome)).map((column) => ({ task_key, ...column })),
  )
}

interface Listener {
  name: string
  on: readonly ChannelEvent[]
  job_ids: readonly number[] | null
  enabled: 0 | 1
}

/** The events that a channel is told: its own, of its jobs, and those for which the template names it. Each once. */
export function eventsOf(
  channel: Listener,
  events: readonly NotifyEvent[],
  jobId: number,
  notify: readonly NotifyRule[],
): NotifyEvent[] {
  if (!channel.enabled) return []
  const own: readonly string[] = channel.job_ids === null || channel.job_ids.includes(jobId) ? channel.on : []
  const asked = notify.filter((rule) => rule.channel === channel.name).flatMap((rule) => rule.on)
  const wanted = new Set<string>([...own, ...asked])
  return events.filter((event) => wanted.has(event))
}

/** Task keys and messages may be many and long. People read notifications; the job run has the rest. */
const most = { keys: 100, message: 4_000, drift: 100 }

export function contentOf(event: NotifyEvent, run: JobRunUpdate, now: string): NotificationContent {
  const { id, status, logical_date, trigger_type, started_at, completed_at, duration_ms } = run
  return {
    event,
    job: { id: run.job_id, name: run.job_name },
    job_run: {
      id,
      status,
      logical_date,
      trigger_type,
      started_at,
      completed_at,
      duration_ms,
      // Opens at the gate, with its buttons.
      path: run.gate ? `/job-runs/${id}?task=${encodeURIComponent(run.gate.task_key)}` : `/job-runs/${id}`,
    },
    failed_task_keys: run.failed_task_keys.slice(0, most.keys),
    error_message: run.error_message && shortened(run.error_message, most.message),
    ...(event === 'schema_drift' ? { schema_drift: driftIn(run).slice(0, most.drift) } : {}),
    ...(event === 'completed_with_rejects' ? { rejects: run.rejects.slice(0, most.keys) } : {}),
    ...(run.gate && {
      gate: { ...run.gate, message: shortened(run.gate.message, most.message) },
    }),
    occurred_at: completed_at ?? now,
  }
}

export const contentOfMetric = ({ event, at, ...metric }: MetricUpdate): NotificationContent => ({
  event,
  job: null,
  job_run: null,
  failed_task_keys: [],
  error_message: null,
  metric: { ...metric, path: `/metrics/custom?metric=${metric.name}` },
  occurred_at: at,
})

export const testContent = (now: string): NotificationContent => ({
  event: 'test',
  job: null,
  job_run: null,
  failed_task_keys: [],
  error_message: null,
  occurred_at: now,
})

/** How an attempt went. `final`: another one would go the same way. */
export type Attempt =
  | { kind: 'delivered'; note: Message | null }
  | { kind: 'refused'; reason: Message; final: boolean; retryAfterMs?: number }

export const maxAttempts = 8
const firstDelayMs = 60_000
/** No receiver makes us wait for longer. */
const longestDelayMs = 24 * 3_600_000

/** When the next attempt is due after `ended` ones; null: there is none. */
export function nextAttemptAt(ended: number, { final, retryAfterMs = 0 }: Attempt & { kind: 'refused' }, now: Date) {
  if (final || ended >= maxAttempts) return null
  const delay = Math.max(firstDelayMs * 2 ** (ended - 1), Math.min(retryAfterMs, longestDelayMs))
  return new Date(now.getTime() + delay).toISOString()
}
