import { listOf } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { jsonValue } from '../shape/json-value.ts'
import { reportType } from '../shape/report-value.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import type { SqlDialect } from '../sql/scan-sql.ts'
import { findBinds } from '../sql-binds.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { NAME, NAME_WANTED } from './connector-slots.ts'
import { MAX_SQL, SqlCheck, type SqlForm } from './sql-check.ts'
import type { Binds, ConnectorSlot, Json } from './task.types.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'

export interface SqlTextOptions {
  description: string
  examples: string[]
  form: SqlForm
  /** Only the tables of the pipeline may be read: of a query `stream` and the task's inputs, of an expression none. */
  ofPipeline?: true
}

export const queryWords = ['select', 'with', 'values', 'table'] as const
/** DuckDB's own further ways to write a query. */
export const duckdbQueryWords = [...queryWords, 'from', 'pivot', 'unpivot', 'summarize', 'describe'] as const

const sqlKinds: Record<'expression' | 'statement' | 'query', Message> = {
  expression: msg('text_sql_expression'),
  statement: msg('text_sql_statement'),
  query: msg('text_sql_query'),
}

/** SQL with `:name` binds, checked as far as one can without the database. Read without a closing `;`. */
export function sqlText(options: SqlTextOptions): Shape<string> {
  const { description, examples, form, ofPipeline = false } = options
  return {
    schema: {
      type: 'string',
      description,
      examples,
      minLength: 1,
      maxLength: MAX_SQL,
      'x-language': form === 'expression' ? 'sql-expression' : 'sql',
    },
    read(node, path, context) {
      if (node.kind !== 'scalar' || typeof node.value !== 'string') {
        return reportType(node, path, context, sqlKinds[form === 'expression' || form === 'statement' ? form : 'query'])
      }
      const check = new SqlCheck(node, node.value, path, context)
      return check.read(form, ofPipeline)
    },
  }
}

export const paramsShape = record(
  jsonValue({ description: 'The value of `:name`.', template: true, examples: ['${{ args.since }}'] }),
  {
    description: 'Values for `:name`. Arguments are bound by their own names and don’t need to be listed here.',
    examples: [{ from: '${{ args.since }}' }],
    max: 100,
    key: { pattern: NAME, wanted: NAME_WANTED },
  },
)

/** The context for SQL that stands beside `params` in `map`. */
export function withParams(map: YamlNode | undefined, context: ReadContext): ReadContext {
  const written = map?.kind === 'map' ? entryOf(map, 'params')?.value : undefined
  const params = new Set(written?.kind === 'map' ? written.entries.map((entry) => entry.key) : [])
  return { ...context, params, binds: [...new Set([...context.binds, ...params])] }
}

/** How SQL is written for a slot; where it may be one of several databases, as in PostgreSQL. */
export function dialectOf(slot: ConnectorSlot | null | undefined): SqlDialect {
  const [type] = new Set(slot?.types)
  if (type === undefined || slot?.types.some((other) => other !== type)) return 'postgres'
  return type === 'sqlite' || type === 'mysql' || type === 'duckdb' ? type : 'postgres'
}

/** The context for SQL that is given to the slot named by `slotNode`, beside `params` in `map`. */
export function withSlotDialect(
  slotNode: YamlNode | undefined,
  map: YamlNode | undefined,
  context: ReadContext,
): ReadContext {
  const name = slotNode?.kind === 'scalar' && typeof slotNode.value === 'string' ? slotNode.value : ''
  return { ...withParams(map, context), dialect: dialectOf(context.slots.get(name)) }
}

const oneStatement = sqlText({
  description: "A statement in the database's own SQL. `:name` binds an argument or one of `params`.",
  examples: ['DELETE FROM staging WHERE day < :day'],
  form: 'statement',
})
const manyStatements = listOf(oneStatement, { description: 'Statements, one per item.', min: 1, max: 500 })

/** One statement, or a list of them. */
export function statementsShape(description: string): Shape<string[]> {
  return {
    schema: {
      description,
      examples: [['DELETE FROM staging WHERE day < :day', 'ANALYZE staging']],
      anyOf: [oneStatement.schema, manyStatements.schema],
    },
    read(node, path, context) {
      if (node.kind === 'list') return manyStatements.read(node, path, context)
      const statement = oneStatement.read(node, path, context)
      return statement === undefined ? undefined : [statement]
    },
  }
}

/** A value for every `:name` used; warns about `params` that are not. */
export function collectBinds(
  sqls: readonly string[],
  params: Record<string, Json> | undefined,
  map: YamlMap | null,
  path: string,
  context: ReadContext,
): Binds {
  const binds: Binds = {}
  for (const { name } of sqls.flatMap((sql) => findBinds(sql, context.dialect))) {
    binds[name] = params && Object.hasOwn(params, name) ? (params[name] ?? null) : `\${{ args.${name} }}`
  }
  if (map) warnUnusedParams(new Set(Object.keys(binds)), map, path, context)
  return binds
}

/** Warns about `params` that no `:name` of `used` names. */
export function warnUnusedParams(used: ReadonlySet<string>, map: YamlMap, path: string, context: ReadContext): void {
  const written = entryOf(map, 'params')?.value
  for (const entry of written?.kind === 'map' ? written.entries : []) {
    if (used.has(entry.key)) continue
    context.report({
      code: 'unused_parameter',
      message: msg('sql_bind_unused', { key: entry.key }),
      hint: msg('remove_or_use_in_sql'),
      path: joinPath(joinPath(path, 'params'), entry.key),
      at: entry.keySpan,
    })
  }
}
