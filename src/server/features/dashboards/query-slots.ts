import { msg } from '../../../contract/messages.ts'
import { Refusal } from '../../platform/refusal.ts'

const mostWaiting = 50

/** At most so many queries of one connector at a time, and of all together: people's own queries always find a place. */
export function createQuerySlots({ perConnector = 2, together = 3 } = {}) {
  const busy = new Map<number, number>()
  const waiting: { connectorId: number; start: () => void }[] = []
  let all = 0

  function next(): void {
    for (let index = 0; index < waiting.length && all < together;) {
      const one = waiting[index]!
      if ((busy.get(one.connectorId) ?? 0) >= perConnector) {
        index += 1
        continue
      }
      waiting.splice(index, 1)
      take(one.connectorId)
      one.start()
    }
  }
  function take(connectorId: number): void {
    all += 1
    busy.set(connectorId, (busy.get(connectorId) ?? 0) + 1)
  }
  function release(connectorId: number): void {
    all -= 1
    const left = (busy.get(connectorId) ?? 1) - 1
    if (left === 0) busy.delete(connectorId)
    else busy.set(connectorId, left)
    next()
  }

  return {
    async run<T>(connectorId: number, work: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<void>()
      // Those who wait have left long before it is their turn.
      if (waiting.length >= mostWaiting)
        throw new Refusal('UNAVAILABLE', msg('queries_of_executors'), { retryAfterSeconds: 5 })
      waiting.push({ connectorId, start: resolve })
      next()
      await promise
      try {
        return await work()
      } finally {
        release(connectorId)
      }
    },
  }
}
