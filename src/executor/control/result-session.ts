import {
  attendResult,
  type ChunkHead,
  mostChunks,
  postResultChunk,
  type ResultPlan,
} from '../../contract/executor-results.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { ExitInfo } from '../../process/child.ts'
import type { CallError, FromWorker } from '../worker-protocol.ts'
import type { Job, JobWorker } from '../workers/worker-pool.ts'
import { callErrorOf, type SessionOptions, workerEnded } from './call-session.ts'
import { pause, Unreachable } from './control-plane-client.ts'
import { leaseOnWire } from './lease.ts'
import { durationText } from './run-ending.ts'

/** A worker that has not heard that it is to stop by then is inside a library that hears nothing. */
const DEAF_MS = 500
/** One that has heard it may take so long to stop what the far side does. */
const STOP_MS = 3_000
/** A control plane that cannot be reached for so long has lost its readers. */
const GONE_MS = 2_000
const RETRY_MS = 200

export interface ResultSession {
  /** Nobody reads it any longer. */
  end(): void
}

/** One query in a worker, which takes the rows to the control plane itself, no faster than they are read there. */
export function startResult(options: SessionOptions<ResultPlan>): ResultSession {
  const { plan, pool, log, client } = options
  const params = { resultId: plan.result_id }
  /** Nobody reads it any longer, or everything has been told. */
  const over = new AbortController()
  let worker: JobWorker | null = null
  let killTimer: NodeJS.Timeout | undefined
  let lateTimer: NodeJS.Timeout | undefined
  let failing: Promise<void> | null = null
  let [sent, read] = [0, 0]
  let working = true

  const job: Job = {
    begin(given) {
      worker = given
      const pass = { ...client.passFor(plan.result_id), headers: options.headers() }
      const leaseMs = leaseOnWire(options.leaseLeft())
      worker.send({ type: 'result', plan, leaseMs, places: options.places, pass })
      expectRows()
    },
    hear(message: FromWorker) {
      if (message.type === 'chunk-sent') chunkSent(message.seq)
      else if (message.type === 'chunks-refused') refused(message.cause)
      else if (message.type === 'result-stopping') killAfter(STOP_MS)
      else if (message.type === 'result-done') workDone()
    },
    lost(exit: ExitInfo) {
      fail(workerEnded(exit))
      workDone()
    },
  }

  /** The system's time without a row runs while it is not us who hold it back. */
  function expectRows(): void {
    clearTimeout(lateTimer)
    if (sent - read >= mostChunks || over.signal.aborted) return
    lateTimer = setTimeout(() => {
      const reason = runMessage('query_without_rows_in_time', { limit: durationText(plan.timeout_ms) })
      fail(callErrorOf('TIMEOUT', reason))
      stop('timeout')
    }, plan.timeout_ms)
  }

  function chunkSent(seq: number): void {
    sent = seq
    expectRows()
  }

  function refused(cause: string): void {
    if (over.signal.aborted) return
    log.warn('Rows of a result were not taken', { cause })
    end()
  }

  /** What the worker can't say itself. */
  function fail(error: CallError): void {
    if (!over.signal.aborted) failing ??= tell({ seq: sent + 1, rows: 0, error })
  }

  async function tell(head: ChunkHead): Promise<void> {
    const { signal } = over
    const raw = [Buffer.from(`${JSON.stringify(head)}\n`)]
    try {
      await client.persist(postResultChunk, { params, raw, headers: options.headers(), signal, timeoutMs: 60_000 })
      over.abort(new Error('The result has ended'))
    } catch (error) {
      refused(String(error))
    }
  }

  /** Always asks what was read: this is also how we hear that it is to end, and that nobody is there any more. */
  async function attend(): Promise<void> {
    let unreachableSince: number | null = null
    while (!over.signal.aborted) {
      try {
        const { signal } = over
        const body = { seen: read }
        const answer = await client.call(attendResult, {
          params,
          body,
          headers: options.headers(),
          signal,
          timeoutMs: 30_000,
        })
        unreachableSince = null
        if (answer.read <= read) continue
        read = answer.read
        worker?.send({ type: 'chunks-read', read })
        expectRows()
      } catch (error) {
        const now = performance.now()
        unreachableSince ??= now
        if (!(error instanceof Unreachable) || now - unreachableSince > GONE_MS) return end()
        await pause(RETRY_MS, over.signal).catch(() => undefined) // over: the loop ends
      }
    }
  }

  function stop(reason: 'cancelled' | 'timeout'): void {
    if (!worker) {
      if (pool.withdraw(job)) workDone()
      return
    }
    worker.send({ type: 'abort', reason })
    killAfter(DEAF_MS)
  }

  function killAfter(ms: number): void {
    clearTimeout(killTimer)
    killTimer = setTimeout(() => worker?.kill(), ms)
  }

  function workDone(): void {
    worker = null
    working = false
    clearTimeout(killTimer)
    clearTimeout(lateTimer)
    void Promise.resolve(failing).then(settle)
  }

  function end(): void {
    if (over.signal.aborted) return
    over.abort(new Error('Nobody reads the result any longer'))
    clearTimeout(lateTimer)
    if (working) stop('cancelled')
    else settle()
  }

  let isSettled = false
  function settle(): void {
    if (isSettled || working) return
    isSettled = true
    over.abort(new Error('The result is over'))
    options.onSettled()
  }

  pool.submit(job)
  void attend()
  return { end }
}
