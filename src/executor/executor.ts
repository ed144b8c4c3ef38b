import { beginRuns, type Cancellation, claimWork, heartbeatExecutor } from '../contract/executor-lifecycle.ts'
import type { BodyOf } from '../contract/operation.ts'
import { keepClaiming, type Wanted, type Work } from './control/claim-loop.ts'
import { pause, Refused, type ControlPlaneClient } from './control/control-plane-client.ts'
import { Lease } from './control/lease.ts'
import type { Log } from './log.ts'
import { register, Rejected, type Identity, type Registration } from './control/registration.ts'
import { Signal } from './signal.ts'
import { WorkInHand, type Pools } from './control/work-in-hand.ts'

export interface ExecutorOptions {
  identity: Identity
  client: ControlPlaneClient
  pools: Pools
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
  /** The machine is about to sleep together with the control plane: leases stand still until `wake`. */
  sleep(): void
  wake(): void
}

/** After work was asked to stop: until it is killed and its end is told. */
const STOP_MS = 2_700
const GOODBYE_MS = 500

export function startExecutor(options: ExecutorOptions): Executor {
  const core = new Core(options)
  core.start()
  return { drain: () => core.drain(), sleep: () => core.sleep(), wake: () => core.wake() }
}

class Core {
  readonly #options: ExecutorOptions
  readonly #lease = new Lease(() => this.#leaseExpired())
  readonly #changed = new Signal()
  readonly #work: WorkInHand
  /** Ends everything that waits. */
  readonly #ended = new AbortController()
  /** Ends the claims: no work is taken any more. */
  readonly #closed = new AbortController()
  #registration: Registration | null = null
  #registering: Promise<void> | null = null
  #draining = false
  #drainAsked = false
  /** A heartbeat has said that nothing is left; for the control plane we are gone since. */
  #hasSignedOff = false
  #drained: Promise<void> | null = null

  constructor(options: ExecutorOptions) {
    const { identity, callSlots, pools, client, log } = options
    this.#options = options
    this.#work = new WorkInHand({
      slots: identity.slots,
      callSlots,
      pools,
      client,
      log,
      changed: this.#changed,
      leaseLeft: () => this.#lease.leftMs(),
      credentials: () => credentials(this.#registration),
      mostAhead: () => this.#registration?.most_ahead ?? 0,
      settleAhead: (body) => this.#settleAhead(body),
    })
  }

  start(): void {
    this.#inBackground(this.#heartbeats())
    this.#inBackground(
      keepClaiming({
        registered: () => this.#registered(),
        wanted: () => this.#wanted(),
        changed: this.#changed,
        ask: (registration, wanted, waitMs) => this.#ask(registration, wanted, waitMs),
        take: (work) => this.#work.take(work),
        failed: (registration, error) => this.#faulty(registration, error),
        waitMs: this.#options.waitMs,
        signal: this.#closed.signal,
      }),
    )
  }

  sleep(): void {
    this.#lease.sleep()
    this.#work.leaseRenewed()
  }

  wake(): void {
    this.#lease.wake()
    this.#work.leaseRenewed()
    this.#changed.raise()
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
    this.#work.leaseRenewed()
    this.#changed.raise()
  }

  /** What we run may have been given to another executor: it must not go on. Results that are there already may be told. */
  #leaseExpired(): void {
    const stopped = this.#work.abandonWork('no heartbeat could be delivered within the lease')
    if (stopped > 0) this.#options.log.error('The lease has ended: work was stopped', { runs: stopped })
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
    const { running } = this.#work
    try {
      const answer = await this.#options.client.call(heartbeatExecutor, {
        params: { id: registration.id },
        headers: credentials(registration),
        body: { running, ...(this.#draining ? { draining: true } : {}) },
        signal: this.#ended.signal,
        timeoutMs,
      })
      this.#renewLease(sentAt)
      this.#hasSignedOff = this.#draining && running.length === 0
      this.#work.cancel(answer.cancel)
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
    if (asked) this.#work.giveBack()
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
    if (this.#draining && this.#work.counts.runs === 0) return
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

  async #settleAhead(body: BodyOf<typeof beginRuns>): Promise<Cancellation[]> {
    const registration = await this.#registered()
    const answer = await this.#options.client.persist(beginRuns, {
      params: { id: registration.id },
      headers: credentials(registration),
      body,
      signal: this.#ended.signal,
    })
    return answer.cancel
  }

  #wanted(): Wanted | null {
    if (this.#lease.leftMs() <= 0) return null
    if (this.#draining) return { slots: 0, call_slots: 0, result_slots: 0 }
    const room = this.#work.room()
    return this.#drainAsked ? { ...room, slots: 0, ahead: 0 } : room
  }

  // The end

  async #drain(): Promise<void> {
    const { graceMs, log } = this.#options
    log.info('Draining', this.#work.counts)
    this.#draining = true
    this.#work.endResults()
    this.#work.giveBack()
    this.#changed.raise()
    // First tell it, so that the claims which wait at the control plane are not given anything more.
    await this.#lastHeartbeat()
    if (await this.#work.idleWithin(graceMs, this.#ended.signal)) log.info('Drained')
    else log.warn('Work is stopped: the grace is over', this.#work.counts)
    this.#closed.abort(new Error('The executor is ending'))
    this.#work.stop()
    await this.#work.idleWithin(STOP_MS, this.#ended.signal)
    const leaveTaken = this.#hasSignedOff && this.#work.counts.runs === 0
    this.#work.abandon('the executor ended before its result could be told')
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

  #end(): void {
    this.#lease.stop()
    this.#closed.abort(new Error('The executor has ended'))
    this.#ended.abort(new Error('The executor has ended'))
    this.#work.abandon('the executor has ended')
  }
}

function credentials(registration: Registration | null): { 'x-executor-credential': string } {
  return { 'x-executor-credential': registration?.credential ?? '' }
}
