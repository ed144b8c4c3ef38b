import {
  completeRun,
  postRunLogs,
  postRunProgress,
  postRunRejects,
  postRunState,
  type LogEntry,
  type RejectEntry,
  type SourceState,
} from '../../contract/executor-protocol.ts'
import type { BodyOf, Operation } from '../../contract/operation.ts'
import type { RunStep } from '../../contract/runs.ts'
import { Refused, type ControlPlaneClient } from './control-plane-client.ts'
import type { Log } from '../log.ts'
import type { Completion } from './run-ending.ts'
import type { Committed } from '../worker-protocol.ts'

const TIMEOUT_MS = 30_000

export interface RunLease {
  run_id: number
  attempt: number
  lease_token: string
}

export interface RunOutboxOptions {
  lease: RunLease
  client: ControlPlaneClient
  log: Log
  /** The attempt is not ours any longer: nothing more is sent. */
  onStale: (why: string) => void
}

interface Permission {
  startedAt: string
  repeatable: boolean
  /** What the run saves once it has committed. */
  state: SourceState | null
}

export type Times = Pick<BodyOf<typeof completeRun>, 'started_at' | 'completed_at' | 'duration_ms'>

/**
 * What a run tells the control plane: in order, one request at a time, each repeated until there is an answer. A refusal
 * is either the end of our lease or a fault of ours, which is then told in words instead of being lost.
 */
export class RunOutbox {
  readonly #options: RunOutboxOptions
  readonly #lease: { attempt: number; lease_token: string }
  readonly #closed = new AbortController()
  /** The work has ended: nobody waits for leave to commit any more. */
  readonly #over = new AbortController()
  #tail: Promise<void> = Promise.resolve()
  #logSeq = 0
  #rejectSeq = 0
  #newestSteps: RunStep[] | null = null
  #waiting = 0

  constructor(options: RunOutboxOptions) {
    this.#options = options
    this.#lease = { attempt: options.lease.attempt, lease_token: options.lease.lease_token }
  }

  /** Something is yet to be told. */
  get busy(): boolean {
    return this.#waiting > 0
  }

  state(startedAt: string): void {
    this.#queue(() => this.#send(postRunState, { ...this.#lease, state: 'running', started_at: startedAt }))
  }

