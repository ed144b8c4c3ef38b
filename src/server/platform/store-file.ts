import type { Database } from 'better-sqlite3'
import { statSync } from 'node:fs'
import { storeProblem } from './store-problem.ts'

const code = 'SQLITE_READONLY_DBMOVED'

/** Writes would be lost. SQLite has a code for this but doesn't check in WAL mode. */
export class StoreMoved extends Error {
  readonly code = code

  constructor() {
    super(storeProblem(code)?.message)
  }
}

export interface FileCheck {
  /** Throws StoreMoved if the database or its log at their paths are not the open files, or are shorter than before. */
  check(): void
  /**
   * To call outside of a transaction, after something made the files shorter: if nothing is missing (SQLite itself shortens both after a
   * vacuum or a checkpoint), that is their length from now on.
   */
  reconsider(): void
}

/** SQLite keeps the log at this size when it starts it again, so it may get that short without a loss. */
export const longestLog = 67_108_864
/** Of the log, and of each page in it. */
const logHeader = 32
const frameHeader = 24

interface FileState {
  path: string
  id: string
  size: number
}

export function createFileCheck(sqlite: Database): FileCheck {
  if (sqlite.memory) return { check: () => undefined, reconsider: () => undefined }
  // The first read creates the log.
  sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
  const pageSize = Number(sqlite.pragma('page_size', { simple: true }))
  const database = stateOf(sqlite.name)
  const log = stateOf(`${sqlite.name}-wal`)

  /** Whether all that was committed is in the two files, though one of them is shorter than it was. */
  function isComplete(): boolean {
    const [{ log: pages, checkpointed }] = sqlite.pragma('wal_checkpoint(NOOP)') as [
      { log: number; checkpointed: number },
    ]
    const { size } = stateOf(database.path)
    if (pages > checkpointed)
      return size >= database.size && stateOf(log.path).size >= logHeader + pages * (pageSize + frameHeader)
    return size >= Number(sqlite.pragma('page_count', { simple: true })) * pageSize
  }

  return {
    check() {
      for (const file of [database, log]) {
        const { id, size } = stateOf(file.path)
        if (id !== file.id || size < Math.min(file.size, file === log ? longestLog : Infinity)) throw new StoreMoved()
        file.size = size
      }
    },
    reconsider() {
      for (const file of [database, log]) if (stateOf(file.path).id !== file.id) return
      if (!isComplete()) return
      for (const file of [database, log]) file.size = stateOf(file.path).size
    },
  }
}

function stateOf(path: string): FileState {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return { path, id: stats ? `${stats.dev}:${stats.ino}` : '', size: Number(stats?.size ?? 0) }
}
