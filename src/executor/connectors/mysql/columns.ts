import type { ConnectorConfig } from '../../../contract/connector-types.ts'
import type { MysqlField, MysqlValue } from './client.ts'
import { bitsOf, columnTypes, isBinary, isUnsigned } from './values.ts'
import { castText } from '../../engine/cast-decimals.ts'
import { EngineError } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { Storage } from '../../sources/chunk-columns.ts'
import type { StoredValue } from '../../sources/vector-column.ts'
import type { TypedColumn } from '../../sources/typed-writer.ts'
import type { Message } from '../../../language/message.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** How a column of an answer is put down, and what it is read as. */
export interface MysqlRead {
  write: TypedColumn
  /** A value as the column is written; absent: as it is. */
  encode?: (value: Given) => StoredValue
  /** DuckDB's type. */
  type: string
  /** SQL that makes the type out of what was put down. */
  sql: string
  /** Where the type alone does not say whether every value fits: */
  doubt: Doubt | null
}

export interface Doubt {
  /** SQL: true where a value does not fit. */
  misfit: string
  /** What such values are, and what to do; null: they are dates of zeros, read as NULL. */
  refused: { is: Message; hint: Message } | null
}

/** What the connector says of types that mean two things. */
export type MysqlReading = Pick<ConnectorConfig<'mysql'>, 'tinyint1' | 'time'>

type Given = Exclude<MysqlValue, null>

const big = (value: Given): StoredValue => BigInt(value as number | string) // an integer's column
const blob = (value: Given): StoredValue => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)))
const bits = (value: Given): StoredValue => (Buffer.isBuffer(value) ? bitsOf(value) : BigInt(value))
const asText = (value: Given): StoredValue =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString() : String(value)

/**
 * What a column is follows from its declaration and the connector, never from its values. Four kinds hold more than DuckDB's type of that
 * name: `tinyint(1)`, which is MySQL's word for boolean and takes -128 to 127; TIME, which may be longer than a day; DECIMAL of more than 38
 * digits; and dates of zeros. Those are looked at: what does not fit is refused, and zeros become NULL, which is told.
 */
export function readOf(field: MysqlField, reading: MysqlReading): MysqlRead {
  const value = name(field.name)
  const plain = (storage: Storage, encode?: (given: Given) => StoredValue, type: string = storage): MysqlRead => ({
    write: { name: field.name, storage },
    ...(encode ? { encode } : {}),
    type,
    sql: type === storage ? value : `CAST(${value} AS ${type})`,
    doubt: null,
  })
  const signed = (type: Storage, unsigned: Storage): MysqlRead => plain(isUnsigned(field) ? unsigned : type)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- types of servers to come are read as text
  switch (field.columnType) {
    case columnTypes.tiny:
      // BOOLEAN is `tinyint(1)`, and signed.
      return field.columnLength === 1 && !isUnsigned(field) && reading.tinyint1 !== 'integer'
        ? booleanOf(field, plain('TINYINT'), value)
        : signed('TINYINT', 'UTINYINT')
    case columnTypes.short:
      return signed('SMALLINT', 'USMALLINT')
    case columnTypes.year:
      return plain('SMALLINT')
    case columnTypes.int24:
      return plain('INTEGER')
    case columnTypes.long:
      return signed('INTEGER', 'UINTEGER')
    case columnTypes.longlong:
      return isUnsigned(field) ? plain('UBIGINT', big) : plain('BIGINT', big)
    case columnTypes.float:
      return plain('FLOAT')
    case columnTypes.double:
      return plain('DOUBLE')
    case columnTypes.decimal:
      return decimalOf(field, plain('VARCHAR'), value)
    case columnTypes.bit:
      return field.columnLength === 1 ? plain('UBIGINT', bits, 'BOOLEAN') : plain('UBIGINT', bits)
    case columnTypes.date:
      return momentOf('DATE', plain('VARCHAR'), value)
    case columnTypes.datetime:
      return momentOf('TIMESTAMP', plain('VARCHAR'), value)
    case columnTypes.timestamp:
      // The session's zone is UTC.
      return momentOf('TIMESTAMP WITH TIME ZONE', plain('VARCHAR'), value)
    case columnTypes.time:
      return reading.time === 'string' ? plain('VARCHAR') : timeOf(field, plain('VARCHAR'), value)
    case columnTypes.json:
      return plain('VARCHAR', undefined, 'JSON')
    case columnTypes.geometry:
      throw new EngineError('QUERY_INVALID', runMessage('shapes_unreadable', { key: field.name }), {
        hint: runMessage('shapes_unreadable_fix', { key: field.name }),
      })
    default:
      return otherOf(field, plain)
  }
}