  /** Ahead of everything that waits, for the worker does. `allowed` is called when the control plane knows of it. */
  committing({ startedAt, repeatable, state }: Permission, allowed: () => void): void {
    const body = {
      ...this.#lease,
      state: 'committing' as const,
      started_at: startedAt,
      repeatable,
      ...(state !== null && { source_state: state }),
    }
    const { signal } = this.#over
    const sending = this.#after(Promise.resolve(), async () => {
      const refusal = await this.#send(postRunState, body, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
      if (refusal) this.#options.onStale(describe(refusal))
      else if (refusal === null) allowed()
    })
    // What became of it is told after this.
    this.#tail = this.#tail.then(() => sending)
  }

  /** Ahead of everything that waits: should we end now, the run must not be tried again. */
  committed(startedAt: string, { item_count, state }: Committed): void {
    const body = { ...this.#lease, state: 'committed' as const, started_at: startedAt, item_count }
    const send = (): Promise<unknown> =>
      this.#send(postRunState, state === undefined ? body : { ...body, source_state: state })
    const sending = this.#after(Promise.resolve(), send)
    // The end of the run is told after this, too.
    this.#tail = this.#tail.then(() => sending)
  }

  logs(lines: LogEntry[], taken: () => void): void {
    this.#queue(async () => {
      await this.#sendLogs(lines)
      taken()
    })
  }

  /** Those that wait for their turn give way to newer ones. */
  progress(steps: RunStep[]): void {
    const waits = this.#newestSteps !== null
    this.#newestSteps = steps
    if (waits) return
    this.#queue(async () => {
      const newest = this.#newestSteps ?? []
      this.#newestSteps = null
      await this.#send(postRunProgress, { ...this.#lease, steps: newest })
    })
  }

  rejects(rejects: RejectEntry[], taken: () => void): void {
    this.#queue(async () => {
      const refusal = await this.#send(postRunRejects, { ...this.#lease, seq: this.#rejectSeq + 1, rejects })
      if (!refusal) this.#rejectSeq += 1
      else await this.#sendLogs([faultLine(`${rejects.length} rejected rows could not be stored`, refusal)])
      taken()
    })
  }

  /** The last word. `told` is called when the control plane has it. */
  complete(completion: Completion, times: Times, lines: LogEntry[], onDelivered: () => void): void {
    this.#over.abort(new Error('The run is over'))
    this.#queue(async () => {
      const refusal = await this.#sendCompletion(completion, times, lines)
      if (refusal) await this.#sendCompletion(unstorable(completion, refusal), times, [])
      onDelivered()
    })
  }

  /** Drops what waits and breaks off what is under way. */
  close(): void {
    this.#closed.abort(new Error('The run is given up'))
  }

  async #sendLogs(lines: LogEntry[]): Promise<void> {
    const seq = this.#logSeq + 1
    let refusal = await this.#send(postRunLogs, { ...this.#lease, seq, lines })
    if (refusal) {
      const standIn = faultLine(`${lines.length} log lines could not be stored`, refusal)
      refusal = await this.#send(postRunLogs, { ...this.#lease, seq, lines: [standIn] })
    }
    if (!refusal) this.#logSeq = seq
  }

  #sendCompletion(completion: Completion, times: Times, lines: LogEntry[]): Promise<Refused | null> {
    // Also without lines: by its number the control plane sees that no batch is missing.
    const logs = { seq: this.#logSeq + 1, lines }
    return this.#send(completeRun, { ...this.#lease, ...times, ...completion, logs })
  }

  #queue(send: () => Promise<unknown>): void {
    this.#waiting++
    this.#tail = this.#after(this.#tail, send).finally(() => this.#waiting--)
  }

  async #after(before: Promise<void>, send: () => Promise<unknown>): Promise<void> {
    await before
    if (this.#closed.signal.aborted) return
    try {
      await send()
    } catch (error) {
      // Closed meanwhile, or stale, which `#send` has told already.
      if (!this.#closed.signal.aborted) throw error
    }
  }

  /** Null when it was accepted, else how it was refused. Throws when nothing more is to be sent. */
  async #send<T extends Operation>(op: T, body: BodyOf<T>, wanted?: AbortSignal): Promise<Refused | null> {
    const { lease, client, log, onStale } = this.#options
    // Every callback is about a run and has its id as the one parameter.
    const params = { id: lease.run_id } as never
    try {
      const signal = wanted ? AbortSignal.any([this.#closed.signal, wanted]) : this.#closed.signal
      await client.persist(op, { params, body, signal, timeoutMs: TIMEOUT_MS })
      return null
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.status === 400 || error.status === 413) {
        log.error('A callback was refused', { run_id: lease.run_id, operation: op.id, cause: describe(error) })
        return error
      }
      this.close()
      onStale(describe(error))
      throw error
    }
  }
}

function describe({ message, body }: Refused): string {
  const details = body.details?.map((detail) => `${detail.path}: ${detail.message}`) ?? []
  return [message, ...details.slice(0, 5)].join('; ')
}

function faultLine(what: string, refusal: Refused): LogEntry {
  return { at: new Date().toISOString(), level: 'warn', step: null, message: `${what}: ${describe(refusal)}` }
}

/** What is left to tell of a result that the control plane cannot take: how it ended, and that it was refused. */
function unstorable({ status, item_count, reject_count }: Completion, refusal: Refused): Completion {
  const wrote = status === 'success' || status === 'completed' ? ' The data of the run were written.' : ''
  return {
    status: 'failed',
    item_count,
    reject_count,
    steps: [],
    error: {
      code: 'INTERNAL_ERROR',
      message: `The result of the run (${status}) could not be stored: ${describe(refusal)}.${wrote}`,
      retryable: false,
    },
  }
}
