import type { DuckDBConnection, DuckDBDataChunk, DuckDBResult, DuckDBValue } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import type { Column } from '../../contract/common.ts'
import type { Json } from '../../language/task/task.types.ts'
import { attachFile, mergeFiles, type AttachedFile } from './attached-files.ts'
import { translateDuckDbError } from './duckdb-errors.ts'
import {
  dispose,
  keep,
  mayBeKept,
  profilePath,
  takeOpened,
  type Opened,
  type SessionOptions,
} from './duckdb-instance.ts'
import { EngineError } from './errors.ts'
import { interruptOnAbort } from './interrupt-on-abort.ts'
import { withoutFetched } from './fetched.ts'
import { jsonValue, shownRow } from './json-values.ts'
import { rowsGiven, type ProfileNode } from './profile.ts'
import { StreamCut, readChunks, type Connection } from './result-chunks.ts'
import { rowsUnaccounted } from './row-accounts.ts'
import { name } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { redactDeep } from '../redact.ts'

/**
 * One DuckDB in memory for one run or call. It reaches the folders it is given and nothing else: extensions, settings, the network
 * and the rest of the disk are closed before any SQL of a user is looked at.
 */
export interface DuckSession {
  readonly connection: Connection
  readonly tempDir: string
  /** Whether filters stay where they are written, so that the profile shows each step's rows. */
  readonly keepsOrder: boolean
  /** Runs a statement to its end; rows copied or changed. */
  run(sql: string): Promise<number>
  /** Runs a query into a new table; its rows. */
  createTable(table: string, query: string): Promise<number>
  /** Runs a query into a file: `COPY (query) TO …`; its rows. */
  copyTo(query: string, to: string): Promise<number>
  /** All rows of a small answer, JSON-safe. */
  rows(sql: string): Promise<unknown[][]>
  /** The same for people: long texts are cut. */
  shownRows(sql: string): Promise<unknown[][]>
  /** Columns of a query, without running it. */
  describe(query: string): Promise<Column[]>
  /** Rows as they come, 2,048 at a time; memory stays flat. All of them, or an error. */
  chunks(sql: string): AsyncGenerator<DuckDBDataChunk>
  /** Stores a value for `getvariable('…')`; its name. */
  setVariable(value: Json): Promise<string>
  /** The name under which one of the files of `attach` is a database of this session, from now on to its end. */
  attach(path: string): Promise<string>
  /** What was committed to that file goes into the file itself; what stopped it, which harms nobody, or null. */
  emptyJournal(path: string): Promise<unknown>
  /** That name; null: nobody has asked for the file yet. */
  attached(path: string): string | null
  /** A name that nothing else in this session has. */
  newName(prefix: string): string
  /** How many rows each operator of the last statement gave; null when it cannot be known. */
  profile(): ProfileNode | null
  /** How far the statement under way is, 0 to 100; null when DuckDB cannot say. It does not say rows: those are known afterwards. */
  progress(): number | null
  /** `sound`: nothing went wrong, so a later run with the same folders may use what was opened. Its tables are gone by then. */
  close(sound: boolean): Promise<void>
}

export async function openSession(options: SessionOptions): Promise<DuckSession> {
  if (options.signal.aborted) throw cancelled()
  return makeSession(await takeOpened(options), options)
}

