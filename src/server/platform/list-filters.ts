import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

// Filters of lists; one that is not asked for is none.

/** `column` holds what is searched for, in small letters. */
export const searched = (column: SQLiteColumn, words: string | undefined): SQL | undefined =>
  words ? sql`instr(${column}, ${words.toLowerCase()}) > 0` : undefined

/** `column` holds, in small letters, a text that begins with the record's name. */
export const startsWith = (column: SQLiteColumn, name: string | undefined): SQL | undefined =>
  name ? sql`instr(${column}, ${name.toLowerCase()}) = 1` : undefined

/** `column` holds a JSON list of tags, any of these among them. */
export const tagged = (column: SQLiteColumn, tags: readonly string[] | undefined): SQL | undefined =>
  tags ? sql`EXISTS (SELECT 1 FROM json_each(${column}) AS tag WHERE tag.value IN ${tags})` : undefined
