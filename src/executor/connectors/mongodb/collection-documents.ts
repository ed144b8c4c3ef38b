import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTypeId,
  DuckDBUUIDValue,
  DuckDBUnionValue,
  type DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Document } from 'mongodb'
import type { Column } from '../../../contract/common.ts'
import type { MongoDriver } from './client.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { translateDuckDbError } from '../../engine/duckdb-errors.ts'
import { jsonValue } from '../../engine/json-values.ts'
import { EngineError } from '../../engine/errors.ts'
import { columnValues } from '../../engine/vectors.ts'
import { UnfitValue, createJsonReader, decimal } from './collection-json.ts'
import { runMessage } from '../../../contract/run-messages.ts'

type Encoder = (value: DuckDBValue) => unknown

/** Refuses names that MongoDB would take for something else: a point makes a path, a dollar an operator. */
export function refuseFieldNames(columns: readonly Column[]): void {
  for (const { name } of columns) {
    if (name !== '' && !name.startsWith('$') && !/[.\0]/.test(name) && name !== '_bsontype') continue
    throw new EngineError('SCHEMA_MISMATCH', runMessage('field_name_invalid', { name }), {
      hint: runMessage('field_name_invalid_fix'),
    })
  }
}

/** How the columns of a query become fields. */
export interface FieldEncoders {
  columns: readonly Column[]
  encoders: readonly Encoder[]
}

/** By the query's own types: those of its chunks no longer tell JSON from text. */
export async function encodersOf(
  session: DuckSession,
  sql: string,
  columns: readonly Column[],
  driver: MongoDriver,
): Promise<FieldEncoders> {
  try {
    const prepared = await session.connection.prepare(sql)
    const encoders = columns.map((_, index) => encoderOf(prepared.columnType(index), driver))
    prepared.destroySync()
    return { columns, encoders }
  } catch (error) {
    throw translateDuckDbError(error)
  }
}

/** Rows of a chunk as documents; `row` is the number of the first one, for messages. */
export function* documentsOf(
  chunk: DuckDBDataChunk,
  { columns, encoders }: FieldEncoders,
  row: number,
): Generator<Document> {
  const values = columns.map((_, index) => columnValues(chunk, index))
  for (let at = 0; at < chunk.rowCount; at++) {
    // Without a prototype: a column may be called anything.
    const document: Document = Object.create(null) as Document // an empty object is one
    for (const [index, column] of columns.entries()) {
      const value = values[index]?.[at] ?? null
      try {
        document[column.name] = value === null ? null : (encoders[index]?.(value) ?? null)
      } catch (error) {
        if (!(error instanceof UnfitValue)) throw error
        throw new EngineError(
          'VALUE_INVALID',
          runMessage('row_column_invalid', { row: row + at, column: column.name, cause: error.reason }),
          { hint: error.hint },
        )
      }
    }
    yield document
  }
}

function encoderOf(type: DuckDBType, driver: MongoDriver): Encoder {
  const { Binary, Decimal128, Double, Long, UUID } = driver
  const json = createJsonReader(driver)
  // A whole number is a long as far as 64 bits go, beyond that a decimal: both compare and sort as numbers.
  const wide = (value: bigint): unknown =>
    BigInt.asIntN(64, value) === value ? Long.fromBigInt(value) : decimal(String(value), Decimal128)
  const encode: Encoder = (value) => {
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
    if (typeof value === 'bigint') return wide(value)
    // The driver would send whole numbers beyond 32 bits as floating point.
    if (typeof value === 'number')
      return Number.isInteger(value) && (value | 0) !== value ? Long.fromNumber(value) : value
    if (value instanceof DuckDBDecimalValue) return decimal(value.toString(), Decimal128)
    if (value instanceof DuckDBDateValue) return moment(BigInt(value.days) * 86_400_000_000_000n, value)
    if (value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue)
      return moment(value.micros * 1000n, value)
    if (value instanceof DuckDBTimestampSecondsValue) return moment(value.seconds * 1_000_000_000n, value)
    if (value instanceof DuckDBTimestampMillisecondsValue) return moment(value.millis * 1_000_000n, value)
    if (value instanceof DuckDBTimestampNanosecondsValue) return moment(value.nanos, value)
    if (value instanceof DuckDBUUIDValue) return new UUID(value.toString())
    if (value instanceof DuckDBBlobValue) return new Binary(value.bytes)
    return String(value)
  }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other type is told by its value
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
      // Also 5.0 stays floating point.
      return (value) => new Double(Number(value))
    case DuckDBTypeId.VARCHAR:
      return type.alias === 'JSON' ? (value) => json(String(value)) : encode
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const item = nullable(encoderOf(type.valueType, driver))
      return (value) =>
        value instanceof DuckDBListValue || value instanceof DuckDBArrayValue ? value.items.map(item) : encode(value)
    }
    case DuckDBTypeId.STRUCT: {
      const fields = type.entryTypes.map((entry) => nullable(encoderOf(entry, driver)))
      return (value) =>
        value instanceof DuckDBStructValue
          ? Object.fromEntries(
              type.entryNames.map((name, index) => [name, fields[index]?.(value.entries[name] ?? null)]),
            )
          : encode(value)
    }
    case DuckDBTypeId.MAP: {
      const key = encoderOf(type.keyType, driver)
      const item = nullable(encoderOf(type.valueType, driver))
      const named = type.keyType.typeId === DuckDBTypeId.VARCHAR
      return (value) => {
        if (!(value instanceof DuckDBMapValue)) return encode(value)
        if (named) return Object.fromEntries(value.entries.map((entry) => [String(entry.key), item(entry.value)]))
        return value.entries.map((entry) => ({ key: key(entry.key), value: item(entry.value) }))
      }
    }
    case DuckDBTypeId.UNION:
      return (value) => (value instanceof DuckDBUnionValue ? encode(value.value) : encode(value))
    default:
      return encode
  }
}

function nullable(encoder: Encoder): Encoder {
  return (value) => (value === null ? null : encoder(value))
}

const farthest = 8_640_000_000_000_000n

function moment(nanos: bigint, written: DuckDBValue): Date {
  const millis = nanos / 1_000_000n
  if (millis > farthest || millis < -farthest) {
    throw new UnfitValue(
      runMessage('date_beyond_drivers', { value: String(jsonValue(written)) }),
      runMessage('date_beyond_drivers_fix'),
    )
  }
  if (millis * 1_000_000n === nanos) return new Date(Number(millis))
  throw new UnfitValue(
    runMessage('finer_than_millisecond', { value: String(written) }),
    runMessage('finer_than_millisecond_fix'),
  )
}
