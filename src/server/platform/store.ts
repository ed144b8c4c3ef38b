import Sqlite, { type Database } from 'better-sqlite3'
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3'
import type { CursorCodec } from './cursor.ts'
import type { Logger } from './logger.ts'
import { createFileCheck, longestLog, StoreMoved } from './store-file.ts'
import type { QuietCommits } from './store-head.ts'
import { type StoreCondition, createStoreCondition } from './store-problem.ts'
import { addLowerText } from './text-search.ts'

/**
 * The one connection to the data folder's database. Everything that it says yes to is on disk: WAL with synchronous FULL.
 */
export interface Store {
  /** Drizzle over the one connection. */
  readonly db: BetterSQLite3Database
  /** For hot prepared statements, in *.store.ts only. */
  readonly sqlite: Database
  /** Whether it can be written at the moment. */
  readonly condition: StoreCondition
  /** Throws StoreMoved and updates the condition if the database's path no longer leads to the open file. */
  checkFile(): void
  /** Cursors of lists, signed with this store's own secret. */
  readonly cursors: CursorCodec
  /**
   * Runs `fn` in one immediate transaction; within another one it becomes a savepoint. Throwing rolls it back. `fn` must
   * be synchronous.
   */
  transaction<T>(fn: () => T): T
  /**
   * Group commit: everything queued within one turn of the event loop runs in one transaction, each in a savepoint of its
   * own. Resolves after the commit; one that throws is rolled back and rejects alone.
   */
  group<T>(fn: () => T): Promise<T>
  /**
   * Does the work. When it queues something with `group` before it returns, `after` is handed what that gave, in the same transaction and
   * savepoint; `grouped` says so.
   */
  followed<T>(after: (value: unknown) => void, work: () => T): { value: T; grouped: boolean }
  /**
   * What it is given within a transaction is handed to `write` in that transaction, just before its commit: many changes make few rows
   * that way. What was given in a savepoint that is undone is forgotten.
   */
  collector<T>(write: (items: readonly T[]) => void): (item: T) => void
  /** Runs `fn` when the outermost transaction has committed, never if it (or the enclosing savepoint) rolls back. */
  afterCommit(fn: () => void): void
  /**
   * Moves the log into the database file and makes both as short as they can be; nothing, if somebody is reading an older state
   * just now: nobody waits for that.
   */
  shortenLog(): void
  /** Moves the log into the database file and closes. What is queued by `group` is committed first. */
  close(): void
}

interface Collected {
  /** Whose it is: items of one collector are written together. */
  write: (items: readonly unknown[]) => void
  item: unknown
}