function otherOf(
  field: MysqlField,
  plain: (storage: Storage, encode?: (given: Given) => StoredValue, type?: string) => MysqlRead,
): MysqlRead {
  if (field.extendedFormat === 'json') return plain('VARCHAR', undefined, 'JSON')
  if (field.extendedTypeName === 'uuid') return plain('VARCHAR', undefined, 'UUID')
  const extended = field.extendedTypeName !== undefined && field.extendedTypeName !== 'vector'
  // A NULL that says nothing else is text, too.
  if (field.columnType === columnTypes.null || extended) return plain('VARCHAR', asText)
  return isBinary(field) || field.columnType === columnTypes.vector ? plain('BLOB', blob) : plain('VARCHAR')
}

function booleanOf({ name: column }: MysqlField, read: MysqlRead, value: string): MysqlRead {
  return {
    ...read,
    type: 'BOOLEAN',
    sql: `CAST(${value} AS BOOLEAN)`,
    doubt: {
      misfit: `${value} NOT IN (0, 1)`,
      refused: {
        is: runMessage('read_as', { type: 'tinyint(1)', read: 'boolean' }),
        hint: runMessage('tinyint_fix', { column }),
      },
    },
  }
}

function decimalOf(field: MysqlField, read: MysqlRead, value: string): MysqlRead {
  const places = field.decimals
  const length = (field.columnLength ?? 0) - (places > 0 ? 1 : 0) - (isUnsigned(field) ? 0 : 1)
  const digits = Math.min(38, Math.max(length, places, 1))
  const type = `DECIMAL(${digits},${Math.min(places, 38)})`
  const decimal = { ...read, type, sql: castText(value, type) }
  if (length <= 38 && places <= 38) return decimal
  return {
    ...decimal,
    doubt: {
      misfit: `length(ltrim(split_part(${value}, '.', 1), '-0')) > ${digits - places} OR length(split_part(${value}, '.', 2)) > ${places}`,
      refused: {
        is: runMessage('read_as', { type: `decimal(${length},${places})`, read: type.toLowerCase() }),
        hint: runMessage('decimal_fix', { column: field.name }),
      },
    },
  }
}

function momentOf(type: string, read: MysqlRead, value: string): MysqlRead {
  const zoned = type === 'TIMESTAMP WITH TIME ZONE'
  const cast = zoned ? `TRY_CAST(${value} || '+00' AS TIMESTAMPTZ)` : `TRY_CAST(${value} AS ${type})`
  return {
    ...read,
    type,
    sql: cast,
    doubt: { misfit: `${cast} IS NULL`, refused: null },
  }
}

function timeOf({ name: column }: MysqlField, read: MysqlRead, value: string): MysqlRead {
  return {
    ...read,
    type: 'TIME',
    sql: `CAST(${value} AS TIME)`,
    doubt: {
      misfit: `${value} NOT BETWEEN '00:00:00' AND '23:59:59.999999' OR length(split_part(${value}, ':', 1)) <> 2`,
      refused: {
        is: runMessage('read_as_time'),
        hint: runMessage('time_fix', { column }),
      },
    },
  }
}
