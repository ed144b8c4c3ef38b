import { shortened } from '../../../language/shortened.ts'
import { EngineError } from '../../engine/errors.ts'
import { numberOf } from './errors.ts'
import type { MysqlSession } from './client.ts'
import { refused } from '../../targets/left-out.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

export interface InsertCounts {
  rows: number
  inserted: number
  updated: number
}

/** Rows as literals on their way into a table, many a statement. */
export interface MysqlInsert {
  /** `key`: the row's key as a literal, where it is to be looked up. */
  add(row: string, key: string | null): Promise<void>
  finish(): Promise<InsertCounts>
}

export interface InsertOptions {
  /** `INSERT INTO … VALUES ` */
  head: string
  /** ` ON DUPLICATE KEY UPDATE …`, or nothing. */
  tail: string
  /** At most, a statement. */
  rows: number
  /** `SELECT count(*) FROM … WHERE (key) IN (`: how many rows the keys find. Where a row could meet another one by another unique key. */
  lookup: string | null
  /** Of rows that were just written, where fewer are there than there should be: throws where it is keys that met each other. */
  requireStored(keys: readonly string[]): Promise<void>
  /** Names for messages. */
  table: string
  columns: readonly string[]
  /** Bytes of one statement that the server takes. */
  mostBytes: number
}

/** Measured: larger statements are no faster. */
const statementCharacters = 524_288
/** Numbers of warnings by which the server says that it has changed a value. */
const changedValue: ReadonlySet<number> = new Set([1264, 1265, 1292, 1366, 1406])

/** While the server works on one statement, the next is put together. */
export function createMysqlInsert(session: MysqlSession, options: InsertOptions): MysqlInsert {
  const { head, tail, lookup, mostBytes } = options
  // A character has four bytes at most.
  const most = Math.min(statementCharacters, Math.floor(mostBytes / 4))
  const counts: InsertCounts = { rows: 0, inserted: 0, updated: 0 }
  let rows: string[] = []
  let keys: string[] = []
  let characters = 0
  let sent = 0
  let underWay: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    await underWay
    if (rows.length === 0) return
    const batch = { rows, keys, first: sent }
    sent += rows.length
    rows = []
    keys = []
    characters = 0
    underWay = send(batch)
    underWay.catch(() => undefined) // heard when it is waited for
  }

  async function send(batch: Batch): Promise<void> {
    const present =
      lookup === null ? null : Number((await session.rows(`${lookup}${batch.keys.join(',')}) FOR UPDATE`))[0]?.[0] ?? 0)
    const result = await insert(batch)
    const updated = Number(
      /Duplicates: (\d+)/.exec(result.info)?.[1] ?? (batch.rows.length === 1 && result.affectedRows === 2 ? 1 : 0),
    )
    const inserted = result.affectedRows - 2 * updated
    if (present !== null && inserted < batch.rows.length - present) {
      await options.requireStored(batch.keys)
      throw otherKey(batch, options)
    }
    counts.rows += batch.rows.length
    counts.inserted += inserted
    counts.updated += updated
  }

  async function insert(batch: Batch): ReturnType<MysqlSession['run']> {
    try {
      const result = await session.run(`${head}${batch.rows.join(',')}${tail}`)
      if (result.warningStatus > 0) await refuseChangedValues(session, batch, options.table)
      return result
    } catch (error) {
      throw await withRow(session, batch, options, error)
    }
  }

  return {
    async add(row, key) {
      if (characters > 0 && (characters + row.length > most || rows.length >= options.rows)) await flush()
      if (row.length > most && Buffer.byteLength(row) + head.length + tail.length + 64 > mostBytes) {
        throw new EngineError(
          'VALUE_INVALID',
          runMessage('row_larger_than_packet', {
            row: sent + rows.length + 1,
            size: Buffer.byteLength(row),
            most: mostBytes,
          }),
          { hint: runMessage('row_larger_than_packet_fix') },
        )
      }
      rows.push(row)
      if (key !== null) keys.push(key)
      characters += row.length + 1
    },
    async finish() {
      await flush()
      await underWay
      return counts
    },
  }
}

interface Batch {
  rows: string[]
  keys: string[]
  /** Rows before this batch. */
  first: number
}

async function refuseChangedValues(session: MysqlSession, batch: Batch, table: string): Promise<void> {
  for (const [, number, words] of await session.rows('SHOW WARNINGS')) {
    if (!changedValue.has(Number(number))) continue
    const cause = runMessage('server_would_change', { text: String(words) })
    const hint = runMessage('server_would_change_fix')
    const row = rowOf(String(words))
    throw new EngineError('VALUE_INVALID', row === null ? cause : refusedRow(batch, row, table, cause), { hint })
  }
}

/** The row of the statement that the server names, counted from 0. */
function rowOf(words: string): number | null {
  const at = /at row (\d+)/.exec(words)?.[1]
  return at === undefined ? null : Number(at) - 1
}

/** Longest part of a row that is shown. */
const mostShown = 300

function refusedRow(batch: Batch, row: number, table: string, cause: string | Message): Message {
  const values = shortened(batch.rows[row] ?? '', mostShown)
  return runMessage('row_refused_of_values', { row: batch.first + row + 1, cause, table, values })
}

/** Names the row. Where the server does not, they are tried one by one: all is rolled back afterwards. */
async function withRow(session: MysqlSession, batch: Batch, options: InsertOptions, thrown: unknown): Promise<unknown> {
  const error = signalled(thrown, options.table, 'it') ?? thrown
  if (!(error instanceof EngineError) || !['VALUE_INVALID', 'CONSTRAINT_VIOLATED'].includes(error.code)) return error
  const refusalAt = (row: number, own: EngineError): EngineError =>
    new EngineError(own.code, refusedRow(batch, row, options.table, own.reason), { hint: own.fix, cause: own.cause })
  if (error.message.startsWith('Row ')) return error
  const at = rowOf(error.message)
  if (at !== null && numberOf(error.cause) !== 1062) return refusalAt(at, error)
  for (const [row, literal] of batch.rows.entries()) {
    try {
      await session.run(`${options.head}${literal}${options.tail}`)
    } catch (own) {
      const known = signalled(own, options.table, 'it') ?? own
      return known instanceof EngineError && known.code !== 'CANCELLED' ? refusalAt(row, known) : known
    }
  }
  return error
}

/** What a trigger says with SIGNAL names no table; null: it is another error. */
export function signalled(error: unknown, table: string, row: 'it' | 'a row'): EngineError | null {
  if (!(error instanceof EngineError) || error.code !== 'DATABASE_REFUSED' || !isSignal(error.cause)) return null
  return new EngineError('CONSTRAINT_VIOLATED', refused(table, row, error.message), {
    hint: runMessage('trigger_refused'),
    cause: error.cause,
  })
}

function isSignal(cause: unknown): boolean {
  if (numberOf(cause) === unhandledSignal) return true
  return typeof cause === 'object' && cause !== null && 'sqlState' in cause && cause.sqlState === '45000'
}

const unhandledSignal = 1644

function otherKey(batch: Batch, { columns }: InsertOptions): EngineError {
  return new EngineError(
    'CONSTRAINT_VIOLATED',
    runMessage('row_with_other_key', { first: batch.first + 1, last: batch.first + batch.rows.length, columns }),
    {
      hint: runMessage('row_with_other_key_fix'),
    },
  )
}
