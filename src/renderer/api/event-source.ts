/**
 * One stream of events for all tabs: the tab that holds the lock reads `/api/events` and passes everything on, because a
 * browser allows six connections an origin and every tab's stream would take one for good.
 */
import { type ServerEvent, eventTypes } from '../../contract/events.ts'

export type Connection = 'connecting' | 'online' | 'offline'

export type StreamMessage =
  | { kind: 'event'; event: ServerEvent }
  /** Events were missed: everything shown is fetched again. */
  | { kind: 'reset' }
  | { kind: 'connection'; connection: Connection }

type Message = StreamMessage | { kind: 'hello' }

const retryDelays = [500, 1000, 2000, 4000, 8000]

/** Reads the stream in this tab, from the event `after` on. Reconnects for ever, with growing pauses. */
function readStream(emit: (message: StreamMessage) => void, after: number | null): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false
  let position = after

  const open = () => {
    if (stopped) return
    clearTimeout(timer)
    const fresh = new EventSource(position === null ? '/api/events' : `/api/events?after=${position}`)
    source = fresh
    // The browser's own reconnecting tells the server what was seen last; a new EventSource cannot.
    let continues = position !== null
    fresh.addEventListener('open', () => {
      failures = 0
      position = null
      if (!continues) emit({ kind: 'reset' })
      emit({ kind: 'connection', connection: 'online' })
    })
    fresh.addEventListener('error', () => {
      emit({ kind: 'connection', connection: 'offline' })
      if (fresh.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, retryDelays[Math.min(failures, retryDelays.length - 1)])
      failures += 1
    })
    fresh.addEventListener('reset', () => emit({ kind: 'reset' }))
    for (const type of eventTypes) {
      fresh.addEventListener(type, (message: MessageEvent<string>) => {
        continues ||= message.lastEventId !== ''
        // The contract says that the data of every typed event is a ServerEvent.
        emit({ kind: 'event', event: JSON.parse(message.data) as ServerEvent })
      })
    }
  }
  const openNow = () => {
    if (source?.readyState === EventSource.CLOSED) open()
  }
  globalThis.addEventListener('online', openNow)
  open()
  return () => {
    stopped = true
    clearTimeout(timer)
    globalThis.removeEventListener('online', openNow)
    source?.close()
  }
}

/**
 * Hears every event behind `after` while the returned function has not been called: what the pages have asked the server for
 * since then is as new as that event, and is not fetched again.
 */
export function listenToServer(after: number, listener: (message: StreamMessage) => void): () => void {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return readStream(listener, after)
  const channel = new BroadcastChannel('headgate.events')
  const ended = new AbortController()
  let leading = false
  let connection: Connection = 'connecting'

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (leading) channel.postMessage({ kind: 'connection', connection } satisfies Message)
      return
    }
    if (leading) return
    if (data.kind === 'connection') connection = data.connection
    listener(data)
  })
  channel.postMessage({ kind: 'hello' } satisfies Message)

  const lead = async () => {
    // The lock may come in the very moment in which the tab gave up waiting for it.
    if (ended.signal.aborted) return
    leading = true
    // When another tab has led before, what happened since its end is unknown.
    const alone = connection === 'connecting'
    const stop = readStream(
      (message) => {
        if (message.kind === 'connection') connection = message.connection
        listener(message)
        channel.postMessage(message)
      },
      alone ? after : null,
    )
    await new Promise<void>((resolve) => {
      ended.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    stop()
  }
  navigator.locks.request('headgate.events', { signal: ended.signal }, lead).catch((error: unknown) => {
    // Aborting while waiting in line is how a tab leaves; anything else is a defect to be seen.
    if (!ended.signal.aborted) throw error
  })
  return () => {
    ended.abort()
    channel.close()
  }
}
