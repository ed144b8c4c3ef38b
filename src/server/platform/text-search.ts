import type { Database } from 'better-sqlite3'
import { type Column, type SQL, sql } from 'drizzle-orm'

/** SQLite itself lowers ASCII only. */
export function addLowerText(sqlite: Database): void {
  sqlite.function('lower_text', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : null,
  )
}

/** Whether a text holds what somebody looks for, whatever the case. */
export function holdsText(text: SQL | Column, wanted: string): SQL {
  const word = wanted.toLowerCase()
  // SQLite's own is much faster, and as good for these.
  const isAscii = Buffer.byteLength(word) === word.length
  return isAscii ? sql`instr(lower(${text}), ${word}) > 0` : sql`instr(lower_text(${text}), ${word}) > 0`
}
