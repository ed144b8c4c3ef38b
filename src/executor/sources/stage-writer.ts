import {
  BIGINT,
  BLOB,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDataChunk,
  VARCHAR,
  type DuckDBAppender,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { cancelled, type DuckSession } from '../engine/duckdb.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { name } from '../engine/sql-text.ts'

export type Storage = 'BIGINT' | 'DOUBLE' | 'VARCHAR' | 'BLOB'
const storageTypes: Record<Storage, DuckDBType> = { BIGINT, DOUBLE, VARCHAR, BLOB }

/** Rows of loosely typed values into a table of the session, column by column, 2,048 at a time. */
export interface StageWriter {
  /** true: a chunk is full and wants to be flushed. */
  add(row: readonly unknown[]): boolean
  flush(signal: AbortSignal): Promise<void>
  rows(): number
  finish(): Promise<Staged>
}

export interface Staged {
  table: string
  rows: number
  types: Map<string, string>
  /** What the values of each column are, with their number and the first of each kind. */
  kinds: Map<string, ReadonlyMap<Storage, KindSeen>>
}

interface KindSeen {
  count: number
  example: unknown
}

const chunkRows = 2048

/** A column's storage follows its values, and is widened when a later value needs it: integers to numbers, anything to text. */
export function createStageWriter(session: DuckSession, columns: { name: string; type: string | null }[]): StageWriter {
  const table = session.newName('source')
  const stored: (Storage | null)[] = columns.map(() => null)
  const made: (Storage | null)[] = columns.map(() => null)
  // Columns with an integer that a number cannot hold exactly: beside numbers they become text, never a rounded number.
  const wide: boolean[] = columns.map(() => false)
  const seen = columns.map(() => new Map<Storage, KindSeen>())
  let values: (Stored | null)[][] = columns.map(() => [])
  let appender: DuckDBAppender | null = null
  let chunk: DuckDBDataChunk | null = null
  let total = 0

  async function prepareTable(): Promise<void> {
    const final = stored.map((storage, index) => storage ?? declaredStorage(columns[index]?.type ?? null))
    if (!appender) {
      const fields = columns.map((column, index) => `${name(column.name)} ${final[index]}`)
      await session.run(`CREATE TEMP TABLE ${name(table)} (${fields.join(', ')})`)
    } else if (final.some((storage, index) => storage !== made[index])) {
      appender.closeSync()
      appender = null
      for (const [index, storage] of final.entries()) {
        if (storage === made[index]) continue
        const column = name(columns[index]?.name ?? '')
        const using = storage === 'BLOB' ? ` USING encode(CAST(${column} AS VARCHAR))` : ''
        await session.run(`ALTER TABLE ${name(table)} ALTER COLUMN ${column} TYPE ${storage}${using}`)
      }
    } else return
    final.forEach((storage, index) => {
      made[index] = storage
      stored[index] = storage
    })
    appender = await session.connection.createAppender(table)
    chunk = DuckDBDataChunk.create(final.map((storage) => storageTypes[storage]))
  }

  async function write(): Promise<void> {
    values.forEach((column, index) => {
      for (const value of column) {
        const storage = storageOf(value)
        if (storage === null) continue
        const kind = seen[index]?.get(storage)
        if (kind) kind.count++
        else seen[index]?.set(storage, { count: 1, example: value })
        stored[index] = widen(stored[index] ?? null, storage)
        if (typeof value === 'bigint' && !isExactNumber(value)) wide[index] = true
      }
      if (wide[index] && stored[index] === 'DOUBLE') stored[index] = 'VARCHAR'
    })
    await prepareTable()
    const typed = values.map((column, index) => column.map((value) => convert(value, made[index] ?? 'VARCHAR')))
    if (!appender || !chunk) return
    if ((typed[0]?.length ?? 0) > 0) {
      chunk.reset()
      chunk.setColumns(typed)
      appender.appendDataChunk(chunk)
    }
    values = columns.map(() => [])
  }

  return {
    add(row) {
      for (const [index, column] of values.entries()) column.push((row[index] ?? null) as Stored | null) // what SQLite can hold
      total++
      return (values[0]?.length ?? 0) >= chunkRows
    },
    async flush(signal) {
      await write()
      // Reading is synchronous: now and then the process must hear whether it is to stop.
      if (total % (chunkRows * 16) === 0) await new Promise((resolve) => setImmediate(resolve))
      if (signal.aborted) throw cancelled()
    },
    rows: () => total,
    async finish() {
      await write()
      appender?.flushSync()
      appender?.closeSync()
      requireSameRows(total, await countOf(session, table), 'Rows put down by the source')
      return {
        table,
        rows: total,
        types: new Map(columns.map((column, index) => [column.name, made[index] ?? 'VARCHAR'])),
        kinds: new Map(columns.map((column, index) => [column.name, seen[index] ?? new Map<Storage, KindSeen>()])),
      }
    },
  }
}

/** DuckDB knows it without reading the rows. */
export async function countOf(session: DuckSession, table: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) FROM ${name(table)}`)
  return Number(row?.[0])
}

function storageOf(value: Stored | null): Storage | null {
  if (value === null) return null
  if (typeof value === 'bigint') return 'BIGINT'
  if (typeof value === 'number') return 'DOUBLE'
  return typeof value === 'string' ? 'VARCHAR' : 'BLOB'
}

function widen(before: Storage | null, value: Storage | null): Storage | null {
  if (before === null || value === null || before === value) return before ?? value
  if (before === 'BLOB' || value === 'BLOB') return 'BLOB'
  return before === 'VARCHAR' || value === 'VARCHAR' ? 'VARCHAR' : 'DOUBLE'
}

function isExactNumber(value: bigint): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
}

/** SQLite's rules of affinity: what a column without values would hold. */
export function declaredStorage(type: string | null): Storage {
  const declared = (type ?? '').toUpperCase()
  if (declared.includes('INT')) return 'BIGINT'
  if (/CHAR|CLOB|TEXT/.test(declared)) return 'VARCHAR'
  if (declared.includes('BLOB')) return 'BLOB'
  return /REAL|FLOA|DOUB/.test(declared) ? 'DOUBLE' : 'VARCHAR'
}

type Stored = string | number | bigint | Uint8Array

function convert(value: Stored | null, storage: Storage): DuckDBValue {
  if (value === null) return null
  if (storage === 'BIGINT') return value as bigint // `widen` saw to it
  if (storage === 'DOUBLE') return Number(value)
  if (storage === 'VARCHAR') return String(value)
  return new DuckDBBlobValue(value instanceof Uint8Array ? value : Buffer.from(String(value)))
}
