import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockCopies, copiesOf, putBlocksBack, type BlockCopies } from './block-copies.ts'
import { translateDuckDbError } from './duckdb-errors.ts'
import { EngineError, codeOf, messageOf } from './errors.ts'
import { watchOpening } from './protected.ts'
import { name, text } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** A DuckDB file that a session may attach. */
export interface DuckDbFile {
  /** Resolved by `resolveFile`: the same file has the same path. */
  path: string
  access: 'read' | 'write'
  /** Name of the connector, for messages. */
  connector: string
}

interface WaitOptions {
  signal: AbortSignal
  timeoutMs?: number
}

/** How long a file that another program has open is waited for. */
const busyTimeoutMs = 5000

/**
 * Files open in this process. The system's locks keep other processes away, but not a second DuckDB in the same one, and two that
 * write one file ruin it.
 */
const inUse = new Map<string, { readers: number; writer: boolean }>()

/** What links lead to; of a file that is yet to be made, its folder must be there. */
export async function resolveFile(path: string, connector: string): Promise<string> {
  try {
    return existsSync(path) ? await realpath(path) : join(await realpath(dirname(path)), basename(path))
  } catch (error) {
    throw new EngineError('DATABASE_NOT_FOUND', runMessage('folder_of_connector_missing', { connector, path }), {
      hint: runMessage('folder_of_connector_missing_fix'),
      cause: error,
    })
  }
}

/** All that DuckDB opens for a database file: its journal, and what it writes while it empties that. */
export function pathsOf(path: string): string[] {
  return ['', '.wal', '.wal.checkpoint', '.wal.recovery', '.tmp'].map((ending) => path + ending)
}

