import Database from 'better-sqlite3'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf, messageOf } from '../../engine/errors.ts'
import { watchOpening } from '../../engine/protected.ts'
import { configOf } from '../config.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** How long a database that another program has locked is waited for. */
const busyTimeoutMs = 10_000

/** Opens a connector's database; writing makes the file when it is missing. Close it. */
export function openSqlite(connector: BoundConnector, access: 'read' | 'write'): Database.Database {
  const { path } = configOf(connector, 'sqlite')
  const lookAgain = watchOpening(filesOf(path), connector.name)
  if (access === 'read' && !existsSync(path)) {
    throw new EngineError(
      'DATABASE_NOT_FOUND',
      runMessage('database_of_connector_missing', { connector: connector.name, path }),
      {
        hint: runMessage('database_of_connector_missing_fix'),
      },
    )
  }
  let database: Database.Database | undefined
  try {
    database = new Database(path, { readonly: access === 'read', fileMustExist: access === 'read', timeout: 0 })
    lookAgain()
    database.pragma('foreign_keys = ON')
    return database
  } catch (error) {
    database?.close()
    throw sqliteError(error, connector)
  }
}

/** All that SQLite opens for a database file. */
function filesOf(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map((ending) => path + ending)
}

/** Tries again while another program holds the lock, without blocking the process, up to ten seconds. */
export async function whenUnlocked<T>(
  connector: BoundConnector,
  signal: AbortSignal,
  work: () => T,
  timeoutMs = busyTimeoutMs,
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    if (signal.aborted) throw cancelled()
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw sqliteError(error, connector)
    }
    await sleep(pause, undefined, { signal }).catch(() => Promise.reject(cancelled()))
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')
}

/** What SQLite says of a statement that it can't prepare. */
const ofStatements =
  /syntax error|near "|incomplete input|unrecognized token|no such (?:function|collation|module|window)|wrong number of arguments|misuse of|ambiguous column|BY term out of range|sub-select returns|row value misused|same number of result columns|unsafe use of|must appear|clause is required|HAVING clause|unknown database|too many (?:arguments|terms|columns)|may not be used|not allowed/

/** SQLite's words as ours: which database, and what to do. */
export function sqliteError(thrown: unknown, connector: BoundConnector): EngineError {
  if (thrown instanceof EngineError) return thrown
  const path = String(connector.config['path'])
  const code = codeOf(thrown) ?? ''
  const message = messageOf(thrown)
  const where = `connector \`${connector.name}\`, ${path}`
  const make = (name: EngineError['code'], words: Message, hint: Message): EngineError =>
    new EngineError(name, words, { hint, cause: thrown })
  if (isBusy(thrown)) {
    return make('DATABASE_LOCKED', runMessage('database_locked', { path }), runMessage('database_locked_fix'))
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return make(
      'DATABASE_REFUSED',
      runMessage('not_sqlite', { detail: message, place: where }),
      runMessage('restore_database'),
    )
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM')) {
    return make(
      'DATABASE_REFUSED',
      runMessage('database_unopenable', { detail: message, place: where }),
      runMessage('database_unopenable_fix'),
    )
  }
  if (code.startsWith('SQLITE_FULL')) {
    return make('DISK_FULL', runMessage('disk_full_at', { place: where }), runMessage('disk_full_at_fix'))
  }
  if (code.startsWith('SQLITE_CONSTRAINT')) {
    return make(
      'CONSTRAINT_VIOLATED',
      runMessage('at_place', { place: where, cause: message }),
      runMessage('reject_or_change_table'),
    )
  }
  if (/no such table|no such column|no such view/.test(message)) {
    const missing = message.includes('column') ? 'COLUMN_NOT_FOUND' : 'TABLE_NOT_FOUND'
    return make(
      missing,
      runMessage('at_place', { place: where, cause: message }),
      runMessage('check_tables_and_columns'),
    )
  }
  if (code.startsWith('SQLITE_ERROR') && ofStatements.test(message)) {
    return make(
      'SQL_INVALID',
      runMessage('sql_has_error_at', { detail: message, place: where }),
      runMessage('sqlite_dialect'),
    )
  }
  return make(
    'DATABASE_REFUSED',
    runMessage('at_place', { place: where, cause: message }),
    runMessage('database_says_why'),
  )
}
