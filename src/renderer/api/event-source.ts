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

/** Reads the stream in this tab. Reconnects for ever, with growing pauses. */
function readStream(emit: (message: StreamMessage) => void): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let stopped = false

  const open = () => {
    if (stopped) return
    clearTimeout(timer)
    // A new EventSource cannot say what it saw last, unlike the browser's own reconnecting of an open one.
    const fresh = new EventSource('/api/events')
    source = fresh
    let sawOpen = false
    fresh.addEventListener('open', () => {
      failures = 0
      // Pages ask the server before their stream is open: what changed in between is told by nobody.
      if (!sawOpen) emit({ kind: 'reset' })
      sawOpen = true
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

/** Hears every event while the returned function has not been called. */
export function listenToServer(listener: (message: StreamMessage) => void): () => void {
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) return readStream(listener)
  const channel = new BroadcastChannel('headgate.events')
  const ended = new AbortController()
  let leading = false
  let connection: Connection = 'connecting'

  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'hello') {
      if (leading) channel.postMessage({ kind: 'connection', connection } satisfies Message)
      return
    }
    if (!leading) listener(data)
  })
  channel.postMessage({ kind: 'hello' } satisfies Message)

  const lead = async () => {
    // The lock may come in the very moment in which the tab gave up waiting for it.
    if (ended.signal.aborted) return
    leading = true
    // The tab that led before is gone; what happened in between is unknown.
    if (connection !== 'connecting') listener({ kind: 'reset' })
    const stop = readStream((message) => {
      if (message.kind === 'connection') connection = message.connection
      listener(message)
      channel.postMessage(message)
    })
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
