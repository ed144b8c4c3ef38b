import { conditionsOf } from './conditions.ts'
import { mongoQuery } from './mongo-query.ts'
import { fillerOf } from './placeholders.ts'
import { QueryMistakes, mistake, type BuiltQuery, type QueryDefinition, type QueryPlace } from './query.types.ts'
import { queryMsg } from './query-messages.ts'
import { sqlQuery, type Wanted } from './sql-query.ts'
import { dialectOf } from './table-sql.ts'
import { httpQuery, odataQuery } from './web-query.ts'

/**
 * The query that conditions of the builder stand for, in the system's own language. Values are binds; in MongoDB's JSON they are
 * literals, which never are operators. `given`: values of the definition's parameters. Throws `QueryMistakes`.
 */
export function buildQuery(
  definition: QueryDefinition,
  place: QueryPlace,
  given: Readonly<Record<string, unknown>> = {},
): BuiltQuery {
  const { action = 'find', filters = [], columns = [], sort = '', order = 'asc', limit = '' } = definition
  if (action !== 'find' && action !== 'count') throw mistake('action', queryMsg('query_action_writes', { action }))
  if (place.resource.trim() === '') throw mistake('resource', queryMsg('query_resource_missing'))
  const conditions = conditionsOf(filters, place, fillerOf(definition, given))
  const empty = columns.findIndex((column) => column === '')
  if (empty >= 0) throw new QueryMistakes([{ path: `columns[${empty}]`, reason: queryMsg('query_field_empty') }])
  const wanted: Wanted = {
    action,
    conditions,
    columns,
    sort: sort === '' ? null : sort,
    order,
    limit: limitOf(limit),
  }
  const dialect = dialectOf(place.type)
  if (dialect) return sqlQuery(place, wanted, dialect)
  if (place.type === 'mongodb') return mongoQuery(place, wanted)
  return place.type === 'odata' ? odataQuery(place, wanted) : httpQuery(place, wanted)
}

/** Whether the types of the columns would change what a definition means. */
export const needsColumns = ({ filters = [] }: QueryDefinition, type: string): boolean =>
  (dialectOf(type) !== null || type === 'mongodb') &&
  filters.some(
    ({ operator, valueType = 'auto' }) =>
      !/null|contains|with/.test(operator) &&
      (valueType === 'auto' || (type !== 'mongodb' && ['number', 'date'].includes(valueType))),
  )

function limitOf(text: string): string | null {
  const limit = text.trim()
  if (limit === '') return null
  if (!/^\d{1,15}$/.test(limit)) throw mistake('limit', queryMsg('query_limit'))
  return String(Number(limit))
}
