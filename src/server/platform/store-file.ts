import type { Database } from 'better-sqlite3'
import { identity } from '../../process/own-places.ts'
import { storeProblem } from './store-problem.ts'

const code = 'SQLITE_READONLY_DBMOVED'

/** Writes would go to a file that can't be reached by its path. SQLite has a code for this but doesn't check in WAL mode. */
export class StoreMoved extends Error {
  readonly code = code

  constructor() {
    super(storeProblem(code))
  }
}

/** Throws StoreMoved if the database or its log at their paths are no longer the open files. */
export function createFileCheck(sqlite: Database): () => void {
  if (sqlite.memory) return () => {}
  // The first read creates the log.
  sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
  const opened = ['', '-wal'].map((ending) => ({ path: sqlite.name + ending, id: identity(sqlite.name + ending) }))
  return () => {
    if (opened.some(({ path, id }) => identity(path) !== id)) throw new StoreMoved()
  }
}
