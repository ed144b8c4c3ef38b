import type { claimWork } from '../../contract/executor-lifecycle.ts'
import type { BodyOf, ResultOf } from '../../contract/operation.ts'
import { pause } from './control-plane-client.ts'
import type { Registration } from './registration.ts'
import type { Signal } from '../signal.ts'

export type Wanted = Pick<BodyOf<typeof claimWork>, 'slots' | 'ahead' | 'call_slots' | 'result_slots'>
export type Work = ResultOf<typeof claimWork>

export interface ClaimLoopOptions {
  registered: () => Promise<Registration>
  /** What we have room for; null when nothing may be taken at all. */
  wanted: () => Wanted | null
  /** Raised whenever `wanted` may have changed. */
  changed: Signal
  ask: (registration: Registration, wanted: Wanted, waitMs: number) => Promise<Work>
  take: (work: Work) => void
  /** Throws when there is no use in going on. */
  failed: (registration: Registration, error: unknown) => void
  waitMs: number
  signal: AbortSignal
}

/** With every slot taken: short runs end within this, and then one claim serves where there would have been two. */
const LINGER_MS = 10
const RETRY_MS = { first: 100, max: 3_000 }

/**
 * Keeps one claim waiting at the control plane, always: with free slots for work, with all of them taken for runs ahead,
 * calls and cancellations. A claim without slots is followed by another one as soon as there is more room; the control
 * plane then answers the first. None is ever broken off, for its answer may be on its way and hold work.
 */
export async function keepClaiming(options: ClaimLoopOptions): Promise<void> {
  const { registered, wanted, changed, signal } = options
  const retry = { failures: 0 }
  while (!signal.aborted) {
    const registration = await registered()
    if (!hasRoom(wanted())) await room(options, hasRoom, signal, LINGER_MS)
    const want = wanted()
    if (!want) {
      await changed.wait(signal)
      continue
    }
    const answered = claim(options, registration, want, retry)
    await (want.slots === 0 ? answeredOrRoom(options, want, answered) : answered)
  }
}

async function claim(
  { ask, take, failed, waitMs, signal }: ClaimLoopOptions,
  registration: Registration,
  want: Wanted,
  retry: { failures: number },
): Promise<void> {
  const askedAt = performance.now()
  try {
    const work = await ask(registration, want, waitMs)
    take(work)
    retry.failures = 0
    // Sent home early with nothing: the control plane is closing.
    if (isEmpty(work) && performance.now() - askedAt < waitMs / 2) await pause(RETRY_MS.first, signal)
  } catch (error) {
    if (signal.aborted) return
    failed(registration, error)
    const delay = Math.min(RETRY_MS.max, RETRY_MS.first * 2 ** Math.min(retry.failures, 10))
    retry.failures += 1
    await pause(delay, signal)
  }
}

function isEmpty({ runs, calls, results, cancel, cancel_calls: cancelCalls }: Work): boolean {
  return runs.length + calls.length + results.length + cancel.length + cancelCalls.length === 0
}

const hasSlots = (wanted: Wanted | null): boolean => wanted !== null && wanted.slots > 0
const hasRoom = (wanted: Wanted | null): boolean => hasSlots(wanted) || (wanted?.ahead ?? 0) > 0

/** The claim has waited for less than there is room for now. */
async function answeredOrRoom(options: ClaimLoopOptions, claimed: Wanted, answered: Promise<void>): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([options.signal, over.signal])
  await Promise.race([answered, room(options, hasRoom(claimed) ? hasSlots : hasRoom, signal)])
  over.abort()
}

/** Resolves when what there is room for is `enough`, or after `ms`. */
async function room(
  { wanted, changed }: ClaimLoopOptions,
  enough: (wanted: Wanted | null) => boolean,
  signal: AbortSignal,
  ms = Infinity,
): Promise<void> {
  const until = performance.now() + ms
  while (!signal.aborted && !enough(wanted())) {
    const left = until - performance.now()
    if (left <= 0) return
    await changed.wait(signal, left)
  }
}