function makeSession(opened: Opened, options: SessionOptions): DuckSession {
  const { connection } = opened
  const { signal, tempDir } = options
  const endInterrupts = interruptOnAbort(signal, () => connection.interrupt())
  // Names are drawn by lot: SQL of a user cannot guess the variables of a run before it.
  const secret = randomBytes(8).toString('hex')
  const variables: string[] = []
  let names = 0
  const files = mergeFiles(options.attach ?? [])
  const attached = new Map<string, { alias: string; file: AttachedFile }>()
  // Every table has a name of ours: without one there is nothing to drop.
  let named = false
  // Another statement on the connection would end an open stream as if it had no more rows: that must never pass unnoticed.
  let streaming = false

  function statement<T>(work: () => Promise<T>): Promise<T> {
    if (streaming) throw new Error('A statement was started while rows of another one are being read')
    return guarded(work)
  }
  /** The same translation for every statement: DuckDB's words to ours, and an interrupt to a cancellation. */
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw cancelled()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw cancelled()
      throw asStored(translateDuckDbError(error), tempDir)
    }
  }
  const answer = (sql: string): Promise<DuckDBValue[][]> =>
    statement(async () => (await connection.runAndReadAll(sql)).getRows())
  const rows = async (sql: string): Promise<unknown[][]> =>
    (await answer(sql)).map((row) => row.map((value) => jsonValue(value)))

  /** Each measured statement has a profile of its own: that of an earlier one must not speak for one that never ended. */
  const forgetProfile = (): void => rmSync(profilePath(tempDir), { force: true })
  function profile(): ProfileNode | null {
    try {
      return JSON.parse(readFileSync(profilePath(tempDir), 'utf8')) as ProfileNode // DuckDB's own format, see profile.ts
    } catch {
      return null // Nothing was measured, or the statement has not ended.
    }
  }
  /**
   * A second opinion on how many rows a statement gave: DuckDB's operators count by themselves, and write it down only when the
   * statement has ended well. Where that is missing or differs, the query is counted again.
   */
  async function requireAll(query: string, rows: number): Promise<void> {
    const measured = profile()
    const given = measured === null ? null : rowsGiven(measured)
    if (given === rows || (measured !== null && given === null)) return
    const [counted] = await session.rows(`SELECT count(*) FROM (${query})`)
    const again = Number(counted?.[0])
    if (again !== rows) throw rowsUnaccounted(runMessage('query_count_differs', { rows, again }))
  }
  /** Why a stream ended early, in DuckDB's own words: every value of every row is looked at once more. */
  async function reasonOf({ rows }: StreamCut, query: string): Promise<EngineError> {
    if (signal.aborted) return cancelled()
    try {
      await session.rows(`SELECT sum(hash(headgate_row)) FROM (${query}) headgate_row`)
    } catch (error) {
      if (error instanceof EngineError) return error
      throw error
    }
    return rowsUnaccounted(runMessage('query_stopped', { rows }))
  }

  const session: DuckSession = {
    connection,
    tempDir,
    keepsOrder: options.moveFilters !== true,
    run: (sql) => statement(async () => (await connection.run(sql)).rowsChanged),
    async createTable(table, query) {
      named = true
      forgetProfile()
      const [row] = await rows(`CREATE TEMP TABLE ${name(table)} AS ${query}`)
      const made = Number(row?.[0] ?? 0)
      await requireAll(query, made)
      return made
    },
    async copyTo(query, to) {
      forgetProfile()
      const copied = await session.run(`COPY (${query}) TO ${to}`)
      await requireAll(query, copied)
      return copied
    },
    rows,
    shownRows: async (sql) => (await answer(sql)).map(shownRow),
    async describe(query) {
      return (await rows(`DESCRIBE ${query}`)).map(([column, type]) => ({ name: String(column), type: String(type) }))
    },
    async *chunks(sql) {
      forgetProfile()
      const result: DuckDBResult = await statement(() => connection.stream(sql))
      streaming = true
      let rows = 0
      let cut: StreamCut | null = null
      try {
        rows = yield* readChunks(result, guarded)
      } catch (error) {
        if (!(error instanceof StreamCut)) throw error
        cut = error
      } finally {
        streaming = false
      }
      if (cut) throw await reasonOf(cut, sql)
      await requireAll(sql, rows)
    },
    async setVariable(value) {
      const variable = `headgate_${secret}_${names++}`
      variables.push(variable)
      await statement(() => connection.run(`SET VARIABLE ${variable} = ${placeholder(value)}`, boundValue(value)))
      return variable
    },
    async attach(path) {
      const file = files.find((candidate) => candidate.path === path)
      if (!file) throw new Error(`The session was not opened for ${path}`)
      const known = attached.get(path)
      if (known) return known.alias
      const alias = `headgate_${secret}_${names++}`
      attached.set(path, { alias, file: await statement(() => attachFile(connection, file, alias, { signal })) })
      return alias
    },
    emptyJournal: async (path) => attached.get(path)?.file.emptyJournal() ?? null,
    attached: (path) => attached.get(path)?.alias ?? null,
    newName(prefix) {
      named = true
      return `headgate_${prefix}_${names++}`
    },
    profile,
    progress() {
      const { percentage } = connection.progress
      return percentage < 0 ? null : percentage
    },
    async close(sound) {
      endInterrupts()
      opened.uses++
      try {
        await detach(
          connection,
          sound,
          [...attached.values()].map(({ alias }) => alias),
        )
        if (!sound || signal.aborted || !mayBeKept(opened)) return dispose(opened)
        await forget(connection, named, variables)
        keep(opened)
      } catch {
        dispose(opened) // in no state to be used again; the run itself is over
      } finally {
        for (const { file } of attached.values()) file.release()
      }
    },
  }
  return session
}

