/**
 * The life of a job run, of its tasks and gates (nodes), and of their units of work (items).
 *
 * A job run waits (`pending`) until no earlier job run of its job stands in its way, then works (`running`), and ends
 * `completed`, `failed` or `cancelled`. It is `paused` while somebody wants it to be, or while nothing but gates is left to
 * wait for. Only a paused one and one that failed go on again, by being resumed.
 *
 * A node is `pending` until everything that it depends on directly has ended. Then it is decided, once: it is skipped, or
 * fails because its expressions do, or a gate asks (`paused`), or its units of work are queued. A unit of work is `queued`
 * until limits let it have a run, `pending` while that run waits for an executor, `running`, and then as its run ended. The
 * node ends when none of them is left; how, is decided by how many of them ended how. Tasks that were not selected are skipped
 * from the start, and nobody waits for them or asks how they ended.
 *
 * A job run that is to stop (it is cancelled, its time is up, or a task failed whose `on_failure` is `stop`) starts nothing any
 * more: what has not begun is skipped, and it ends when the last run under way has.
 *
 * A pause may stop what is under way. Each unit of work that it stops is taken back: it is queued as before it had a run, and
 * has another one after the pause, also where items that never began are given up because one of them failed. A job run that is
 * to stop does not start it again; a cancel that comes before the last word of its run leaves it cancelled.
 */
import type { NodeStatus } from '../../../contract/job-runs.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { ForEach, OnFailure, RunIf, TaskNode } from '../../../language/job/job.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'
import { asPart, keptError, type KeptError } from '../../platform/kept-error.ts'

export const moves = {
  begin: { from: ['pending'], to: ['running'] },
  pause: { from: ['running'], to: ['paused'] },
  resume: { from: ['paused', 'failed'], to: ['running'] },
  finish: { from: ['running'], to: ['completed', 'failed'] },
  cancel: { from: ['pending', 'running', 'paused'], to: ['cancelled'] },
} as const satisfies Record<string, { from: readonly JobRunStatus[]; to: readonly JobRunStatus[] }>
export type JobRunMove = keyof typeof moves

export const openStatuses: readonly JobRunStatus[] = moves.cancel.from
export const isOpen = (status: JobRunStatus): boolean => openStatuses.includes(status)

/** Nodes: `begin` and `stopped` go there and back again when a pause stops what was under way. */
export const nodeMoves = {
  queue: { from: ['pending'], to: ['queued'] },
  ask: { from: ['pending'], to: ['paused'] },
  begin: { from: ['queued'], to: ['running'] },
  stopped: { from: ['running'], to: ['queued'] },
  decide: { from: ['pending'], to: ['success', 'failed', 'skipped'] },
  answer: { from: ['paused'], to: ['success', 'failed'] },
  end: { from: ['queued', 'running'], to: ['success', 'completed', 'failed', 'cancelled', 'skipped'] },
  stop: { from: ['pending', 'paused'], to: ['skipped'] },
  reopen: { from: ['failed', 'cancelled', 'skipped'], to: ['pending', 'queued'] },
} as const satisfies Record<string, { from: readonly NodeStatus[]; to: readonly NodeStatus[] }>
export type NodeMove = keyof typeof nodeMoves

const endedStatuses: readonly NodeStatus[] = nodeMoves.end.to
export const hasEnded = (status: NodeStatus): boolean => endedStatuses.includes(status)
export const isBad = (status: NodeStatus): boolean => status === 'failed' || status === 'cancelled'
const isDone = (status: NodeStatus): boolean => status === 'success' || status === 'completed'

/** How a node stands, as far as other nodes ask. */
export interface NodeStanding {
  status: NodeStatus
  reason: string | null
}
export type Standings = ReadonlyMap<string, NodeStanding>

const takesPart = (node: NodeStanding | undefined): node is NodeStanding =>
  node !== undefined && node.reason !== 'not_selected'

/** What becomes of a node that is pending. Looks at its direct dependencies alone. */
export function verdictOn(
  { depends_on, run_if }: { depends_on: readonly string[]; run_if: RunIf },
  standings: Standings,
): 'wait' | 'go' | 'skip' {
  const statuses = depends_on
    .map((key) => standings.get(key))
    .filter(takesPart)
    .map(({ status }) => status)
  if (!statuses.every(hasEnded)) return 'wait'
  return runIfHolds(run_if, statuses) ? 'go' : 'skip'
}

