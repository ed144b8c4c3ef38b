import { EngineError } from '../../engine/errors.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { name, text } from '../../engine/sql-text.ts'
import { parse, refuseUnsafe, tableMentions, walk, type TableMention } from '../../engine/user-sql.ts'
import { callsOf, checkDefinitions, type Call } from './definitions.ts'
import { nearest } from '../../../language/nearest.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/**
 * The user's query with the file's catalog put before each table that it reads: whatever else the session holds, it reads from the file
 * alone. DuckDB's own parser says where the tables stand; everything else stays as it is. `written`: before its values were bound.
 */
export async function qualifyQuery(
  session: DuckSession,
  query: string,
  catalog: string,
  written: string,
): Promise<string> {
  const { mentions, functions } = await findTables(session, query, written)
  const known = await tablesOf(session, catalog)
  await checkDefinitions(session, catalog, { relations: mentions.map(({ table }) => table.toLowerCase()), functions })
  let bytes = Buffer.from(query, 'utf8')
  for (const mention of mentions.toSorted((one, other) => other.at - one.at)) {
    refuseUnknown(mention, known)
    const rest = bytes.subarray(mention.at).toString('utf8')
    const written = [mention.schema, mention.table].find((part) => part !== null) ?? ''
    if (!startsWithName(rest, written)) throw notAllowed(runMessage('not_readable_here', { name: mention.table }))
    const before = `${name(catalog)}.${mention.schema === null ? '"main".' : ''}`
    bytes = Buffer.concat([bytes.subarray(0, mention.at), Buffer.from(before, 'utf8'), bytes.subarray(mention.at)])
  }
  return bytes.toString('utf8')
}

async function findTables(
  session: DuckSession,
  query: string,
  written: string,
): Promise<{ mentions: TableMention[]; functions: Call[] }> {
  const statement = await parse(session, query, written).catch((error: unknown) => {
    if (!(error instanceof EngineError) || error.code !== 'SQL_NOT_ALLOWED') throw error
    throw notAllowed(runMessage('query_not_one_select'))
  })
  const functions: Call[] = []
  walk(statement, (node) => {
    refuseUnsafe(node)
    functions.push(...callsOf(node))
  })
  const mentions = tableMentions(statement)
  const other = mentions.find(({ catalog }) => catalog !== null)
  if (other)
    throw notAllowed(runMessage('not_readable_here', { name: `${other.catalog}.${other.schema}.${other.table}` }))
  return { mentions, functions }
}

function notAllowed(message: Message): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', message, {
    hint: runMessage('query_reads_own_file'),
  })
}

/** Names in lower case, as `schema.table`. */
async function tablesOf(session: DuckSession, catalog: string): Promise<Set<string>> {
  const rows = await session.rows(
    `SELECT lower(schema_name), lower(table_name) FROM duckdb_tables() WHERE database_name = ${text(catalog)}
     UNION ALL SELECT lower(schema_name), lower(view_name) FROM duckdb_views() WHERE database_name = ${text(catalog)} AND NOT internal`,
  )
  return new Set(rows.map(([schema, table]) => `${String(schema)}.${String(table)}`))
}

function refuseUnknown({ schema, table }: TableMention, known: ReadonlySet<string>): void {
  const wanted = `${(schema ?? 'main').toLowerCase()}.${table.toLowerCase()}`
  if (known.has(wanted)) return
  const near = nearest(wanted, [...known])
  throw new EngineError(
    'TABLE_NOT_FOUND',
    runMessage('table_not_in_database', { table: schema === null ? table : `${schema}.${table}` }),
    {
      hint:
        near === null
          ? runMessage('tables_of_schemas')
          : runMessage('tables_of_schemas_near', { near: near.replace(/^main\./, '') }),
    },
  )
}

/** Whether the SQL goes on with this name, quoted or not: else the place was misread, and nothing is put in. */
function startsWithName(rest: string, wanted: string): boolean {
  const lower = rest.toLowerCase()
  return lower.startsWith(wanted.toLowerCase()) || lower.startsWith(name(wanted).toLowerCase())
}
