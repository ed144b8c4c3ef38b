/** Conditions as the address of an OData or HTTP request. Values are binds, which the executor writes as their types need. Pure. */
import { createBinds, type QueryBinds } from './binds.ts'
import { mistake, type BuiltQuery, type Condition, type QueryPlace, type TypedValue } from './query.types.ts'
import { queryMsg } from './query-messages.ts'
import type { Wanted } from './sql-query.ts'
import { jsonNumber } from './value-kinds.ts'

const property = /^[\p{L}_][\p{L}\p{N}_]*(?:\/[\p{L}_][\p{L}\p{N}_]*)*$/u

export function odataQuery({ resource }: QueryPlace, wanted: Wanted): BuiltQuery {
  const { action, conditions, columns, sort, order, limit } = wanted
  if (!/^[^?#\s%]+$/.test(resource)) throw mistake('resource', queryMsg('query_resource_name', { resource }))
  const checked = (field: string, path: string): string => {
    if (!property.test(field)) throw mistake(path, queryMsg('query_field_name', { field }))
    return field
  }
  const binds = createBinds()
  const filters = conditions.map((condition, index) => {
    checked(condition.field, `filters[${index}].field`)
    return filterOf(condition, binds)
  })
  const options = filters.length === 0 ? [] : [`$filter=${filters.join(' and ')}`]
  if (action === 'find') {
    for (const [index, column] of columns.entries()) checked(column, `columns[${index}]`)
    if (columns.length > 0) options.push(`$select=${columns.join(',')}`)
    if (sort !== null) options.push(`$orderby=${checked(sort, 'sort')}${order === 'desc' ? ' desc' : ''}`)
    if (limit !== null) options.push(`$top=${limit}`)
  }
  const path = action === 'count' ? `${resource}/$count` : resource
  return { text: options.length === 0 ? path : `${path}?${options.join('&')}`, parameters: binds.parameters }
}

const comparisons = { '=': 'eq', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' } as const

function filterOf({ field, operator, values }: Condition, binds: QueryBinds): string {
  const bound = values.map((value) => binds.add(field, bindOf(value)))
  const [first = ''] = bound
  switch (operator) {
    case 'is null':
      return `${field} eq null`
    case 'is not null':
      return `${field} ne null`
    case 'contains':
      return `contains(${field}, ${first})`
    case 'not contains':
      return `${field} ne null and not contains(${field}, ${first})`
    case 'starts with':
      return `startswith(${field}, ${first})`
    case 'ends with':
      return `endswith(${field}, ${first})`
    case 'in':
      return `(${bound.map((value) => `${field} eq ${value}`).join(' or ')})`
    case 'not in':
      return `${field} ne null and ${bound.map((value) => `${field} ne ${value}`).join(' and ')}`
    case '!=':
      return `${field} ne null and ${field} ne ${first}`
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return `${field} ${comparisons[operator]} ${first}`
  }
}

const bindOf = ({ kind, text }: TypedValue): string | number | boolean =>
  kind === 'boolean' ? text === 'true' : kind === 'number' ? jsonNumber(text) : text

/** The filters as parameters of the address: all that HTTP in general knows. */
export function httpQuery({ resource }: QueryPlace, wanted: Wanted): BuiltQuery {
  const { action, conditions, columns, sort, limit } = wanted
  if (/[\s#]/.test(resource)) throw mistake('resource', queryMsg('query_resource_name', { resource }))
  if (action === 'count') throw mistake('action', queryMsg('query_count_not_here'))
  if (columns.length > 0) throw mistake('columns', queryMsg('query_columns_not_here'))
  if (sort !== null) throw mistake('sort', queryMsg('query_sort_not_here'))
  if (limit !== null) throw mistake('limit', queryMsg('query_limit_not_here'))
  const binds = createBinds()
  const written = conditions.map(({ field, operator, values: [value] }, index) => {
    if (operator !== '=' || !value) throw mistake(`filters[${index}].operator`, queryMsg('query_only_equals'))
    return `${encodeURIComponent(field)}=${binds.add(field, value.text)}`
  })
  const path = resource.startsWith('/') ? resource : `/${resource}`
  const text = written.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${written.join('&')}`
  return { text, parameters: binds.parameters }
}
