import { type ChunkHead, type ResultPlan, mostChunks } from '../../../contract/executor-results.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { Refusal, conflict } from '../../platform/refusal.ts'
import type { Chunk, KeptRows } from './kept-rows.ts'

const attendMs = 20_000

/** `bytes` are only of rows for pages; `pieces` are what has come, of files as well. */
type HeldChunk = Chunk & { pieces: readonly Buffer[]; kept: Promise<void> }

/**
 * One result session, as this side has it: who holds it, and at most two chunks that nobody has read. What is wrong with it
 * meets whoever reads next. Rows for pages are also put down on disk, see `KeptRows`; files are passed on only.
 */
export class HeldResult {
  readonly plan: ResultPlan
  readonly userId: number
  /** Null while it waits for an executor. */
  executorId: number | null = null
  /** Nobody reads it right now: its place may go to someone else. */
  isIdle = false
  /** Why it ended before its last row; null: it has not. */
  ended: Error | null = null
  #chunks: HeldChunk[] = []
  #start: ChunkHead['start']
  #taken = 0
  #read = 0
  #rows = 0
  #complete = false
  #changed = Promise.withResolvers<void>()
  /** Chunks of one result are put down in their order. */
  #keeping: Promise<void> = Promise.resolve()
  readonly #kept: KeptRows | null
  readonly #onEnd: (result: HeldResult) => void

  /** `kept`: null where pages are not asked for. `onEnd`: the executor is through with it, or is to be. */
  constructor(plan: ResultPlan, userId: number, kept: KeptRows | null, onEnd: (result: HeldResult) => void) {
    this.plan = plan
    this.userId = userId
    this.#kept = kept
    this.#onEnd = onEnd
  }

  /** The executor has nothing more to do for it. */
  get isOver(): boolean {
    return this.#complete || this.ended !== null
  }

  /** How many rows are known, whether these are all, and the first of them that can still be read. */
  get state(): { row_count: number; complete: boolean; first_row: number } {
    return { row_count: this.#rows, complete: this.#complete, first_row: this.#kept?.firstRow ?? 0 }
  }

  /** Takes a chunk. False: it came before, and is not taken twice. Whatever cannot be right ends the session. */
  take(head: ChunkHead, pieces: readonly Buffer[]): boolean {
    if (head.seq <= this.#taken) return false
    const fits = head.seq === this.#taken + 1 && this.#chunks.length < mostChunks && (head.seq > 1 || head.start)
    const rows = this.#rows + head.rows
    if (!fits || (head.total !== undefined && head.total !== rows)) {
      this.end(new Refusal('UNAVAILABLE', msg('query_incomplete')))
      return true
    }
    this.#taken = head.seq
    this.#start ??= head.start
    // Files are passed on as they came: joining their pieces would copy every byte of an export once more.
    const bytes = this.#kept ? Buffer.concat(pieces) : Buffer.alloc(0)
    const chunk = { seq: head.seq, rows: head.rows, bytes, offset: this.#rows, cut: head.cut ?? [] }
    this.#keeping = this.#keep(chunk, head.cell, this.#keeping)
    this.#chunks.push({ ...chunk, pieces, kept: this.#keeping })
    this.#rows = rows
    if (head.total !== undefined) {
      this.#complete = true
      this.#onEnd(this)
    }
    if (this.#kept && (head.cell || head.rows === 0 || this.#complete)) void this.#letGo()
    this.#wake()
    return true
  }

  async #keep(chunk: Chunk, cell: ChunkHead['cell'], before: Promise<void>): Promise<void> {
    await before
    if (this.ended) return
    try {
      if (cell) await this.#kept?.addCell(cell, chunk.bytes)
      else if (chunk.rows > 0) await this.#kept?.add(chunk)
    } catch {
      this.end(new Refusal('UNAVAILABLE', msg('query_not_kept')))
    }
  }

  /** What nobody has to read to go on: pieces of values, and what was put down when all rows have come. */
  async #letGo(): Promise<void> {
    for (const chunk of this.#chunks.slice()) {
      if (this.#complete || chunk.rows === 0) await this.drop(chunk)
    }
  }

  /** Fields and statement, once they are known. */
  async start(signal: AbortSignal): Promise<NonNullable<ChunkHead['start']>> {
    while (!this.#start) await this.#news(signal)
    return this.#start
  }

  /** The first chunk that was not let go of; null: there are no more. */
  async first(signal: AbortSignal): Promise<HeldChunk | null> {
    for (;;) {
      const [chunk] = this.#chunks
      if (chunk) return chunk
      if (this.#complete) return null
      await this.#news(signal)
    }
  }

  /** The chunk with this row, which may lie before or behind what was read so far; null: the result ends before it. */
  async chunkAt(row: number, signal: AbortSignal): Promise<Chunk | null> {
    for (;;) {
      const found = await this.chunkHere(row)
      if (found) return found
      if (row < this.state.first_row) conflict(msg('query_page_gone'))
      // It came meanwhile.
      if (row < this.#rows) continue
      if (this.#complete) return null
      await this.#news(signal)
    }
  }

  /** The same, if it has come already. */
  async chunkHere(row: number): Promise<Chunk | null> {
    if (this.ended) throw this.ended
    for (const chunk of this.#chunks.slice()) {
      if (row < chunk.offset) break
      if (row < chunk.offset + chunk.rows) return chunk
      // Whoever wants a later row lets the executor go on.
      await this.drop(chunk)
    }
    const found = (await this.#kept?.find(row)) ?? null
    if (this.ended) throw this.ended as Error // assigned meanwhile
    return found
  }

  /** The whole of a value that is too long for a page, in JSON; null: the page has it. */
  cell(row: number, field: number): AsyncIterable<Buffer> | null {
    return this.#kept?.cell(row, field) ?? null
  }

  /** Lets go of a chunk once it is on disk, so that the executor may send another one. */
  async drop(chunk: Chunk): Promise<void> {
    const held = this.#chunks.find(({ seq }) => seq === chunk.seq)
    if (!held) return
    await held.kept
    const at = this.#chunks.indexOf(held)
    if (at < 0) return
    this.#chunks.splice(at, 1)
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
    this.#kept?.remove()
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
