/** Conditions as a query of MongoDB in Extended JSON. Pure. */
import {
  mistake,
  type BuiltQuery,
  type Condition,
  type QueryPlace,
  type TextOperator,
  type TypedValue,
} from './query.types.ts'
import { queryMsg } from './query-messages.ts'
import type { Wanted } from './sql-query.ts'
import { fitsBits, inUtc, hasTime, isSpecialNumber, jsonNumber } from './value-kinds.ts'

export function mongoQuery({ resource }: QueryPlace, wanted: Wanted): BuiltQuery {
  const { action, conditions, columns, sort, order, limit } = wanted
  const filter = mongoFilter(conditions)
  if (action === 'count') return built({ count: resource, query: filter })
  for (const [index, column] of columns.entries()) checkedField(column, `columns[${index}]`)
  const projection =
    columns.length === 0
      ? undefined
      : { ...(columns.includes('_id') ? {} : { _id: 0 }), ...Object.fromEntries(columns.map((column) => [column, 1])) }
  return built({
    find: resource,
    filter,
    projection,
    sort: sort === null ? undefined : { [checkedField(sort, 'sort')]: order === 'desc' ? -1 : 1 },
    limit: limit === null ? undefined : Number(limit),
  })
}

export function mongoFilter(conditions: readonly Condition[]): object {
  const parts = conditions.map((condition, index) => ({
    [checkedField(condition.field, `filters[${index}].field`)]: testOf(condition),
  }))
  return parts.length > 1 ? { $and: parts } : (parts[0] ?? {})
}

export const built = (query: object): BuiltQuery => ({ text: JSON.stringify(query, null, 2), parameters: {} })

/** A name that begins with `$` would be an operator. */
export function checkedField(field: string, path: string): string {
  if (field.split('.').some((part) => part === '' || part.startsWith('$')) || field.includes('\0'))
    throw mistake(path, queryMsg('query_field_name', { field }))
  return field
}

/** Missing fields and NULL match `is null` alone, as in the other systems. */
function testOf({ operator, values, column = '' }: Condition): object {
  const all = values.map((value) => mongoLiteral(value, column.includes('decimal')))
  const [first] = all
  switch (operator) {
    case '=':
      return { $eq: first }
    case '!=':
      return { $nin: [first, null] }
    case '<':
      return { $lt: first }
    case '<=':
      return { $lte: first }
    case '>':
      return { $gt: first }
    case '>=':
      return { $gte: first }
    case 'in':
      return { $in: all }
    case 'not in':
      return { $nin: [...all, null] }
    case 'is null':
      return { $eq: null }
    case 'is not null':
      return { $ne: null }
    case 'contains':
    case 'not contains':
    case 'starts with':
    case 'ends with':
      return textTest(operator, values[0]?.text ?? '')
  }
}

export function textTest(operator: TextOperator, text: string): object {
  const pattern = escapedPattern(text)
  switch (operator) {
    case 'contains':
      return { $regex: pattern }
    case 'not contains':
      return { $not: { $regex: pattern }, $ne: null }
    case 'starts with':
      return { $regex: `^${pattern}` }
    case 'ends with':
      return { $regex: `${pattern}\\z` }
  }
}

export const escapedPattern = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}#-]/g, '\\$&')

/** `decimal`: there are decimals in the field, to which 0.1 is another number than the double. */
export function mongoLiteral({ kind, text }: TypedValue, decimal: boolean): unknown {
  switch (kind) {
    case 'string':
      return text
    case 'boolean':
      return text === 'true'
    case 'objectId':
      return { $oid: text.toLowerCase() }
    case 'date':
      return { $date: hasTime(text) ? `${inUtc(text).replace(' ', 'T')}Z` : `${text}T00:00:00Z` }
    case 'number':
      if (isSpecialNumber(text)) return { $numberDouble: text.replace('+', '') }
      if (/^[+-]?\d+$/.test(text) && fitsBits(text, 64n)) {
        return fitsBits(text, 32n) ? Number(text) : { $numberLong: BigInt(text.replace('+', '')).toString() }
      }
      return !decimal && (typeof jsonNumber(text) === 'number' || String(Number(text)) === text)
        ? { $numberDouble: String(Number(text)) }
        : { $numberDecimal: text }
  }
}
