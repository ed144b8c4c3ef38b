/** The window's link to the server's events: keeps the cache fresh and knows whether the server is there. No polling. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { ServerEvent } from '../../contract/events.ts'
import { createEventEffects } from './event-effects.ts'
import { type Connection, listenToServer } from './event-source.ts'

let connection: Connection = 'connecting'
const connectionListeners = new Set<() => void>()
const eventListeners = new Set<(event: ServerEvent) => void>()

/** A hiccup shorter than this is not worth a word. */
const patienceMs = 1500
let losing: ReturnType<typeof setTimeout> | undefined

function become(next: Connection): void {
  losing = undefined
  if (next === connection) return
  connection = next
  for (const listener of connectionListeners) listener()
}

function setConnection(next: Connection): void {
  if (next === 'offline') {
    losing ??= setTimeout(() => become('offline'), patienceMs)
    return
  }
  clearTimeout(losing)
  become(next)
}

function subscribeConnection(listener: () => void): () => void {
  connectionListeners.add(listener)
  return () => connectionListeners.delete(listener)
}

/** Whether the server has been gone for a while. */
export const useOffline = (): boolean => useSyncExternalStore(subscribeConnection, () => connection === 'offline')

/** Hears each event as it comes, for what the cache does not hold (desktop notifications). */
export function useServerEvents(listener: (event: ServerEvent) => void): void {
  useEffect(() => {
    eventListeners.add(listener)
    return () => {
      eventListeners.delete(listener)
    }
  }, [listener])
}

/** Mounted once, by the shell, while somebody is signed in. `after` is the newest event of before the pages asked for anything. */
export function useEventStream(after: number, onSignedOut: () => void): void {
  const client = useQueryClient()
  // Who is signed in may be read anew later; the stream goes on from where it is.
  const [position] = useState(after)
  useEffect(() => {
    const effects = createEventEffects(client)
    const stop = listenToServer(position, (message) => {
      if (message.kind === 'connection') {
        // A refused stream looks like a lost one: asking who we are tells them apart.
        if (message.connection === 'offline') onSignedOut()
        setConnection(message.connection)
      } else if (message.kind === 'reset') {
        effects.reset()
      } else {
        effects.apply(message.event)
        for (const listener of eventListeners) listener(message.event)
      }
    })
    return () => {
      stop()
      effects.stop()
      setConnection('connecting')
    }
  }, [client, position, onSignedOut])
}
