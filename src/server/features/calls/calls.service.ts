/**
 * Calls: short interactive work that somebody waits for. They live in memory alone and are never repeated: whoever asked
 * has an answer, an error or gives up.
 */
import { msg } from '../../../contract/messages.ts'
import type { CallError, CallPlan, postCallResult } from '../../../contract/executor-calls.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, notFound, rateLimited, unavailable } from '../../platform/refusal.ts'

type Work = CallPlan['work']
type Report = BodyOf<typeof postCallResult>
type Result = NonNullable<Report['result']>
export type CallResult<K extends Work['kind']> = Extract<Result, { kind: K }>['value']

/** What calls need of the executors. */
export interface CallPort {
  anyOnline(): boolean
  nameOf(executorId: number): string
  /** A call has been queued: hand it out. */
  queued(): void
  /** Tells the executor that nobody waits any more; false when it is not there to hear it right now. */
  cancelled(executorId: number, callId: string): boolean
}

interface Call {
  readonly plan: CallPlan
  readonly userId: number | null
  readonly onTaken: (executor: string) => void
  /** Null while it waits for an executor. */
  executor_id: number | null
  settle(outcome: { value: unknown } | { error: Error }): void
}

/** How much longer than the executor the server waits for its word on a time-out. */
const graceMs = 2_000
const noExecutor = msg('no_executor')
/** Calls that one control plane keeps waiting at a time. */
const mostWaiting = 200
/** Of one user, waiting or under way. The window asks for the tables of every connector that is open in its tree. */
const mostOfUser = 20
const retrySeconds = 2
/** They take as long as a query: one at a time for each executor, so that a worker stays for lists and tests. */
const isSlow = ({ kind }: Work): boolean => kind === 'explain' || kind === 'profile'

export interface CallOptions {
  /** Whose limits count; absent: the server's own. */
  userId?: number
  /** From now on the executor of this name may be at it. */
  onTaken?: (executor: string) => void
}
/** Ids of calls that were answered, so that the same answer again is no error. */
const answeredKept = 1_000

