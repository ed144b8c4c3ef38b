import type { Message } from '../../../contract/messages.ts'
import type { Platform } from '../../platform/platform.ts'
import { rateLimited } from '../../platform/refusal.ts'
import { LONGEST_WINDOW_MS, type Net, currentCount, waitSeconds } from './throttle.rules.ts'
import { createThrottleStore } from './throttle.store.ts'

/** Counts failed attempts in the store, so that a restart forgives nothing. */
export interface Throttle {
  /**
   * Counts the attempt before it is looked at, so that many at once count, too. Refuses with 429 when there were too many.
   * In a transaction of its own: what follows may be rolled back, the count not.
   */
  attempt(account: string, source: string): void
  /** The attempt was right: it does not count after all. */
  succeeded(account: string, source: string): void
  /** Counts the attempt and looks at it; when it could not be looked at, it does not count. */
  during<T>(account: string, source: string, look: () => Promise<T>): Promise<T>
}

export function createThrottle(
  { store, clock }: Platform,
  nets: Readonly<Record<string, Net>>,
  reason: (waitSeconds: number) => Message,
): Throttle {
  const counts = createThrottleStore(store)
  const all = Object.values(nets)

  function attempt(account: string, source: string): void {
    store.transaction(() => {
      const now = clock.now()
      counts.deleteOldFailures(new Date(now.getTime() - LONGEST_WINDOW_MS).toISOString())
      const current = all.map((net) => {
        const subject = net.subject(account, source)
        const count = currentCount(counts.failuresOf(subject), net, now)
        return { subject, count, wait: waitSeconds(count, net, now) }
      })
      const wait = Math.max(...current.map((each) => each.wait))
      if (wait > 0) rateLimited(wait, reason(wait))
      for (const { subject, count } of current) {
        counts.setFailures(subject, count.failures + 1, count.window_started_at)
      }
    })
  }

  function takeBack(account: string, source: string, isForgiven: (net: Net) => boolean): void {
    store.transaction(() => {
      const now = clock.now()
      for (const net of all) {
        const subject = net.subject(account, source)
        const count = currentCount(counts.failuresOf(subject), net, now)
        if (isForgiven(net) || count.failures <= 1) counts.clearFailures(subject)
        else counts.setFailures(subject, count.failures - 1, count.window_started_at)
      }
    })
  }

  return {
    attempt,
    succeeded: (account, source) => takeBack(account, source, ({ forgiving }) => forgiving),
    async during(account, source, look) {
      attempt(account, source)
      try {
        return await look()
      } catch (error) {
        takeBack(account, source, () => false)
        throw error
      }
    },
  }
}
