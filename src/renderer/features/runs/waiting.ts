import type { Executor } from '../../../contract/executors.ts'
import type { Run } from '../../../contract/runs.ts'

/** Why a queued run has not begun. */
export type Waiting =
  | { reason: 'backoff'; at: string }
  | { reason: 'none' }
  | { reason: 'draining' }
  | { reason: 'busy'; slots: number }
  | { reason: 'soon' }

export function waitingFor(
  run: Pick<Run, 'status' | 'next_attempt_at'>,
  executors: readonly Pick<Executor, 'status' | 'answering' | 'slots' | 'busy'>[],
  now: number,
): Waiting | null {
  if (run.status !== 'pending') return null
  if (run.next_attempt_at && Date.parse(run.next_attempt_at) > now)
    return { reason: 'backoff', at: run.next_attempt_at }
  const online = executors.filter((executor) => executor.status === 'online' && executor.answering)
  if (online.length === 0) {
    return executors.some((executor) => executor.status === 'draining') ? { reason: 'draining' } : { reason: 'none' }
  }
  const slots = online.reduce((sum, executor) => sum + executor.slots, 0)
  return online.every((executor) => executor.busy >= executor.slots) ? { reason: 'busy', slots } : { reason: 'soon' }
}
