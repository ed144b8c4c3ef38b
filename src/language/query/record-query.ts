/** What a parameter's picker asks of its collection, in Extended JSON. What is searched for is a value, never an operator. Pure. */
import { checkedField, escapedPattern, mongoLiteral } from './mongo-query.ts'
import { isBoolean, isDate, isNumber, isObjectId } from './value-kinds.ts'

/** The collection of a `mongoRecord` parameter, and how its records are shown. */
export interface RecordSource {
  collection?: string | undefined
  valueField?: string | undefined
  labelField?: string | undefined
  descriptionFields?: readonly string[] | undefined
  searchFields?: readonly string[] | undefined
  filter?: Readonly<Record<string, unknown>> | undefined
  sort?: Readonly<Record<string, unknown>> | undefined
}

export const valueFieldOf = ({ valueField = '' }: RecordSource): string => (valueField === '' ? '_id' : valueField)
export const labelFieldOf = (source: RecordSource): string =>
  source.labelField === undefined || source.labelField === '' ? valueFieldOf(source) : source.labelField

/** One page, by position. `_id` decides where the sort leaves records equal, so that no page depends on chance. */
export function recordsQuery(source: RecordSource, page: { q: string; skip: number; limit: number }): string {
  const { sort = {} } = source
  const order = Object.keys(sort).length > 0 ? sort : { [labelFieldOf(source)]: 1 }
  return JSON.stringify({
    ...inCollection(source, searchOf(source, page.q.trim())),
    sort: Object.hasOwn(order, '_id') ? order : { ...order, _id: 1 },
    skip: page.skip,
    limit: page.limit,
  })
}

/** The record that has this value. */
export function recordQuery(source: RecordSource, value: string): string {
  return JSON.stringify({ ...inCollection(source, { [valueFieldOf(source)]: { $in: meanings(value) } }), limit: 1 })
}

function inCollection(source: RecordSource, condition: object | null) {
  const { collection = '', filter = {}, descriptionFields = [], searchFields = [] } = source
  const shown = [valueFieldOf(source), labelFieldOf(source), ...descriptionFields].map((field, index) =>
    checkedField(field, index === 0 ? 'valueField' : index === 1 ? 'labelField' : `descriptionFields[${index - 2}]`),
  )
  for (const [index, field] of searchFields.entries()) checkedField(field, `searchFields[${index}]`)
  // MongoDB refuses `a` and `a.b` together; `a` has both.
  const names = [...new Set(shown)]
  const needed = names.filter((name) => !names.some((other) => name.startsWith(`${other}.`)))
  const conditions = [filter, condition].filter((one) => one !== null && Object.keys(one).length > 0)
  return {
    find: collection,
    filter: conditions.length > 1 ? { $and: conditions } : (conditions[0] ?? {}),
    projection: {
      ...(needed.includes('_id') ? {} : { _id: 0 }),
      ...Object.fromEntries(needed.map((field) => [field, 1])),
    },
  }
}

/** Text that a field contains, or the very number, date, or ObjectId. */
function searchOf(source: RecordSource, q: string): object | null {
  if (q === '') return null
  const { searchFields = [] } = source
  const [, ...exact] = meanings(q)
  const tests = (searchFields.length > 0 ? searchFields : [labelFieldOf(source)]).flatMap((field): object[] => [
    { [field]: { $regex: escapedPattern(q), $options: 'i' } },
    ...(exact.length > 0 ? [{ [field]: { $in: exact } }] : []),
  ])
  return tests.length === 1 ? tests[0]! : { $or: tests }
}

/** A value's text first, then everything else that has this text. */
function meanings(text: string): unknown[] {
  return [
    text,
    ...(isObjectId(text) ? [mongoLiteral({ kind: 'objectId', text }, false)] : []),
    ...(isNumber(text) && !isObjectId(text) ? [mongoLiteral({ kind: 'number', text }, false)] : []),
    ...(isDate(text) ? [mongoLiteral({ kind: 'date', text }, false)] : []),
    ...(isBoolean(text) && !isNumber(text) ? [text.toLowerCase() === 'true'] : []),
  ]
}
