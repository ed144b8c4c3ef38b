import { msg } from '../../../contract/messages.ts'
import { Refusal } from '../../platform/refusal.ts'

/** Who waits for rows: people who are signed in, or whoever has a link. */
export type SlotUser = 'people' | 'links'

interface Waiting {
  connectorId: number
  user: SlotUser
  start: () => void
}
interface Limits {
  perConnector?: number
  together?: number
  /** Of those together: a flood of links leaves the others to people. */
  ofLinks?: number
  /** Of each user: those who wait have left long before it is their turn. */
  mostWaiting?: number
}

/**
 * At most so many queries of one connector at a time, and of all together: people's own queries always find a place. Links have one
 * place and a queue of their own, and people go first.
 */
export function createQuerySlots({ perConnector = 2, together = 3, ofLinks = 1, mostWaiting = 50 }: Limits = {}) {
  const busy = new Map<number, number>()
  const waiting: Waiting[] = []
  let all = 0
  let links = 0

  const fits = ({ connectorId, user }: Waiting): boolean =>
    (busy.get(connectorId) ?? 0) < perConnector && (user === 'people' || links < ofLinks)

  function next(): void {
    while (all < together) {
      const first = waiting.find((one) => one.user === 'people' && fits(one)) ?? waiting.find(fits)
      if (!first) return
      waiting.splice(waiting.indexOf(first), 1)
      take(first)
      first.start()
    }
  }
  function take({ connectorId, user }: Waiting): void {
    all += 1
    if (user === 'links') links += 1
    busy.set(connectorId, (busy.get(connectorId) ?? 0) + 1)
  }
  function release({ connectorId, user }: Waiting): void {
    all -= 1
    if (user === 'links') links -= 1
    const left = (busy.get(connectorId) ?? 1) - 1
    if (left === 0) busy.delete(connectorId)
    else busy.set(connectorId, left)
    next()
  }

  return {
    async run<T>(connectorId: number, user: SlotUser, work: () => Promise<T>): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.filter((one) => one.user === user).length >= mostWaiting)
        throw new Refusal('UNAVAILABLE', msg('queries_of_executors'), { retryAfterSeconds: 5 })
      const own: Waiting = { connectorId, user, start: resolve }
      waiting.push(own)
      next()
      await promise
      try {
        return await work()
      } finally {
        release(own)
      }
    },
  }
}
