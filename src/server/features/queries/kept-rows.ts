/** Rows of results that were delivered, on the server's disk, so that a reader can go back to them. */
import { createReadStream, mkdirSync, rmSync } from 'node:fs'
import { appendFile, mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChunkHead, mostChunks } from '../../../contract/executor-results.ts'
import type { CutValue } from '../../../contract/query-values.ts'

/** A chunk with its rows at hand. */
export interface Chunk {
  readonly seq: number
  readonly rows: number
  readonly bytes: Buffer
  /** Number of its first row in the whole result. */
  readonly offset: number
  readonly cut: readonly CutValue[]
}

/** What is held on disk, in bytes: of one result, and of all. Beyond it, the beginning of a result is let go of. */
export interface KeptLimits {
  ofResult: number
  ofAll: number
  /** What the disk keeps free for the store, which is on it as well. */
  spare: number
}

const defaults: KeptLimits = { ofResult: 2 * 2 ** 30, ofAll: 8 * 2 ** 30, spare: 256 * 2 ** 20 }
/** Chunks in memory, of all results together: pages that follow each other are mostly of the same one. */
const mostCached = 8

export interface KeptRows {
  /** Number of the first row that is still there. */
  readonly firstRow: number
  add(chunk: Chunk): Promise<void>
  /** The next piece of a value that is too long for a page. Throws where even that value alone is more than may be held. */
  addCell(cell: NonNullable<ChunkHead['cell']>, bytes: Buffer): Promise<void>
  /** The chunk that has this row; null: it has not come, or is not there anymore. */
  find(row: number): Promise<Chunk | null>
  /** The whole of a value that is too long for a page, in JSON. null: it is not such a value. */
  cell(row: number, field: number): AsyncIterable<Buffer> | null
  remove(): void
}

type Entry = Omit<Chunk, 'bytes'> & { size: number }

/** One for a server. Whatever an earlier one has left is removed. */
export function createKeptRows(dataDir: string, given: Partial<KeptLimits> = {}) {
  const limits = { ...defaults, ...given }
  const root = join(dataDir, 'results')
  const all = new Set<Kept>()
  const cache = new Map<Entry, Chunk>()
  /** Files that are being removed. */
  let removals: Promise<unknown> = Promise.resolve()
  rmSync(root, { recursive: true, force: true })

  function cached(entry: Entry, chunk: Chunk): Chunk {
    cache.delete(entry)
    cache.set(entry, chunk)
    const [oldest] = cache.keys()
    if (cache.size > mostCached && oldest) cache.delete(oldest)
    return chunk
  }

  /** False: there is still more than may be held, and nothing else to let go of. */
  async function makeRoom(): Promise<boolean> {
    const total = () => [...all].reduce((sum, kept) => sum + kept.size, 0)
    await removals
    const { bavail, bsize } = await statfs(root)
    const most = Math.min(limits.ofAll, total() + bavail * bsize - limits.spare)
    for (const kept of all) while (kept.size > limits.ofResult && kept.dropFirst());
    while (total() > most) {
      const largest = [...all].reduce((one, other) => (other.size > one.size ? other : one))
      if (!largest.dropFirst()) return false
    }
    return true
  }

  class Kept implements KeptRows {
    size = 0
    firstRow = 0
    readonly #folder: string
    readonly #made: Promise<unknown>
    #entries: Entry[] = []
    readonly #cells = new Map<string, { row: number; size: number }>()
    #removed = false

    constructor(id: string) {
      this.#folder = join(root, id)
      mkdirSync(root, { recursive: true, mode: 0o700 })
      this.#made = mkdir(this.#folder, { mode: 0o700 })
      this.#made.catch(() => undefined) // heard by who writes
      all.add(this)
    }

    async add(chunk: Chunk): Promise<void> {
      const { bytes, ...facts } = chunk
      const entry = { ...facts, size: bytes.length }
      await this.#write(() => writeFile(this.#path(entry), bytes, { mode: 0o600 }))
      this.#entries.push(entry)
      this.size += entry.size
      cached(entry, chunk)
      await makeRoom()
    }

    async addCell({ row, field }: NonNullable<ChunkHead['cell']>, bytes: Buffer): Promise<void> {
      const name = cellName(row, field)
      await this.#write(() => appendFile(join(this.#folder, name), bytes, { mode: 0o600 }))
      const known = this.#cells.get(name)
      this.#cells.set(name, { row, size: (known?.size ?? 0) + bytes.length })
      this.size += bytes.length
      if (!(await makeRoom()) || this.size > limits.ofResult) throw new Error('more than may be held on disk')
    }

    async #write(write: () => Promise<void>): Promise<void> {
      await this.#made
      if (this.#removed) return
      await write()
      // It was removed meanwhile: what was just written has to go, too.
      if (this.#removed) await rm(this.#folder, { recursive: true, force: true })
    }

    async find(row: number): Promise<Chunk | null> {
      const entry = this.#entries.findLast(({ offset }) => offset <= row)
      if (!entry || row >= entry.offset + entry.rows) return null
      const known = cache.get(entry)
      if (known) return cached(entry, known)
      const { size: _, ...facts } = entry
      const bytes = await readFile(this.#path(entry)).catch((error: unknown) => {
        if (this.#entries.includes(entry)) throw error
        return null // let go of meanwhile
      })
      return bytes && cached(entry, { ...facts, bytes })
    }

    cell(row: number, field: number): AsyncIterable<Buffer> | null {
      const name = cellName(row, field)
      return this.#cells.has(name) ? createReadStream(join(this.#folder, name)) : null
    }

    /** Lets go of the first chunk. False: there are only as many as the reader may not have come to. */
    dropFirst(): boolean {
      const [first, second] = this.#entries
      if (!first || !second || this.#entries.length <= mostChunks) return false
      this.#entries.shift()
      cache.delete(first)
      this.size -= first.size
      this.firstRow = second.offset
      this.#unlink(this.#path(first))
      for (const [name, { row, size }] of this.#cells) {
        if (row >= this.firstRow) continue
        this.#cells.delete(name)
        this.size -= size
        this.#unlink(join(this.#folder, name))
      }
      return true
    }

    remove(): void {
      this.#removed = true
      all.delete(this)
      for (const entry of this.#entries) cache.delete(entry)
      this.#entries = []
      this.#cells.clear()
      void this.#made.then(() => rm(this.#folder, { recursive: true, force: true })).catch(() => undefined) // removed at the next start
    }

    #path(entry: Entry): string {
      return join(this.#folder, String(entry.seq))
    }

    #unlink(path: string): void {
      const removed = rm(path, { force: true }).catch(() => undefined) // goes with its folder
      removals = Promise.all([removals, removed])
    }
  }

  return { open: (id: string): KeptRows => new Kept(id) }
}

const cellName = (row: number, field: number): string => `cell-${row}-${field}`
