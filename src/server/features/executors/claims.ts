/** The long polls of executors: each waits for runs, calls or something to stop, and is answered the moment there is any. */

import { msg } from '../../../contract/messages.ts'
import type { CallPlan } from '../../../contract/executor-calls.ts'
import type { Cancellation } from '../../../contract/executor-lifecycle.ts'
import type { RunPlan } from '../../../contract/executor-protocol.ts'
import type { ResultPlan } from '../../../contract/executor-results.ts'
import { unavailable } from '../../platform/refusal.ts'

export interface ClaimAnswer {
  runs: RunPlan[]
  /** So many of the runs, the last ones, are beyond the free slots. */
  ahead: number
  calls: CallPlan[]
  results: ResultPlan[]
  cancel: Cancellation[]
  cancel_calls: string[]
}

export interface Claim {
  readonly executor_id: number
  readonly slots: number
  /** Runs that it takes beyond its free slots. */
  readonly ahead: number
  readonly call_slots: number
  readonly result_slots: number
  /** Gives the answer and ends the wait. Only the first one counts. */
  answer(answer: Partial<ClaimAnswer>): void
}

export interface Claims {
  /**
   * Waits at most `waitMs`. `onGone` tells how to hear that the client has gone; nothing is given to it from then on, and its
   * listener says whether the claim was still waiting.
   */
  wait(
    request: Pick<Claim, 'executor_id' | 'slots' | 'call_slots'> & {
      ahead?: number
      result_slots?: number
      wait_ms: number
    },
    onGone: (listener: () => boolean) => void,
  ): Promise<ClaimAnswer>
  /** In the order in which they came. */
  waiting(): Claim[]
  of(executorId: number): Claim | undefined
  /** Answers everybody with nothing; whoever comes later is told to come back. */
  close(): void
}

export function createClaims(): Claims {
  const waiting = new Map<number, Claim>()
  let closed = false

  return {
    wait({ executor_id, slots, ahead = 0, call_slots, result_slots = 0, wait_ms }, onGone) {
      if (closed) unavailable(msg('server_ending_shortly'))
      // An executor has one poll at a time: a second one means that it has given up on the first.
      waiting.get(executor_id)?.answer({})
      return new Promise((resolve) => {
        const claim: Claim = {
          executor_id,
          slots,
          ahead,
          call_slots,
          result_slots,
          answer(answer) {
            if (waiting.get(executor_id) !== claim) return
            waiting.delete(executor_id)
            clearTimeout(timer)
            resolve({ runs: [], ahead: 0, calls: [], results: [], cancel: [], cancel_calls: [], ...answer })
          },
        }
        const timer = setTimeout(() => claim.answer({}), wait_ms)
        waiting.set(executor_id, claim)
        onGone(() => {
          const waited = waiting.get(executor_id) === claim
          claim.answer({})
          return waited
        })
      })
    },
    waiting: () => [...waiting.values()],
    of: (executorId) => waiting.get(executorId),
    close() {
      closed = true
      for (const claim of waiting.values()) claim.answer({})
    },
  }
}
