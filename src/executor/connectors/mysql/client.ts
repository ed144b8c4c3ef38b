import type * as mysql from 'mysql2'
import type { Connection, ConnectionOptions, FieldPacket, ResultSetHeader } from 'mysql2'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { cancelStatements, destroy } from './cancel.ts'
import { mysqlError } from './errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export type MysqlDriver = typeof mysql
/** What the driver gives: numbers, exact text for what a number cannot hold, dates as text, bytes. */
export type MysqlValue = null | number | string | Buffer
export type MysqlField = FieldPacket & {
  /** MariaDB's own types, which it sends as text: `uuid`, `inet6`. The driver's types do not tell of them. */
  extendedTypeName?: string
  /** `json` */
  extendedFormat?: string
}

export interface RowHandlers {
  /** Rows wait for what it promises. Only now are the types certain: they may depend on what is bound. */
  fields?: (fields: MysqlField[]) => void | Promise<void>
  /** Takes a row at once. A promise: nothing more is read until it is fulfilled. */
  row: (row: MysqlValue[]) => Promise<void> | null | void
}

/** A connection. Every failure is one of ours; a stopped run stops what the server does for it. */
export interface MysqlSession {
  /** A statement without values; what it changed. */
  run(sql: string): Promise<ResultSetHeader>
  /** Columns of a statement, without running it. */
  columns(sql: string): Promise<MysqlField[]>
  /** All rows of a small answer. */
  rows(sql: string, values?: readonly unknown[]): Promise<MysqlValue[][]>
  /** Rows as they come, one after the other. Memory stays flat. What was changed, where nothing is returned. */
  each(sql: string, values: readonly unknown[], on: RowHandlers): Promise<ResultSetHeader | null>
  close(): void
}

const connectTimeoutMs = 10_000
const lockSeconds = 30

/** Nothing is cut, rounded or made up on its way into a table, and `0` is a number like any other. */
const strictMode =
  'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'

export async function loadMysql(): Promise<MysqlDriver> {
  try {
    return (await import('mysql2')).default as unknown as MysqlDriver // a CommonJS module: its exports are the default
  } catch (error) {
    throw new EngineError('CONNECTION_FAILED', runMessage('mysql_driver_missing', { cause: messageOf(error) }), {
      hint: runMessage('mongodb_driver_missing_fix'),
      cause: error,
    })
  }
}

export function mysqlOptions(connector: BoundConnector): ConnectionOptions {
  const { host, port = 3306, database, user, ssl = 'disable' } = configOf(connector, 'mysql')
  const verify = ssl === 'verify-full'
  return {
    ...(host.startsWith('/') ? { socketPath: host } : { host, port }),
    database,
    user,
    password: connector.secrets['password'] ?? '',
    ...(ssl === 'disable' ? {} : { ssl: { rejectUnauthorized: verify, verifyIdentity: verify } }),
    connectTimeout: connectTimeoutMs,
    charset: 'UTF8MB4_GENERAL_CI',
    timezone: 'Z',
    // One statement at a time, no files of this machine, and rows count as changed when they have changed.
    multipleStatements: false,
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS', '-FOUND_ROWS'],
    supportBigNumbers: true,
    dateStrings: true,
    jsonStrings: true,
    // The driver keeps each one, with its text, until it has so many.
    maxPreparedStatements: 4,
    connectAttributes: { program_name: 'headgate' },
  }
}

/** A quoted identifier. */
export function mysqlName(identifier: string): string {
  return `\`${identifier.replaceAll('`', '``')}\``
}

