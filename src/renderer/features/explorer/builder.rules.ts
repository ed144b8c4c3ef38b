/** What the builder of a tab holds, and the statement that it stands for. Pure. */
import type {
  ExplorerFilter,
  ExplorerPresetDefinition,
  ExplorerValue,
  PresetParameter,
} from '../../../contract/explorer-presets.ts'
import type { ResourceDetail } from '../../../contract/connectors.ts'
import type { Message } from '../../../language/message.ts'
import { buildQuery } from '../../../language/query/build-query.ts'
import {
  type BuiltQuery,
  type FilterOperator,
  QueryMistakes,
  type QueryPlace,
} from '../../../language/query/query.types.ts'
import { buildWrite, isWriteAction } from '../../../language/query/write-query.ts'

export type BuilderColumn = ResourceDetail['columns'][number]
export interface BuilderPlace {
  type: string
  resource: string
  columns: readonly BuilderColumn[] | undefined
}

export const emptyDefinition: ExplorerPresetDefinition = { mode: 'visual', action: 'find', filters: [] }
export const newFilter: ExplorerFilter = { field: '', operator: '=', value: '', valueType: 'auto' }
export const newValue: ExplorerValue = { field: '', value: '', valueType: 'auto' }

/** The values of a new row with another one for a column; null: the row gets what the table gives it. */
export function withColumnValue(
  values: readonly ExplorerValue[],
  field: string,
  next: Omit<ExplorerValue, 'field'> | null,
): ExplorerValue[] {
  const index = values.findIndex((one) => one.field === field)
  if (next === null) return values.filter((one) => one.field !== field)
  const value = { valueType: 'auto' as const, ...next, field }
  return index < 0 ? [...values, value] : values.with(index, value)
}

/** Whether anything was chosen: nothing of it may be lost. */
export const isEmptyDefinition = (definition: ExplorerPresetDefinition): boolean => {
  const { filters, values, columns, sort, limit, action = 'find' } = definition
  return !filters?.length && !values?.length && !columns?.length && !sort && !limit && action === 'find'
}

/** Whether the builder changes rows, which is reviewed instead of being run. */
export const changesRows = ({ mode, action }: ExplorerPresetDefinition): boolean =>
  mode === 'visual' && isWriteAction(action)

/** Whether the change has no conditions: it is of all rows. */
export const changesAllRows = ({ action, filters }: ExplorerPresetDefinition): boolean =>
  (action === 'update' || action === 'delete') && !filters?.length

/** What belongs to the action: the builder keeps the rest while another one is tried. */
function ofAction(definition: ExplorerPresetDefinition): ExplorerPresetDefinition {
  if (definition.mode === 'raw') return definition
  const { values, columns, limit, sort, order, filters, ...rest } = definition
  switch (rest.action) {
    case 'insert':
      return { ...rest, ...(values && { values }) }
    case 'update':
      return { ...rest, ...(filters && { filters }), ...(values && { values }) }
    case 'delete':
      return { ...rest, ...(filters && { filters }) }
    case 'find':
    case 'count':
    case undefined:
      return {
        ...rest,
        ...(filters && { filters }),
        ...(columns && { columns }),
        ...(limit !== undefined && { limit }),
        ...(sort !== undefined && { sort }),
        ...(order && { order }),
      }
  }
}

/** As a model reads and writes it. */
export const modelText = (
  { action = 'find', filters, columns, sort, order, limit }: ExplorerPresetDefinition,
  resource: string,
): string => JSON.stringify({ builder: resource, action, filters, columns, sort, order, limit }, null, 1)

/** Names of the operators' words. */
export const operatorWords = {
  '=': 'equal',
  '!=': 'notEqual',
  '<': 'less',
  '<=': 'atMost',
  '>': 'more',
  '>=': 'atLeast',
  contains: 'contains',
  'not contains': 'notContains',
  'starts with': 'startsWith',
  'ends with': 'endsWith',
  in: 'in',
  'not in': 'notIn',
  'is null': 'isNull',
  'is not null': 'isNotNull',
} as const satisfies Record<FilterOperator, string>

const placeholder = /\{\{(\w+)\}\}/g

/** What belongs to the action, with a parameter for each placeholder in its values, or in its text; others are not kept. */
export function withParameters(given: ExplorerPresetDefinition): ExplorerPresetDefinition {
  const definition = ofAction(given)
  const { mode, rawQuery = '', filters = [], values = [] } = definition
  const texts = mode === 'raw' ? [rawQuery] : [...filters, ...values].map(({ value }) => value)
  const names = new Set(texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name)))
  const known = new Map((definition.parameters ?? []).map((parameter) => [parameter.name, parameter]))
  const parameters = [...names].map((name): PresetParameter => known.get(name) ?? { name, label: name, type: 'string' })
  const { parameters: _, ...rest } = definition
  return parameters.length === 0 ? rest : { ...rest, parameters }
}

/** Text of a query with `{{name}}`, which only MongoDB's JSON can have. `definition`: where its parameters may be described. */
export const rawDefinition = (
  { definition }: { definition?: ExplorerPresetDefinition | undefined },
  rawQuery: string,
): ExplorerPresetDefinition =>
  withParameters({ mode: 'raw', rawQuery, ...(definition?.parameters && { parameters: definition.parameters }) })

export type Shown =
  | { kind: 'statement'; query: BuiltQuery }
  | { kind: 'mistakes'; mistakes: readonly { path: string; reason: Message }[] }

/**
 * The statement of conditions, in the system's own language. `given`: values of parameters as far as they are known; until all are,
 * parameters stand in it by their names.
 */
export function statementOf(
  definition: ExplorerPresetDefinition,
  place: QueryPlace,
  given: Readonly<Record<string, string>> = {},
): Shown {
  const { parameters = [], ...rest } = withParameters(definition)
  const isKnown = parameters.every(({ name, defaultValue = '', required = true }) =>
    required ? (given[name] ?? defaultValue).trim() !== '' : true,
  )
  const asText = <T extends ExplorerValue>(one: T): T =>
    one.value.search(placeholder) < 0 ? one : { ...one, valueType: 'string' }
  const shown = isKnown
    ? { ...rest, parameters }
    : { ...rest, filters: rest.filters?.map(asText), values: rest.values?.map(asText) }
  const { action } = rest
  try {
    return {
      kind: 'statement',
      query: isWriteAction(action)
        ? buildWrite({ ...shown, action }, place, given)
        : buildQuery(shown, place, isKnown ? given : {}),
    }
  } catch (error) {
    if (error instanceof QueryMistakes) return { kind: 'mistakes', mistakes: error.mistakes }
    throw error
  }
}

/** What is wrong at one place of the form. */
export const mistakeAt = (shown: Shown, path: string): Message | undefined =>
  shown.kind === 'mistakes' ? shown.mistakes.find((mistake) => mistake.path === path)?.reason : undefined
