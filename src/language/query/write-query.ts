/** What the builder inserts, updates, or deletes, as a statement to read and to go on with. Pure. */
import { conditionsOf } from './conditions.ts'
import { createBinds, type QueryBinds } from './binds.ts'
import { built, checkedField, mongoFilter, mongoLiteral } from './mongo-query.ts'
import { fillerOf } from './placeholders.ts'
import { queryMsg } from './query-messages.ts'
import {
  QueryMistakes,
  mistake,
  type BuiltQuery,
  type Condition,
  type QueryDefinition,
  type QueryPlace,
  type QueryValue,
} from './query.types.ts'
import type { SqlDialect } from '../sql/scan-sql.ts'
import { conditionSql, valueSql } from './sql-query.ts'
import { dialectOf, identifier, tableSql } from './table-sql.ts'

const writeActions = ['insert', 'update', 'delete'] as const
export type WriteAction = (typeof writeActions)[number]
export const isWriteAction = (action: string | undefined): action is WriteAction =>
  writeActions.some((known) => known === action)

/** A value that is written. null: NULL. */
interface Assigned {
  field: string
  column: string | undefined
  value: Condition['values'][number] | null
}

/** As `buildQuery`, of a definition that changes rows. */
export function buildWrite(
  definition: QueryDefinition & { action: WriteAction },
  place: QueryPlace,
  given: Readonly<Record<string, unknown>> = {},
): BuiltQuery {
  const { action, filters = [], values = [] } = definition
  if (place.resource.trim() === '') throw mistake('resource', queryMsg('query_resource_missing'))
  const fill = fillerOf(definition, given)
  const mistakes: QueryMistakes[] = []
  const tried = <T>(work: () => T[]): T[] => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof QueryMistakes)) throw error
      mistakes.push(error)
      return []
    }
  }
  const conditions = action === 'insert' ? [] : tried(() => conditionsOf(filters, place, fill))
  const assigned = action === 'delete' ? [] : tried(() => assignedOf(values, place, fill))
  if (mistakes.length > 0) throw new QueryMistakes(mistakes.flatMap((one) => one.mistakes))
  const dialect = dialectOf(place.type)
  return dialect
    ? sqlWrite(place, { action, conditions, assigned }, dialect)
    : mongoWrite(place, { action, conditions, assigned })
}

interface Change {
  action: WriteAction
  conditions: readonly Condition[]
  assigned: readonly Assigned[]
}

/** A value is understood like the one of a condition that it equals. */
function assignedOf(
  values: readonly QueryValue[],
  place: QueryPlace,
  fill: Parameters<typeof conditionsOf>[2],
): Assigned[] {
  if (values.length === 0) throw mistake('values', queryMsg('query_values_missing'))
  const twice = values.findIndex(
    ({ field }, at) => field !== '' && values.some((one, index) => index < at && one.field === field),
  )
  if (twice >= 0) throw mistake(`values[${twice}].field`, queryMsg('query_value_twice'))
  try {
    const equal = values.map((value) => ({ ...value, operator: '=' }))
    return conditionsOf(equal, place, fill).map((condition) => ({
      field: condition.field,
      column: condition.column,
      value: condition.values[0] ?? null,
    }))
  } catch (error) {
    if (!(error instanceof QueryMistakes)) throw error
    throw new QueryMistakes(
      error.mistakes.map(({ path, reason }) => ({ path: path.replace(/^filters/, 'values'), reason })),
    )
  }
}

function sqlWrite(place: QueryPlace, { action, conditions, assigned }: Change, dialect: SqlDialect): BuiltQuery {
  const binds: QueryBinds = createBinds()
  const table = tableSql(place.type, place.resource, dialect)
  const quoted = ({ field }: Assigned) => identifier(field, dialect)
  const bound = (one: Assigned) => (one.value === null ? 'NULL' : valueSql(one.value, one, dialect, binds))
  const lines =
    action === 'insert'
      ? [`INSERT INTO ${table} (${assigned.map(quoted).join(', ')})`, `VALUES (${assigned.map(bound).join(', ')})`]
      : action === 'update'
        ? [`UPDATE ${table}`, `SET ${assigned.map((one) => `${quoted(one)} = ${bound(one)}`).join(',\n  ')}`]
        : [`DELETE FROM ${table}`]
  const where = conditions.map((condition) => conditionSql(condition, dialect, binds))
  if (where.length > 0) lines.push(`WHERE ${where.join('\n  AND ')}`)
  return { text: lines.join('\n'), parameters: binds.parameters }
}

function mongoWrite({ resource }: QueryPlace, { action, conditions, assigned }: Change): BuiltQuery {
  const document = Object.fromEntries(
    assigned.map(({ field, column = '', value }, index) => [
      checkedField(field, `values[${index}].field`),
      value && mongoLiteral(value, column.includes('decimal')),
    ]),
  )
  if (action === 'insert') return built({ insert: resource, documents: [document] })
  const q = mongoFilter(conditions)
  if (action === 'delete') return built({ delete: resource, deletes: [{ q, limit: 0 }] })
  return built({ update: resource, updates: [{ q, u: { $set: document }, multi: true }] })
}
