import {
  DuckDBBlobValue,
  DuckDBBlobVector,
  DuckDBHugeIntVector,
  type DuckDBDataChunk,
  type DuckDBType,
} from '@duckdb/node-api'

/** Rows in one of DuckDB's chunks. */
export const chunkRows = 2048

/** A value as a column takes it from a driver. */
export type StoredValue = number | bigint | string | Uint8Array

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

export abstract class AnyColumn {
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
