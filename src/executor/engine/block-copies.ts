/**
 * DuckDB empties its journal into free blocks of the file, with one exception: blocks of metadata that have room left are written over
 * where they are. A process that is killed within such a write, or a machine that loses power, leaves a block that is neither old nor
 * new, and a file that nobody can open any more. So whoever writes a file keeps a copy of these blocks beside it while it is open.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { runMessage } from '../../contract/run-messages.ts'
import { EngineError, codeOf, messageOf } from './errors.ts'
import { text } from './sql-text.ts'

/** The main header and two of the database, of which the one with the higher number says what is in force. */
const headLength = 3 * 4096
const numberLength = 8
/** Of the blocks of a file, which are all of one size. */
const [smallestBlock, largestBlock] = [16_384, 262_144]

export const copiesOf = (path: string): string => `${path}.headgate-blocks`

/** Windows completes a write that was begun, and lets nobody else open a file that DuckDB writes. */
const isNeeded = process.platform !== 'win32'

export interface BlockCopies {
  /** Copies the blocks as they are in force now: before anything that may empty the journal. */
  take(): Promise<void>
  /** Once DuckDB has let go of the file. */
  end(): void
}

/** For a database that is attached, under the name `alias`, for writing. */
export function blockCopies(connection: DuckDBConnection, path: string, alias: string): BlockCopies {
  if (!isNeeded) return { take: async () => undefined, end: () => undefined }
  // Closing it takes DuckDB's lock on the file away, as the system has one per process: it stays open to the end.
  const file = openSync(path, 'r')
  /** Of the copies that there are: as long as it is in force, so are they. */
  let head: Buffer | null = null
  return {
    async take() {
      const now = readAt(file, 0, headLength)
      if (head?.equals(now)) return
      const size = Number(
        (
          await only(connection, `SELECT block_size FROM pragma_database_size() WHERE database_name = ${text(alias)}`)
        )[0],
      )
      const blocks = await only(
        connection,
        `SELECT block_id FROM pragma_metadata_info(${text(alias)}) WHERE free_blocks > 0`,
      )
      const copies = blocks.flatMap((block) => {
        const at = headLength + Number(block) * size
        const bytes = readAt(file, at, size)
        return bytes.length === size ? [numbered(at), bytes] : [] // not written yet: nobody needs it
      })
      write(path, [now, numbered(size), ...copies])
      head = now
    },
    end() {
      closeSync(file)
      if (!head) return
      try {
        rmSync(copiesOf(path), { force: true })
      } catch {
        // Something else has that name by now. It is no copy of the next header.
      }
    },
  }
}

/**
 * Puts blocks back that another process was killed over, if the file still is as they were copied. `hold` keeps others away from the
 * file and lets go of it again; it throws if someone has it open.
 */
export async function putBlocksBack(path: string, hold: (work: () => void) => Promise<void>): Promise<void> {
  if (!isNeeded || !existsSync(copiesOf(path))) return
  const file = openToWrite(path)
  if (file === null) return
  try {
    await hold(() => restore(file, readCopies(path, file)))
  } finally {
    closeSync(file)
  }
}

function restore(file: number, copies: Buffer | null): void {
  if (!copies) return
  // Another header means that the write was completed, or another file has taken the place of this one.
  if (!readAt(file, 0, headLength).equals(copies.subarray(0, headLength))) return
  for (const { place, block } of blocksIn(copies, fstatSync(file).size)) {
    if (!readAt(file, place, block.length).equals(block)) writeSync(file, block, 0, block.length, place)
  }
  fsyncSync(file)
}

/** None, unless each of them is a block of a file of this size: what we write always is. */
function blocksIn(copies: Buffer, fileSize: number): { place: number; block: Buffer }[] {
  const size = Number(copies.readBigUInt64LE(headLength))
  const length = numberLength + size
  const rest = copies.length - headLength - numberLength
  if (size < smallestBlock || size > largestBlock || rest % length !== 0) return []
  const blocks = Array.from({ length: rest / length }, (_, index) => {
    const at = headLength + numberLength + index * length
    return { place: Number(copies.readBigUInt64LE(at)), block: copies.subarray(at + numberLength, at + length) }
  })
  const fits = ({ place }: { place: number }) =>
    place >= headLength && (place - headLength) % size === 0 && place + size <= fileSize
  return blocks.every(fits) ? blocks : []
}

/** Appears complete or not at all, and in the place of whatever has that name. */
function write(path: string, parts: readonly Buffer[]): void {
  const beside = `${copiesOf(path)}-${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(beside, Buffer.concat(parts), { flag: 'wx', mode: 0o600, flush: true })
    renameSync(beside, copiesOf(path))
  } catch (error) {
    const words = { path: copiesOf(path), cause: messageOf(error).split(',', 1)[0] ?? '' }
    throw new EngineError('DATABASE_REFUSED', runMessage('database_blocks_not_copied', words), {
      hint: runMessage('database_blocks_not_copied_fix'),
      cause: error,
    })
  } finally {
    rmSync(beside, { force: true })
  }
}

/** Null: there are none, or they are not ours: other accounts may write into the folder, and must not write into `database` by that. */
function readCopies(path: string, database: number): Buffer | null {
  let file: number
  try {
    // A pipe must not be waited for.
    file = openSync(copiesOf(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EACCES', 'ENXIO'].includes(codeOf(error) ?? '')) return null
    throw error
  }
  try {
    const found = fstatSync(file)
    const of = fstatSync(database)
    const isOurs = found.uid === process.geteuid?.() || found.uid === of.uid
    // Even copies of all blocks are hardly longer than the file.
    const fits = found.size >= headLength + numberLength && found.size <= 2 * of.size
    return found.isFile() && isOurs && fits ? readFileSync(file) : null
  } finally {
    closeSync(file)
  }
}

/** Null: this user may only read it. */
function openToWrite(path: string): number | null {
  try {
    return openSync(path, 'r+')
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}

function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, at))
}

function numbered(value: number): Buffer {
  const bytes = Buffer.alloc(numberLength)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** The first column. */
async function only(connection: DuckDBConnection, sql: string): Promise<unknown[]> {
  return (await connection.runAndReadAll(sql)).getRows().map(([value]) => value)
}
