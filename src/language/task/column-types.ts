import { nearest, suggest } from '../nearest.ts'
import { record, type RecordOptions } from '../shape/record.ts'
import { nameOf, reportType } from '../shape/report-value.ts'
import { refuseTemplate, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { msg } from '../messages.ts'

/** The types a column may be given, in `cast`, `columns` and inline sources. A cast means the same in every lane. */
export type ColumnType = SimpleColumnType | DecimalType
export type SimpleColumnType = keyof typeof simpleTypes

/** `decimal(precision,scale)`, e.g. `decimal(18,2)`: precision 1 to 38, scale 0 to precision. */
export type DecimalType = `decimal(${number},${number})`

const simpleTypes = {
  string: 'Text.',
  integer: 'A 64-bit integer.',
  number: 'A 64-bit floating-point number.',
  boolean: 'True or false.',
  date: 'A date.',
  time: 'A time of day, to the microsecond.',
  datetime: 'A date and time, to the microsecond; text with an offset is converted to UTC.',
  json: 'Any JSON value.',
  binary: 'Bytes. Text becomes its UTF-8 bytes, or the bytes written as hexadecimal digits after `\\x`.',
} as const

export const columnTypeNames: readonly string[] = [...Object.keys(simpleTypes), 'decimal(18,2)']

/** What other systems call them. */
const otherNames: Record<string, string> = {
  text: 'string',
  varchar: 'string',
  str: 'string',
  uuid: 'string',
  int: 'integer',
  bigint: 'integer',
  int64: 'integer',
  smallint: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  real: 'number',
  bool: 'boolean',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  jsonb: 'json',
  object: 'json',
  bytes: 'binary',
  blob: 'binary',
  bytea: 'binary',
  numeric: 'decimal(18,2)',
  decimal: 'decimal(18,2)',
}

const DECIMAL = /^decimal\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/

/** Text → type, or null. */
export function parseColumnType(written: string): ColumnType | null {
  // Own keys of the table are exactly the simple types.
  if (Object.hasOwn(simpleTypes, written)) return written as SimpleColumnType
  const match = DECIMAL.exec(written)
  if (!match) return null
  const precision = Number(match[1])
  const scale = Number(match[2])
  return precision >= 1 && precision <= 38 && scale <= precision ? `decimal(${precision},${scale})` : null
}

/** DuckDB's integers that are not among the names that people use. */
const storedInteger = /^u?(tiny|small|big|huge)?int(eger)?$/

/** A type as DuckDB names it → as the language does: `VARCHAR` → `string`, `DECIMAL(18,2)` → `decimal(18,2)`. Others in small letters. */
export function columnTypeOf(stored: string): string {
  const name = stored.toLowerCase()
  if (name.startsWith('decimal(')) return name
  if (name.endsWith(']') || /^(struct|map|list|union)\b/.test(name)) return 'json'
  if (storedInteger.test(name)) return 'integer'
  if (name.startsWith('timestamp')) return 'datetime'
  return Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name
}

export const zoned = 'TIMESTAMP WITH TIME ZONE'
const declared: Record<string, ColumnType> = {
  VARCHAR: 'string',
  BIGINT: 'integer',
  DOUBLE: 'number',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'datetime',
  [zoned]: 'datetime',
  JSON: 'json',
  BLOB: 'binary',
}

/** The type that makes a file's column of a type as DuckDB names it, `zoned` in UTC; null: none does. */
export function declaredTypeOf(stored: string): ColumnType | null {
  return Object.hasOwn(declared, stored) ? (declared[stored] ?? null) : parseColumnType(stored.toLowerCase())
}

export const columnType: Shape<ColumnType> = {
  schema: {
    description: 'A column type. `decimal(p,s)` holds p digits, s of them after the decimal point.',
    anyOf: [
      { enum: Object.keys(simpleTypes), 'x-enum-descriptions': Object.values(simpleTypes) },
      { type: 'string', pattern: DECIMAL.source, examples: ['decimal(18,2)'] },
    ],
  },
  read(node, path, context) {
    if (!refuseTemplate(node, path, context)) return undefined
    if (node.kind !== 'scalar' || typeof node.value !== 'string') {
      return reportType(node, path, context, msg('a_column_type'), msg('write_column_type', { types: columnTypeNames }))
    }
    const type = parseColumnType(node.value)
    if (type !== null) return type
    const near = nearest(node.value, [...columnTypeNames, ...Object.keys(otherNames)])
    const meant = near === null || !Object.hasOwn(otherNames, near) ? undefined : otherNames[near]
    context.report({
      code: 'not_one_of',
      message: msg('unknown_column_type', { name: nameOf(path), type: node.value.slice(0, 60) }),
      hint: meant ? msg('write_meant', { meant }) : suggest(node.value, columnTypeNames, 'types'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

const nameOfColumn = text({ description: 'Name of a column.', maxLength: 200 })
export const columnName: Shape<string> = {
  ...nameOfColumn,
  schema: { ...nameOfColumn.schema, 'x-complete': 'column' },
}

/** column → type, by its name or as `type` reads it. */
export function columnTypes<T>(type: Shape<T>, options: RecordOptions): ReturnType<typeof record<T>> {
  const shape = record(type, options)
  return { ...shape, schema: { ...shape.schema, propertyNames: { 'x-complete': 'column' } } }
}

/** Column names compare without case, as the databases do. */
export function sameColumn(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
