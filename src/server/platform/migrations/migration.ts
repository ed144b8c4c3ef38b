import type { Database } from 'better-sqlite3'

/** One step of the schema. Applied together with its record in one transaction; never changed once released. */
export interface Migration {
  /** From 1, without gaps. */
  readonly version: number
  readonly name: string
  up(sqlite: Database): void
}
