import { scanSql } from '../../../language/sql/scan-sql.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { text } from '../../engine/sql-text.ts'
import { commonTables, isEmpty, parse, refuseUnsafe, walk } from '../../engine/user-sql.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** SQL that the file itself holds, and that DuckDB runs when a query names it. */
interface Definition {
  /** What the query names: a table or view, or a function. */
  as: 'relation' | 'function'
  /** In lower case. Schemas are left out: what has the same name in another one is checked as well. */
  name: string
  /** For messages. */
  kind: 'view' | 'macro' | 'table'
  sql: string
  /** How many a macro has. */
  parameters: number
}

export interface Call {
  name: string
  /** How many arguments it gives. */
  given: number
}

/** What a query names, in lower case. */
interface Named {
  relations: string[]
  functions: Call[]
}

/**
 * The file comes from anywhere, and its views, macros and computed columns run inside the session, which may reach more files than this
 * one. All of them that the query reaches must keep to the rules of queries.
 */
export async function checkDefinitions(session: DuckSession, catalog: string, query: Named): Promise<void> {
  const definitions = await definitionsOf(session, catalog)
  const tables = new Set(definitions.filter(({ as }) => as === 'relation').map((definition) => definition.name))
  const open = [query]
  const seen = new Set<Definition>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { relations, functions } = next
    for (const definition of definitions) {
      const calls = definition.as === 'function' ? functions.filter((call) => call.name === definition.name) : []
      if (calls.some(({ given }) => given < definition.parameters)) throw leftOut(definition)
      const reached = definition.as === 'function' ? calls.length > 0 : relations.includes(definition.name)
      if (seen.has(definition) || !reached) continue
      seen.add(definition)
      if (definition.sql !== '') open.push(await checkOne(session, definition, tables))
    }
  }
}

/** DuckDB's catalog does not show what stands in for an argument. */
function leftOut({ name }: Definition): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', runMessage('macro_argument_missing', { name }), {
    hint: runMessage('macro_argument_missing_fix'),
  })
}

/** The call that a node of the syntax tree is. */
export function callsOf(node: Record<string, unknown>): Call[] {
  if (node['class'] !== 'FUNCTION') return []
  const given = Array.isArray(node['children']) ? node['children'].length : 0
  return [{ name: String(node['function_name']).toLowerCase(), given }]
}

async function checkOne(session: DuckSession, definition: Definition, tables: ReadonlySet<string>): Promise<Named> {
  try {
    const statement = await parse(session, definition.sql, definition.sql)
    const named = namesIn(statement)
    const outside = named.relations.find((table) => !tables.has(table))
    if (outside !== undefined)
      throw new EngineError('SQL_NOT_ALLOWED', runMessage('not_readable_here', { name: outside }))
    return named
  } catch (error) {
    if (!(error instanceof EngineError) || (error.code !== 'SQL_NOT_ALLOWED' && error.code !== 'SQL_INVALID'))
      throw error
    throw new EngineError(
      'SQL_NOT_ALLOWED',
      runMessage('definition_unusable', {
        type: definition.kind,
        definition: definition.name,
        cause: messageOf(error),
      }),
      {
        hint: runMessage('definition_unusable_fix'),
        cause: error,
      },
    )
  }
}

/** Refuses what is unsafe, and gives what is named besides the names of WITH. */
function namesIn(statement: unknown): Named {
  const common = new Set(commonTables(statement))
  const named: Named = { relations: [], functions: [] }
  walk(statement, (node) => {
    refuseUnsafe(node)
    named.functions.push(...callsOf(node))
    if (node['type'] !== 'BASE_TABLE') return
    const table = String(node['table_name'])
    const bare = isEmpty(node['schema_name']) && isEmpty(node['catalog_name'])
    if (!isEmpty(node['catalog_name'])) {
      throw new EngineError(
        'SQL_NOT_ALLOWED',
        runMessage('table_of_catalog_not_readable', { catalog: String(node['catalog_name']), table }),
      )
    }
    if (!bare || !common.has(table.toLowerCase())) named.relations.push(table.toLowerCase())
  })
  return named
}

async function definitionsOf(session: DuckSession, catalog: string): Promise<Definition[]> {
  const here = `database_name = ${text(catalog)} AND NOT internal`
  const views = await session.rows(`SELECT lower(view_name), sql FROM duckdb_views() WHERE ${here}`)
  const macros = await session.rows(
    `SELECT lower(function_name), function_type, macro_definition, len(parameters) FROM duckdb_functions() WHERE ${here}`,
  )
  const tables = await session.rows(`SELECT lower(table_name) FROM duckdb_tables() WHERE ${here}`)
  // The catalog does not tell a default from what is computed; the default that counts up is no matter of readers.
  const computed = await session.rows(
    `SELECT lower(table_name), column_default FROM duckdb_columns() JOIN duckdb_tables() USING (table_oid, database_name, table_name)
     WHERE database_name = ${text(catalog)} AND sql ILIKE '% GENERATED ALWAYS AS%' AND column_default IS NOT NULL
       AND NOT regexp_full_match(column_default, 'nextval\\(''[^'']*''\\)')`,
  )
  return [
    ...views.map(([view, sql]) => define('relation', 'view', view, selectOf(String(sql)))),
    ...macros.map(([macro, type, sql, parameters]) =>
      define(
        'function',
        'macro',
        macro,
        type === 'table_macro' ? String(sql) : `SELECT ${String(sql)}`,
        Number(parameters),
      ),
    ),
    ...tables.map(([table]) => define('relation', 'table', table, '')),
    ...computed.map(([table, sql]) => define('relation', 'table', table, `SELECT ${String(sql)}`)),
  ]
}

function define(
  as: Definition['as'],
  kind: Definition['kind'],
  called: unknown,
  sql: string,
  parameters = 0,
): Definition {
  return { as, kind, name: String(called), sql, parameters }
}

/** The query of `CREATE VIEW … AS …`. Whatever has none goes to the parser as it is, which refuses it. */
function selectOf(create: string): string {
  const as = scanSql(create, 'duckdb').find(
    ({ kind, start, end }) => kind === 'word' && create.slice(start, end).toLowerCase() === 'as',
  )
  return as === undefined ? 'CREATE VIEW' : create.slice(as.end)
}