/** One entry a file; whoever writes it needs it for writing. */
export function mergeFiles(files: readonly DuckDbFile[]): DuckDbFile[] {
  const merged = new Map<string, DuckDbFile>()
  for (const file of files) {
    if (file.access === 'write' || !merged.has(file.path)) merged.set(file.path, file)
  }
  return [...merged.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

/** A file that is attached to a connection. */
export interface AttachedFile {
  /**
   * What was committed goes into the file itself. Null, or what stopped it: that is no failure of who committed, as the rows are safe in the
   * journal beside the file.
   */
  emptyJournal(): Promise<unknown>
  /** Lets go of the file, once it is detached. */
  release(): void
}

/** Attaches a file under a name; waits a little while another program has it. */
export async function attachFile(
  connection: DuckDBConnection,
  file: DuckDbFile,
  alias: string,
  { signal, timeoutMs = busyTimeoutMs }: WaitOptions,
): Promise<AttachedFile> {
  const lookAgain = watchOpening([...pathsOf(file.path), copiesOf(file.path)], file.connector)
  await makeMissing(file)
  const end = performance.now() + timeoutMs
  for (let pause = 5; ; pause = Math.min(pause * 2, 100)) {
    const release = take(file)
    try {
      if (release) {
        await mend(connection, file, alias)
        await connection.run(attachSql(file, alias))
        await checked(lookAgain, connection, alias)
        return await attached(connection, file, alias, release)
      }
    } catch (error) {
      release?.()
      if (signal.aborted || !isLocked(error) || performance.now() > end) throw attachError(error, file)
    }
    if (performance.now() > end) throw lockedHere(file)
    await sleep(pause, undefined, { signal })
  }
}

function attachSql({ path, access }: DuckDbFile, alias: string): string {
  return `ATTACH ${text(path)} AS ${name(alias)} (TYPE duckdb${access === 'read' ? ', READ_ONLY' : ''})`
}

/** Blocks that a process was killed over are put back while the file is held for reading, or while it is too broken to be held. */
function mend(connection: DuckDBConnection, file: DuckDbFile, alias: string): Promise<void> {
  return putBlocksBack(file.path, async (work) => {
    try {
      await connection.run(attachSql({ ...file, access: 'read' }, alias))
    } catch (error) {
      if (isLocked(error)) throw error
      return work()
    }
    work()
    await connection.run(`DETACH ${name(alias)}`)
  })
}

async function attached(
  connection: DuckDBConnection,
  { path, access }: DuckDbFile,
  alias: string,
  release: () => void,
): Promise<AttachedFile> {
  if (access === 'read') return { emptyJournal: async () => null, release }
  let copies: BlockCopies | null = null
  try {
    copies = blockCopies(connection, path, alias)
    await copies.take()
  } catch (error) {
    await connection.run(`DETACH ${name(alias)}`)
    copies?.end()
    throw error
  }
  const { take, end } = copies
  return {
    async emptyJournal() {
      try {
        await take()
        await connection.run(`CHECKPOINT ${name(alias)}`)
        return null
      } catch (error) {
        return error
      }
    },
    release() {
      end()
      release()
    },
  }
}

/** Detaches the database if it turns out to be protected. */
async function checked(lookAgain: () => void, connection: DuckDBConnection, alias: string): Promise<void> {
  try {
    lookAgain()
  } catch (error) {
    await connection.run(`DETACH ${name(alias)}`)
    throw error
  }
}

function take({ path, access }: DuckDbFile): (() => void) | null {
  const now = inUse.get(path) ?? { readers: 0, writer: false }
  if (now.writer || (access === 'write' && now.readers > 0)) return null
  inUse.set(path, access === 'write' ? { readers: 0, writer: true } : { readers: now.readers + 1, writer: false })
  let held = true
  return () => {
    if (!held) return
    held = false
    const then = inUse.get(path)
    if (then && then.readers > 1) inUse.set(path, { ...then, readers: then.readers - 1 })
    else inUse.delete(path)
  }
}

/** A new file appears whole or not at all: a process that is killed meanwhile leaves none that is half made. */
async function makeMissing({ path, access, connector }: DuckDbFile): Promise<void> {
  if (existsSync(path)) return
  if (access === 'read') {
    throw new EngineError('DATABASE_NOT_FOUND', runMessage('database_of_connector_missing', { connector, path }), {
      hint: runMessage('database_of_connector_missing_fix'),
    })
  }
  const beside = `${path}.headgate-${randomBytes(6).toString('hex')}`
  try {
    const instance = await DuckDBInstance.create(beside)
    instance.closeSync()
    // Whoever was faster has made it: theirs stays.
    await link(beside, path).catch(async (error: unknown) => {
      if (codeOf(error) === 'EEXIST') return
      if (!existsSync(path)) await rename(beside, path) // a disk without links
    })
  } catch (error) {
    throw new EngineError('DATABASE_REFUSED', runMessage('database_not_made', { cause: firstLine(error), path }), {
      hint: runMessage('database_not_made_fix'),
      cause: error,
    })
  } finally {
    await Promise.all(pathsOf(beside).map((left) => rm(left, { force: true })))
  }
}

function isLocked(error: unknown): boolean {
  return /Could not set lock on file|Unique file handle conflict|being used by another process/.test(messageOf(error))
}

function lockedHere(file: DuckDbFile): EngineError {
  return locked(file, 'another run of this executor', undefined)
}

function locked({ path, connector, access }: DuckDbFile, holder: string, cause: unknown): EngineError {
  return new EngineError('DATABASE_LOCKED', runMessage('database_in_use', { connector, holder, path }), {
    hint: access === 'write' ? runMessage('database_in_use_fix') : runMessage('database_in_use_fix_2'),
    cause,
  })
}

/** DuckDB's words on a file that it cannot open as ours: which one, and what to do. */
function attachError(thrown: unknown, file: DuckDbFile): EngineError {
  if (thrown instanceof EngineError) return thrown
  const { path, connector } = file
  const message = messageOf(thrown)
  if (isLocked(thrown)) {
    const holder = /lock is held in (.+?)(?: by user|\. |\n|$)/.exec(message)?.[1]
    return locked(file, holder ?? 'another program', thrown)
  }
  const where = `connector \`${connector}\`, ${path}`
  const make = (code: EngineError['code'], words: Message, hint: Message): EngineError =>
    new EngineError(code, runMessage('database_failed_at', { text: words, where }), { hint, cause: thrown })
  if (/encrypt/i.test(message)) {
    return make('FILE_UNREADABLE', runMessage('database_encrypted'), runMessage('database_encrypted_fix'))
  }
  if (/version number/.test(message)) {
    return make(
      'FILE_UNREADABLE',
      runMessage('database_of_other_version', { detail: firstLine(message) }),
      runMessage('database_of_other_version_fix'),
    )
  }
  if (/[Pp]ermission denied|[Rr]ead-only file system/.test(message)) {
    return make(
      'DATABASE_REFUSED',
      runMessage('duckdb_unopenable', { detail: firstLine(message) }),
      runMessage('duckdb_unopenable_fix'),
    )
  }
  if (/not a valid DuckDB|[Cc]orrupt|Could not read|Is a directory|replaying WAL|checksum/.test(message)) {
    return make(
      'FILE_UNREADABLE',
      runMessage('not_duckdb', { detail: firstLine(message) }),
      runMessage('restore_database'),
    )
  }
  const other = translateDuckDbError(thrown)
  return new EngineError(other.code, runMessage('database_error_at', { cause: other.reason, where }), {
    hint: other.fix,
    cause: thrown,
  })
}

function firstLine(thrown: unknown): string {
  const line = messageOf(thrown).split('\n', 1)[0] ?? ''
  return line.replace(/^[A-Z][A-Za-z ]*Error: /, '').slice(0, 300)
}
