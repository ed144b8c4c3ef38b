import type { Database } from 'better-sqlite3'
import { identity } from '../../process/own-places.ts'
import { storeProblem } from './store-problem.ts'

const code = 'SQLITE_READONLY_DBMOVED'

/** What is saved would go into a file that nobody finds again. SQLite has a code for it, and does not look in WAL mode. */
export class StoreMoved extends Error {
  readonly code = code

  constructor() {
    super(storeProblem(code))
  }
}

/** Throws StoreMoved when the database at its path, or the log beside it, is no longer the one that is open. */
export function createFileCheck(sqlite: Database): () => void {
  if (sqlite.memory) return () => {}
  // The log is made when the database is first read.
  sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
  const opened = ['', '-wal'].map((ending) => ({ path: sqlite.name + ending, id: identity(sqlite.name + ending) }))
  return () => {
    if (opened.some(({ path, id }) => identity(path) !== id)) throw new StoreMoved()
  }
}
