import type { DuckDBPreparedStatement } from '@duckdb/node-api'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { Bound, OpenChanges } from '../changes.types.ts'
import { wireText } from '../wire-values.ts'
import { duckDbError, openDuckDb } from './file.ts'
import { fieldOf, wireValue } from './rows.ts'
import { refuseLogging } from './statements.ts'
import { bindAll } from './values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The file belongs to this process alone while it is open for writing. */
export const openDuckDbChanges: OpenChanges = async (connector, access, io) => {
  const { connection, alias, emptyJournal, close } = await openDuckDb(connector, access, io)
  const translateErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    if (io.signal.aborted) throw cancelled()
    try {
      return await work()
    } catch (error) {
      throw io.signal.aborted ? cancelled() : duckDbError(error, connector, alias)
    }
  }
  const prepared = <T>(
    sql: string,
    values: Bound,
    work: (statement: DuckDBPreparedStatement) => Promise<T>,
  ): Promise<T> =>
    translateErrors(async () => {
      refuseLogging(sql)
      const statements = await connection.extractStatements(sql)
      if (statements.count !== 1) {
        throw new EngineError('SQL_NOT_ALLOWED', runMessage('single_statement_only'), {
          hint: runMessage('one_statement_only_fix'),
        })
      }
      const statement = await statements.prepare(0)
      try {
        bindEach(statement, values as readonly (Json | Uint8Array)[])
        return await work(statement)
      } finally {
        statement.destroySync()
      }
    })
  return {
    dialect: 'duckdb',
    name,
    lock: '',
    emptyRow: 'DEFAULT VALUES',
    async table(resource) {
      const parsed = parseTableName(resource)
      return `${name(alias)}.${name(parsed?.schema ?? 'main')}.${name(parsed?.name ?? resource)}`
    },
    bind: (value, { type, native }, at) => ({
      sql: `CAST($${at} AS ${native})`,
      value:
        value !== null && type === 'bytes'
          ? Buffer.from(wireText(value), 'base64')
          : value === null
            ? null
            : wireText(value),
    }),
    bindJson: (value) => value,
    begin: () => translateErrors(async () => void (await connection.run('BEGIN TRANSACTION'))),
    read: (sql, values) =>
      prepared(sql, values, async (statement) => {
        const reader = await statement.runAndReadAll()
        const types = reader.columnTypes()
        const fields = reader
          .columnNames()
          .map((column, at): QueryField => fieldOf({ name: column, type: String(types[at]) }))
        const rows = reader.getRows().map((row) => row.map((value, at): WireValue => wireValue(value, types[at])))
        return { fields, rows }
      }),
    run: (sql, values) => prepared(sql, values, async (statement) => (await statement.runAndReadAll()).rowsChanged),
    async commit() {
      await translateErrors(async () => void (await connection.run('COMMIT')))
      await emptyJournal()
    },
    isConflict: (error) => /Conflict on/.test(messageOf(error)),
    async close() {
      close()
    },
  }
}

function bindEach(statement: DuckDBPreparedStatement, values: readonly (Json | Uint8Array)[]): void {
  bindAll(
    statement,
    values.map((value) => (value instanceof Uint8Array ? null : value)),
  )
  values.forEach((value, at) => {
    if (value instanceof Uint8Array) statement.bindBlob(at + 1, value)
  })
}
