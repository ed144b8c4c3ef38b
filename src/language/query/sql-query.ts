/** Conditions as SQL: values are binds, names are quoted. Pure. */
import type { SqlDialect } from '../sql/scan-sql.ts'
import { createBinds, type QueryBinds } from './binds.ts'
import { queryMsg } from './query-messages.ts'
import {
  mistake,
  type BuiltQuery,
  type Condition,
  type QueryPlace,
  type TextOperator,
  type TypedValue,
} from './query.types.ts'
import { identifier, tableSql } from './table-sql.ts'
import {
  digitsOf,
  fitsBits,
  hasTime,
  hasZone,
  inUtc,
  isSpecialNumber,
  jsonNumber,
  kindOfColumn,
} from './value-kinds.ts'

export interface Wanted {
  action: 'find' | 'count'
  conditions: readonly Condition[]
  columns: readonly string[]
  sort: string | null
  order: 'asc' | 'desc'
  limit: string | null
}

export function sqlQuery(place: QueryPlace, wanted: Wanted, dialect: SqlDialect): BuiltQuery {
  const binds = createBinds()
  const quoted = (name: string) => identifier(name, dialect)
  const { action, columns, sort, order, limit } = wanted
  const count = action === 'count'
  const selected = count
    ? `count(*) AS ${quoted('count')}`
    : columns.length === 0
      ? '*'
      : columns.map(quoted).join(', ')
  const conditions = wanted.conditions.map((condition) => conditionSql(condition, dialect, binds))
  const lines = [`SELECT ${selected}`, `FROM ${tableSql(place.type, place.resource, dialect)}`]
  if (conditions.length > 0) lines.push(`WHERE ${conditions.join('\n  AND ')}`)
  if (!count && sort !== null) lines.push(`ORDER BY ${quoted(sort)}${order === 'desc' ? ' DESC' : ''}`)
  if (!count && limit !== null) lines.push(`LIMIT ${limit}`)
  return { text: lines.join('\n'), parameters: binds.parameters }
}

