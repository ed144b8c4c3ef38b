import type { MysqlField, MysqlValue } from '../connectors/mysql-client.ts'
import { bitsOf, columnTypes, isBinary, isUnsigned } from '../connectors/mysql-values.ts'
import { EngineError } from '../engine/errors.ts'
import { name } from '../engine/sql-text.ts'
import type { Storage, StoredValue } from './chunk-columns.ts'
import type { TypedColumn } from './typed-writer.ts'

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
  /** For the column: what it is read as where values do not fit; null: those are read as NULL. */
  instead: { type: string; sql: string } | null
  /** What such values are. */
  words: string
}

type Given = Exclude<MysqlValue, null>

const big = (value: Given): StoredValue => BigInt(value as number | string) // an integer's column
const blob = (value: Given): StoredValue => (Buffer.isBuffer(value) ? value : Buffer.from(String(value)))
const bits = (value: Given): StoredValue => (Buffer.isBuffer(value) ? bitsOf(value) : BigInt(value))
const asText = (value: Given): StoredValue =>
  typeof value === 'string' ? value : Buffer.isBuffer(value) ? value.toString() : String(value)

/**
 * What a column is follows from its declaration, never from its values, but for four kinds that hold more than DuckDB's type of that name:
 * `tinyint(1)`, which is MySQL's word for boolean and takes -128 to 127; TIME, which may be longer than a day; DECIMAL of more than 38
 * digits; and dates of zeros. Those are looked at, and what does not fit is told.
 */
export function readOf(field: MysqlField): MysqlRead {
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
      return field.columnLength === 1 ? booleanOf(signed('TINYINT', 'UTINYINT'), value) : signed('TINYINT', 'UTINYINT')
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
      return timeOf(plain('VARCHAR'), value)
    case columnTypes.json:
      return plain('VARCHAR', undefined, 'JSON')
    case columnTypes.geometry:
      throw new EngineError(
        'QUERY_INVALID',
        `Column \`${field.name}\` holds shapes, which cannot be read as they are`,
        {
          hint: `Read them as text: ST_AsText(${field.name}) AS ${field.name}. A whole table (\`table\`) is read so by itself.`,
        },
      )
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

function booleanOf(read: MysqlRead, value: string): MysqlRead {
  return {
    ...read,
    type: 'BOOLEAN',
    sql: `CAST(${value} AS BOOLEAN)`,
    doubt: { misfit: `${value} NOT IN (0, 1)`, instead: { type: read.type, sql: value }, words: 'neither 0 nor 1' },
  }
}

function decimalOf(field: MysqlField, read: MysqlRead, value: string): MysqlRead {
  const places = field.decimals
  const length = (field.columnLength ?? 0) - (places > 0 ? 1 : 0) - (isUnsigned(field) ? 0 : 1)
  const digits = Math.min(38, Math.max(length, places, 1))
  const type = `DECIMAL(${digits},${Math.min(places, 38)})`
  const decimal = { ...read, type, sql: `CAST(${value} AS ${type})` }
  if (length <= 38 && places <= 38) return decimal
  return {
    ...decimal,
    doubt: {
      misfit: `length(ltrim(split_part(${value}, '.', 1), '-0')) > ${digits - places} OR length(split_part(${value}, '.', 2)) > ${places}`,
      instead: { type: 'VARCHAR', sql: value },
      words: 'of more than 38 digits',
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
    doubt: { misfit: `${cast} IS NULL`, instead: null, words: 'no dates, such as 0000-00-00' },
  }
}

function timeOf(read: MysqlRead, value: string): MysqlRead {
  return {
    ...read,
    type: 'TIME',
    sql: `CAST(${value} AS TIME)`,
    doubt: {
      misfit: `${value} NOT BETWEEN '00:00:00' AND '23:59:59.999999' OR length(split_part(${value}, ':', 1)) <> 2`,
      instead: { type: 'VARCHAR', sql: value },
      words: 'no times of a day',
    },
  }
}
