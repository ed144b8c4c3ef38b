import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { flag, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import { commonFields, normalizeBase } from '../common-fields.ts'
import { slotReference, sqlDatabases } from '../connector-slots.ts'
import { collectBinds, paramsShape, queryWords, sqlText, statementsShape, withSlotDialect } from '../sql-text.ts'
import { checkTableName } from '../table-name.ts'
import type { SqlTask } from './task-document.types.ts'
import { defineKind } from './kind.types.ts'
import { msg } from '../../messages.ts'

const fields = object(
  {
    connector: required(slotReference(sqlDatabases, 'write', msg('kind_named', { kind: 'sql' }))),
    statements: optional(statementsShape('Statements to run, in order.')),
    transaction: withDefault(
      flag({
        description:
          'Runs all statements in one transaction. With `false`, each is committed separately, which a few require: `VACUUM`, or schema changes in MySQL.',
      }),
      true,
    ),
    create_as: optional(
      text({
        description:
          'A table to create from `query`, instead of statements: `table` or `schema.table`. An existing table is replaced in one step, and only if the query succeeds.',
        examples: ['daily', 'sales.daily'],
        template: true,
        maxLength: 300,
        check: checkTableName,
      }),
    ),
    query: optional(
      sqlText({
        description: 'The `SELECT` that fills `create_as`.',
        examples: ['SELECT day, sum(total) AS total FROM orders GROUP BY day'],
        form: queryWords,
      }),
    ),
    params: optional(paramsShape),
  },
  {
    noun: msg('named', { name: 'sql' }),
    description: 'Work inside one database: `statements`, or a table created from a query with `create_as`.',
  },
)

const work: Shape<SqlTask['sql']> = {
  schema: fields.schema,
  read(node, path, outer) {
    const context = node.kind === 'map' ? withSlotDialect(entryOf(node, 'connector')?.value, node, outer) : outer
    const values = fields.read(node, path, context)
    if (!values || node.kind !== 'map' || !checkChoice(node, path, context)) return undefined
    const { connector, statements, transaction, create_as: table, query, params } = values
    const sqls = statements ?? (query === undefined ? [] : [query])
    return {
      connector,
      work:
        statements === undefined
          ? { kind: 'create_as', table: table ?? '', query: query ?? '' }
          : { kind: 'statements', statements, transaction },
      params: collectBinds(sqls, params, node, path, context),
    }
  },
}

/** `statements` with `transaction`, or `create_as` with `query`. */
function checkChoice(map: YamlMap, path: string, context: ReadContext): boolean {
  const has = (key: string) => entryOf(map, key)
  const statements = has('statements')
  const table = has('create_as')
  const query = has('query')
  if (!statements && !(table && query)) {
    const missing = table ? 'query' : 'create_as'
    context.report({
      code: 'missing_choice',
      message: table || query ? msg('sql_lacks', { key: missing }) : msg('sql_lacks_statements'),
      hint: table || query ? msg('add_other_of_pair', { key: missing }) : msg('add_statements'),
      path,
      at: map.mark,
    })
    return false
  }
  const odd = statements ? (table ?? query) : has('transaction')
  if (!odd) return true
  context.report({
    code: 'several_choices',
    message: statements ? msg('sql_has_both', { key: odd.key }) : msg('transaction_without_statements'),
    hint: statements ? msg('keep_one') : msg('remove_it'),
    path: `${path}.${odd.key}`,
    at: odd.keySpan,
  })
  return false
}

const shape = object(
  { ...commonFields('sql'), sql: required(work) },
  { noun: msg('a_task_of_kind', { kind: 'sql' }), description: 'A task that works inside one database.' },
)

export const sqlKind = defineKind<SqlTask>({
  kind: 'sql',
  shape,
  results: {
    run: {
      description: 'The run and its results.',
      fields: {
        item_count: 'Rows that the statements changed, as reported by the database.',
        duration_ms: 'Duration in milliseconds.',
      },
    },
    result: {
      description: 'Result of the last statement that returned rows.',
      fields: { first: 'Its first row: column → value; null if no statement returned one.' },
    },
  },
  read(root, context) {
    const values = shape.read(root, '', context)
    return values ? { ...normalizeBase(values), kind: 'sql', sql: values.sql } : null
  },
  resolve(task, resolver) {
    const { sql } = task
    return {
      ...task,
      sql: {
        ...sql,
        work:
          sql.work.kind === 'create_as'
            ? { ...sql.work, table: resolver.text(sql.work.table, 'sql.create_as', checkTableName) }
            : sql.work,
        params: resolver.binds(sql.params, 'sql.params'),
      },
    }
  },
})
