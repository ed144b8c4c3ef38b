import type { beginRuns, Cancellation } from '../../contract/executor-lifecycle.ts'
import type { BodyOf } from '../../contract/operation.ts'
import { Refused } from './control-plane-client.ts'
import type { Log } from '../log.ts'
import type { RunSession } from './run-session.ts'

/** Claimed ahead is what keeps the workers busy for this long, as runs go at the moment: none when runs take longer. */
const AHEAD_MS = 100
/** So many of each slot may begin before a worker is free for them: these fail should we be lost, for they might have begun. */
const BEGUN_PER_SLOT = 4
/** Whatever has waited for so long goes back, and all of it as soon as every slot has a long run. */
const RETURN_MS = 500
/** The weight of the newest run in the mean of how long runs take. */
const NEWEST = 0.2

interface Waiting {
  run: RunSession
  since: number
}

export interface RunsAheadOptions {
  slots: number
  log: Log
  /** Tries until there is an answer. Throws Refused, or when the executor ends. */
  settle: (body: BodyOf<typeof beginRuns>) => Promise<Cancellation[]>
  /** Runs that a worker has. */
  running: () => Iterable<RunSession>
}

/**
 * Runs that were claimed before a slot was free, so that no worker waits for a round trip between short runs. Others could
 * start them meanwhile: so there are no more than take a moment, and they go back when the moment becomes longer. None of
 * them begins before the control plane has said that it may.
 */
export class RunsAhead {
  readonly #options: RunsAheadOptions
  /** In the order in which they begin, with when they came. */
  #kept: Waiting[] = []
  /** They may begin, and wait for a worker. */
  #begun: Waiting[] = []
  /** How long runs have taken of late, in ms; null: none has ended yet. */
  #meanMs: number | null = null
  #settling = false
  #returnAll = false
  #looksAgain = false

  constructor(options: RunsAheadOptions) {
    this.#options = options
  }

  /** How many more to claim, of at most `most`. Half of them at a time, not one by one. */
  room(most: number): number {
    this.#forget()
    const wanted = Math.min(most, this.#target())
    const missing = wanted - this.#kept.length - this.#begun.length
    return missing * 2 > wanted ? missing : 0
  }

  take(runs: RunSession[]): void {
    const since = performance.now()
    for (const run of runs) this.#kept.push({ run, since })
    this.#advance()
  }

  /** A worker was busy with a run for so long. */
  worked(ms: number): void {
    this.#meanMs = this.#meanMs === null ? ms : this.#meanMs + (ms - this.#meanMs) * NEWEST
    this.#advance()
  }

  /** Nothing new is to begin here. */
  giveBack(): void {
    this.#returnAll = true
    this.#advance()
  }

  /** Slots with a run that is not long (yet), times the runs that one of them carries out meanwhile. */
  #target(): number {
    if (this.#meanMs === null) return 0
    let flowing = this.#options.slots
    for (const run of this.#options.running()) if (run.workingFor > AHEAD_MS) flowing -= 1
    return Math.max(0, flowing) * Math.floor(AHEAD_MS / Math.max(this.#meanMs, 1))
  }

  /** What was stopped or abandoned meanwhile. */
  #forget(): void {
    if (this.#kept.some(({ run }) => !run.waiting)) this.#kept = this.#kept.filter(({ run }) => run.waiting)
    if (this.#begun.some(({ run }) => !run.waiting)) this.#begun = this.#begun.filter(({ run }) => run.waiting)
  }

  #advance(): void {
    this.#forget()
    if (this.#kept.length + this.#begun.length === 0) this.#returnAll = false
    else if (!this.#settling) this.#move()
  }

  #move(): void {
    const back = this.#due()
    const most = this.#options.slots * BEGUN_PER_SLOT
    const begin = back.length > 0 || this.#begun.length * 2 > most ? [] : this.#kept.slice(0, most)
    if (begin.length + back.length > 0) void this.#settle(begin, back)
    else this.#lookAgain()
  }

  #lookAgain(): void {
    if (this.#looksAgain) return
    this.#looksAgain = true
    setTimeout(() => {
      this.#looksAgain = false
      this.#advance()
    }, AHEAD_MS)
  }

  #due(): Waiting[] {
    const all = this.#returnAll || this.#target() === 0
    const before = performance.now() - RETURN_MS
    return [...this.#begun, ...this.#kept].filter(({ run, since }) => (all || since < before) && run.withdraw())
  }

  async #settle(begin: Waiting[], back: Waiting[]): Promise<void> {
    this.#settling = true
    const asked = new Set([...begin, ...back])
    this.#kept = this.#kept.filter((one) => !asked.has(one))
    this.#begun = this.#begun.filter((one) => !asked.has(one))
    try {
      const lost = await this.#options.settle({
        begin: begin.map(({ run: { runId, attempt } }) => ({ run_id: runId, attempt })),
        give_back: back.map(({ run }) => ({ run_id: run.runId, attempt: run.attempt, lease_token: run.leaseToken })),
      })
      const refused = new Set(lost.map(({ run_id, attempt }) => `${run_id}/${attempt}`))
      for (const { run } of back) run.release()
      for (const one of begin) this.#mayBegin(one, refused)
    } catch (error) {
      // Nothing of them has begun: the control plane gives them to others once it misses them.
      if (error instanceof Refused)
        this.#options.log.warn('Runs claimed ahead could not begin', { cause: error.message })
      for (const { run } of asked) run.release()
    } finally {
      this.#settling = false
    }
    this.#advance()
  }

  #mayBegin(one: Waiting, refused: Set<string>): void {
    const { run } = one
    if (refused.has(`${run.runId}/${run.attempt}`)) run.abandon('the control plane did not let it begin')
    if (!run.waiting) return
    this.#begun.push(one)
    run.submit()
  }
}
