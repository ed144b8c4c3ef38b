import type { Database } from 'better-sqlite3'
import { scanSql } from '../../../language/sql/scan-sql.ts'
import { compileBinds } from '../../../language/sql-binds.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { bindValues, jsonOfStored } from './values.ts'
import type { OpenStatements, StatementResult } from '../statements.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A statement runs to its end without a pause: stopping the run ends the process, and SQLite takes back what was not committed. */
export const openSqliteStatements: OpenStatements = async (connector, { signal }) => {
  const database = openSqlite(connector, 'write')
  const unlocked = <T>(work: () => T): Promise<T> => whenUnlocked(connector, signal, work)
  return {
    begin: async () => void (await unlocked(() => database.exec('BEGIN IMMEDIATE'))),
    commit: async () => void (await unlocked(() => database.exec('COMMIT'))),
    async rollback() {
      if (database.inTransaction) database.exec('ROLLBACK')
    },
    async run(statement, params) {
      refuseOtherFiles(statement)
      // An abort that came meanwhile is heard here.
      await new Promise((resolve) => setImmediate(resolve))
      if (signal.aborted) throw cancelled()
      try {
        const result = await unlocked(() => runOne(database, statement, params))
        refuseAttached(database)
        return result
      } catch (error) {
        throw sqliteError(error, connector)
      }
    },
    async close() {
      database.close()
    },
  }
}

function runOne(database: Database, statement: string, params: Binds): StatementResult {
  const { sql, names } = compileBinds(statement, 'sqlite')
  const prepared = database.prepare(sql)
  const values = bindValues(names, params)
  if (!prepared.reader) {
    const { changes } = prepared.run(values)
    return {
      changed: /^(insert|replace|update|delete|with)$/i.test(wordsOf(statement)[0] ?? '') ? changes : null,
      first: null,
    }
  }
  const before = totalChanges(database)
  const row = prepared.raw().safeIntegers().get(values) as unknown[] | undefined // raw rows are lists
  const columns = prepared.columns()
  return {
    changed: prepared.readonly ? null : totalChanges(database) - before,
    first: row ? Object.fromEntries(columns.map((column, at) => [column.name, jsonOfStored(row[at])])) : null,
  }
}

function totalChanges(database: Database): number {
  return Number(database.prepare('SELECT total_changes()').pluck().get())
}

/** A connector is one database file: statements that reach others, or loosen what keeps the file sound, are refused. */
function refuseOtherFiles(statement: string): void {
  const words = wordsOf(statement).map((word) => word.toLowerCase())
  const explained = words[0] !== 'explain' ? 0 : words[1] === 'query' ? 3 : 1
  const [first = '', ...more] = words.slice(explained)
  const what =
    first === 'attach' || first === 'detach'
      ? first.toUpperCase()
      : first === 'vacuum' && more.some((word) => word !== 'main' && word !== 'temp')
        ? 'VACUUM INTO'
        : first === 'pragma' && (explained > 0 || !harmless(more)) // SQLite sets a PRAGMA even where it only explains it
          ? `${explained > 0 ? 'EXPLAIN ' : ''}PRAGMA ${more[0] ?? ''}`.trim()
          : null
  if (what !== null) throw statementRefused(what)
}

/** SQLite itself says what is attached: its words may be read otherwise than by us. As a function it could be hidden by a table of its name. */
function refuseAttached(database: Database): void {
  const all = database.pragma('database_list') as { name: string }[]
  if (all.some(({ name }) => name !== 'main' && name !== 'temp')) throw statementRefused('ATTACH')
}

function statementRefused(statement: string): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', runMessage('sqlite_statement_refused', { statement }), {
    hint: runMessage('duckdb_statement_refused_fix'),
  })
}

function harmless(pragma: string[]): boolean {
  const [setting = '', ...values] = pragma.filter((word) => word !== 'main' && word !== 'temp')
  return (
    harmlessPragmas.has(setting) &&
    !(setting === 'journal_mode' && values.some((value) => /^(off|memory)$/.test(value)))
  )
}

const harmlessPragmas: ReadonlySet<string> = new Set([
  'analysis_limit',
  'application_id',
  'auto_vacuum',
  'defer_foreign_keys',
  'foreign_key_check',
  'foreign_keys',
  'incremental_vacuum',
  'index_info',
  'index_list',
  'index_xinfo',
  'integrity_check',
  'journal_mode',
  'legacy_alter_table',
  'optimize',
  'page_count',
  'quick_check',
  'recursive_triggers',
  'table_info',
  'table_list',
  'table_xinfo',
  'user_version',
  'wal_checkpoint',
])

/** Names and values in quotes count: SQLite takes them as it takes bare words. */
function wordsOf(statement: string): string[] {
  return scanSql(statement, 'sqlite')
    .filter(({ kind }) => kind === 'word' || kind === 'quoted')
    .map(({ kind, start, end }) =>
      kind === 'word' ? statement.slice(start, end) : statement.slice(start + 1, end - 1),
    )
}