/** How a node ended, or that nobody knows yet. */
export type StatusOrOpen = NodeStatus | 'open'

/** Whether a node may still get its turn, however those end that are open. */
export function mayGo(runIf: RunIf, statuses: readonly StatusOrOpen[]): boolean {
  const ended = (as: NodeStatus) => statuses.map((status) => (status === 'open' ? as : status))
  return runIfHolds(runIf, ended('success')) || runIfHolds(runIf, ended('failed'))
}

function runIfHolds(runIf: RunIf, statuses: readonly NodeStatus[]): boolean {
  switch (runIf) {
    case 'all_success':
      return statuses.every(isDone)
    case 'none_failed':
      return !statuses.some(isBad)
    case 'any_failed':
      return statuses.some(isBad)
    case 'all_done':
      return true
  }
}

/** How many units of work of a node stand how. */
export interface ItemCounts {
  n_queued: number
  n_active: number
  n_success: number
  n_completed: number
  n_failed: number
  n_cancelled: number
  n_skipped: number
}

/** Whether what still waits of a node is not started any more. */
export function givesUp(counts: ItemCounts, forEach: ForEach | null): boolean {
  return counts.n_failed + counts.n_cancelled > 0 && forEach?.on_item_error !== 'continue'
}

export type NodeEnd = { status: 'success' | 'completed' | 'failed' | 'cancelled' | 'skipped'; reason: string | null }

/** How a node whose units of work are decided ends; null while some are queued or under way. */
export function nodeEnd(counts: ItemCounts, forEach: ForEach | null): NodeEnd | null {
  const { n_success, n_completed, n_failed, n_cancelled, n_skipped } = counts
  if (counts.n_queued + counts.n_active > 0) return null
  const done = n_success + n_completed
  const bad = n_failed + n_cancelled
  const end = (status: NodeEnd['status'], reason: string | null = null): NodeEnd => ({ status, reason })
  if (done + bad === 0) return end('skipped', 'stopped')
  if (bad > 0 && (givesUp(counts, forEach) || done === 0 || n_skipped > 0))
    return end(n_failed > 0 ? 'failed' : 'cancelled')
  // Stopped on its way: not all of it was done.
  if (n_skipped > 0) return end('cancelled', 'stopped')
  return end(bad > 0 || n_completed > 0 ? 'completed' : 'success')
}

/** A node as the end of the job run sees it. */
export interface EndedNode extends NodeStanding {
  task_key: string
  kind: 'task' | 'gate'
  error_message: string | null
  error_params: string | null
}

/** Of nodes that have all ended: those that make the job run fail. */
export function failedNodes<N extends EndedNode>(nodes: readonly N[], onFailure: (key: string) => OnFailure): N[] {
  return nodes.filter(
    ({ status, task_key, kind }) => isBad(status) && (kind === 'gate' || onFailure(task_key) !== 'continue'),
  )
}

export type JobRunEnding =
  | { status: 'cancelled'; error: null; success: false }
  | { status: 'failed'; error: KeptError; success: false }
  | { status: 'completed'; error: null; success: boolean }

/** How a job run ends in which nothing is under way, queued or waiting any more. */
export function jobRunEnding(
  run: { cancel_requested: 0 | 1; stop_reason: string | null; error_params: string | null },
  nodes: readonly EndedNode[],
  onFailure: (key: string) => OnFailure,
): JobRunEnding {
  if (run.cancel_requested) return { status: 'cancelled', error: null, success: false }
  const [first, ...others] = failedNodes(nodes, onFailure)
  if (run.stop_reason !== null)
    return { status: 'failed', error: { message: run.stop_reason, params: run.error_params }, success: false }
  if (!first) {
    const flawed = nodes.some(({ status }) => isBad(status) || status === 'completed')
    return { status: 'completed', error: null, success: !flawed }
  }
  const more = others.length === 0 ? [] : [runMessage('more_failed', { count: others.length })]
  return { status: 'failed', error: keptError(failureOf(first), more), success: false }
}