export function conditionSql(condition: Condition, dialect: SqlDialect, binds: QueryBinds): string {
  const { field, operator, values } = condition
  const name = identifier(field, dialect)
  const bound = values.map((value) => valueSql(value, condition, dialect, binds))
  const [first = ''] = bound
  switch (operator) {
    case 'is null':
      return `${name} IS NULL`
    case 'is not null':
      return `${name} IS NOT NULL`
    case 'in':
      return `${name} IN (${bound.join(', ')})`
    case 'not in':
      return `${name} NOT IN (${bound.join(', ')})`
    case '!=':
      return `${name} <> ${first}`
    case 'contains':
    case 'not contains':
    case 'starts with':
    case 'ends with':
      return textSql(operator, name, { bound: () => first, isEmpty: values[0]?.text === '' }, dialect)
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${name} ${operator} ${first}`
  }
}

/** `bound` gives the place of the value, in the order in which it stands in the statement. */
interface BoundText {
  bound: () => string
  isEmpty: boolean
}

/** By functions rather than patterns, so that `%` and `_` mean themselves. */
export function textSql(operator: TextOperator, name: string, text: BoundText, dialect: SqlDialect): string {
  if (operator === 'not contains') return `NOT (${textSql('contains', name, text, dialect)})`
  const { bound, isEmpty } = text
  switch (dialect) {
    case 'postgres': {
      const column = `CAST(${name} AS text)`
      if (operator === 'contains') return `strpos(${column}, ${bound()}) > 0`
      if (operator === 'starts with') return `starts_with(${column}, ${bound()})`
      return `right(${column}, length(${bound()})) = ${bound()}`
    }
    case 'duckdb': {
      const call = { contains: 'contains', 'starts with': 'starts_with', 'ends with': 'suffix' }[operator]
      return `${call}(CAST(${name} AS VARCHAR), ${bound()})`
    }
    case 'mysql':
      if (operator === 'contains') return `LOCATE(${bound()}, ${name}) > 0`
      if (operator === 'starts with') return `LOCATE(${bound()}, ${name}) = 1`
      return `LOCATE(REVERSE(${bound()}), REVERSE(${name})) = 1`
    case 'sqlite':
      if (operator === 'contains') return `instr(${name}, ${bound()}) > 0`
      if (operator === 'starts with') return `instr(${name}, ${bound()}) = 1`
      // All of the text would be no end of it.
      return isEmpty ? `(${name} || ${bound()}) IS NOT NULL` : `substr(${name}, -length(${bound()})) = ${bound()}`
  }
}

export function valueSql(
  value: TypedValue,
  { field, column }: Pick<Condition, 'field' | 'column'>,
  dialect: SqlDialect,
  binds: QueryBinds,
): string {
  const { kind, text } = value
  const cast = (type: string, bound: string | number = text) => `CAST(${binds.add(field, bound)} AS ${type})`
  if (kind === 'boolean') {
    const isTrue = text === 'true'
    return binds.add(field, dialect === 'sqlite' || dialect === 'mysql' ? Number(isTrue) : isTrue)
  }
  if (kind === 'number') return numberSql(text, field, column, dialect, cast, binds)
  if (kind !== 'date' || dialect === 'sqlite' || isText(column, dialect)) {
    // PostgreSQL takes such a value for what stands beside it.
    return binds.add(field, text)
  }
  return dateSql(text, column, dialect, cast)
}

const isText = (column: string | undefined, dialect: SqlDialect): boolean =>
  column !== undefined && kindOfColumn(dialect, column) === 'string'

type Cast = (type: string, bound?: string | number) => string

function dateSql(text: string, column: string | undefined, dialect: SqlDialect, cast: Cast): string {
  const zoned = column !== undefined && /with time zone|timestamptz/i.test(column)
  if (dialect === 'mysql') return hasTime(text) ? cast('DATETIME(6)', inUtc(text).replace('T', ' ')) : cast('DATE')
  if (zoned || hasZone(text)) {
    const moment = hasTime(text) ? (hasZone(text) ? `${inUtc(text)}+00` : `${text}+00`) : `${text} 00:00:00+00`
    return cast('TIMESTAMPTZ', moment.replace('T', ' '))
  }
  return hasTime(text) ? cast('TIMESTAMP') : cast('DATE')
}

function numberSql(
  text: string,
  field: string,
  column: string | undefined,
  dialect: SqlDialect,
  cast: Cast,
  binds: QueryBinds,
): string {
  if (isSpecialNumber(text)) {
    if (dialect === 'sqlite' || dialect === 'mysql') throw mistake('filters', queryMsg('query_value_number'))
    return cast('DOUBLE PRECISION')
  }
  if (dialect === 'sqlite') return cast('NUMERIC')
  const digits = digitsOf(text)
  const isWhole = /^[+-]?\d+$/.test(text)
  if (dialect === 'postgres') {
    // So that 0.1 is the column's own 0.1.
    if (column !== undefined && /^(real|float4)$/i.test(column)) return binds.add(field, text)
    const type = fitsBits(text, 16n)
      ? 'smallint'
      : fitsBits(text, 32n)
        ? 'integer'
        : fitsBits(text, 64n)
          ? 'bigint'
          : null
    return cast(type ?? (digits ? 'numeric' : 'double precision'))
  }
  if (dialect === 'mysql') {
    if (isWhole && typeof jsonNumber(text) === 'number') return binds.add(field, jsonNumber(text))
    if (isWhole && fitsBits(text, 64n)) return cast('SIGNED')
    if (digits && digits.whole + digits.fraction <= 65 && digits.fraction <= 30)
      return cast(`DECIMAL(${Math.max(1, digits.whole + digits.fraction)}, ${digits.fraction})`)
    return cast('DOUBLE')
  }
  if (column !== undefined && /^float$/i.test(column)) return cast('FLOAT')
  if (fitsBits(text, 32n)) return cast('INTEGER')
  if (fitsBits(text, 64n)) return cast('BIGINT')
  if (digits && digits.whole + digits.fraction <= 38)
    return cast(`DECIMAL(${Math.max(1, digits.whole + digits.fraction)}, ${digits.fraction})`)
  return cast('DOUBLE')
}
