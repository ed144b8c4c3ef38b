import { type ChunkHead, mostChunks } from '../../contract/executor-results.ts'
import type { CallError } from '../worker-protocol.ts'

type Send = (head: ChunkHead, bytes: Uint8Array) => void

/** Chunks of a result on their way out, numbered. So many wait to be read at a time that the control plane never has to refuse one. */
export class ChunkOutlet {
  readonly #out: Send
  readonly #signal: AbortSignal
  #sent = 0
  #read = 0
  #closed = false
  #room: PromiseWithResolvers<void> | null = null

  constructor(out: Send, signal: AbortSignal) {
    this.#out = out
    this.#signal = signal
    signal.addEventListener('abort', () => this.#room?.reject(signal.reason), { once: true })
  }

  /** Resolves when there is room for another one; after the last there is none to wait for. */
  readonly send = async (chunk: Omit<ChunkHead, 'seq'>, bytes: Uint8Array): Promise<void> => {
    this.#signal.throwIfAborted()
    if (this.#closed) throw new Error('The result is over')
    this.#out({ ...chunk, seq: ++this.#sent }, bytes)
    while (chunk.total === undefined && this.#sent - this.#read >= mostChunks) {
      this.#room ??= Promise.withResolvers()
      await this.#room.promise
    }
  }

  wereRead(read: number): void {
    this.#read = Math.max(this.#read, read)
    this.#room?.resolve()
    this.#room = null
  }

  /** The next work of this process must not be given rows of this one. */
  close(): void {
    this.#closed = true
  }

  fail(error: CallError): void {
    this.#out({ seq: ++this.#sent, rows: 0, error }, new Uint8Array())
  }
}
