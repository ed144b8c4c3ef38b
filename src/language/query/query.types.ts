import type { Message } from '../message.ts'

/** What the builder says, as presets keep it. */
export interface QueryDefinition {
  mode: 'visual' | 'raw'
  action?: string | undefined
  filters?: readonly QueryFilter[] | undefined
  /** What `insert` and `update` write. */
  values?: readonly QueryValue[] | undefined
  columns?: readonly string[] | undefined
  limit?: string | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  rawQuery?: string | undefined
  parameters?: readonly QueryParameter[] | undefined
}

export interface QueryFilter {
  field: string
  operator: string
  value: string
  valueType?: ValueKind | undefined
}

export type QueryValue = Omit<QueryFilter, 'operator'>

export interface QueryParameter {
  name: string
  type: 'string' | 'objectId' | 'mongoRecord'
  required?: boolean | undefined
  defaultValue?: string | undefined
  valueField?: string | undefined
}

export type ValueKind = 'auto' | 'string' | 'number' | 'boolean' | 'null' | 'objectId' | 'date'

export const filterOperators = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'not contains',
  'starts with',
  'ends with',
  'in',
  'not in',
  'is null',
  'is not null',
] as const
export type FilterOperator = (typeof filterOperators)[number]

/** Those that look at the text of a value. */
const textOperators = ['contains', 'not contains', 'starts with', 'ends with'] as const
export type TextOperator = (typeof textOperators)[number]
export const isTextOperator = (operator: string): operator is TextOperator =>
  textOperators.some((known) => known === operator)

/** Operators that take no value. */
export const withoutValue = (operator: string): boolean => operator === 'is null' || operator === 'is not null'

/** What is asked, and whom. */
export interface QueryPlace {
  /** Type of the connector. */
  type: string
  /** Table, collection, entity set, file, or path, as the list of resources has it. */
  resource: string
  /** As far as they are known: they say what `auto` means. */
  columns?: readonly { name: string; type: string }[] | undefined
}

/** A query in the system's own language, and the values for its `:name`. */
export interface BuiltQuery {
  text: string
  parameters: Record<string, string | number | boolean | null>
}

/** A value whose kind is settled. */
export interface TypedValue {
  kind: Exclude<ValueKind, 'auto' | 'null'>
  text: string
}

/** A filter that is understood. `column`: the system's type of the field, where it is known. */
export interface Condition {
  field: string
  column: string | undefined
  operator: FilterOperator
  values: readonly TypedValue[]
}

/** What is wrong with a definition, and where in it. */
export interface QueryMistake {
  path: string
  reason: Message
}

/** Thrown by what builds queries. */
export class QueryMistakes extends Error {
  readonly mistakes: readonly QueryMistake[]
  constructor(mistakes: readonly QueryMistake[]) {
    super(mistakes[0]?.reason.message)
    this.mistakes = mistakes
  }
}

export function mistake(path: string, reason: Message): QueryMistakes {
  return new QueryMistakes([{ path, reason }])
}
