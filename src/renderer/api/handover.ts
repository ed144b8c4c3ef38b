/** Something that one part of the window gives to a page that is about to be shown, or is there already. */
export interface Handover<Key extends string, Value> {
  give(key: Key, value: Value): void
  /** Whether a page that takes it is there already. */
  awaited(key: Key): boolean
  /** Takes what waits, and what comes later; returns the function that stops listening. */
  take(key: Key, taker: (value: Value) => void): () => void
}

const allWaiting = new Set<Map<string, unknown>>()

/** Somebody stays where he is: what waits for the page that he would have gone to is not to surprise him there later. */
export function forgetHandovers(): void {
  for (const waiting of allWaiting) waiting.clear()
}

export function createHandover<Key extends string, Value>(): Handover<Key, Value> {
  const waiting = new Map<Key, Value>()
  allWaiting.add(waiting)
  const takers = new Map<Key, (value: Value) => void>()
  return {
    give(key, value) {
      const taker = takers.get(key)
      if (taker) taker(value)
      else waiting.set(key, value)
    },
    awaited: (key) => takers.has(key),
    take(key, taker) {
      takers.set(key, taker)
      const value = waiting.get(key)
      if (value !== undefined) {
        waiting.delete(key)
        taker(value)
      }
      return () => {
        if (takers.get(key) === taker) takers.delete(key)
      }
    },
  }
}
