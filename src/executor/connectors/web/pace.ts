import { setTimeout as delay } from 'node:timers/promises'
import { cancelled } from '../../engine/duckdb.ts'

/** Waiting: between attempts, and so that a server gets no more requests a second than it wants. */

/** Resolves after `ms`; a stopped run stops waiting at once. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw cancelled()
  if (ms <= 0) return
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw cancelled() // only the signal ends it early
  }
}

/** A bucket of one token: requests are spaced evenly, never a burst. */
class Pace {
  readonly #apartMs: number
  #next = 0

  constructor(perSecond: number) {
    this.#apartMs = 1000 / perSecond
  }

  turn(signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#next)
    this.#next = at + this.#apartMs
    return pause(at - now, signal)
  }
}

/** One a connector, whoever uses it in this process: source, target and hooks share it. */
const paces = new Map<string, Pace>()
const mostPaces = 200

export function paceOf(connectorId: number, perSecond: number | undefined): Pick<Pace, 'turn'> | null {
  if (perSecond === undefined) return null
  const key = `${connectorId} ${perSecond}`
  const found = paces.get(key)
  if (found) return found
  const oldest = paces.keys().next()
  if (paces.size >= mostPaces && !oldest.done) paces.delete(oldest.value)
  const made = new Pace(perSecond)
  paces.set(key, made)
  return made
}

const longestWaitMs = 600_000
const firstBackoffMs = 500

/** How long `Retry-After` asks to wait: seconds or a date, at most ten minutes; null: it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined || header.trim() === '') return null
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), longestWaitMs)
}

/** Before the n-th repetition, from 1: doubles, half of it by lot, so that many clients do not come back at once. */
export function backoffMs(repetition: number, random: () => number = Math.random): number {
  const full = firstBackoffMs * 2 ** (repetition - 1)
  return full / 2 + (full / 2) * random()
}