/** Files that were fetched are named as their store has them. */
function asStored(error: EngineError, tempDir: string): EngineError {
  const reason = redactDeep(error.reason, (text) => withoutFetched(text, tempDir))
  return reason.message === error.message ? error : new EngineError(error.code, reason, { ...error, hint: error.fix })
}

/**
 * Lets go of the files. Closing the instance is not enough: a result that was not read to its end keeps it, and the lock on its files, until
 * JavaScript's memory is tidied up.
 */
async function detach(connection: DuckDBConnection, sound: boolean, databases: string[]): Promise<void> {
  // What has failed may have left a transaction, or rows that nobody reads any more.
  if (!sound && databases.length > 0) await connection.run('ROLLBACK').catch(() => undefined)
  for (const alias of databases) await connection.run(`DETACH ${name(alias)}`)
}

/** Leaves nothing of a run behind. Files were let go of first: what is dropped now can only be our own. */
async function forget(connection: DuckDBConnection, named: boolean, variables: string[]): Promise<void> {
  const tables = named ? await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() WHERE temporary') : null
  const statements = [
    ...(tables?.getRows() ?? []).map(([table]) => `DROP TABLE ${name(String(table))}`),
    ...variables.map((variable) => `RESET VARIABLE ${variable}`),
  ]
  if (statements.length > 0) await connection.run(statements.join(';'))
}

/** Lists, objects and floating point travel as text and are typed on the other side (the driver takes 1e21 for an integer); the rest binds as it is. */
function placeholder(value: Json): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return 'CAST($1 AS DOUBLE)'
  if (Array.isArray(value)) return `CAST(CAST($1 AS JSON) AS ${listType(value)})`
  return typeof value === 'object' && value !== null ? 'CAST($1 AS JSON)' : '$1'
}

function listType(values: Json[]): string {
  if (values.length > 0 && values.every((value) => Number.isSafeInteger(value))) return 'BIGINT[]'
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return 'DOUBLE[]'
  if (values.length > 0 && values.every((value) => typeof value === 'boolean')) return 'BOOLEAN[]'
  return values.every((value) => typeof value === 'string') ? 'VARCHAR[]' : 'JSON[]'
}

function boundValue(value: Json): DuckDBValue[] {
  if (typeof value === 'object' && value !== null) return [JSON.stringify(value)]
  if (typeof value === 'number') return [Number.isSafeInteger(value) ? BigInt(value) : String(value)]
  return [value]
}

export function cancelled(): EngineError {
  return new EngineError('CANCELLED', runMessage('run_stopped'), {
    hint: runMessage('run_stopped_fix'),
  })
}
