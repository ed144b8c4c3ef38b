import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBBlobVector,
  DuckDBHugeIntVector,
  FLOAT,
  INTEGER,
  SMALLINT,
  TIME,
  TIMESTAMP,
  TIMESTAMPTZ,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  UUID,
  VARCHAR,
  type DuckDBDataChunk,
  type DuckDBType,
} from '@duckdb/node-api'
import { isUtf8 } from 'node:buffer'
import { EngineError } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Rows in one of DuckDB's chunks. */
export const chunkRows = 2048

/** A value as a column takes it from a driver. */
export type StoredValue = number | bigint | string | Uint8Array

/** DuckDB's types that rows are written in, with the bytes of a value; 0: as many as the value has. */
const storages = {
  BOOLEAN: [BOOLEAN, 1],
  TINYINT: [TINYINT, 1],
  UTINYINT: [UTINYINT, 1],
  SMALLINT: [SMALLINT, 2],
  USMALLINT: [USMALLINT, 2],
  INTEGER: [INTEGER, 4],
  UINTEGER: [UINTEGER, 4],
  BIGINT: [BIGINT, 8],
  UBIGINT: [UBIGINT, 8],
  FLOAT: [FLOAT, 4],
  DOUBLE: [DOUBLE, 8],
  DATE: [DATE, 4],
  TIME: [TIME, 8],
  TIMESTAMP: [TIMESTAMP, 8],
  'TIMESTAMP WITH TIME ZONE': [TIMESTAMPTZ, 8],
  UUID: [UUID, 16],
  VARCHAR: [VARCHAR, 0],
  BLOB: [BLOB, 0],
} as const satisfies Record<string, readonly [DuckDBType, number]>

export type Storage = keyof typeof storages | `DECIMAL(${number},${number})`

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

/** A column of the chunk that is being filled. Rows may be written again until the chunk is. */
export type ChunkColumn = FixedColumn | BytesColumn

export function chunkColumn(name: string, storage: Storage): ChunkColumn {
  const [type, width] = layoutOf(storage)
  return width === 0 ? new BytesColumn(name, type) : new FixedColumn(name, type, width)
}

function layoutOf(storage: Storage): readonly [DuckDBType, number] {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(storage)
  if (!decimal) return storages[storage as keyof typeof storages] // the other kind of storage
  const width = Number(decimal[1])
  return [DECIMAL(width, Number(decimal[2])), width <= 4 ? 2 : width <= 9 ? 4 : width <= 18 ? 8 : 16]
}

/** In place of a vector's present values, where none is asked for. */
const unread = new DataView(new ArrayBuffer(0))

type Handle = ConstructorParameters<typeof DuckDBHugeIntVector>[2]
/** Which rows have a value, a bit each; null: all. Private in the driver's class. */
type Validity = Record<'data', BigUint64Array | null>

/**
 * The column's place in a chunk. The driver sets values one by one, each through a call of its own; here a column is laid out as DuckDB
 * keeps it and copied with one call. That needs three private fields of the driver, whose version is pinned.
 */
class VectorAt {
  readonly #handle: Handle
  readonly #validity: Validity

  constructor(chunk: DuckDBDataChunk, column: number) {
    const { vector, validity } = chunk.getColumnVector(column) as unknown as { vector?: Handle; validity?: Validity }
    if (!vector || !validity || !('data' in validity))
      throw new Error('The DuckDB driver keeps its vectors differently')
    this.#handle = vector
    this.#validity = validity
  }

  /** Copies `bytes`, which are `rows` values as DuckDB has them. `valid`: a bit a row; null: every row has a value. */
  write(bytes: Uint8Array, rows: number, valid: BigUint64Array | null): void {
    this.#validity.data = valid
    new DuckDBHugeIntVector(viewOf(bytes), this.#validity as never, this.#handle, rows).flush()
  }

  /** Copies bytes to where texts of this vector may point until the chunk is reset; their address. */
  keep(bytes: Uint8Array): bigint {
    this.#validity.data = null
    const texts = new DuckDBBlobVector(unread, this.#validity as never, this.#handle, 0, 1)
    texts.setItem(0, new DuckDBBlobValue(bytes))
    texts.flush()
    // A text is its length, its first four bytes, and the address.
    return BigInt.asUintN(64, (DuckDBHugeIntVector.fromRawVector(this.#handle, 1).getItem(0) ?? 0n) >> 64n)
  }
}

abstract class AnyColumn {
  readonly name: string
  readonly type: DuckDBType
  #place: VectorAt | null = null
  readonly #valid = new BigUint64Array(chunkRows / 64).fill(~0n)
  readonly #validBytes = new Uint8Array(this.#valid.buffer)
  #hasNulls = false

  constructor(name: string, type: DuckDBType) {
    this.name = name
    this.type = type
  }

  protected get place(): VectorAt {
    if (!this.#place) throw new Error('The column belongs to no chunk')
    return this.#place
  }

  attach(chunk: DuckDBDataChunk, at: number): void {
    this.#place = new VectorAt(chunk, at)
  }

  setNull(row: number): void {
    this.#hasNulls = true
    const byte = row >> 3
    this.#validBytes[byte] = (this.#validBytes[byte] ?? 0) & ~(1 << (row & 7))
  }

  protected copy(bytes: Uint8Array, rows: number): void {
    this.place.write(bytes, rows, this.#hasNulls ? this.#valid : null)
  }

  /** Forgets what was written: the next chunk begins. */
  clear(): void {
    if (!this.#hasNulls) return
    this.#valid.fill(~0n)
    this.#hasNulls = false
  }
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Values of the same width: a decoder writes them as DuckDB keeps them. */
export class FixedColumn extends AnyColumn {
  readonly width: number
  readonly bytes: Uint8Array
  /** The same bytes, by 16 and 32 bits. (Every machine that DuckDB runs on is little-endian.) */
  readonly shorts: Int16Array
  readonly words: Int32Array
  readonly #view: IntegerView | FloatView | null

  constructor(name: string, type: DuckDBType, width: number) {
    super(name, type)
    this.width = width
    const buffer = new ArrayBuffer(width * chunkRows)
    this.bytes = new Uint8Array(buffer)
    this.shorts = new Int16Array(buffer)
    this.words = new Int32Array(buffer)
    const view = views[type.toString()]
    this.#view = view ? new view(buffer) : null
  }

  /** A driver's number. */
  put(row: number, value: StoredValue): void {
    const view = this.#view
    if (!view) throw new Error(`${this.type.toString()} takes no plain values`)
    view[row] = value as never // number or bigint, as the column's type says; what does not fit is found next
    if (view[row] === value || view instanceof Float32Array || view instanceof Float64Array) return
    throw new EngineError(
      'VALUE_INVALID',
      runMessage('value_out_of_type', { column: this.name, value: String(value), type: this.type.toString() }),
    )
  }

  write(rows: number): void {
    this.copy(this.bytes.subarray(0, rows * this.width), rows)
  }
}

type IntegerView =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
type FloatView = Float32Array | Float64Array
const views: Record<string, new (buffer: ArrayBuffer) => IntegerView | FloatView> = {
  TINYINT: Int8Array,
  UTINYINT: Uint8Array,
  SMALLINT: Int16Array,
  USMALLINT: Uint16Array,
  INTEGER: Int32Array,
  UINTEGER: Uint32Array,
  BIGINT: BigInt64Array,
  UBIGINT: BigUint64Array,
  FLOAT: Float32Array,
  DOUBLE: Float64Array,
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
