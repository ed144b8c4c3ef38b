import {
  DuckDBInstance,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBResult,
  type DuckDBValue,
} from '@duckdb/node-api'
import { mkdir, readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Column } from '../../contract/common.ts'
import type { Json } from '../../language/task/task.types.ts'
import { attachFile, mergeFiles, pathsOf, type DuckDbFile } from './attached-files.ts'
import { translateDuckDbError } from './duckdb-errors.ts'
import { EngineError } from './errors.ts'
import { withoutFetched } from './fetched.ts'
import { jsonRow } from './json-values.ts'
import type { ProfileNode } from './profile.ts'
import { name, text } from './sql-text.ts'

/**
 * One DuckDB in memory for one run or call. It reaches the folders it is given and nothing else: extensions, settings, the network
 * and the rest of the disk are closed before any SQL of a user is looked at.
 */
export interface DuckSession {
  readonly connection: DuckDBConnection
  readonly tempDir: string
  /** Whether filters stay where they are written, so that the profile shows each step's rows. */
  readonly keepsOrder: boolean
  /** Runs a statement to its end; rows copied or changed. */
  run(sql: string): Promise<number>
  /** Runs a query into a new table; its rows. */
  createTable(table: string, query: string): Promise<number>
  /** All rows of a small answer, JSON-safe. */
  rows(sql: string): Promise<unknown[][]>
  /** Columns of a query, without running it. */
  describe(query: string): Promise<Column[]>
  /** Rows as they come, 2,048 at a time; memory stays flat. */
  chunks(sql: string): AsyncGenerator<DuckDBDataChunk>
  /** Stores a value for `getvariable('…')`; its name. */
  setVariable(value: Json): Promise<string>
  /** The name under which one of the files of `attach` is a database of this session, from now on to its end. */
  attach(path: string): Promise<string>
  /** That name; null: nobody has asked for the file yet. */
  attached(path: string): string | null
  /** A name that nothing else in this session has. */
  newName(prefix: string): string
  /** How many rows each operator of the last statement gave; null when it cannot be known. */
  profile(): Promise<ProfileNode | null>
  /** How far the statement under way is, 0 to 100; null when DuckDB cannot say. It does not say rows: those are known afterwards. */
  progress(): number | null
  /** `sound`: nothing went wrong, so a later run with the same folders may use what was opened. Its tables are gone by then. */
  close(sound: boolean): Promise<void>
}

export interface SessionOptions {
  tempDir: string
  /** Folders that may be read and written, besides `tempDir`. Resolved, absolute. */
  directories: string[]
  /** Database files that may be attached. */
  attach?: readonly DuckDbFile[]
  signal: AbortSignal
  /**
   * Lets the optimiser move filters. Off, every step does its work at its place: an expression never meets rows that a filter before
   * it took away, and each step's rows can be counted. See docs/decisions/0005-counting-rows.md.
   */
  moveFilters?: boolean
}

/** What DuckDB counts as its own. Measured, a run that spills then peaks at 570 to 680 MiB; the bar for a run is 800 MB. */
const memoryLimit = '320MB'
const counted = '{"OPERATOR_CARDINALITY":"true","OPERATOR_TYPE":"true","OPERATOR_NAME":"true","EXTRA_INFO":"true"}'

interface Opened {
  instance: DuckDBInstance
  connection: DuckDBConnection
  /** What it is locked to; only a run with the same may use it again. */
  key: string
  uses: number
}

/**
 * Opening and locking takes longer than many runs do. So an instance is opened while the worker is idle, and one that has served a
 * run soundly is kept for the next run that is locked to the same folders.
 */
let warm: Promise<DuckDBInstance> | null = null
let kept: Opened | null = null
/** An instance is not kept forever: what leaks inside it goes with it. */
const mostUses = 500

export async function warmDuckDb(): Promise<void> {
  if (kept) return
  warm ??= openInstance()
  await warm.catch(() => {
    // A failure belongs to the run that needs the instance, which opens its own.
    warm = null
  })
}

async function openInstance(): Promise<DuckDBInstance> {
  return DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'true',
  })
}

async function takeInstance(): Promise<DuckDBInstance> {
  const ready = warm
  warm = null
  return ready ? ready.catch(openInstance) : openInstance()
}

export async function openSession(options: SessionOptions): Promise<DuckSession> {
  if (options.signal.aborted) throw cancelled()
  await mkdir(spillFolder(options.tempDir), { recursive: true })
  const opened = takeKept(keyOf(options)) ?? (await openLocked(options))
  return makeSession(opened, options)
}

function keyOf(options: SessionOptions): string {
  const files = mergeFiles(options.attach ?? []).map((file) => file.path)
  return JSON.stringify([options.tempDir, options.moveFilters === true, options.directories.toSorted(), files])
}

function takeKept(key: string): Opened | null {
  const found = kept
  kept = null
  if (found && found.key === key) return found
  if (found) dispose(found)
  return null
}

function dispose({ connection, instance }: Opened): void {
  connection.closeSync()
  instance.closeSync()
}