function failureOf({ kind, task_key: task, status, error_message: message, error_params: params }: EndedNode): Message {
  const [alone, withCause] =
    kind === 'gate'
      ? (['gate_refused', 'gate_refused_with'] as const)
      : status === 'failed'
        ? (['task_failed', 'task_failed_with'] as const)
        : (['task_cancelled', 'task_cancelled_with'] as const)
  return message === null
    ? runMessage(alone, { task })
    : runMessage(withCause, { task, cause: asPart({ message, params }) })
}

/**
 * What a job run that failed does again when it is resumed: what failed, was cancelled or was stopped, and of what comes after
 * it all that was skipped. What is done stays done. `fresh` ones lie behind another of them: what they are made of is asked anew.
 */
export function reopened(
  order: readonly { key: string; depends_on: readonly string[] }[],
  standings: Standings,
): Map<string, { fresh: boolean }> {
  const again = new Map<string, { fresh: boolean }>()
  // Those behind something that is done again, whether they themselves are or not.
  const behind = new Set<string>()
  for (const { key, depends_on } of order) {
    const node = standings.get(key)
    if (depends_on.some((other) => again.has(other) || behind.has(other))) behind.add(key)
    if (!takesPart(node) || isDone(node.status)) continue
    const stopped = node.status === 'skipped' && node.reason === 'stopped'
    const follows = node.status === 'skipped' && depends_on.some((other) => again.has(other))
    if (isBad(node.status) || stopped || follows) again.set(key, { fresh: behind.has(key) })
  }
  return again
}

/** The tasks of a job run that take part; null: all. */
export function selectionOf(
  nodes: ReadonlyMap<string, { depends_on: readonly string[] }>,
  selected: readonly string[] | null,
  skipDeps: boolean,
): ReadonlySet<string> | null {
  if (selected === null) return null
  const found = new Set<string>(selected)
  if (skipDeps) return found
  // A set is walked in the order in which it grows.
  for (const key of found) for (const other of nodes.get(key)?.depends_on ?? []) found.add(other)
  return found
}

/** How a run waits behind earlier ones of its job that have not ended; those of one backfill only count each other. */
export function mayBegin(
  run: { id: number; backfill_id: string | null; backfill_parallel: number | null },
  unfinished: readonly { id: number; backfill_id: string | null; status: JobRunStatus }[],
): boolean {
  const isSibling = (other: { backfill_id: string | null }) =>
    run.backfill_id !== null && other.backfill_id === run.backfill_id
  const earlier = unfinished.filter(({ id }) => id < run.id)
  if (earlier.some((other) => !isSibling(other) || other.status === 'pending')) return false
  return run.backfill_parallel === null || earlier.length < run.backfill_parallel
}

/** A task's own priority, unless it has none: then that of the job run. */
export const priorityOf = (own: number, ofJobRun: number): number => (own === 0 ? ofJobRun : own)

/** What the units of work of a task are limited by, and how urgent they are. */
export const limitsOf = (
  { for_each, pool, priority }: Pick<TaskNode, 'for_each' | 'pool' | 'priority'>,
  ofJobRun: number,
) => ({
  max_parallel: for_each?.max_parallel ?? null,
  pool,
  priority: priorityOf(priority, ofJobRun),
})

export const later = (iso: string, ms: number): string => new Date(Date.parse(iso) + ms).toISOString()
export const between = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from))

/** What keeps a job run that failed from going on: another one of its job that has not ended. null: nothing. */
export function inTheWayOf<R extends { id: number; backfill_id: string | null; status: JobRunStatus }>(
  run: { id: number; backfill_id: string | null; backfill_parallel: number | null },
  unfinished: readonly R[],
): R | null {
  const others = unfinished.filter(({ id }) => id !== run.id)
  const strangers = others.filter((other) => run.backfill_id === null || other.backfill_id !== run.backfill_id)
  const busy = others.filter(({ status }) => status !== 'pending')
  if (strangers.length > 0) return strangers[0] ?? null
  return run.backfill_parallel !== null && busy.length >= run.backfill_parallel ? (busy[0] ?? null) : null
}