export function createCallsService({ ids, draining }: Pick<Platform, 'ids' | 'draining'>) {
  const calls = new Map<string, Call>()
  const answered = new Set<string>()
  const unsentCancels = new Map<number, string[]>()
  let port: CallPort | undefined

  function remember(callId: string): void {
    answered.add(callId)
    if (answered.size > answeredKept) answered.delete(answered.values().next().value!)
  }

  /** Nobody waits any more; the executor that works on it is told. */
  function abandon(callId: string, error: Error): void {
    const call = calls.get(callId)
    if (!call) return
    calls.delete(callId)
    if (call.executor_id !== null && !port?.cancelled(call.executor_id, callId)) {
      unsentCancels.set(call.executor_id, [...(unsentCancels.get(call.executor_id) ?? []), callId])
    }
    settle(call, { error })
  }

  /** What waited for the place of a slow one can be handed out. */
  function settle(call: Call, outcome: Parameters<Call['settle']>[0]): void {
    call.settle(outcome)
    if (isSlow(call.plan.work)) port?.queued()
  }

  draining.addEventListener(
    'abort',
    () => {
      for (const id of calls.keys()) abandon(id, new Refusal('UNAVAILABLE', msg('server_ending_try')))
    },
    { once: true },
  )

  function wait(
    plan: CallPlan,
    signal: AbortSignal | undefined,
    { userId, onTaken = () => {} }: CallOptions,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const seconds = Math.round(plan.timeout_ms / 1000)
      const late = new Refusal('TIMEOUT', msg('call_late', { seconds }))
      const timer = setTimeout(() => abandon(plan.call_id, late), plan.timeout_ms + graceMs)
      const leave = () => {
        const reason: unknown = signal?.reason
        abandon(plan.call_id, reason instanceof Refusal ? reason : new Refusal('UNAVAILABLE', msg('caller_gone')))
      }
      signal?.addEventListener('abort', leave, { once: true })
      calls.set(plan.call_id, {
        plan,
        userId: userId ?? null,
        onTaken,
        executor_id: null,
        settle(outcome) {
          clearTimeout(timer)
          signal?.removeEventListener('abort', leave)
          if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.value)
        },
      })
      if (signal?.aborted) leave()
      else port?.queued()
    })
  }

  return {
    /** Wired by the executors, which hand calls out. */
    attach: (executors: CallPort) => void (port = executors),

    /**
     * Has an executor do this and gives its result. Refuses with UNAVAILABLE when none is online, RATE_LIMITED, TIMEOUT, or
     * the executor's own error. Aborting the signal cancels the work.
     */
    async call<W extends Work>(
      work: W,
      timeoutMs: number,
      signal?: AbortSignal,
      options: CallOptions = {},
    ): Promise<CallResult<W['kind']>> {
      if (!port?.anyOnline()) unavailable(noExecutor)
      const own = [...calls.values()].filter(({ userId }) => userId !== null && userId === options.userId)
      if (own.length >= mostOfUser) rateLimited(retrySeconds, msg('calls_of_user', { most: mostOfUser }))
      if (calls.size >= mostWaiting) unavailable(msg('calls_waiting'))
      const value = await wait({ call_id: ids.token(18), timeout_ms: timeoutMs, work }, signal, options)
      // `report` checked that the result is of the kind that was asked for.
      return value as CallResult<W['kind']>
    },

    /** Up to `limit` calls that wait; from now on they are this executor's. Of whom fewest are under way comes first, then the oldest. */
    take(executorId: number, limit: number): CallPlan[] {
      const taken: CallPlan[] = []
      const all = [...calls.values()]
      while (taken.length < limit) {
        const underWay = all.filter(({ executor_id }) => executor_id !== null)
        const hasSlow = underWay.some(({ executor_id, plan }) => executor_id === executorId && isSlow(plan.work))
        const load = (call: Call) => underWay.filter(({ userId }) => userId !== null && userId === call.userId).length
        const call = all
          .filter(({ executor_id, plan }) => executor_id === null && !(hasSlow && isSlow(plan.work)))
          .reduce<Call | null>((best, one) => (best === null || load(one) < load(best) ? one : best), null)
        if (!call) break
        call.executor_id = executorId
        call.onTaken(port?.nameOf(executorId) ?? '')
        taken.push(call.plan)
      }
      return taken
    },

    /** Calls of this executor that nobody waits for any more and that it has not been told of. */
    cancellations(executorId: number): string[] {
      const callIds = unsentCancels.get(executorId) ?? []
      unsentCancels.delete(executorId)
      return callIds
    },

    /** The executor is lost or has ended: what it worked on will not be answered. */
    executorGone(executorId: number): void {
      unsentCancels.delete(executorId)
      for (const [id, call] of calls) {
        if (call.executor_id !== executorId) continue
        calls.delete(id)
        settle(call, { error: new Refusal('UNAVAILABLE', msg('executor_ended')) })
      }
    },

    /** The executor's answer. The same one again is accepted; one that nobody waits for is NOT_FOUND. */
    report(callId: string, executorId: number, { result, error }: Report): { accepted: boolean } {
      if (answered.has(callId)) return { accepted: true }
      const call = calls.get(callId)
      if (!call || call.executor_id !== executorId) notFound(msg('call_not_awaited'))
      calls.delete(callId)
      remember(callId)
      if (error) settle(call, { error: errorOfExecutor(error) })
      else if (result?.kind === call.plan.work.kind) settle(call, { value: result.value })
      else settle(call, { error: new Refusal('UNAVAILABLE', msg('call_answer_wrong', { kind: call.plan.work.kind })) })
      return { accepted: true }
    },

    get waiting() {
      return calls.size
    },
  }
}

/** A fault of the executor is as opaque as one of ours: its cause goes to the log. */
export function errorOfExecutor({ code, message, reason, details = [] }: CallError): Error {
  return code === 'INTERNAL_ERROR'
    ? new Error(message)
    : new Refusal(code, reason ? { ...reason, message } : msg('executor_refused', { problem: message }), {
        details: details.map((one) => ({ code: 'executor_refused', params: {}, ...one })),
      })
}
export type CallsService = ReturnType<typeof createCallsService>
