import type { RunPlan } from '../../../contract/executor-protocol.ts'
import type { Store } from '../../platform/store.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ResultsService } from '../queries/results.service.ts'
import type { AttemptsService, ReadyAttempt } from '../runs/attempts.service.ts'
import type { Claim, Claims } from './claims.ts'
import type { Dispatcher } from './dispatch.ts'
import { deal } from './executors.rules.ts'
import type { ExecutorRow } from './executors.table.ts'
import type { Leases } from './leases.ts'

interface Parts {
  store: Store
  claims: Claims
  dispatcher: Dispatcher
  attempts: AttemptsService
  calls: CallsService
  results: ResultsService
  leases: Leases
  executor: (id: number) => ExecutorRow | undefined
  /** Told of what went wrong (a full disk, say); the work waits in the store, and the next call tries again. */
  failed: (error: unknown) => void
}

/** No single commit and no single answer becomes huge. */
const mostAtOnce = 200

/** Brings work and waiting executors together: the one place where runs are handed out, so that no two get the same. */
export function createHandOut({
  store,
  claims,
  dispatcher,
  attempts,
  calls,
  results,
  leases,
  executor,
  failed,
}: Parts) {
  let busy = false
  let again = false
  let closed = false
  let held = false

  const takesWork = ({ executor_id }: Claim) => executor(executor_id)?.status === 'online'

  /** What to stop, calls and result sessions: they come before runs, as somebody waits for them. */
  function answerWaiting(): void {
    for (const claim of claims.waiting()) {
      const asked = leases.takeCancelled(claim.executor_id)
      const cancel = asked.map((key) => ({ ...key, reason: 'cancelled' as const }))
      const cancel_calls = calls.cancellations(claim.executor_id)
      const given = takesWork(claim) ? calls.take(claim.executor_id, claim.call_slots) : []
      const opened = takesWork(claim) ? results.take(claim.executor_id, claim.result_slots) : []
      if (given.length > 0 || opened.length > 0 || cancel.length > 0 || cancel_calls.length > 0) {
        claim.answer({ calls: given, results: opened, cancel, cancel_calls })
      }
    }
  }

  function commit(hands: Map<Claim, ReadyAttempt[]>): [Claim, RunPlan[]][] {
    return store.transaction(() =>
      [...hands].flatMap(([claim, hand]): [Claim, RunPlan[]][] => {
        const row = executor(claim.executor_id)
        return row && hand.length > 0 ? [[claim, attempts.claim(hand, row)]] : []
      }),
    )
  }

  /** True when there may be more for others. */
  function giveRuns(waiting: Claim[], found: ReadyAttempt[]): boolean {
    if (found.length === 0) return false
    for (const [claim, plans] of commit(deal(found, waiting))) {
      const { executor_id, slots } = claim
      for (const [index, { run_id, attempt, timeout_ms }] of plans.entries()) {
        const held = { run_id, attempt, executor_id, timeout_ms, cancel_requested: false }
        leases.hold(held, { fresh: true, ahead: index >= slots })
      }
      if (plans.length > 0) claim.answer({ runs: plans, ahead: Math.max(0, plans.length - slots) })
    }
    return true
  }

  function takers(): Claim[] {
    if (held) return []
    return claims.waiting().filter((claim) => claim.slots + claim.ahead > 0 && takesWork(claim))
  }

  function round(): boolean {
    answerWaiting()
    const waiting = takers()
    const room = waiting.reduce((sum, claim) => sum + claim.slots + claim.ahead, 0)
    if (room === 0) return false
    return giveRuns(waiting, dispatcher.take(Math.min(room, mostAtOnce)))
  }

  /** Never throws. Runs at once, in the turn of the commit that made the work. */
  function now(): void {
    if (closed) return
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      let more = true
      while (more || again) {
        again = false
        more = round()
      }
    } catch (error) {
      failed(error)
    } finally {
      busy = false
    }
  }

  dispatcher.onReady(now)
  return {
    now,
    /** Runs wait from now on, or no more. */
    hold(on: boolean): void {
      held = on
      if (!on) now()
    },
    close() {
      closed = true
    },
  }
}
