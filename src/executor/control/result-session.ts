import {
  attendResult,
  type ChunkHead,
  mostChunks,
  postResultChunk,
  type ResultPlan,
} from '../../contract/executor-results.ts'
import type { ExitInfo } from '../../process/child.ts'
import type { CallError, FromWorker } from '../worker-protocol.ts'
import type { Job, JobWorker } from '../workers/worker-pool.ts'
import type { SessionOptions } from './call-session.ts'
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

/** Carries the rows of one query from a worker to the control plane, no faster than they are read there. */
export function startResult(options: SessionOptions<ResultPlan>): ResultSession {
  const { plan, pool, log, client } = options
  const params = { resultId: plan.result_id }
  /** Nobody reads it any longer, or everything has been told. */
  const over = new AbortController()
  let worker: JobWorker | null = null
  let killTimer: NodeJS.Timeout | undefined
  let lateTimer: NodeJS.Timeout | undefined
  let delivery: Promise<void> = Promise.resolve()
  let [sent, read] = [0, 0]
  let working = true

  const job: Job = {
    begin(given) {
      worker = given
      worker.send({ type: 'result', plan, leaseMs: leaseOnWire(options.leaseLeft()), places: options.places })
      expectRows()
    },
    hear(message: FromWorker) {
      if (message.type === 'result-chunk') deliver(message.head, message.bytes)
      else if (message.type === 'result-stopping') killAfter(STOP_MS)
      else if (message.type === 'result-done') workDone()
    },
    lost(exit: ExitInfo) {
      const how = exit.signal ? `signal ${exit.signal}` : `exit code ${exit.code}`
      fail({
        code: 'CONNECTOR_ERROR',
        message: `The worker process of this query ended (${how}). Run the query again.`,
      })
      workDone()
    },
  }

  /** The system's time without a row runs while it is not us who hold it back. */
  function expectRows(): void {
    clearTimeout(lateTimer)
    if (sent - read >= mostChunks || over.signal.aborted) return
    lateTimer = setTimeout(() => {
      fail({ code: 'TIMEOUT', message: `The system gave no row within ${durationText(plan.timeout_ms)}` })
      stop('timeout')
    }, plan.timeout_ms)
  }

  function fail(error: CallError): void {
    if (!over.signal.aborted) deliver({ seq: sent + 1, rows: 0, error }, new Uint8Array())
  }

  function deliver(head: ChunkHead, rows: Uint8Array): void {
    sent = head.seq
    expectRows()
    const raw = [Buffer.from(`${JSON.stringify(head)}\n`), rows]
    delivery = post(delivery, head, raw)
  }

  async function post(before: Promise<void>, head: ChunkHead, raw: readonly Uint8Array[]): Promise<void> {
    await before
    if (over.signal.aborted) return
    try {
      const { signal } = over
      await client.persist(postResultChunk, { params, raw, headers: options.headers(), signal, timeoutMs: 60_000 })
      if (head.error || head.total !== undefined) finish()
    } catch (error) {
      if (!over.signal.aborted) log.warn('Rows of a result were not taken', { cause: String(error) })
      end()
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
    // What it said last may be on its way; then whoever delivers it settles this.
    void delivery.then(settle)
  }

  /** Everything has been told. */
  function finish(): void {
    over.abort(new Error('The result has been delivered'))
    settle()
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
