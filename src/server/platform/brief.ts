import type { Clock } from './clock.ts'

/** What was made a moment ago, by key: for what many ask at the same time, and may be so old. */
export function createBrief<V>(clock: Pick<Clock, 'monotonic'>, keptMs: number) {
  const kept = new Map<string, { value: V; until: number }>()
  return {
    get(key: string): V | undefined {
      const one = kept.get(key)
      return one && one.until > clock.monotonic() ? one.value : undefined
    },
    keep(key: string, value: V): V {
      const now = clock.monotonic()
      // All are kept equally long, so the oldest stand first.
      for (const [old, { until }] of kept) {
        if (until > now) break
        kept.delete(old)
      }
      kept.delete(key)
      kept.set(key, { value, until: now + keptMs })
      return value
    },
  }
}
