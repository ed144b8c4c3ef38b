import { claimWork, heartbeatExecutor, type Cancellation } from '../contract/executor-protocol.ts'
import { keepClaiming, type Wanted, type Work } from './claim-loop.ts'
import { startCall, type CallSession } from './call-session.ts'
import { pause, Refused, type ControlPlaneClient } from './control-plane-client.ts'
import { Lease } from './lease.ts'
import type { Log } from './log.ts'
import { register, Rejected, type Identity, type Registration } from './registration.ts'
import { startRun, type RunSession } from './run-session.ts'
import { Signal } from './signal.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface ExecutorOptions {
  identity: Identity
  client: ControlPlaneClient
  /** Runs and calls have workers of their own, so that somebody who waits for a preview does not wait for runs. */
  pools: { runs: WorkerPool; calls: WorkerPool }
  callSlots: number
  /** How long a claim waits at the control plane. */
  waitMs: number
  /** How long work may take to finish when we are told to end. */
  graceMs: number
  log: Log
  onOnline: (registration: Registration) => void
  /** The control plane will not have us. Nothing runs any more. */
  onRejected: (reason: Rejected) => void
}

export interface Executor {
  /** Takes nothing new, lets work finish within the grace, stops the rest, takes leave. */
  drain(): Promise<void>
}

/** After work was asked to stop: until it is killed and its end is told. */
const STOP_MS = 2_700
const GOODBYE_MS = 500
/** Results that wait to be told: with so many, nothing new is claimed. */
const BACKLOG = { perSlot: 4, base: 64 }

export function startExecutor(options: ExecutorOptions): Executor {
  const core = new Core(options)
  core.start()
  return { drain: () => core.drain() }
}

/** A heartbeat names no more runs than this. */
const MOST_RUNS = 1_000

class Core {
  readonly #options: ExecutorOptions
  readonly #lease = new Lease(() => this.#leaseExpired())
  readonly #runs = new Map<string, RunSession>()
  readonly #calls = new Map<string, CallSession>()
  /** A slot has become free, or something has ended. */
  readonly #changed = new Signal()
  /** Ends everything that waits. */
  readonly #ended = new AbortController()
  /** Ends the claims: no work is taken any more. */
  readonly #closed = new AbortController()
  #registration: Registration | null = null
  #registering: Promise<void> | null = null
  #draining = false
  #drainAsked = false
  /** A heartbeat has said that nothing is left; for the control plane we are gone since. */
  #goodbyeSaid = false
  #drained: Promise<void> | null = null

  constructor(options: ExecutorOptions) {
    this.#options = options
  }

