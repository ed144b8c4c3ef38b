import type { ServerEvent } from '../../contract/events.ts'
import type { Clock } from './clock.ts'
import { createEventsStore } from './events.store.ts'
import type { Logger } from './logger.ts'
import type { Store } from './store.ts'

export type EventsListener = (events: ServerEvent[]) => void

/** Every change, in order, as `GET /api/events` tells it. */
export interface EventLog {
  /** Inside the transaction of the change; subscribers hear of it after the commit. */
  append(type: ServerEvent['type'], entityId: number, data: Record<string, unknown>): void
  /**
   * Told to whoever listens now and kept nowhere: for what cannot be written because nothing can. Its id is the last one given, so
   * that nobody misses another one for it.
   */
  announce(type: ServerEvent['type'], entityId: number, data: Record<string, unknown>): void
  /** At most `limit` events with a greater id, oldest first. */
  after(id: number, limit: number): ServerEvent[]
  /** 0 when there is none. */
  oldestId(): number
  /** The last id given; 0 when there never was an event. */
  latestId(): number
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventsListener): () => void
  onAnnounced(listener: (event: ServerEvent) => void): () => void
}

/** Events that are kept; whoever was away for longer loads afresh. */
export const EVENTS_KEPT = 100_000
const PRUNE_EVERY = 1_000

export function createEventLog(store: Store, clock: Clock, logger: Logger, kept = EVENTS_KEPT): EventLog {
  const events = createEventsStore(store.sqlite)
  const listeners = new Set<EventsListener>()
  const hearers = new Set<(event: ServerEvent) => void>()
  let committed: ServerEvent[] = []

  function deliver(): void {
    const batch = committed
    committed = []
    for (const listener of listeners) {
      try {
        listener(batch)
      } catch (error) {
        logger.error({ err: error }, 'A listener of events failed')
      }
    }
  }
  /** Known without reading: what is announced may be that the store can't be read. */
  let newest = events.latestId()

  return {
    append(type, entityId, data) {
      const event = { type, at: clock.iso(), entity_id: entityId, data }
      const id = events.insert(event)
      if (id % PRUNE_EVERY === 0) events.prune(kept)
      store.afterCommit(() => {
        // Whatever one commit changed is told in one batch.
        if (committed.length === 0) queueMicrotask(deliver)
        committed.push({ id, ...event })
        newest = id
      })
    },
    announce(type, entityId, data) {
      const event = { id: Math.max(1, newest), type, at: clock.iso(), entity_id: entityId, data }
      for (const hearer of hearers) hearer(event)
    },
    after: events.after,
    oldestId: events.oldestId,
    latestId: events.latestId,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onAnnounced(listener) {
      hearers.add(listener)
      return () => void hearers.delete(listener)
    },
  }
}
