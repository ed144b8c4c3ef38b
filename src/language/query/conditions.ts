/** Filters as they are written, and what they mean. Pure. */
import type { Fill } from './placeholders.ts'
import {
  QueryMistakes,
  filterOperators,
  isTextOperator,
  mistake,
  type Condition,
  type FilterOperator,
  type QueryFilter,
  type QueryMistake,
  type QueryPlace,
  type TypedValue,
  type ValueKind,
  withoutValue,
} from './query.types.ts'
import { queryMsg } from './query-messages.ts'
import { isBoolean, isDate, isNumber, isObjectId, isSpecialNumber, settled } from './value-kinds.ts'
import type { Message } from '../message.ts'

const isOperator = (operator: string): operator is FilterOperator => filterOperators.some((known) => known === operator)
const isList = (operator: string): boolean => operator === 'in' || operator === 'not in'
/** In one query: SQLite takes 32,766, others twice as many. */
const mostValues = 10_000

/** Throws `QueryMistakes` with everything that is wrong with the filters. */
export function conditionsOf(filters: readonly QueryFilter[], place: QueryPlace, fill: Fill): Condition[] {
  const mistakes: QueryMistake[] = []
  // Before any of them is looked at.
  const listed = filters.map(({ operator, value }) => (isList(operator) ? itemsOf(value) : [value]))
  let count = 0
  const passing = listed.findIndex((items) => (count += items.length) > mostValues)
  if (passing >= 0) throw mistake(`filters[${passing}].value`, queryMsg('query_values_many', { most: mostValues }))
  const conditions = filters.flatMap((filter, index) => {
    try {
      return [conditionOf(filter, listed[index] ?? [], place, fill)]
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      mistakes.push({ path: `filters[${index}].${error.part}`, reason: error.reason })
      return []
    }
  })
  if (mistakes.length > 0) throw new QueryMistakes(mistakes)
  return conditions
}

class Wrong extends Error {
  readonly part: 'field' | 'operator' | 'value'
  readonly reason: Message
  constructor(part: Wrong['part'], reason: Message) {
    super(reason.message)
    this.part = part
    this.reason = reason
  }
}

function conditionOf(
  { field, operator, value, valueType = 'auto' }: QueryFilter,
  items: readonly string[],
  place: QueryPlace,
  fill: Fill,
): Condition {
  if (field.trim() === '') throw new Wrong('field', queryMsg('query_field_empty'))
  if (!isOperator(operator))
    throw new Wrong('operator', queryMsg('query_operator_unknown', { operator, operators: filterOperators }))
  const column = place.columns?.find(({ name }) => name === field)?.type
  const condition = (meant: FilterOperator, values: readonly TypedValue[]): Condition => ({
    field,
    column,
    operator: meant,
    values,
  })
  if (withoutValue(operator)) return condition(operator, [])
  if (isTextOperator(operator)) return condition(operator, [{ kind: 'string', text: fill(value) }])
  // A list is taken apart before its placeholders are filled: a value never becomes two.
  const texts = items.map(fill)
  if (texts.length === 0) throw new Wrong('value', queryMsg('query_list_empty'))
  const kinds = texts.map((text) => settled(place, field, valueType, text.trim()))
  if (kinds.includes('null')) {
    if (operator === '=') return condition('is null', [])
    if (operator === '!=') return condition('is not null', [])
    throw new Wrong('value', queryMsg('query_value_null'))
  }
  return condition(
    operator,
    texts.map((text, at) => typedValue(kinds[at] ?? 'string', text)),
  )
}

/** `a, b` or, where values have commas or blanks at their ends, `["a", "b"]`. */
export function itemsOf(text: string): string[] {
  if (text.trim() === '') return []
  if (text.trim().startsWith('[')) {
    const items = parsedList(text)
    if (items) return items
  }
  return text.split(',').map((item) => item.trim())
}

function parsedList(text: string): string[] | null {
  try {
    const items: unknown = JSON.parse(text)
    if (!Array.isArray(items)) return null
    // Numbers keep their digits: they are taken from the text.
    if (items.every((item) => typeof item === 'string')) return items
    return items.every((item) => typeof item === 'number' || typeof item === 'boolean')
      ? text
          .trim()
          .slice(1, -1)
          .split(',')
          .map((item) => item.trim())
      : null
  } catch {
    return null // a list that is no JSON: `[a], [b]`
  }
}

const checks: Partial<Record<ValueKind, (text: string) => Message | null>> = {
  number: (text) => (isNumber(text) || isSpecialNumber(text) ? null : queryMsg('query_value_number')),
  boolean: (text) => (isBoolean(text) ? null : queryMsg('query_value_boolean')),
  date: (text) => (isDate(text) ? null : queryMsg('query_value_date')),
  objectId: (text) => (isObjectId(text) ? null : queryMsg('query_value_object_id')),
}

function typedValue(kind: Exclude<ValueKind, 'auto'>, written: string): TypedValue {
  if (kind === 'string' || kind === 'null') return { kind: 'string', text: written }
  const text = written.trim()
  const wrong = checks[kind]?.(text)
  if (wrong) throw new Wrong('value', wrong)
  return { kind, text: kind === 'boolean' ? String(/^(true|1)$/i.test(text)) : text }
}
