import { findBinds } from '../../../language/sql-binds.ts'
import { openSession, type DuckSession } from '../../engine/duckdb.ts'
import { mistakeIn } from '../../engine/sql-mistakes.ts'
import { bindSql } from '../../engine/user-sql.ts'
import { mustHaveValues } from '../read-only.ts'
import type { MistakeAt, ResultRequest, StreamResult } from '../results.types.ts'
import { duckDbError, duckDbFile } from './file.ts'
import { qualifyQuery } from './query.ts'
import { sendRows } from './rows.ts'

/** A DuckDB that reaches the connector's file alone, attached read-only; the syntax tree says that the query is one SELECT over its tables. */
export const streamDuckDb: StreamResult = (request, sink, io) =>
  inFile(request, io, (session, sql) => sendRows(session, sql, request.query, sink))

/** `sql`: the checked query, whose tables are the file's. */
export async function inFile(
  { connector, query, parameters }: ResultRequest,
  { signal, tempDir }: Parameters<StreamResult>[2],
  work: (session: DuckSession, sql: string) => Promise<void>,
): Promise<void> {
  mustHaveValues(
    findBinds(query).map((bind) => bind.name),
    parameters,
  )
  const file = await duckDbFile(connector, 'read')
  const session = await openSession({ tempDir, directories: [], attach: [file], moveFilters: true, signal })
  let catalog = ''
  try {
    catalog = await session.attach(file.path)
    const sql = (await qualifyQuery(session, await bindSql(session, query, parameters), catalog, query))
      .trim()
      .replace(/;\s*$/, '')
    await work(session, sql)
  } catch (error) {
    throw duckDbError(error, connector, catalog)
  } finally {
    // A result that was given up may keep rows: what was opened is not used again.
    await session.close(false)
  }
}

/** Its parser tells where; what comes later, such as names that aren’t there, is said of the query with the file’s tables. */
export const mistakeAtDuckDb: MistakeAt = async ({ code }, query) =>
  code === 'SQL_INVALID' ? ((await mistakeIn(query))?.at ?? null) : null
