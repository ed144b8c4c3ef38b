import type { Platform } from '../../platform/platform.ts'
import { rateLimited } from '../../platform/refusal.ts'
import { currentCount, throttles, waitSeconds } from './auth.rules.ts'
import { createAuthStore } from './auth.store.ts'

const LONGEST_WINDOW_MS = Math.max(...Object.values(throttles).map(({ windowMs }) => windowMs))

/** Counts failed sign-ins in the store, so that a restart forgives nothing. */
export interface LoginThrottle {
  /**
   * Counts the attempt before the password is looked at, so that many at once count, too. Refuses with 429 when there were
   * too many.
   */
  attempt(account: string, source: string): void
  /** The attempt was right: it does not count after all. */
  succeeded(account: string, source: string): void
}

export function createLoginThrottle({ store, clock }: Platform): LoginThrottle {
  const auth = createAuthStore(store)
  const subjects = (account: string, source: string) => [
    { subject: `pair:${account}\n${source}`, throttle: throttles.pair },
    { subject: `account:${account}`, throttle: throttles.account },
    { subject: `source:${source}`, throttle: throttles.source },
  ]

  return {
    attempt(account, source) {
      store.transaction(() => {
        const now = clock.now()
        auth.deleteOldFailures(new Date(now.getTime() - LONGEST_WINDOW_MS).toISOString())
        const counts = subjects(account, source).map(({ subject, throttle }) => {
          const count = currentCount(auth.failuresOf(subject), throttle, now)
          return { subject, count, wait: waitSeconds(count, throttle, now) }
        })
        const wait = Math.max(...counts.map((each) => each.wait))
        if (wait > 0) rateLimited(wait, `Too many failed sign-ins. Try again in ${inWords(wait)}.`)
        for (const { subject, count } of counts) auth.setFailures(subject, count.failures + 1, count.window_started_at)
      })
    },
    succeeded(account, source) {
      store.transaction(() => {
        const now = clock.now()
        for (const { subject, throttle } of subjects(account, source)) {
          const count = currentCount(auth.failuresOf(subject), throttle, now)
          if (throttle === throttles.pair || count.failures <= 1) auth.clearFailures(subject)
          else auth.setFailures(subject, count.failures - 1, count.window_started_at)
        }
      })
    },
  }
}

const inWords = (seconds: number) => (seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`)
