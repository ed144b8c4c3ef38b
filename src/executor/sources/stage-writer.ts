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
  /** The rows, each column in its type. */
  sql: string
  rows: number
  types: Map<string, Storage>
  /** What the values of each column are, with their number and the first of each kind. */
  kinds: Map<string, ReadonlyMap<Storage, KindSeen>>
}

interface KindSeen {
  count: number
  example: unknown
}

const chunkRows = 2048

/**
 * Every kind of value that a column has gets a column in the table, so that a value stays what it is whatever comes before or after it.
 * What all of them become is known when all are there.
 */
export function createStageWriter(session: DuckSession, columns: { name: string; type: string | null }[]): StageWriter {
  const table = session.newName('source')
  const seen = columns.map(() => new Map<Storage, KindSeen>())
  // Columns with an integer that a number cannot hold exactly: beside numbers they become text, never a rounded number.
  const wide: boolean[] = columns.map(() => false)
  const fields: Field[] = []
  let values: (Stored | null)[][] = columns.map(() => [])
  let appender: DuckDBAppender | null = null
  let chunk: DuckDBDataChunk | null = null
  let total = 0

  async function prepareTable(): Promise<void> {
    const missing = columns.flatMap(({ type }, column) => {
      const own = fields.filter((field) => field.column === column)
      const kinds = [...(seen[column]?.keys() ?? [])]
      // A column without values yet is made too: rows need one.
      const wanted = kinds.length === 0 && own.length === 0 ? [declaredStorage(type)] : kinds
      return wanted
        .filter((storage) => own.every((field) => field.storage !== storage))
        .map((storage): Field => ({ column, storage }))
    })
    if (missing.length === 0) return
    appender?.closeSync()
    const made = missing.map((field) => `${fieldName(field)} ${field.storage}`)
    if (fields.length === 0) await session.run(`CREATE TEMP TABLE ${name(table)} (${made.join(', ')})`)
    else for (const field of made) await session.run(`ALTER TABLE ${name(table)} ADD COLUMN ${field}`)
    fields.push(...missing)
    appender = await session.connection.createAppender(table)
    chunk = DuckDBDataChunk.create(fields.map(({ storage }) => storageTypes[storage]))
  }

  async function write(): Promise<void> {
    values.forEach((column, index) => {
      for (const value of column) {
        const storage = storageOf(value)
        if (storage === null) continue
        const kind = seen[index]?.get(storage)
        if (kind) kind.count++
        else seen[index]?.set(storage, { count: 1, example: value })
        if (typeof value === 'bigint' && !isExactNumber(value)) wide[index] = true
      }
    })
    await prepareTable()
    if (!appender || !chunk) return
    if ((values[0]?.length ?? 0) > 0) {
      chunk.reset()
      chunk.setColumns(fields.map(({ column, storage }) => valuesOf(values[column] ?? [], storage)))
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
      const made = columns.map((column, index) => {
        const kinds = [...(seen[index]?.keys() ?? [])]
        const type = commonStorage(kinds, declaredStorage(column.type), wide[index] ?? false)
        const all = kinds.map((storage) => converted({ column: index, storage }, type))
        const sql = all.length === 0 ? `CAST(NULL AS ${type})` : `coalesce(${all.join(', ')})`
        return { column: column.name, type, sql: `${sql} AS ${name(column.name)}` }
      })
      return {
        sql: `SELECT ${made.map(({ sql }) => sql).join(', ')} FROM ${name(table)}`,
        rows: total,
        types: new Map(made.map(({ column, type }) => [column, type])),
        kinds: new Map(columns.map((column, index) => [column.name, seen[index] ?? new Map<Storage, KindSeen>()])),
      }
    },
  }
}

/** Where the values of one kind are of a column. */
interface Field {
  column: number
  storage: Storage
}

const fieldName = ({ column, storage }: Field): string => `c${column}_${storage}`

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

/** The type that keeps all values of these kinds: integers become numbers, anything text, and bytes where one is bytes. */
function commonStorage(kinds: readonly Storage[], declared: Storage, wide: boolean): Storage {
  const [first = declared, ...others] = kinds
  if (others.length === 0) return first
  if (kinds.includes('BLOB')) return 'BLOB'
  return kinds.includes('VARCHAR') || wide ? 'VARCHAR' : 'DOUBLE'
}

/** SQL of a kind's values in the type of their column: the text of a number follows from the number alone. */
function converted(field: Field, type: Storage): string {
  if (field.storage === type) return fieldName(field)
  if (type !== 'BLOB') return `CAST(${fieldName(field)} AS ${type})`
  return `encode(${field.storage === 'VARCHAR' ? fieldName(field) : `CAST(${fieldName(field)} AS VARCHAR)`})`
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

/** The values of one kind, and NULL for the others. */
function valuesOf(values: readonly (Stored | null)[], storage: Storage): DuckDBValue[] {
  return values.map((value) => {
    if (storageOf(value) !== storage) return null
    return value instanceof Uint8Array ? new DuckDBBlobValue(value) : value
  })
}
