import type { JobRun, JobRunNode, NodeStatus } from '../../../contract/job-runs.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { Status } from '../../ui/status.ts'

/** How a node of a job run looks: `pending` waits for others and is not in any queue yet. */
const looks: Readonly<Record<NodeStatus, Status>> = {
  pending: 'waiting',
  queued: 'pending',
  running: 'running',
  paused: 'approval',
  success: 'success',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
}
export const nodeLook = (status: NodeStatus): Status => looks[status]

const blemishes = ['completed', 'failed', 'cancelled'] as const

const waiting: readonly string[] = ['queued', 'pending', 'skipped'] satisfies NodeStatus[]

/** It has begun, but none of its tasks: they wait for a slot. */
export const isQueued = ({ status, task_counts }: Pick<JobRun, 'status' | 'task_counts'>) =>
  status === 'running' &&
  (task_counts['queued'] ?? 0) > 0 &&
  Object.entries(task_counts).every(([of, count]) => count === 0 || waiting.includes(of))

/** The pool that a queued job run waits for; null where its tasks wait for an executor. */
export const fullPool = (nodes: readonly Pick<JobRunNode, 'status' | 'reason' | 'pool'>[]) =>
  nodes.find(({ status, reason }) => status === 'queued' && reason === 'pool')?.pool ?? null

/** It waits for nothing but someone who approves its gates. */
export const isAtGate = ({ status, pause_reason }: { status: string; pause_reason: JobRun['pause_reason'] }) =>
  status === 'paused' && pause_reason === 'gate'

/** A job run that completed with nothing but successes looks like a success; one that put up with something does not. */
export function jobRunLook(run: Pick<JobRun, 'status' | 'task_counts' | 'pause_reason'>): Status {
  if (isQueued(run)) return 'pending'
  if (isAtGate(run)) return 'approval'
  if (run.status !== 'completed') return run.status
  return blemishes.some((status) => (run.task_counts[status] ?? 0) > 0) ? 'completed' : 'success'
}

/** Of a job run that completed: a task failed or was cancelled, and the job went on. */
export const hasFailures = ({ task_counts }: Pick<JobRun, 'task_counts'>) =>
  (task_counts['failed'] ?? 0) + (task_counts['cancelled'] ?? 0) > 0

/** Of a `for_each`: not only rows were rejected. */
export const hasFailedItems = ({ item_counts }: Pick<JobRunNode, 'item_counts'>) =>
  (item_counts['failed'] ?? 0) + (item_counts['cancelled'] ?? 0) > 0

export const isJobRunOver = (status: JobRunStatus) =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Nothing more happens to the node unless the job run goes on, or runs again. */
export const isNodeOver = (status: NodeStatus) =>
  status !== 'pending' && status !== 'queued' && status !== 'running' && status !== 'paused'

/** Its outcome was taken over from an earlier job run: its rows count, its times are those of that job run. */
export const isReused = (node: Pick<JobRunNode, 'reason'>) => node.reason === 'reused'

/** How long a job run was running, without pauses; null while that still grows, and before it has begun. */
export const knownDuration = (run: Pick<JobRun, 'duration_ms' | 'ran_ms' | 'running_since' | 'started_at'>) =>
  run.duration_ms ?? (run.running_since === null && run.started_at !== null ? run.ran_ms : null)

/** How long a node took in its own job run. */
export const ownDuration = (node: Pick<JobRunNode, 'reason' | 'duration_ms'>) =>
  isReused(node) ? null : node.duration_ms

/** How long it ran: gates only wait. */
export const workDuration = (node: Pick<JobRunNode, 'kind' | 'reason' | 'duration_ms'>) =>
  node.kind === 'gate' ? null : ownDuration(node)

export const hasFailed = (node: Pick<JobRunNode, 'status'>) => node.status === 'failed' || node.status === 'cancelled'

/** Order in which counts are told: what needs somebody first. */
export const countOrder: readonly NodeStatus[] = [
  'failed',
  'cancelled',
  'paused',
  'running',
  'queued',
  'pending',
  'completed',
  'success',
  'skipped',
]
