import type { ProtectedPlace } from '../../contract/executor-lifecycle.ts'
import type { LogEntry, RunPlan } from '../../contract/executor-protocol.ts'
import type { RunStep } from '../../contract/runs.ts'
import type { ExitInfo } from '../../process/child.ts'
import type { ControlPlaneClient } from './control-plane-client.ts'
import { leaseOnWire } from './lease.ts'
import type { Log } from '../log.ts'
import { endingOf, endingWithoutOutcome, type Circumstances, type Ending } from './run-ending.ts'
import { RunOutbox } from './run-outbox.ts'
import type { Job, JobWorker, WorkerPool } from '../workers/worker-pool.ts'
import type { AbortReason, Committed, FromWorker } from '../worker-protocol.ts'

/** A run that is over by then needs no word of its beginning, nor that its target has committed. */
const STATE_AFTER_MS = 20
/** How long a worker may take to stop by itself. */
const STOP_MS = 2_000

export interface RunSessionOptions {
  plan: RunPlan
  /** What no connector may open. */
  places: ProtectedPlace[]
  client: ControlPlaneClient
  pool: WorkerPool
  log: Log
  /** What is left of our lease, in ms. */
  leaseLeft: () => number
  /** The worker is free again, after so long; the result may still be under way. Null: it had no worker. */
  onWorkDone: (workedMs: number | null) => void
  /** The control plane has the result, or wants none. */
  onSettled: () => void
}

export interface RunSession {
  readonly runId: number
  readonly attempt: number
  readonly leaseToken: string
  /** No worker has it yet. */
  readonly waiting: boolean
  /** Since a worker has it, in ms; 0 when none has. */
  readonly workingFor: number
  /** False when only its result is still to be told. */
  readonly working: boolean
  /** May begin as soon as a worker is free. */
  submit(): void
  /** Keeps it from beginning; false when it has begun already, or is over. */
  withdraw(): boolean
  /** The control plane has it again, and nothing of it has begun. */
  release(): void
  /** Asks the work to stop, and kills it when it does not. */
  stop(reason: AbortReason): void
  /** Kills the work and tells nothing more of it: the attempt is not ours any longer. */
  abandon(why: string): void
}

/** Carries one claimed attempt from its plan to its completion; it waits until it is submitted. */
export const createRun = (options: RunSessionOptions): RunSession => new Session(options)

class Session implements RunSession, Job {
  readonly #options: RunSessionOptions
  readonly #outbox: RunOutbox
  readonly #timers: NodeJS.Timeout[] = []
  #worker: JobWorker | null = null
  #phase: 'waiting' | 'running' | 'telling' | 'settled' = 'waiting'
  #stopped: AbortReason | null = null
  #steps: RunStep[] = []
  /** What the worker may do; null: it has not asked, or not been answered. */
  #permit: 'once' | 'repeatable' | null = null
  #committed: Committed | null = null
  #startedAt = new Date()
  #startedMonotonic = performance.now()

  constructor(options: RunSessionOptions) {
    this.#options = options
    const { plan: lease, client, log } = options
    this.#outbox = new RunOutbox({ lease, client, log, onStale: (why) => this.abandon(why) })
  }

  /** How long a worker has had it, in ms. */
  get workingFor(): number {
    return this.#phase === 'running' ? performance.now() - this.#startedMonotonic : 0
  }

  get runId(): number {
    return this.#options.plan.run_id
  }

  get attempt(): number {
    return this.#options.plan.attempt
  }

  get leaseToken(): string {
    return this.#options.plan.lease_token
  }

  get waiting(): boolean {
    return this.#phase === 'waiting'
  }

  get working(): boolean {
    return this.#phase === 'waiting' || this.#phase === 'running'
  }