  start(): void {
    this.#inBackground(this.#heartbeats())
    this.#inBackground(
      keepClaiming({
        registered: () => this.#registered(),
        wanted: () => this.#wanted(),
        changed: this.#changed,
        ask: (registration, wanted, waitMs) => this.#ask(registration, wanted, waitMs),
        take: (work) => this.#take(work),
        failed: (registration, error) => this.#faulty(registration, error),
        waitMs: this.#options.waitMs,
        signal: this.#closed.signal,
      }),
    )
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drain()
    return this.#drained
  }

  #inBackground(loop: Promise<void>): void {
    loop.catch((error: unknown) => {
      if (this.#ended.signal.aborted || this.#closed.signal.aborted) return
      if (error instanceof Rejected) this.#rejected(error)
      else throw error
    })
  }

  // Registration and lease

  async #registered(): Promise<Registration> {
    while (!this.#registration) {
      this.#registering ??= this.#register().finally(() => (this.#registering = null))
      await this.#registering
    }
    return this.#registration
  }

  async #register(): Promise<void> {
    const { client, identity, log, onOnline } = this.#options
    const registration = await register(client, identity, log, this.#ended.signal)
    this.#registration = registration
    this.#renewLease(registration.sentAt, registration.lease_ms)
    log.info('Online', { executor: registration.id, slots: identity.slots, lease_ms: registration.lease_ms })
    onOnline(registration)
  }

  /** The control plane does not know us (any more) under `registration`. */
  #forget(registration: Registration, why: string): void {
    if (this.#registration !== registration) return
    this.#options.log.warn('Registering again', { why })
    this.#registration = null
  }

  #renewLease(sentAt: number, leaseMs?: number): void {
    this.#lease.renew(sentAt, leaseMs)
    const left = this.#lease.leftMs()
    for (const pool of [this.#options.pools.runs, this.#options.pools.calls]) {
      pool.tellBusy({ type: 'alive', leaseMs: left })
    }
    this.#changed.raise()
  }

  /** What we run may have been given to another executor: it must not go on. Results that are there already may be told. */
  #leaseExpired(): void {
    const working = [...this.#runs.values()].filter((run) => run.working)
    for (const run of working) run.abandon('no heartbeat could be delivered within the lease')
    if (working.length > 0) this.#options.log.error('The lease has ended: work was stopped', { runs: working.length })
  }

  #rejected(reason: Rejected): void {
    this.#end()
    this.#options.onRejected(reason)
  }

  // Heartbeats

  async #heartbeats(): Promise<void> {
    for (;;) {
      const registration = await this.#registered()
      const answered = await this.#heartbeat(registration)
      const delay = answered ? registration.heartbeat_ms : Math.min(1_000, registration.heartbeat_ms)
      await pause(delay, this.#ended.signal)
    }
  }

  /** False when there was no answer. */
  async #heartbeat(registration: Registration, timeoutMs = registration.heartbeat_ms): Promise<boolean> {
    const sentAt = performance.now()
    const running = [...this.#runs.values()].map(({ runId, attempt }) => ({ run_id: runId, attempt }))
    try {
      const answer = await this.#options.client.call(heartbeatExecutor, {
        params: { id: registration.id },
        headers: credentials(registration),
        body: { running, ...(this.#draining ? { draining: true } : {}) },
        signal: this.#ended.signal,
        timeoutMs,
      })
      this.#renewLease(sentAt)
      this.#goodbyeSaid = this.#draining && running.length === 0
      this.#cancel(answer.cancel)
      this.#setDrainAsked(answer.drain)
      return true
    } catch (error) {
      this.#faulty(registration, error)
      return false
    }
  }

  #setDrainAsked(asked: boolean): void {
    if (asked !== this.#drainAsked) this.#options.log.info(asked ? 'Draining: no new runs' : 'Taking runs again')
    this.#drainAsked = asked
  }

  /** What an error of heartbeat or claim means for us. */
  #faulty(registration: Registration, error: unknown): void {
    if (this.#ended.signal.aborted) return
    if (!(error instanceof Refused)) return
    if (error.status === 401 || error.status === 403) {
      throw new Rejected(
        'The control plane does not accept the executor key any more: restart with the new SVC_EXECUTOR_KEY.',
      )
    }
    // Nothing is left: the control plane has taken our leave.
    if (this.#draining && this.#runs.size === 0) return
    if (error.status === 404 || error.status === 409) this.#forget(registration, error.message)
    else this.#options.log.error('A request was refused', { cause: error.message, details: error.body.details })
  }

  // Claims

  #ask(registration: Registration, wanted: Wanted, waitMs: number): Promise<Work> {
    return this.#options.client.call(claimWork, {
      params: { id: registration.id },
      headers: credentials(registration),
      body: { ...wanted, wait_ms: waitMs },
      signal: this.#closed.signal,
      timeoutMs: waitMs + 10_000,
    })
  }

  #take({ runs, calls, cancel, cancel_calls: cancelCalls }: Work): void {
    const { client, pools, log } = this.#options
    const leaseLeft = (): number => this.#lease.leftMs()
    for (const plan of runs) {
      const key = `${plan.run_id}/${plan.attempt}`
      if (this.#runs.has(key)) continue
      const onSettled = (): void => {
        this.#runs.delete(key)
        this.#changed.raise()
      }
      const onWorkDone = (): void => this.#changed.raise()
      this.#runs.set(key, startRun({ plan, client, pool: pools.runs, log, leaseLeft, onWorkDone, onSettled }))
    }
    for (const plan of calls) {
      const onSettled = (): void => {
        this.#calls.delete(plan.call_id)
        this.#changed.raise()
      }
      const headers = (): { 'x-executor-credential': string } => credentials(this.#registration)
      this.#calls.set(plan.call_id, startCall({ plan, client, pool: pools.calls, log, headers, leaseLeft, onSettled }))
    }
    this.#cancel(cancel)
    for (const callId of cancelCalls) this.#calls.get(callId)?.cancel()
  }

  #cancel(cancellations: Cancellation[]): void {
    for (const { run_id, attempt, reason } of cancellations) {
      const run = this.#runs.get(`${run_id}/${attempt}`)
      if (reason === 'lost') run?.abandon('the control plane has given it to another executor')
      else run?.stop(reason)
    }
  }

  #wanted(): Wanted | null {
    if (this.#lease.leftMs() <= 0) return null
    // At least one call: what comes beyond the free workers waits here, which is as well as waiting there.
    const callSlots = Math.max(1, this.#options.callSlots - this.#calls.size)
    return { slots: this.#freeSlots(), call_slots: this.#draining ? 0 : callSlots }
  }

  #freeSlots(): number {
    const { slots } = this.#options.identity
    if (this.#draining || this.#drainAsked) return 0
    const working = this.#working()
    const backlogLimit = Math.min(BACKLOG.base + BACKLOG.perSlot * slots, MOST_RUNS - slots)
    return this.#runs.size - working > backlogLimit ? 0 : Math.max(0, slots - working)
  }

  #working(): number {
    let count = 0
    for (const run of this.#runs.values()) if (run.working) count += 1
    return count
  }

  // The end

  async #drain(): Promise<void> {
    const { graceMs, log } = this.#options
    log.info('Draining', { runs: this.#runs.size, calls: this.#calls.size })
    this.#draining = true
    this.#changed.raise()
    // First tell it, so that the claims which wait at the control plane are not given anything more.
    await this.#lastHeartbeat()
    if (await this.#idleWithin(graceMs)) log.info('Drained')
    else log.warn('Work is stopped: the grace is over', { runs: this.#working(), calls: this.#calls.size })
    this.#closed.abort(new Error('The executor is ending'))
    for (const run of this.#runs.values()) run.stop('shutdown')
    for (const call of this.#calls.values()) call.cancel()
    await this.#idleWithin(STOP_MS)
    const leaveTaken = this.#goodbyeSaid && this.#runs.size === 0
    for (const run of this.#runs.values()) run.abandon('the executor ended before its result could be told')
    if (!leaveTaken) await this.#lastHeartbeat()
    this.#end()
  }

  async #lastHeartbeat(): Promise<void> {
    if (!this.#registration) return
    try {
      await this.#heartbeat(this.#registration, GOODBYE_MS)
    } catch (error) {
      this.#options.log.warn('The control plane did not take our leave', { cause: String(error) })
    }
  }

  /** False when something is still under way after `ms`. */
  async #idleWithin(ms: number): Promise<boolean> {
    const limit = AbortSignal.any([AbortSignal.timeout(ms), this.#ended.signal])
    while (this.#runs.size + this.#calls.size > 0) {
      if (limit.aborted) return false
      await this.#changed.wait(limit)
    }
    return true
  }

  #end(): void {
    this.#lease.stop()
    this.#closed.abort(new Error('The executor has ended'))
    this.#ended.abort(new Error('The executor has ended'))
    for (const run of this.#runs.values()) run.abandon('the executor has ended')
    for (const call of this.#calls.values()) call.cancel()
  }
}

function credentials(registration: Registration | null): { 'x-executor-credential': string } {
  return { 'x-executor-credential': registration?.credential ?? '' }
}
