import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { text } from '../engine/sql-text.ts'

/** Marks NULL in the text between the two databases; PostgreSQL quotes a value that reads so. */
export const nullMark = '\\N'

/** The rows of a query into a file, as CSV; their number. */
export async function copyOut(
  client: pg.Client,
  sql: string,
  width: number,
  file: string,
  signal: AbortSignal,
): Promise<number> {
  // An empty text that is the only value of its row would be an empty line, and no reader of CSV sees a row in that.
  const quoted = width === 1 ? ', FORCE_QUOTE *' : ''
  const copy = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv, NULL ${text(nullMark)}${quoted})`))
  await pipeline(copy, createWriteStream(file), { signal })
  return copy.rowCount
}
