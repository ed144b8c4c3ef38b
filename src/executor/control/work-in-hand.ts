import type { CallPlan } from '../../contract/executor-calls.ts'
import type { beginRuns, Cancellation, ProtectedPlace } from '../../contract/executor-lifecycle.ts'
import { type ResultPlan, mostResults } from '../../contract/executor-results.ts'
import type { BodyOf } from '../../contract/operation.ts'
import type { RunPlan } from '../../contract/executor-protocol.ts'
import { startCall, type CallSession } from './call-session.ts'
import type { Wanted, Work } from './claim-loop.ts'
import type { ControlPlaneClient } from './control-plane-client.ts'
import { leaseOnWire } from './lease.ts'
import { startResult, type ResultSession } from './result-session.ts'
import type { Log } from '../log.ts'
import { createRun, type RunSession } from './run-session.ts'
import { RunsAhead } from './runs-ahead.ts'
import type { Signal } from '../signal.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'

export interface WorkInHandOptions {
  slots: number
  callSlots: number
  /** Each has workers of its own: somebody who waits for a preview waits neither for runs nor for endless queries. */
  pools: Pools
  client: ControlPlaneClient
  log: Log
  /** Raised when a slot has become free or something has ended. */
  changed: Signal
  leaseLeft: () => number
  credentials: () => { 'x-executor-credential': string }
  /** Runs that may be claimed beyond the free slots. */
  mostAhead: () => number
  /** Has runs claimed ahead begin or go back; gives those that must not begin. */
  settleAhead: (body: BodyOf<typeof beginRuns>) => Promise<Cancellation[]>
}

export type Pools = Record<'runs' | 'calls' | 'results', WorkerPool>

/** Results that wait to be told: with so many, nothing new is claimed. */
const BACKLOG = { perSlot: 4, base: 64 }
/** A heartbeat names no more runs than this. */
const MOST_RUNS = 1_000

/** Every run and call that this executor has taken and not yet settled. */
export class WorkInHand {
  readonly #options: WorkInHandOptions
  readonly #runs = new Map<string, RunSession>()
  readonly #calls = new Map<string, CallSession>()
  readonly #results = new Map<string, ResultSession>()
  readonly #ahead: RunsAhead

  constructor(options: WorkInHandOptions) {
    this.#options = options
    const { slots, log, settleAhead: settle } = options
    this.#ahead = new RunsAhead({ slots, log, settle, running: () => this.#runs.values() })
  }