async function openLocked(options: SessionOptions): Promise<Opened> {
  const instance = await takeInstance()
  try {
    const connection = await instance.connect()
    await lockDown(connection, options)
    return { instance, connection, key: keyOf(options), uses: 0 }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

function spillFolder(tempDir: string): string {
  return join(tempDir, 'spill')
}

async function lockDown(connection: DuckDBConnection, options: SessionOptions): Promise<void> {
  const folders = [...options.directories, options.tempDir].map((folder) => text(folder)).join(', ')
  const files = (options.attach ?? []).flatMap((file) => pathsOf(file.path)).map((path) => text(path))
  const settings = [
    `SET TimeZone = 'UTC'`,
    `SET temp_directory = ${text(spillFolder(options.tempDir))}`,
    `PRAGMA enable_profiling = 'json'`,
    `SET profiling_output = ${text(profilePath(options.tempDir))}`,
    `PRAGMA custom_profiling_settings = ${text(counted)}`,
    `SET enable_progress_bar = true`,
    `SET enable_progress_bar_print = false`,
    ...(options.moveFilters
      ? []
      : [`SET disabled_optimizers = 'filter_pushdown,statistics_propagation,empty_result_pullup'`]),
    `SET allowed_directories = [${folders}]`,
    `SET allowed_paths = [${files.join(', ')}]`,
    `SET enable_external_access = false`,
    `SET lock_configuration = true`,
  ]
  await connection.run(settings.join(';'))
}

function profilePath(tempDir: string): string {
  return join(tempDir, 'profile.json')
}

function makeSession(opened: Opened, options: SessionOptions): DuckSession {
  const { connection } = opened
  const { signal, tempDir } = options
  const interrupt = (): void => connection.interrupt()
  signal.addEventListener('abort', interrupt)
  // Names are drawn by lot: SQL of a user cannot guess the variables of a run before it.
  const secret = randomBytes(8).toString('hex')
  const variables: string[] = []
  let names = 0
  const files = mergeFiles(options.attach ?? [])
  const attached = new Map<string, { alias: string; release: () => void }>()
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
  const rows = (sql: string): Promise<unknown[][]> =>
    statement(async () => {
      const reader = await connection.runAndReadAll(sql)
      const types = reader.columnTypes()
      return reader.getRows().map((row) => jsonRow(row, types))
    })

  return {
    connection,
    tempDir,
    keepsOrder: options.moveFilters !== true,
    run: (sql) => statement(async () => (await connection.run(sql)).rowsChanged),
    async createTable(table, query) {
      named = true
      const [row] = await rows(`CREATE TEMP TABLE ${name(table)} AS ${query}`)
      return Number(row?.[0] ?? 0)
    },
    rows,
    async describe(query) {
      return (await rows(`DESCRIBE ${query}`)).map(([column, type]) => ({ name: String(column), type: String(type) }))
    },
    async *chunks(sql) {
      const result: DuckDBResult = await statement(() => connection.stream(sql))
      streaming = true
      const fetch = (): Promise<DuckDBDataChunk | null> => {
        const chunk = guarded(() => result.fetchChunk())
        chunk.catch(() => undefined) // heard when its turn comes
        return chunk
      }
      // One chunk ahead: DuckDB works on it while the one before is written.
      let next = fetch()
      try {
        for (;;) {
          const chunk = await next
          if (!chunk || chunk.rowCount === 0) return
          next = fetch()
          yield chunk
        }
      } finally {
        await next.catch(() => undefined) // told above, or not asked for any more
        streaming = false
      }
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
      const release = await statement(() => attachFile(connection, file, alias, { signal }))
      attached.set(path, { alias, release })
      return alias
    },
    attached: (path) => attached.get(path)?.alias ?? null,
    newName(prefix) {
      named = true
      return `headgate_${prefix}_${names++}`
    },
    async profile() {
      try {
        return JSON.parse(await readFile(profilePath(tempDir), 'utf8')) as ProfileNode // DuckDB's own format, see profile.ts
      } catch {
        return null // Nothing was measured: the counts are then taken by queries.
      }
    },
    progress() {
      const { percentage } = connection.progress
      return percentage < 0 ? null : percentage
    },
    async close(sound) {
      signal.removeEventListener('abort', interrupt)
      opened.uses++
      try {
        if (!sound || signal.aborted || kept || opened.uses >= mostUses) return dispose(opened)
        await forget(
          connection,
          named,
          variables,
          [...attached.values()].map(({ alias }) => alias),
        )
        kept = opened
      } catch {
        dispose(opened) // in no state to be used again; the run itself is over
      } finally {
        for (const { release } of attached.values()) release()
      }
    },
  }
}

/** Files that were fetched are named as their store has them. */
function asStored(error: EngineError, tempDir: string): EngineError {
  const message = withoutFetched(error.message, tempDir)
  return message === error.message ? error : new EngineError(error.code, message, error)
}

/** Leaves nothing of a run behind. Files are let go of first: what is dropped then can only be our own. */
async function forget(
  connection: DuckDBConnection,
  named: boolean,
  variables: string[],
  databases: string[],
): Promise<void> {
  for (const alias of databases) await connection.run(`DETACH ${name(alias)}`)
  const tables = named ? await connection.runAndReadAll('SELECT table_name FROM duckdb_tables() WHERE temporary') : null
  const statements = [
    ...(tables?.getRows() ?? []).map(([table]) => `DROP TABLE ${name(String(table))}`),
    ...variables.map((variable) => `RESET VARIABLE ${variable}`),
  ]
  if (statements.length > 0) await connection.run(statements.join(';'))
}

/** Lists and objects travel as JSON text and are typed on the other side; the rest binds as it is. */
function placeholder(value: Json): string {
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
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [BigInt(value)]
  return [value]
}

export function cancelled(): EngineError {
  return new EngineError('CANCELLED', 'The run was stopped before it was finished', {
    hint: 'Nothing was written to the target. Start it again when you want it.',
  })
}
