/** Long work on the store in short turns, so that everybody else is served in between. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Platform } from '../../platform/platform.ts'
import type { Piece } from './retention.ts'

/** What one turn may take, as far as its pieces allow. */
const turnMs = 4
/** Of the time, this many parts are left to others for one that is used. */
const patience = 2
const shortestPauseMs = 5

/** Runs the pieces one after the other, each until it is done. Ends early, without an error, when the server ends. */
export async function inSlices(
  { store, clock, draining }: Pick<Platform, 'store' | 'clock' | 'draining'>,
  pieces: readonly Piece[],
): Promise<void> {
  const waiting = [...pieces]
  while (waiting.length > 0 && !draining.aborted) {
    const began = clock.monotonic()
    store.transaction(() => {
      for (;;) {
        const [piece] = waiting
        if (!piece) return
        if (!piece()) waiting.shift()
        if (clock.monotonic() - began >= turnMs) return
      }
    })
    if (waiting.length > 0) await rest((clock.monotonic() - began) * patience, draining)
  }
}

/** A pause in proportion to the work before it. */
export async function rest(ms: number, draining: AbortSignal): Promise<void> {
  try {
    await pause(Math.max(ms, shortestPauseMs), undefined, { signal: draining })
  } catch (error) {
    if (!draining.aborted) throw error
  }
}
