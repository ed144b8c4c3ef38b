import { VARCHAR } from '@duckdb/node-api'
import { isUtf8 } from 'node:buffer'
import { runMessage } from '../../contract/run-messages.ts'
import { EngineError } from '../engine/errors.ts'
import { AnyColumn, type StoredValue, chunkRows, viewOf } from './vector-column.ts'

/**
 * Values as they arrived, row by row: `places[row * columns + column]` says where one begins in `bytes`, behind its length in 32 bits; -1: NULL.
 * `view`: of the same bytes.
 */
export interface ArrivedValues {
  readonly bytes: Buffer
  readonly view: DataView
  readonly places: Int32Array
  readonly columns: number
}

/** DuckDB keeps up to 12 bytes beside their length; longer values are elsewhere. */
const inlined = 12
const entryBytes = 16
const firstHeapBytes = 1 << 12
/** Heaps that a large value made larger than this are given back. */
const mostHeapBytes = 1 << 21
/** Up to here a copy by words costs less than a call. */
const mostCopiedByWords = 64
const wordBytes = 4
/** Of each length up to `inlined`: the bits that it has of three words. */
const inlinedBits = Int32Array.from({ length: (inlined + 1) * 3 }, (_, at) => {
  const bytes = Math.floor(at / 3) - (at % 3) * wordBytes
  return bytes >= wordBytes ? -1 : bytes <= 0 ? 0 : (1 << (bytes * 8)) - 1
})
const notAscii = 0x80808080

/** Texts, which must be UTF-8, and bytes. */
export class BytesColumn extends AnyColumn {
  readonly #entries = new Uint8Array(entryBytes * chunkRows)
  readonly #words = new Int32Array(this.#entries.buffer)
  #heap: Buffer = Buffer.allocUnsafe(firstHeapBytes)
  #heapView = viewOf(this.#heap)
  #used = 0

  override setNull(row: number): void {
    super.setNull(row)
    this.#words[row * 4] = 0
  }

  set(row: number, source: Buffer, from: number, length: number): void {
    const entry = row * 4
    this.#words[entry] = length
    if (length <= inlined) {
      this.#inline(entry, source, from, length)
      return
    }
    const at = this.room(length)
    this.#used = at + length
    this.#point(entry, source, from, at)
    source.copy(this.#heap, at, from, from + length)
  }

  /** Values `from` to `to` of a column `at`, into rows from `row` on. `skipped`: bytes at the beginning of each that are not part of it. */
  take(values: ArrivedValues, at: number, from: number, to: number, row: number, skipped = 0): void {
    const { view, bytes, places, columns } = values
    const words = this.#words
    const isText = this.#isText
    const end = view.byteLength - wordBytes
    for (let value = from, entry = row * 4; value < to; value++, entry += 4) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      const begin = place + skipped
      const length = view.getInt32(place - wordBytes) - skipped
      words[entry] = length
      if (begin + inlined > end) {
        // Its last words would end behind the bytes.
        this.set(entry >> 2, bytes, begin, length)
      } else if (length <= inlined) {
        const bits = length * 3
        const first = view.getInt32(begin, true) & (inlinedBits[bits] ?? 0)
        const second = view.getInt32(begin + wordBytes, true) & (inlinedBits[bits + 1] ?? 0)
        const third = view.getInt32(begin + 2 * wordBytes, true) & (inlinedBits[bits + 2] ?? 0)
        words[entry + 1] = first
        words[entry + 2] = second
        words[entry + 3] = third
        if (((first | second | third) & notAscii) !== 0 && isText && !isUtf8(bytes.subarray(begin, begin + length)))
          throw this.#notText()
      } else if (length > mostCopiedByWords || begin + length > end) this.set(entry >> 2, bytes, begin, length)
      else {
        const heap = this.room(length + wordBytes)
        this.#used = heap + length
        this.#point(entry, bytes, begin, heap)
        // The last word may end behind the value, where the next one begins.
        const copy = this.#heapView
        for (let byte = 0; byte < length; byte += wordBytes) copy.setInt32(heap + byte, view.getInt32(begin + byte))
      }
    }
  }

  /** A driver's text or bytes. */
  put(row: number, value: StoredValue): void {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) throw new Error('Neither text nor bytes')
    if (value.length > 0xffff || typeof value !== 'string') {
      const bytes = Buffer.from(value as Uint8Array) // or a text: both are taken
      this.set(row, bytes, 0, bytes.length)
      return
    }
    const at = this.room(value.length * 3)
    this.fill(row, at, this.#heap.write(value, at))
  }

  /** What was written to `heap` becomes the value of a row. */
  fill(row: number, at: number, length: number): void {
    const entry = row * 4
    this.#words[entry] = length
    if (length <= inlined) this.#inline(entry, this.#heap, at, length)
    else {
      this.#used = at + length
      this.#point(entry, this.#heap, at, at)
    }
  }

  write(rows: number): void {
    if (this.#used > 0) {
      const values = this.#heap.subarray(0, this.#used)
      if (this.#isText && !isUtf8(values)) throw this.#notText()
      this.#address(rows, this.place.keep(values))
    }
    this.copy(this.#entries.subarray(0, rows * entryBytes), rows)
  }

  override clear(): void {
    super.clear()
    this.#used = 0
    if (this.#heap.length > mostHeapBytes) this.#keep(Buffer.allocUnsafe(firstHeapBytes))
  }

  /** Values longer than DuckDB keeps beside their length. */
  get heap(): Buffer {
    return this.#heap
  }

  get #isText(): boolean {
    return this.type === VARCHAR
  }

  /** Unused bytes are zeros: DuckDB compares all of them. */
  #inline(entry: number, source: Buffer, from: number, length: number): void {
    const words = this.#words
    words[entry + 1] = 0
    words[entry + 2] = 0
    words[entry + 3] = 0
    const to = entry * 4 + 4
    let all = 0
    for (let byte = 0; byte < length; byte++) {
      const value = source[from + byte] ?? 0
      this.#entries[to + byte] = value
      all |= value
    }
    if (all > 127 && this.#isText && !isUtf8(source.subarray(from, from + length))) throw this.#notText()
  }

  /** The first four bytes of a value, and where it is in the heap. */
  #point(entry: number, source: Buffer, from: number, at: number): void {
    // All values together are looked at later; none may begin inside a character.
    if (((source[from] ?? 0) & 0xc0) === 0x80 && this.#isText) throw this.#notText()
    this.#words[entry + 1] = source.readInt32LE(from)
    this.#words[entry + 2] = at
  }

  /** Where in `heap` so many bytes can be written, until the next value. */
  room(length: number): number {
    const needed = this.#used + length
    if (needed > this.#heap.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#heap.length * 2))
      this.#heap.copy(larger, 0, 0, this.#used)
      this.#keep(larger)
    }
    return this.#used
  }

  #keep(heap: Buffer): void {
    this.#heap = heap
    this.#heapView = viewOf(heap)
  }

  /** Places in the heap become addresses. */
  #address(rows: number, heap: bigint): void {
    const words = this.#words
    const [low, high] = [Number(heap & 0xffffffffn), Number(heap >> 32n)]
    for (let entry = 0; entry < rows * 4; entry += 4) {
      if ((words[entry] ?? 0) <= inlined) continue
      const address = low + (words[entry + 2] ?? 0)
      words[entry + 2] = address
      words[entry + 3] = address > 0xffffffff ? high + 1 : high
    }
  }

  #notText(): EngineError {
    return new EngineError('VALUE_INVALID', runMessage('bytes_not_text', { column: this.name }), {
      hint: runMessage('bytes_not_text_fix'),
    })
  }
}