  submit(): void {
    if (this.#phase === 'waiting') this.#options.pool.submit(this)
  }

  withdraw(): boolean {
    if (this.#phase !== 'waiting') return false
    this.#options.pool.withdraw(this)
    return true
  }

  release(): void {
    if (!this.withdraw()) return
    this.#workDone()
    this.#outbox.close()
    this.#settle()
  }

  begin(worker: JobWorker): void {
    const { plan, places, leaseLeft } = this.#options
    this.#worker = worker
    this.#phase = 'running'
    this.#startedAt = new Date()
    this.#startedMonotonic = performance.now()
    worker.send({ type: 'run', plan, leaseMs: leaseOnWire(leaseLeft()), places })
    this.#after(STATE_AFTER_MS, () => this.#outbox.state(this.#startedAt.toISOString()))
    if (plan.timeout_ms !== null) this.#after(plan.timeout_ms, () => this.stop('timeout'))
  }

  hear(message: FromWorker, worker: JobWorker): void {
    if (this.#phase !== 'running') return
    const { runId } = this
    if (message.type === 'logs') {
      const { lines, bytes } = message
      this.#outbox.logs(lines, () => worker.send({ type: 'logs-taken', run_id: runId, bytes }))
    } else if (message.type === 'progress') {
      this.#steps = message.steps
      this.#outbox.progress(message.steps)
    } else if (message.type === 'committing') {
      this.#askToCommit(message, worker)
    } else if (message.type === 'committed') {
      this.#committed = message.done
      this.#after(STATE_AFTER_MS, () => this.#reportCommitted())
    } else if (message.type === 'rejects') {
      this.#outbox.rejects(message.rejects, () => worker.send({ type: 'rejects-taken', run_id: runId }))
    } else if (message.type === 'run-done') {
      this.#finish(endingOf(message.outcome, this.#circumstances()), message.lines)
    }
  }

  lost(exit: ExitInfo): void {
    if (!this.working) return
    // Workers end themselves when our lease does, and may do so before we come to it.
    if (this.#options.leaseLeft() <= 0) return this.abandon('the lease has ended')
    if (!this.#stopped) this.#options.log.error('A worker ended in the middle of a run', { run_id: this.runId, exit })
    this.#finish(endingWithoutOutcome(exit, this.#circumstances()), [])
  }

  stop(reason: AbortReason): void {
    if (!this.working || this.#stopped) return
    this.#stopped = reason
    if (this.#phase === 'waiting') {
      this.#options.pool.withdraw(this)
      return this.#finish(endingWithoutOutcome({ code: null, signal: null }, this.#circumstances()), [])
    }
    this.#worker?.send({ type: 'abort', reason })
    this.#after(STOP_MS, () => this.#worker?.kill())
  }

  abandon(why: string): void {
    if (this.#phase === 'settled') return
    this.#options.log.warn('A run is given up', { run_id: this.runId, attempt: this.attempt, why })
    if (this.#phase === 'waiting') this.#options.pool.withdraw(this)
    this.#worker?.kill()
    if (this.working) this.#workDone()
    this.#outbox.close()
    this.#settle()
  }

  #finish(ending: Ending, lines: LogEntry[]): void {
    const completedAt = new Date().toISOString()
    const times = {
      started_at: this.#startedAt.toISOString(),
      completed_at: completedAt,
      duration_ms: Math.max(0, Math.round(performance.now() - this.#startedMonotonic)),
    }
    // The end waits behind what is yet to be told; that the target has committed must not.
    if (this.#outbox.busy) this.#reportCommitted()
    const explanation = ending.line ? [{ at: completedAt, step: null, ...ending.line }] : []
    this.#workDone()
    this.#outbox.complete(ending.completion, times, [...lines, ...explanation], () => this.#settle())
  }

  #askToCommit({ repeatable, state }: FromWorker & { type: 'committing' }, worker: JobWorker): void {
    this.#outbox.committing({ startedAt: this.#startedAt.toISOString(), repeatable, state }, () => {
      if (this.#phase !== 'running') return
      if (this.#options.leaseLeft() <= 0) return this.abandon('the lease has ended')
      this.#permit = repeatable ? 'repeatable' : 'once'
      worker.send({ type: 'permitted', run_id: this.runId })
    })
  }

  #reportCommitted(): void {
    if (this.#committed) this.#outbox.committed(this.#startedAt.toISOString(), this.#committed)
  }

  #workDone(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
    this.#worker = null
    const worked = this.#phase === 'running' ? performance.now() - this.#startedMonotonic : null
    this.#phase = 'telling'
    this.#options.onWorkDone(worked)
  }

  #settle(): void {
    if (this.#phase === 'settled') return
    this.#phase = 'settled'
    this.#options.onSettled()
  }

  #after(ms: number, callback: () => void): void {
    // setTimeout takes at most 2^31 - 1 ms, 24 days; a run of that length has met other limits.
    this.#timers.push(setTimeout(callback, Math.min(ms, 2 ** 31 - 1)))
  }

  #circumstances(): Circumstances {
    const { timeout_ms: timeoutMs } = this.#options.plan
    return {
      stopped: this.#stopped,
      timeoutMs,
      steps: this.#steps,
      permit: this.#permit,
      committed: this.#committed,
    }
  }
}
