import type { Clock } from './clock.ts'

/** Token buckets, one a subject: `burst` at once, then `perSecond`. In memory: a restart forgives. */
export interface RateLimiter {
  /** Seconds to wait when the bucket of `subject` has fewer tokens than `amount` (1), else 0 and they are taken. */
  take(subject: string, amount?: number): number
}

interface Bucket {
  tokens: number
  at: number
}

const MAX_BUCKETS = 10_000

/** Read anew each time: it may change while the server runs. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

export function createRateLimiter(clock: Clock, rate: Rate): RateLimiter {
  const buckets = new Map<string, Bucket>()

  function forgetFull(now: number): void {
    for (const [subject, bucket] of buckets) {
      if (bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond >= rate.burst) buckets.delete(subject)
    }
    // All of them busy: the oldest makes room, as memory must not grow with the number of addresses.
    const [oldest] = buckets.keys()
    if (buckets.size >= MAX_BUCKETS && oldest !== undefined) buckets.delete(oldest)
  }

  return {
    take(subject, amount = 1) {
      const now = clock.monotonic()
      let bucket = buckets.get(subject)
      if (!bucket) {
        if (buckets.size >= MAX_BUCKETS) forgetFull(now)
        bucket = { tokens: rate.burst, at: now }
        buckets.set(subject, bucket)
      }
      bucket.tokens = Math.min(rate.burst, bucket.tokens + ((now - bucket.at) / 1000) * rate.perSecond)
      bucket.at = now
      if (bucket.tokens < amount) return (amount - bucket.tokens) / rate.perSecond
      bucket.tokens -= amount
      return 0
    },
  }
}
