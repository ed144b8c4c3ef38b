import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DATE,
  DECIMAL,
  DOUBLE,
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
  type DuckDBType,
} from '@duckdb/node-api'
import { EngineError } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { BytesColumn } from './bytes-column.ts'
import { AnyColumn, type StoredValue, chunkRows } from './vector-column.ts'

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