interface Queued {
  run: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Opens the file with its settings; makes it when it is not there. Does not migrate. */
export function openDatabase(file: string): Database {
  const sqlite = new Sqlite(file)
  try {
    // Must come before the first table and before WAL. Said again later it would write to a file that may not be ours.
    if (sqlite.pragma('page_count', { simple: true }) === 0) sqlite.pragma('auto_vacuum = INCREMENTAL')
    sqlite.pragma('journal_mode = WAL')
    sqlite.pragma('synchronous = FULL')
    sqlite.pragma('foreign_keys = ON')
    sqlite.pragma('busy_timeout = 5000')
    sqlite.pragma('temp_store = MEMORY')
    sqlite.pragma(`journal_size_limit = ${longestLog}`)
    addLowerText(sqlite)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** `quiet`: counts commits without an event, and hears of each after it. */
export function createStore(
  sqlite: Database,
  cursors: CursorCodec,
  logger: Logger,
  quiet?: { commits: QuietCommits; noted(count: number): void },
): Store {
  const statements = {
    begin: sqlite.prepare('BEGIN IMMEDIATE'),
    commit: sqlite.prepare('COMMIT'),
    rollback: sqlite.prepare('ROLLBACK'),
    savepoint: sqlite.prepare('SAVEPOINT nested'),
    release: sqlite.prepare('RELEASE nested'),
    undo: sqlite.prepare('ROLLBACK TO nested'),
  }
  const condition = createStoreCondition()
  const files = createFileCheck(sqlite)
  let depth = 0
  let callbacks: (() => void)[] = []
  let collected: Collected[] = []
  let queue: Queued[] = []
  let follower: { after: (value: unknown) => void; taken: boolean } | undefined

  function outermost<T>(fn: () => T): T {
    // What is queued by work that has its own transaction, and by those who hear of its commit, is not what is followed.
    const followed = follower
    follower = undefined
    try {
      statements.begin.run()
      depth = 1
      quiet?.commits.begin()
      const value = synchronous(fn())
      writeCollected()
      const count = quiet?.commits.end() ?? null
      if (count !== null) callbacks.push(() => quiet?.noted(count))
      files.check()
      statements.commit.run()
      depth = 0
      return value
    } catch (error) {
      depth = 0
      callbacks = []
      collected = []
      condition.failed(error)
      // SQLite itself rolls back when the disk is full or fails.
      if (sqlite.inTransaction) statements.rollback.run()
      if (error instanceof StoreMoved) files.reconsider()
      throw error
    } finally {
      runCallbacks()
      follower = followed
    }
  }

  function nested<T>(fn: () => T): T {
    const waiting = callbacks.length
    const held = collected.length
    statements.savepoint.run()
    depth += 1
    try {
      const value = synchronous(fn())
      statements.release.run()
      return value
    } catch (error) {
      callbacks.length = waiting
      collected.length = held
      // Whoever began the outer one may go on without it.
      condition.failed(error)
      if (sqlite.inTransaction) {
        statements.undo.run()
        statements.release.run()
      }
      throw error
    } finally {
      depth -= 1
    }
  }

  function writeCollected(): void {
    if (collected.length === 0) return
    const byWriter = Map.groupBy(collected, ({ write }) => write)
    collected = []
    for (const [write, items] of byWriter) write(items.map(({ item }) => item))
  }

  function runCallbacks(): void {
    const due = callbacks
    callbacks = []
    for (const callback of due) {
      try {
        callback()
      } catch (error) {
        // The change is on disk; a listener that fails must not turn it into an error of the caller.
        logger.error({ err: error }, 'After a commit')
      }
    }
  }

  function transaction<T>(fn: () => T): T {
    return depth === 0 ? outermost(fn) : nested(fn)
  }

  function flush(): void {
    const batch = queue
    queue = []
    if (batch.length === 0) return
    const settled: (() => void)[] = []
    try {
      transaction(() => {
        for (const { run, resolve, reject } of batch) {
          try {
            const value = transaction(run)
            settled.push(() => resolve(value))
          } catch (error) {
            if (!sqlite.inTransaction) throw error
            settled.push(() => reject(error))
          }
        }
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
      return
    }
    for (const settle of settled) settle()
  }

  return {
    db: drizzle({ client: sqlite }),
    sqlite,
    condition,
    checkFile() {
      try {
        files.check()
      } catch (error) {
        condition.failed(error)
        if (error instanceof StoreMoved) files.reconsider()
        throw error
      }
    },
    cursors,
    transaction,
    group<T>(fn: () => T): Promise<T> {
      const followed = follower
      follower = undefined
      if (followed) followed.taken = true
      const run = followed ? () => passed(fn(), followed.after) : fn
      return new Promise<T>((resolve, reject) => {
        if (queue.length === 0) setImmediate(flush)
        // The queue is of many types; each entry hands its own value to its own promise.
        queue.push({ run, resolve: resolve as (value: unknown) => void, reject })
      })
    },
    followed(after, work) {
      const own = { after, taken: false }
      follower = own
      try {
        const value = work()
        return { value, grouped: own.taken }
      } finally {
        follower = undefined
      }
    },
    collector<T>(write: (items: readonly T[]) => void) {
      // Items and their writer come from the same call: only the list of all of them has lost the type.
      const writer = write as Collected['write']
      const collect = (item: unknown) => void collected.push({ write: writer, item })
      return (item: T) => (depth === 0 ? transaction(() => collect(item)) : collect(item))
    },
    afterCommit(fn) {
      if (depth === 0) fn()
      else callbacks.push(fn)
    },
    shortenLog() {
      const patience = sqlite.pragma('busy_timeout', { simple: true })
      sqlite.pragma('busy_timeout = 0')
      try {
        sqlite.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        sqlite.pragma(`busy_timeout = ${Number(patience)}`)
        files.reconsider()
      }
    },
    close() {
      if (!sqlite.open) return
      flush()
      try {
        sqlite.pragma('wal_checkpoint(TRUNCATE)')
      } catch (error) {
        // On a full disk everything that was saved stays in the log beside the database: the next start takes it in.
        logger.error({ err: error }, 'The log of the database could not be moved into it')
      }
      sqlite.close()
    },
  }
}

function passed<T>(value: T, to: (value: T) => void): T {
  to(value)
  return value
}

function synchronous<T>(value: T): T {
  if (value instanceof Promise) {
    // Its work would run after the commit; nobody may mistake that for being inside. Its own error says more.
    value.catch(() => {})
    throw new Error('A transaction must be synchronous')
  }
  return value
}