export async function openMysql(
  connector: BoundConnector,
  signal: AbortSignal,
  options: { strict?: boolean } = {},
): Promise<MysqlSession> {
  if (signal.aborted) throw cancelled()
  const driver = await loadMysql()
  const connection = driver.createConnection(mysqlOptions(connector))
  // The driver tells it to the connection, not to the statement that meets it.
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined) // heard by the next statement
  connection.on('error', lost.reject)
  const breakOff = (): void => {
    destroy(connection)
    lost.reject(Object.assign(new Error('Connection closed'), { code: 'PROTOCOL_CONNECTION_LOST' }))
  }
  let underWay = 0
  const over = new AbortController()
  const second = (): Connection => driver.createConnection({ ...mysqlOptions(connector), connectTimeout: 1500 })
  const cancel = (): void => void cancelStatements(second, { connection, breakOff }, over.signal)
  signal.addEventListener('abort', cancel)
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw cancelled()
    underWay++
    try {
      return await Promise.race([work(), lost.promise])
    } catch (error) {
      if (signal.aborted) throw cancelled()
      throw mysqlError(error, connector)
    } finally {
      underWay--
    }
  }
  const session: MysqlSession = {
    run: (sql) =>
      guarded(
        () =>
          new Promise((resolve, reject) => {
            connection.query<ResultSetHeader>(sql, (error, result) => (error ? reject(error) : resolve(result)))
          }),
      ),
    columns: (sql) =>
      guarded(
        () =>
          new Promise((resolve, reject) => {
            connection.prepare(sql, (error, statement) => {
              if (error) return reject(error)
              resolve((statement as unknown as { columns: MysqlField[] }).columns) // not in the types
              statement.close()
            })
          }),
      ),
    async rows(sql, values = []) {
      const found: MysqlValue[][] = []
      await session.each(sql, values, { row: (row) => void found.push(row) })
      return found
    },
    each: (sql, values, on) =>
      guarded(() =>
        eachRow(
          connection,
          sql,
          values.map((value) => typed(driver, value)),
          on,
          lost.promise,
        ),
      ),
    close() {
      over.abort()
      signal.removeEventListener('abort', cancel)
      // A server counts, and logs, who goes without a word.
      if (underWay === 0 && !signal.aborted) connection.end(() => undefined)
      else breakOff()
    },
  }
  try {
    await session.run(
      `SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = ${lockSeconds}, lock_wait_timeout = ${lockSeconds}${options.strict ? `, sql_mode = '${strictMode}'` : ''}`,
    )
    // Two runs that replace an empty table at once do not both fill it. MySQL's own default; a server may have another one.
    if (options.strict) await session.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

/** Connects, runs `work`, and closes. */
export async function withMysql<T>(
  connector: BoundConnector,
  signal: AbortSignal,
  work: (session: MysqlSession) => Promise<T>,
  options: { strict?: boolean } = {},
): Promise<T> {
  const session = await openMysql(connector, signal, options)
  try {
    return await work(session)
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw error
  } finally {
    session.close()
  }
}

/** Whole numbers go as such: the server would compare a long one as floating point otherwise. */
function typed({ TypedParameter }: MysqlDriver, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return value < 2n ** 63n ? TypedParameter.LONGLONG(value) : TypedParameter.LONGLONG.unsigned(value)
}

function eachRow(
  connection: Connection,
  sql: string,
  values: readonly unknown[],
  on: RowHandlers,
  lost: Promise<never>,
): Promise<ResultSetHeader | null> {
  return new Promise((resolve, reject) => {
    let changed: ResultSetHeader | null = null
    let over = false
    const stop = (error: unknown): void => {
      over = true
      reject(error instanceof Error ? error : new Error(String(error)))
    }
    // Rows that the driver still holds have nowhere to go any more.
    lost.catch(stop)
    // An error thrown inside of the driver's event would be lost there: it ends the connection, and is told here.
    const guarded = (work: () => void): void => {
      if (over) return
      try {
        work()
      } catch (error) {
        stop(error)
        destroy(connection)
      }
    }
    let last: Promise<unknown> = Promise.resolve()
    const wait = (taken: Promise<void> | null | void): void => {
      if (!taken) return
      connection.pause()
      const all = Promise.all([last, taken])
      last = all
      void goOn(all)
    }
    const goOn = async (all: Promise<unknown>): Promise<void> => {
      try {
        await all
        if (last === all) connection.resume()
      } catch (error) {
        stop(error)
        destroy(connection)
      }
    }
    const command = connection.execute({ sql, values: [...values], rowsAsArray: true })
    command.on('fields', (fields: unknown) => {
      if (!fields) return // nothing is returned
      guarded(() => wait(on.fields?.(fields as MysqlField[])))
    })
    command.on('result', (row: unknown) => {
      if (Array.isArray(row)) guarded(() => wait(on.row(row as MysqlValue[])))
      // A statement that returns nothing; a procedure ends with one, too.
      else changed = row as ResultSetHeader
    })
    command.on('error', stop)
    command.on('end', () => void last.then(() => resolve(changed), stop))
  })
}
