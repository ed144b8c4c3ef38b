import { hasExpression } from '../../expressions/template.ts'
import { listOf, object, optional, required } from '../../shape/collections.ts'
import { number, text } from '../../shape/scalars.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import { columnName } from '../column-types.ts'
import { slotReference, sqlDatabases } from '../connector-slots.ts'
import { defineSource } from '../definitions.ts'
import { collectBinds, paramsShape, queryWords, sqlText, withSlotDialect } from '../sql-text.ts'
import { checkTableName } from '../table-name.ts'
import type { SqlSource } from './source.types.ts'
import { msg } from '../../messages.ts'

const partition = object(
  {
    column: required(columnName),
    parts: required(
      number({
        description: 'Number of ranges, each with its own connection.',
        integer: true,
        min: 2,
        max: 32,
        examples: [4],
      }),
    ),
  },
  {
    noun: msg('named', { name: 'partition' }),
    description:
      'Reads a large table in parallel ranges of a column, all from the same snapshot. The column is a number, a date, or a timestamp, ideally with an index. Rows with NULL in it are included. PostgreSQL only; others read the table in one pass.',
  },
)

const sqlShape = object(
  {
    query: optional(
      sqlText({
        description: "One `SELECT` in the database's own SQL. `:name` binds an argument or one of `params`.",
        examples: ['SELECT id, email FROM contacts WHERE updated_at >= :since'],
        form: queryWords,
      }),
    ),
    params: optional(paramsShape),
    table: optional(
      text({
        description: 'A complete table or view, instead of a query: `table` or `schema.table`.',
        examples: ['contacts', 'sales.orders'],
        template: true,
        maxLength: 300,
        check: checkTableName,
      }),
    ),
    columns: optional(
      listOf(columnName, {
        description: 'Columns to read from `table`; by default all.',
        min: 1,
        unique: 'columns',
        examples: [['id', 'email']],
      }),
    ),
    partition: optional(partition),
  },
  { noun: msg('named', { name: 'sql' }), description: 'Reads a query or a table.' },
)

const variant = defineVariant({
  key: 'sql',
  noun: msg('a_source_with', { kind: 'sql' }),
  description: 'Rows of a query or a table.',
  fields: {
    connector: required(slotReference(sqlDatabases, 'read', msg('source_named', { kind: 'sql' }))),
    sql: required(sqlShape),
  },
  context: (node, context) => withSlotDialect(entryOf(node, 'connector')?.value, entryOf(node, 'sql')?.value, context),
  build({ connector, sql }, node, path, context): SqlSource | undefined {
    const map = entryOf(node, 'sql')?.value
    if (map?.kind !== 'map' || !checkChoice(map, `${path}.sql`, context)) return undefined
    if (sql.query !== undefined) {
      const params = collectBinds([sql.query], sql.params, map, `${path}.sql`, context)
      return { kind: 'sql', connector, read: { kind: 'query', query: sql.query, params } }
    }
    return {
      kind: 'sql',
      connector,
      read: {
        kind: 'table',
        table: sql.table ?? '',
        columns: sql.columns ?? null,
        partition: sql.partition ?? null,
      },
    }
  },
})

/** Either `query` with `params`, or `table` with `columns` and `partition`. */
function checkChoice(map: YamlMap, path: string, context: ReadContext): boolean {
  const query = entryOf(map, 'query')
  const table = entryOf(map, 'table')
  if (!query && !table) {
    context.report({
      code: 'missing_choice',
      message: msg('query_or_table_missing'),
      hint: msg('add_query_or_table'),
      path,
      at: map.mark,
    })
    return false
  }
  const odd =
    (query && table) ?? (query ? (entryOf(map, 'columns') ?? entryOf(map, 'partition')) : entryOf(map, 'params'))
  if (!odd) return true
  context.report({
    code: 'several_choices',
    message:
      query && table
        ? msg('query_and_table')
        : query
          ? msg('only_with_table', { key: odd.key })
          : msg('only_with_query', { key: odd.key }),
    hint:
      query && table
        ? msg('keep_one')
        : query
          ? odd.key === 'partition'
            ? msg('read_table_or_remove')
            : msg('name_columns_in_query')
          : msg('remove_or_write_query'),
    path: `${path}.${odd.key}`,
    at: odd.keySpan,
  })
  return false
}

export const sqlSource = defineSource<SqlSource>({
  kind: 'sql',
  variant,
  columns: ({ read }) => (read.kind === 'table' ? read.columns : null),
  resolve(source, resolver, path) {
    const { read } = source
    if (read.kind === 'query') {
      return { ...source, read: { ...read, params: resolver.binds(read.params, `${path}.sql.params`) } }
    }
    const table = hasExpression(read.table)
      ? resolver.text(read.table, `${path}.sql.table`, checkTableName)
      : read.table
    return { ...source, read: { ...read, table } }
  },
})
