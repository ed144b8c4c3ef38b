import { postCallResult, type CallPlan } from '../../contract/executor-calls.ts'
import type { ProtectedPlace } from '../../contract/executor-lifecycle.ts'
import type { ExitInfo } from '../../process/child.ts'
import type { Message } from '../../language/message.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { Refused, type ControlPlaneClient } from './control-plane-client.ts'
import { leaseOnWire } from './lease.ts'
import type { Log } from '../log.ts'
import { durationText } from './run-ending.ts'
import type { Job, JobWorker, WorkerPool } from '../workers/worker-pool.ts'
import type { CallError, CallResult, FromWorker } from '../worker-protocol.ts'

/** Somebody waits, and nothing has been written that could be left half done: a short wait is enough. */
const STOP_MS = 500

/** What a call or a result session runs with. */
export interface SessionOptions<Plan> {
  plan: Plan
  /** What no connector may open. */
  places: ProtectedPlace[]
  client: ControlPlaneClient
  pool: WorkerPool
  log: Log
  /** Names us to the control plane. */
  headers: () => { 'x-executor-credential': string }
  leaseLeft: () => number
  onSettled: () => void
}

export interface CallSession {
  readonly callId: string
  /** Nobody waits for the answer any longer. */
  cancel(): void
}

/** Carries one call from its plan to its answer. */
export function startCall(options: SessionOptions<CallPlan>): CallSession {
  const { plan, pool, log, client } = options
  const given = new AbortController()
  let worker: JobWorker | null = null
  let answered = false
  let killTimer: NodeJS.Timeout | null = null

  const timer = setTimeout(() => {
    const reason = runMessage('call_timed_out', { limit: durationText(plan.timeout_ms) })
    answer({ error: callErrorOf('TIMEOUT', reason) })
    stop('timeout')
  }, plan.timeout_ms)

  const job: Job = {
    begin(given_to) {
      worker = given_to
      worker.send({ type: 'call', plan, leaseMs: leaseOnWire(options.leaseLeft()), places: options.places })
    },
    hear(message: FromWorker) {
      if (message.type !== 'call-done') return
      workDone()
      answer(message.result ? { result: message.result } : { error: message.error })
    },
    lost(exit: ExitInfo) {
      workDone()
      answer({ error: workerEnded(exit) })
    },
  }

  function workDone(): void {
    worker = null
    if (killTimer) clearTimeout(killTimer)
    killTimer = null
  }

  function stop(reason: 'cancelled' | 'timeout'): void {
    if (!worker) return void pool.withdraw(job)
    worker.send({ type: 'abort', reason })
    killTimer ??= setTimeout(() => worker?.kill(), STOP_MS)
  }

  function answer(body: { result?: CallResult; error?: CallError }): void {
    if (answered) return
    answered = true
    clearTimeout(timer)
    void deliver(body).finally(options.onSettled)
  }

  async function deliver(body: { result?: CallResult; error?: CallError }): Promise<void> {
    const params = { callId: plan.call_id }
    // An answer that comes after its time has no reader.
    const signal = AbortSignal.any([given.signal, AbortSignal.timeout(plan.timeout_ms + 5_000)])
    try {
      await client.persist(postCallResult, { params, body, headers: options.headers(), signal, timeoutMs: 30_000 })
    } catch (error) {
      if (given.signal.aborted) return
      log.warn('The answer to a call was not taken', { call_id: plan.call_id, cause: String(error) })
      const tooLarge = error instanceof Refused && (error.status === 413 || error.status === 400)
      if (tooLarge && body.result) await deliver({ error: { code: 'INTERNAL_ERROR', message: unsendable(error) } })
    }
  }

  pool.submit(job)
  return {
    callId: plan.call_id,
    cancel() {
      given.abort(new Error('The call was cancelled'))
      stop('cancelled')
      clearTimeout(timer)
      if (answered) return
      answered = true
      options.onSettled()
    },
  }
}

/** Says why a worker gave no answer. */
export function workerEnded({ signal, code }: ExitInfo): CallError {
  const how = signal ? `signal ${signal}` : `exit code ${code}`
  return callErrorOf('CONNECTOR_ERROR', runMessage('call_worker_ended', { how }))
}

export function callErrorOf(code: CallError['code'], { message, ...reason }: Message): CallError {
  return { code, message, reason: { code: reason.code, params: reason.params } }
}

function unsendable(error: Refused): string {
  return `The answer could not be delivered: ${error.message}. Ask for fewer rows.`
}
