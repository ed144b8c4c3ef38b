import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CallPlan } from '../../contract/executor-calls.ts'
import type { RunPlan, SourceState } from '../../contract/executor-protocol.ts'
import { letHeapGrow } from '../../process/heap-growth.ts'
import { leaveInterruptToParent, parentChannel, type ParentChannel } from '../../process/parent.ts'
import type { ChunkDeliveries } from './chunk-delivery.ts'
import { ChunkOutlet } from './chunk-outlet.ts'
import { callErrorFrom, failedOutcome, redactCallResult, redactOutcome } from './outcomes.ts'
import { redactorFor, type Redact } from '../redact.ts'
import { RejectOutlet, rejectLimits } from './reject-outlet.ts'
import { RunLog } from './run-log.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'
import type { Engine, FromWorker, RunIo, ToWorker } from '../worker-protocol.ts'
import { ProgressOutlet } from './progress-outlet.ts'

/** Percent, in workers that stream results; those of runs need the memory for DuckDB. */
const heapGrowth = 300

/** What is under way in this worker; never more than one thing. */
interface Work {
  abort: AbortController
  runId?: number
  log?: RunLog
  rejects?: RejectOutlet
  chunks?: ChunkOutlet
  /** Resolves when the run may commit. */
  permitted?: PromiseWithResolvers<void>
}

/** Makes this process a worker: takes work from the parent's channel, gives it to `engine`, tells what comes of it. */
export function serveWorker(engine: Engine, channel = parentChannel()): void {
  if (!channel) {
    process.stderr.write('worker: started by the executor only; run `npm run executor`.\n')
    process.exit(1)
  }
  leaveInterruptToParent()
  // Whoever ends a whole group of processes means the executor, which drains; it ends its workers itself.
  process.on('SIGTERM', () => {})
  channel.onDisconnect(endNow)
  const host = new WorkerHost(engine, channel, startWatchdog())
  channel.onMessage((message) => host.hear(message as ToWorker)) // our parent speaks nothing else
  process.on('uncaughtException', (error) => void host.crash(error))
  host.send({ type: 'ready' })
}