  get counts(): { runs: number; working: number; calls: number } {
    let working = 0
    for (const run of this.#runs.values()) if (run.working) working += 1
    return { runs: this.#runs.size, working, calls: this.#calls.size }
  }

  /** As heartbeats tell it. */
  get running(): { run_id: number; attempt: number }[] {
    return [...this.#runs.values()].map(({ runId, attempt }) => ({ run_id: runId, attempt }))
  }

  room(): Wanted {
    const { slots, callSlots, mostAhead } = this.#options
    const { runs, working, calls } = this.counts
    // Together with two claims of these, a heartbeat must not become too long.
    const most = Math.min(mostAhead(), Math.max(0, Math.floor((MOST_RUNS - slots) / 4)))
    const backlogLimit = Math.min(BACKLOG.base + BACKLOG.perSlot * slots, MOST_RUNS - slots - 2 * most)
    const full = runs - working > backlogLimit
    const free = full ? 0 : Math.max(0, slots - working)
    const ahead = full || free > 0 || most === 0 ? 0 : this.#ahead.room(most)
    return {
      slots: free,
      // Only with every slot taken: a claim that waits with slots free must not bring more than these can start.
      ...(ahead > 0 && { ahead }),
      // At least one: what comes beyond the free workers waits here, which is as well as waiting there.
      call_slots: Math.max(1, callSlots - calls),
      result_slots: mostResults,
    }
  }

  take({ runs, ahead = 0, calls, results, cancel, cancel_calls: cancelCalls, protected_places: places }: Work): void {
    const taken = runs.map((plan) => this.#takeRun(plan, places))
    for (const run of taken.slice(0, runs.length - ahead)) run.submit()
    this.#ahead.take(taken.slice(runs.length - ahead))
    for (const plan of calls) this.#takeCall(plan, places)
    for (const plan of results) this.#takeResult(plan, places)
    this.cancel(cancel)
    for (const callId of cancelCalls) this.#calls.get(callId)?.cancel()
  }

  cancel(cancellations: Cancellation[]): void {
    for (const { run_id, attempt, reason } of cancellations) {
      const run = this.#runs.get(`${run_id}/${attempt}`)
      if (reason === 'lost') run?.abandon('the control plane has given it to another executor')
      else run?.stop(reason)
    }
  }

  /** Tells every worker that our lease goes on. */
  leaseRenewed(): void {
    const { pools, leaseLeft } = this.#options
    for (const pool of Object.values(pools)) pool.renewLease(leaseOnWire(leaseLeft()))
  }

  /** Gives back what was claimed ahead. */
  giveBack(): void {
    this.#ahead.giveBack()
  }

  /** Ends all result sessions: they are no work that would come to an end by itself. */
  endResults(): void {
    for (const result of this.#results.values()) result.end()
  }

  /** Asks all work to stop. */
  stop(): void {
    this.endResults()
    for (const run of this.#runs.values()) run.stop('shutdown')
    for (const call of this.#calls.values()) call.cancel()
  }

  /** Kills what is being worked on; results that are there already may still be told. */
  abandonWork(why: string): number {
    const working = [...this.#runs.values()].filter((run) => run.working)
    for (const run of working) run.abandon(why)
    return working.length
  }

  abandon(why: string): void {
    this.endResults()
    for (const run of this.#runs.values()) run.abandon(why)
    for (const call of this.#calls.values()) call.cancel()
  }

  /** False when something is still under way after `ms`, or when `signal` is aborted. */
  async idleWithin(ms: number, signal: AbortSignal): Promise<boolean> {
    const limit = AbortSignal.any([AbortSignal.timeout(ms), signal])
    while (this.#runs.size + this.#calls.size + this.#results.size > 0) {
      if (limit.aborted) return false
      await this.#options.changed.wait(limit)
    }
    return true
  }

  #takeRun(plan: RunPlan, places: ProtectedPlace[]): RunSession {
    const { client, pools, log, leaseLeft, changed } = this.#options
    const key = `${plan.run_id}/${plan.attempt}`
    this.#runs.get(key)?.abandon('the same attempt was given out again, under another lease')
    const onSettled = (): void => {
      this.#runs.delete(key)
      changed.raise()
    }
    const onWorkDone = (workedMs: number | null): void => {
      if (workedMs !== null) this.#ahead.worked(workedMs)
      changed.raise()
    }
    const run = createRun({ plan, places, client, pool: pools.runs, log, leaseLeft, onWorkDone, onSettled })
    this.#runs.set(key, run)
    return run
  }

  #takeCall(plan: CallPlan, places: ProtectedPlace[]): void {
    const { client, pools, log, leaseLeft, credentials, changed } = this.#options
    const onSettled = (): void => {
      this.#calls.delete(plan.call_id)
      changed.raise()
    }
    const call = startCall({ plan, places, client, pool: pools.calls, log, headers: credentials, leaseLeft, onSettled })
    this.#calls.set(plan.call_id, call)
  }

  #takeResult(plan: ResultPlan, places: ProtectedPlace[]): void {
    const { client, pools, log, leaseLeft, credentials, changed } = this.#options
    const onSettled = (): void => {
      this.#results.delete(plan.result_id)
      changed.raise()
    }
    const options = { plan, places, client, pool: pools.results, log, headers: credentials, leaseLeft, onSettled }
    this.#results.set(plan.result_id, startResult(options))
  }
}
