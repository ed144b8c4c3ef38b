/** How busy each executor was in the last hour, kept in memory: a glance, not a record. */
import { loadSpans } from '../../../contract/executors.ts'

const spanMs = 3_600_000 / loadSpans

interface Span {
  /** Which one since 1970. */
  number: number
  /** Shares of busy slots, added. */
  sum: number
  samples: number
}

export function createLoad() {
  const spans = new Map<number, Span[]>()
  return {
    /** `share`: of the slots that are busy, 0 to 1. */
    sample(executorId: number, share: number, nowMs: number): void {
      const number = Math.floor(nowMs / spanMs)
      const own = (spans.get(executorId) ?? []).filter((span) => span.number > number - loadSpans)
      const last = own.at(-1)
      if (last?.number === number) {
        last.sum += share
        last.samples += 1
      } else own.push({ number, sum: share, samples: 1 })
      spans.set(executorId, own)
    },
    /** Oldest first; null: nothing was measured. */
    lastHour(executorId: number, nowMs: number): (number | null)[] {
      const number = Math.floor(nowMs / spanMs)
      const own = new Map(spans.get(executorId)?.map((span) => [span.number, span]))
      return Array.from({ length: loadSpans }, (_, index) => {
        const span = own.get(number - loadSpans + 1 + index)
        return span ? Math.round((100 * span.sum) / span.samples) / 100 : null
      })
    },
  }
}
