import { EventEmitter } from 'node:events'

export type Params = Record<string, unknown>

interface Pending {
  readonly resolve: (result: Params) => void
  readonly reject: (error: Error) => void
}

interface Incoming {
  id?: number
  method?: string
  params?: Params
  result?: Params
  error?: { message: string }
  sessionId?: string
}

/** The Chrome DevTools Protocol over one WebSocket, for any number of sessions. Emits events as `method` and `@session`. */
export class Cdp extends EventEmitter {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, Pending>()
  #lastId = 0

  constructor(socket: WebSocket) {
    super()
    this.setMaxListeners(0)
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Incoming))
    socket.addEventListener('close', () => this.#close())
  }

  static async connect(url: string): Promise<Cdp> {
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve)
      socket.addEventListener('error', () => reject(new Error(`electron stand-in: no DevTools at ${url}`)))
    })
    return new Cdp(socket)
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params, sessionId }))
    })
  }

  #receive({ id, method, params = {}, result = {}, error, sessionId }: Incoming): void {
    if (id === undefined) {
      if (!method) return
      this.emit(method, params, sessionId)
      if (sessionId) this.emit(`@${sessionId}`, method, params)
      return
    }
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error) pending?.reject(new Error(error.message))
    else pending?.resolve(result)
  }

  #close(): void {
    for (const { reject } of this.#pending.values()) reject(new Error('electron stand-in: the browser is gone'))
    this.#pending.clear()
    this.emit('close')
  }
}

/** For commands whose target may close meanwhile: that is no failure, and the closing is told by its own event. */
export function unlessGone(command: Promise<unknown>): void {
  command.catch((error: unknown) => {
    if (
      !/gone|closed|detached|No (target|session|window)|not found|Not attached|context was destroyed/i.test(
        String(error),
      )
    ) {
      console.error('electron stand-in:', error)
    }
  })
}