/** Without the native libraries' own endings, which may wait for work that nobody wants any more. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

class WorkerHost {
  readonly #engine: Engine
  readonly #channel: ParentChannel
  readonly #watchdog: Watchdog
  #tempDir = ''
  #work: Work | null = null
  #redact: Redact = (text) => text
  #deliveries: ChunkDeliveries | null = null

  constructor(engine: Engine, channel: ParentChannel, watchdog: Watchdog) {
    this.#engine = engine
    this.#channel = channel
    this.#watchdog = watchdog
  }

  send(message: FromWorker): void {
    this.#channel.send(message)
  }

  hear(message: ToWorker): void {
    switch (message.type) {
      case 'init':
        this.#tempDir = message.tempDir
        this.#watchdog.readLease(message.lease)
        process.title = message.title
        return this.#warmUp()
      case 'run':
        this.#engine.protect?.(message.places)
        return void this.#run(message.plan, message.leaseMs)
      case 'call':
        this.#engine.protect?.(message.places)
        return void this.#call(message.plan, message.leaseMs)
      case 'result':
        this.#engine.protect?.(message.places)
        return void this.#result(message)
      case 'chunks-read':
        return this.#work?.chunks?.wereRead(message.read)
      case 'alive':
        return this.#work ? this.#watchdog.allow(message.leaseMs) : undefined
      case 'abort':
        if (this.#work?.chunks) this.send({ type: 'result-stopping' })
        return this.#work?.abort.abort(new Error(`The work is to stop: ${message.reason}`))
      case 'logs-taken':
        return this.#workOf(message.run_id)?.log?.taken(message.bytes)
      case 'permitted':
        return this.#permitted(message.run_id)
      case 'rejects-taken':
        return this.#workOf(message.run_id)?.rejects?.taken()
    }
  }

  /** The run, unless it has ended: what is said to it may cross its end on the way. */
  #workOf(runId: number): Work | null {
    return this.#work?.runId === runId ? this.#work : null
  }

  /** The last words of a process that is in a state nobody foresaw. */
  async crash(error: unknown): Promise<void> {
    const message = this.#redact(error instanceof Error ? (error.stack ?? error.message) : String(error))
    await this.#channel.deliver({ type: 'crashing', message } satisfies FromWorker)
    endNow()
  }

  async #run(plan: RunPlan, leaseMs: number | null): Promise<void> {
    const redact = redactorFor(Object.values(plan.connectors))
    const log = new RunLog({
      redact,
      send: (lines, bytes) => this.send({ type: 'logs', lines, bytes }),
      spoolPath: join(this.#tempDir, 'log.spool'),
    })
    const rejects = new RejectOutlet(redact, (batch) => this.send({ type: 'rejects', rejects: batch }))
    const progress = new ProgressOutlet((steps) => this.send({ type: 'progress', steps }))
    const work: Work = { abort: new AbortController(), runId: plan.run_id, log, rejects }
    this.#begin(work, redact, leaseMs)
    const io: RunIo = {
      log: (level, message, step) => log.add(level, message, step),
      logRoom: () => log.room(),
      progress: (steps) => progress.update(steps),
      permit: (repeatable, state) => this.#permit(work, repeatable, state),
      committed: (done) => this.send({ type: 'committed', done }),
      reject: (batch) => rejects.add(batch),
      keptRejects: rejectLimits.kept,
      signal: work.abort.signal,
      tempDir: this.#tempDir,
    }
    const outcome = redactOutcome(await this.#engine.runTask(plan, io).catch(failedOutcome), redact)
    progress.stop()
    await rejects.finish()
    const lines = await log.finish()
    this.#end()
    this.send({ type: 'run-done', outcome, lines, rss: process.memoryUsage.rss() })
    this.#warmUp()
  }

  #permit(work: Work, repeatable: boolean, state: SourceState | null): Promise<void> {
    const { signal } = work.abort
    signal.throwIfAborted()
    const permitted = (work.permitted = Promise.withResolvers<void>())
    signal.addEventListener('abort', () => permitted.reject(signal.reason), { once: true })
    this.send({ type: 'committing', repeatable, state })
    return permitted.promise
  }

  #permitted(runId: number): void {
    // It came late: the run may be another executor's by now, and the thread that looks after that has not come to it yet.
    if (this.#watchdog.isOver()) return endNow()
    this.#workOf(runId)?.permitted?.resolve()
  }

  async #call(plan: CallPlan, leaseMs: number | null): Promise<void> {
    const { work } = plan
    const bound = 'connector' in work ? [work.connector] : 'connectors' in work ? Object.values(work.connectors) : []
    const redact = redactorFor(bound)
    const abort = new AbortController()
    this.#begin({ abort }, redact, leaseMs)
    const answer = await this.#engine.runCall(work, { signal: abort.signal, tempDir: this.#tempDir }).then(
      (result) => ({ result: redactCallResult(result, redact) }),
      (error: unknown) => ({ error: callErrorFrom(error, redact) }),
    )
    this.#end()
    this.send({ type: 'call-done', ...answer, rss: process.memoryUsage.rss() })
    this.#warmUp()
  }

  async #result({ plan, leaseMs, pass }: Extract<ToWorker, { type: 'result' }>): Promise<void> {
    letHeapGrow(heapGrowth)
    const redact = redactorFor([plan.connector])
    const abort = new AbortController()
    const { signal } = abort
    const work: Work = { abort }
    this.#begin(work, redact, leaseMs)
    // Not with the worker: runs and calls have no use for it.
    const { createChunkDeliveries } = await import('./chunk-delivery.ts')
    this.#deliveries ??= createChunkDeliveries()
    const delivery = this.#deliveries(plan.result_id, pass, signal, (cause) => {
      this.send({ type: 'chunks-refused', cause: String(cause) })
      abort.abort(cause)
    })
    const chunks = new ChunkOutlet((head, bytes) => {
      this.send({ type: 'chunk-sent', seq: head.seq })
      delivery.post(head, bytes)
    }, signal)
    work.chunks = chunks
    const io = { signal, tempDir: this.#tempDir, send: chunks.send }
    await this.#engine.openResult(plan, io).catch((error: unknown) => chunks.fail(callErrorFrom(error, redact)))
    chunks.close()
    await delivery.done()
    this.#end()
    this.send({ type: 'result-done', rss: process.memoryUsage.rss() })
    this.#warmUp()
  }

  #begin(work: Work, redact: Redact, leaseMs: number | null): void {
    if (this.#work) throw new Error('A worker was given work while it had some')
    this.#work = work
    this.#redact = redact
    this.#watchdog.allow(leaseMs)
  }

  #end(): void {
    this.#work = null
    this.#watchdog.allow(null)
    emptyFolder(this.#tempDir)
  }

  /** Behind whatever message waits: it may be the next run, which is not to wait for the warming. */
  #warmUp(): void {
    setImmediate(() => {
      if (!this.#work) void this.#engine.warmUp?.({ tempDir: this.#tempDir })
    })
  }
}

/** What came of the work is told in any case: what cannot be removed now goes with the folder, when the worker ends. */
function emptyFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
  } catch (error) {
    process.stderr.write(`worker: ${folder} could not be emptied: ${String(error)}\n`)
  }
}
