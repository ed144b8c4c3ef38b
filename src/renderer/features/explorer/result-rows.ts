/** Rows of a held result, in blocks that are asked for as they come into sight. */
import type { QueryPage } from '../../../contract/queries.ts'
import type { CutValue } from '../../../contract/query-values.ts'

export const blockRows = 500
/** Blocks that are kept: what is not in sight can be asked for again. */
const keptBlocks = 60
/** Scrolling past thousands of rows asks for those where it rests. */
const restMs = 60

type Ask = (row: number, size: number, signal: AbortSignal) => Promise<QueryPage>

export interface ResultState {
  /** Rows that are known so far; all of them if `complete`. */
  count: number
  complete: boolean
  /** Why the last page did not come; null: nothing is wrong. */
  error: Error | null
}

/** `onChange`: something is to be drawn anew. */
export class ResultRows {
  #state: ResultState
  readonly #blocks = new Map<number, { rows: (readonly unknown[])[]; cut: readonly CutValue[] }>()
  readonly #asked = new Map<number, Promise<void>>()
  readonly #ask: Ask
  readonly #onChange: () => void
  readonly #over = new AbortController()
  #wanted: readonly [number, number] = [0, 0]
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(first: QueryPage, ask: Ask, onChange: () => void) {
    this.#ask = ask
    this.#onChange = onChange
    this.#state = { count: first.row_count, complete: first.complete, error: null }
    this.#take(first)
  }

  get state(): ResultState {
    return this.#state
  }

  at(row: number): readonly unknown[] | undefined {
    return this.#blocks.get(Math.floor(row / blockRows))?.rows[row % blockRows]
  }

  /** Characters of the whole value, where a page has it in part only. */
  cutAt(row: number, field: number): number | undefined {
    const cut = this.#blocks.get(Math.floor(row / blockRows))?.cut
    return cut?.find((value) => value.row === row && value.field === field)?.length
  }

  /** How many values of the first rows are held in part only. */
  cutAmong(count: number): number {
    const cut = [...this.#blocks.values()].flatMap((block) => block.cut).filter(({ row }) => row < count)
    return new Set(cut.map(({ row, field }) => `${row} ${field}`)).size
  }

  want(first: number, last: number): void {
    this.#wanted = [first, last]
    if (this.#missing() === undefined) return
    clearTimeout(this.#timer)
    // The first rows of all are waited for by somebody.
    this.#timer = setTimeout(() => this.#fetchWanted(), this.#asked.size === 0 ? 0 : restMs)
  }

  /** All of these rows, however many blocks they are in. */
  async load(first: number, last: number): Promise<(readonly unknown[])[]> {
    const rows: (readonly unknown[])[] = []
    for (let row = first; row <= last; row++) {
      if (this.at(row) === undefined) await this.#fetch(Math.floor(row / blockRows))
      const found = this.at(row)
      // The result ends before.
      if (found === undefined) break
      rows.push(found)
    }
    return rows
  }

  /** Reads on until `row` is there, or the result ends. The last row that there is. */
  async reach(row: number): Promise<number> {
    await this.#fetch(Math.floor(row / blockRows))
    return Math.min(row, this.#state.count - 1)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#over.abort()
  }

  /** The first block in sight that lacks a row; the end of what is known asks for what follows it. */
  #missing(): number | undefined {
    const [first, last] = this.#wanted
    const { count, complete } = this.#state
    const end = complete || last < count - 1 ? Math.min(last, count - 1) : count
    for (let block = Math.floor(first / blockRows); block <= Math.floor(end / blockRows); block++) {
      const needed = Math.min(end, (block + 1) * blockRows - 1)
      if (this.at(needed) === undefined && !this.#asked.has(block)) return block
    }
    return undefined
  }

  #fetchWanted(): void {
    const block = this.#missing()
    if (block === undefined || this.#state.error) return
    void this.#fetch(block).then(
      () => this.want(...this.#wanted),
      () => undefined, // told by `state`
    )
  }

  #fetch(block: number): Promise<void> {
    const running = this.#asked.get(block)
    if (running) return running
    const asking = this.#read(block).finally(() => this.#asked.delete(block))
    this.#asked.set(block, asking)
    return asking
  }

  /** A page may have fewer rows than the block: then the rest is asked for. */
  async #read(block: number): Promise<void> {
    const from = block * blockRows
    try {
      for (;;) {
        const held = this.#blocks.get(block)?.rows.length ?? 0
        // All of it is there: whoever goes to a row asks in any case.
        if (held >= blockRows) break
        const page = await this.#ask(from + held, blockRows - held, this.#over.signal)
        this.#take(page)
        const now = this.#blocks.get(block)?.rows.length ?? 0
        if (now === held || page.nextCursor === null) break
      }
    } catch (error) {
      if (this.#over.signal.aborted) return
      this.#state = { ...this.#state, error: error instanceof Error ? error : new Error(String(error)) }
      this.#onChange()
      throw error
    }
  }

  #take(page: QueryPage): void {
    let at = 0
    while (at < page.rows.length) {
      const row = page.offset + at
      const block = Math.floor(row / blockRows)
      const held = this.#blocks.get(block) ?? { rows: [], cut: [] }
      const room = blockRows - (row % blockRows)
      const rows = [...held.rows]
      for (const [index, values] of page.rows.slice(at, at + room).entries()) rows[(row % blockRows) + index] = values
      this.#blocks.delete(block)
      this.#blocks.set(block, { rows, cut: [...held.cut, ...page.cut] })
      at += room
    }
    for (const block of this.#blocks.keys()) {
      if (this.#blocks.size <= keptBlocks) break
      this.#blocks.delete(block)
    }
    this.#state = { count: Math.max(this.#state.count, page.row_count), complete: page.complete, error: null }
    this.#onChange()
  }
}
