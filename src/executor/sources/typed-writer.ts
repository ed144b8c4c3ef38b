import { DuckDBDataChunk, type DuckDBAppender } from '@duckdb/node-api'
import { translateDuckDbError } from '../engine/duckdb-errors.ts'
import type { DuckSession } from '../engine/duckdb.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { name } from '../engine/sql-text.ts'
import { chunkColumn, type ChunkColumn, type Storage } from './chunk-columns.ts'
import { chunkRows, type StoredValue } from './vector-column.ts'
import { countOf } from './stage-writer.ts'

export interface TypedColumn {
  name: string
  storage: Storage
}

/** Rows whose types are known beforehand into a table of the session, column by column, 2,048 at a time. */
export interface TypedWriter {
  /** What the row under way is written to, at `row()`. Gone after `change`: asked for anew. */
  column(at: number): ChunkColumn
  row(): number
  /** Whether so many rows more, of so many bytes together, fill the chunk. */
  fills(rows: number, bytes: number): boolean
  /** So many rows from `row()` on, which fit into the chunk, have all their values, of so many bytes together. Taken at once: nothing piles up. */
  endRows(rows: number, bytes: number): void
  /** A row of a driver's values. */
  add(row: readonly (StoredValue | null)[]): void
  rows(): number
  /** Gives a column another type; the row under way is to be written again. `using`: SQL that makes the new values of the old ones. */
  change(at: number, storage: Storage, using: string): Promise<void>
  /** The table holds all rows that were added, or this fails. */
  finish(): Promise<{ table: string; rows: number }>
}

/** Of one chunk; more are written before the chunk is full. */
const mostPendingBytes = 1 << 22
/**
 * DuckDB's appender keeps rows until there are 204,800: too many where they are wide. A full group of rows becomes part of the table as
 * it is; fewer are copied once more.
 */
const groupRows = 122_880
const mostAppendedBytes = 1 << 24

export async function createTypedWriter(session: DuckSession, declared: readonly TypedColumn[]): Promise<TypedWriter> {
  const table = session.newName('source')
  const columns = declared.map((column) => chunkColumn(column.name, column.storage))
  const fields = declared.map((column) => `${name(column.name)} ${column.storage}`)
  await session.run(`CREATE TEMP TABLE ${name(table)} (${fields.join(', ')})`)
  let { chunk, appender } = await open()
  let pending = 0
  let pendingBytes = 0
  let appendedRows = 0
  let appendedBytes = 0
  let total = 0

  async function open(): Promise<{ chunk: DuckDBDataChunk; appender: DuckDBAppender }> {
    const made = DuckDBDataChunk.create(
      columns.map(({ type }) => type),
      chunkRows,
    )
    columns.forEach((column, at) => column.attach(made, at))
    return { chunk: made, appender: await session.connection.createAppender(table) }
  }

  function write(): void {
    if (pending > 0) {
      appendedRows += pending
      appendedBytes += pendingBytes
      translateErrors(() => {
        for (const column of columns) column.write(pending)
        chunk.rowCount = pending
        appender.appendDataChunk(chunk)
        chunk.reset()
      })
      if (appendedRows >= groupRows || appendedBytes > mostAppendedBytes) flush()
    }
    for (const column of columns) column.clear()
    pending = 0
    pendingBytes = 0
  }

  function flush(): void {
    translateErrors(() => appender.flushSync())
    appendedRows = 0
    appendedBytes = 0
  }

  function close(): void {
    write()
    flush()
    translateErrors(() => appender.closeSync())
  }

  const writer: TypedWriter = {
    column(at) {
      const column = columns[at]
      if (!column) throw new Error(`There is no column ${at}`)
      return column
    },
    row: () => pending,
    fills: (rows, bytes) => pending + rows >= chunkRows || pendingBytes + bytes > mostPendingBytes,
    endRows(rows, bytes) {
      if (pending + rows > chunkRows) throw new Error(`${rows} rows behind ${pending} are more than a chunk`)
      pending += rows
      total += rows
      pendingBytes += bytes
      if (writer.fills(0, 0)) write()
    },
    add(row) {
      let bytes = 0
      for (let at = 0; at < columns.length; at++) {
        const value = row[at] ?? null
        if (value === null) columns[at]?.setNull(pending)
        else {
          columns[at]?.put(pending, value)
          bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
        }
      }
      writer.endRows(1, bytes)
    },
    rows: () => total,
    async change(at, storage, using) {
      close()
      const column = name(writer.column(at).name)
      await session.run(`ALTER TABLE ${name(table)} ALTER COLUMN ${column} TYPE ${storage} USING ${using}`)
      columns[at] = chunkColumn(writer.column(at).name, storage)
      ;({ chunk, appender } = await open())
    },
    async finish() {
      close()
      requireSameRows(total, await countOf(session, table), 'Rows put down by the source')
      return { table, rows: total }
    },
  }
  return writer
}

/** A full disk is DuckDB's to tell, not the source's. */
function translateErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw translateDuckDbError(error)
  }
}
