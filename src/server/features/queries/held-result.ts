import { type ChunkHead, type ResultPlan, mostChunks } from '../../../contract/executor-results.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { Refusal } from '../../platform/refusal.ts'

/** Rows as the executor sent them: lines of JSON, or a piece of a file. */
export interface Chunk extends ChunkHead {
  bytes: Buffer
  /** Number of its first row in the whole result. */
  offset: number
}

const attendMs = 20_000

/**
 * One result session, as this side has it: who holds it, and at most two chunks that nobody has read. What is wrong with it
 * meets whoever reads next.
 */
export class HeldResult {
  readonly plan: ResultPlan
  readonly userId: number
  /** Null while it waits for an executor. */
  executorId: number | null = null
  /** Why it ended before its last row; null: it has not. */
  ended: Error | null = null
  #chunks: Chunk[] = []
  #start: ChunkHead['start']
  #taken = 0
  #read = 0
  #rows = 0
  #complete = false
  #changed = Promise.withResolvers<void>()
  readonly #onEnd: (result: HeldResult) => void

  /** `onEnd`: the executor is through with it, or is to be. */
  constructor(plan: ResultPlan, userId: number, onEnd: (result: HeldResult) => void) {
    this.plan = plan
    this.userId = userId
    this.#onEnd = onEnd
  }

  /** The executor has nothing more to do for it. */
  get isOver(): boolean {
    return this.#complete || this.ended !== null
  }

  /** Takes a chunk. False: it came before, and is not taken twice. Whatever cannot be right ends the session. */
  take(head: ChunkHead, bytes: Buffer): boolean {
    if (head.seq <= this.#taken) return false
    const fits =
      head.seq === this.#taken + 1 && this.#chunks.length < mostChunks && (head.seq > 1 || head.start || head.error)
    const rows = this.#rows + head.rows
    if (!fits || (head.total !== undefined && head.total !== rows)) {
      this.end(new Refusal('UNAVAILABLE', msg('query_incomplete')))
      return true
    }
    this.#taken = head.seq
    this.#start ??= head.start
    if (!head.error) this.#chunks.push({ ...head, bytes, offset: this.#rows })
    this.#rows = rows
    if (head.total !== undefined) {
      this.#complete = true
      this.#onEnd(this)
    }
    this.#wake()
    return true
  }

  /** Fields and statement, once they are known. */
  async start(signal: AbortSignal): Promise<NonNullable<ChunkHead['start']>> {
    while (!this.#start) await this.#news(signal)
    return this.#start
  }

  /** The first chunk that was not let go of; null: there are no more. */
  async first(signal: AbortSignal): Promise<Chunk | null> {
    for (;;) {
      const [chunk] = this.#chunks
      if (chunk) return chunk
      if (this.#complete) return null
      await this.#news(signal)
    }
  }

  /** Lets go of a chunk, which was the first: the executor may send another one. */
  drop(chunk: Chunk): void {
    if (this.#chunks[0] !== chunk) return
    this.#chunks.shift()
    this.#read += 1
    this.#wake()
  }

  /** Answers the executor when more than `seen` chunks were read, the session has ended, or after a while. */
  async attended(seen: number): Promise<number> {
    const until = performance.now() + attendMs
    while (!this.isOver && this.#read <= seen && performance.now() < until) {
      const { promise } = this.#changed
      const timer = Promise.withResolvers<void>()
      const ringing = setTimeout(timer.resolve, until - performance.now())
      await Promise.race([promise, timer.promise])
      clearTimeout(ringing)
    }
    return this.#read
  }

  end(why: Error | Message): void {
    if (this.ended) return
    const wasOver = this.isOver
    this.ended = why instanceof Error ? why : new Refusal('CONFLICT', why)
    this.#chunks = []
    if (!wasOver) this.#onEnd(this)
    this.#wake()
  }

  async #news(signal: AbortSignal): Promise<void> {
    if (this.ended) throw this.ended
    signal.throwIfAborted()
    const left = Promise.withResolvers<void>()
    const leave = () => left.resolve()
    signal.addEventListener('abort', leave, { once: true })
    await Promise.race([this.#changed.promise, left.promise])
    signal.removeEventListener('abort', leave)
    if (this.ended) throw this.ended as Error // assigned meanwhile
    signal.throwIfAborted()
  }

  #wake(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }
}
