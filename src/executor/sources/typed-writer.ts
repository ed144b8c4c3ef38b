import {
  BIGINT,
  BLOB,
  DOUBLE,
  DuckDBDataChunk,
  FLOAT,
  INTEGER,
  SMALLINT,
  TINYINT,
  UBIGINT,
  UINTEGER,
  USMALLINT,
  UTINYINT,
  VARCHAR,
  type DuckDBAppender,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { translateDuckDbError } from '../engine/duckdb-errors.ts'
import type { DuckSession } from '../engine/duckdb.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { name } from '../engine/sql-text.ts'
import { countOf } from './stage-writer.ts'

const storageTypes = {
  TINYINT,
  UTINYINT,
  SMALLINT,
  USMALLINT,
  INTEGER,
  UINTEGER,
  BIGINT,
  UBIGINT,
  FLOAT,
  DOUBLE,
  VARCHAR,
  BLOB,
} as const satisfies Record<string, DuckDBType>

export type Storage = keyof typeof storageTypes

export interface TypedColumn<T> {
  name: string
  storage: Storage
  /** A value that is not NULL as DuckDB's driver takes it; absent: as it is. */
  encode?: (value: T) => DuckDBValue
}

/** Rows whose types are known beforehand into a table of the session, column by column, 2,048 at a time. */
export interface TypedWriter<T> {
  /** Taken at once: nothing piles up. */
  add(row: readonly (T | null)[]): void
  rows(): number
  finish(): Promise<{ table: string; rows: number }>
}

const chunkRows = 2048

export async function createTypedWriter<T extends DuckDBValue | Uint8Array>(
  session: DuckSession,
  columns: readonly TypedColumn<T>[],
): Promise<TypedWriter<T>> {
  const table = session.newName('source')
  const fields = columns.map((column) => `${name(column.name)} ${column.storage}`)
  await session.run(`CREATE TEMP TABLE ${name(table)} (${fields.join(', ')})`)
  const appender: DuckDBAppender = await session.connection.createAppender(table)
  const chunk = DuckDBDataChunk.create(columns.map(({ storage }) => storageTypes[storage]))
  const values: DuckDBValue[][] = columns.map(() => [])
  let pending = 0
  let total = 0

  function write(): void {
    if (pending === 0) return
    told(() => {
      chunk.reset()
      chunk.setColumns(values)
      appender.appendDataChunk(chunk)
    })
    for (const column of values) column.length = 0
    pending = 0
  }

  return {
    add(row) {
      for (let at = 0; at < columns.length; at++) {
        const value = row[at] ?? null
        const encode = columns[at]?.encode
        // Without an encoder the value is one of DuckDB's own: the column's type says so.
        values[at]?.push(value === null ? null : encode ? encode(value) : (value as DuckDBValue))
      }
      pending++
      total++
      if (pending === chunkRows) write()
    },
    rows: () => total,
    async finish() {
      write()
      told(() => {
        appender.flushSync()
        appender.closeSync()
      })
      requireSameRows(total, await countOf(session, table), 'Rows put down by the source')
      return { table, rows: total }
    },
  }
}

/** A full disk is DuckDB's to tell, not the source's. */
function told(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw translateDuckDbError(error)
  }
}
