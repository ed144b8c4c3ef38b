export interface SseEvent {
  id: string | undefined
  event: string
  data: unknown
}

/** A client of server-sent events. */
export interface SseClient {
  readonly status: number
  /** Everything that has arrived. */
  readonly events: SseEvent[]
  /** Comments (heartbeats). */
  readonly comments: string[]
  /** The first event, from the beginning, for which `wanted` is true; waits for it. */
  next(wanted: (event: SseEvent) => boolean): Promise<SseEvent>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  close(): void
}

export async function openSse(url: string, headers: Record<string, string>): Promise<SseClient> {
  const controller = new AbortController()
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: controller.signal })
  const events: SseEvent[] = []
  const comments: string[] = []
  const waiting = new Set<() => void>()
  const wake = () => waiting.forEach((check) => check())
  let over = false

  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop()!
        for (const block of blocks) take(block)
        wake()
      }
    } catch (error) {
      if (!controller.signal.aborted && !isBroken(error)) throw error
    } finally {
      over = true
      wake()
    }
  }

  function take(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      if (line.startsWith(':')) comments.push(line.slice(1).trim())
      const at = line.indexOf(': ')
      if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
    }
    const data = fields.get('data')
    if (data !== undefined) {
      events.push({ id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown })
    }
  }

  const ended = read()
  return {
    status: response.status,
    events,
    comments,
    ended,
    next(wanted) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = events.find(wanted)
          if (!found && !over) return
          waiting.delete(check)
          if (found) resolve(found)
          else reject(new Error('The stream has ended without that event'))
        }
        waiting.add(check)
        check()
      })
    },
    close: () => controller.abort(),
  }
}

/** The server may also end a stream by closing its socket. */
const isBroken = (error: unknown) => error instanceof TypeError && /terminated/.test(error.message)
