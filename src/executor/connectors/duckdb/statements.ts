import { ResultReturnType, StatementType, type DuckDBPreparedStatement } from '@duckdb/node-api'
import { compileBinds } from '../../../language/sql-binds.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { shownRow } from '../../engine/json-values.ts'
import { StreamCut, readChunks, type Connection } from '../../engine/result-chunks.ts'
import { rowsUnaccounted } from '../../engine/row-accounts.ts'
import { duckDbError, openDuckDb } from './file.ts'
import { bindAll } from './values.ts'
import type { OpenStatements, StatementResult } from '../statements.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The file's own DuckDB, in which nothing but the file can be reached: no other database, no file, no setting. */
export const openDuckDbStatements: OpenStatements = async (connector, { signal, tempDir }) => {
  const { connection, alias, close } = await openDuckDb(connector, 'write', { signal, tempDir })
  const translateErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw cancelled()
    try {
      return await work()
    } catch (error) {
      throw signal.aborted ? cancelled() : duckDbError(error, connector, alias)
    }
  }
  return {
    begin: () => translateErrors(async () => void (await connection.run('BEGIN TRANSACTION'))),
    commit: () => translateErrors(async () => void (await connection.run('COMMIT'))),
    async rollback() {
      await connection.run('ROLLBACK').catch(() => undefined) // a COMMIT that fails has rolled back already
    },
    run: (statement, params) => translateErrors(() => runOne(connection, statement, params)),
    async close() {
      close()
    },
  }
}

const changing: ReadonlySet<StatementType> = new Set([
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
])
/** A connector is one file. Databases in memory would be harmless, and pointless. */
const elsewhere: ReadonlySet<StatementType> = new Set([
  StatementType.ATTACH,
  StatementType.DETACH,
  StatementType.EXPORT,
  StatementType.LOAD,
])
/** Logging turned on for a file outside ends the process: DuckDB fails where nothing can catch it. It needs no CALL. */
const logging = /enable_logging/i

async function runOne(connection: Connection, statement: string, params: Binds): Promise<StatementResult> {
  refuseLogging(statement)
  const { sql, names } = compileBinds(statement, 'duckdb')
  const statements = await connection.extractStatements(sql)
  if (statements.count !== 1) {
    throw new EngineError('SQL_NOT_ALLOWED', runMessage('single_statement_only'), {
      hint: runMessage('one_statement_only_fix'),
    })
  }
  const prepared = await statements.prepare(0)
  try {
    if (prepared.statementType === StatementType.CALL) {
      throw new EngineError('SQL_NOT_ALLOWED', runMessage('duckdb_call_refused'), {
        hint: runMessage('duckdb_call_refused_fix'),
      })
    }
    if (elsewhere.has(prepared.statementType)) {
      throw new EngineError(
        'SQL_NOT_ALLOWED',
        runMessage('duckdb_statement_refused', { statementType: StatementType[prepared.statementType] }),
        {
          hint: runMessage('duckdb_statement_refused_fix'),
        },
      )
    }
    bindAll(
      prepared,
      names.map((bind) => params[bind] ?? null),
    )
    const result = await prepared.stream()
    const columns = result.columnNames()
    const returns = result.returnType === ResultReturnType.QUERY_RESULT
    let first: Record<string, unknown> | null = null
    let rows = 0
    for await (const chunk of readChunks(result, (work) => work())) {
      if (first === null) {
        const row = shownRow(chunk.getRowValues(0))
        first = Object.fromEntries(columns.map((column, at) => [column, row[at]]))
      }
      rows += chunk.rowCount
    }
    const changed = !changing.has(prepared.statementType) ? null : returns ? rows : countOf(first)
    return { changed, first: returns ? first : null }
  } catch (error) {
    throw error instanceof StreamCut ? await reasonOf(error, connection, prepared) : error
  } finally {
    prepared.destroySync()
  }
}

export function refuseLogging(statement: string): void {
  if (!logging.test(statement)) return
  throw new EngineError('SQL_NOT_ALLOWED', runMessage('duckdb_logging_refused'), {
    hint: runMessage('duckdb_logging_refused_fix'),
  })
}

/**
 * Only SELECTs are streamed, and one that failed says why when it is run again, materialized. Its transaction is broken and would refuse
 * that: it is rolled back here instead of by the caller.
 */
async function reasonOf(cut: StreamCut, connection: Connection, prepared: DuckDBPreparedStatement): Promise<unknown> {
  await connection.run('ROLLBACK').catch(() => undefined) // there may be none
  try {
    await prepared.run()
  } catch (error) {
    return error
  }
  return rowsUnaccounted(runMessage('query_stopped', { rows: cut.rows }))
}

/** Statements without RETURNING give one row: how many rows they changed. */
function countOf(row: Record<string, unknown> | null): number {
  return Number(row?.['Count'] ?? 0)
}
