/**
 * How far the store has got, kept beside it: the log of a database (`headgate.db-wal`) can be lost or damaged with what was committed to it
 * alone, and SQLite opens what is left without a word.
 *
 * Noted after each commit, and so never ahead of the store: commits are on disk before they return. It survives the death of the process
 * at once, and a power cut with what it was a second before.
 */
import type { Database } from 'better-sqlite3'
import { createHash } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from './durable-file.ts'

export interface StoreHead {
  /** Id of the last event: almost every change of the store gives one away, and none is given twice. */
  events: number
  /** Commits without an event, such as batches of log lines and commit permits. */
  quiet: number
  /** Id and hash of the last audit record; 0 and empty where there is none. */
  audit: number
  audit_hash: string
  at: string
}

export interface HeadKeeper {
  readonly head: StoreHead
  /** What was just committed. */
  note(committed: Partial<Omit<StoreHead, 'at'>>): void
  close(): void
}

/** Two lines of this many bytes, written in turn: one of them is always as it was written. */
const LINE_BYTES = 256
const SYNC_AFTER_MS = 1_000

interface Line extends StoreHead {
  /** The greater one is the newer one. */
  n: number
}

/** Beside the store, for whoever reads the folder without taking it. */
export const headFile = (dataDir: string): string => join(dataDir, 'headgate.head')

/** Null where there is none, or none that can be read. */
export function readHead(file: string): StoreHead | null {
  const line = newestLine(file)
  if (!line) return null
  const { n: _, ...head } = line
  // Notes of earlier versions have no such number.
  return { ...head, quiet: head.quiet ?? 0 }
}

/** Another store takes the place of this one: what was noted says nothing about it. */
export function removeHead(file: string): void {
  rmSync(file, { force: true })
  syncFolder(dirname(file))
}

/** How far a store has got. One that lost its tables with its log has got nowhere. */
export function headOf(sqlite: Database): Omit<StoreHead, 'at'> {
  const has = (table: string) => sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined
  const events = has('events')
    ? sqlite.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck().get()
    : undefined
  const record = has('audit_records')
    ? sqlite
        .prepare<[], { id: number; hash: string }>('SELECT id, hash FROM audit_records ORDER BY id DESC LIMIT 1')
        .get()
    : undefined
  const quiet = has('store_meta') ? quietOf(sqlite) : 0
  return { events: events ?? 0, quiet, audit: record?.id ?? 0, audit_hash: record?.hash ?? '' }
}

const quietKey = 'quiet_commits'

const quietOf = (sqlite: Database) =>
  Number(sqlite.prepare('SELECT value FROM store_meta WHERE key = ?').pluck().get(quietKey) ?? 0)

/** Counts the transactions that change something without an event. */
export interface QuietCommits {
  /** At the beginning of a transaction. */
  begin(): void
  /** At its end: the new count, which is part of the transaction. null: it had an event, or changed nothing. */
  end(): number | null
}

export function countQuietCommits(sqlite: Database): QuietCommits {
  const changes = sqlite.prepare<[], number>('SELECT total_changes()').pluck()
  const lastEvent = sqlite.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck()
  const save = sqlite
    .prepare<[string], string>(
      `INSERT INTO store_meta (key, value) VALUES (?, '1')
       ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
    )
    .pluck()
  let before = { changes: 0, event: 0 }
  return {
    begin() {
      before = { changes: changes.get() ?? 0, event: lastEvent.get() ?? 0 }
    },
    end() {
      if (changes.get() === before.changes || (lastEvent.get() ?? 0) !== before.event) return null
      return Number(save.get(quietKey))
    },
  }
}

export interface Loss {
  /** What is left; names the loss. */
  kept: number
  /** Changes that were saved and are not there. 0: only the audit log lacks records, or has others. */
  lost: number
  /** Time of the last change that is there; null: unknown. */
  since: string | null
  /** Time of the last change that was saved. */
  until: string
}

/** What the store lacks of what was saved; undefined: nothing. */
export function findLoss(sqlite: Database, file: string): Loss | undefined {
  const head = readHead(file)
  if (!head) return undefined
  const { events, quiet, audit } = headOf(sqlite)
  const hash = audit < head.audit || head.audit === 0 ? '' : hashOf(sqlite, head.audit)
  if (events >= head.events && quiet >= head.quiet && hash === head.audit_hash) return undefined
  const since = events > 0 ? lastChange(sqlite) : null
  return {
    kept: events,
    lost: Math.max(0, head.events - events) + Math.max(0, head.quiet - quiet),
    since,
    until: head.at,
  }
}

function hashOf(sqlite: Database, id: number): string {
  return sqlite.prepare<[number], string>('SELECT hash FROM audit_records WHERE id = ?').pluck().get(id) ?? ''
}

const lastChange = (sqlite: Database) =>
  sqlite.prepare<[], string>('SELECT at FROM events ORDER BY id DESC LIMIT 1').pluck().get() ?? null

/** Notes what the store is like now, and from now on. `failed` is told once when it can't be written. */
export function keepHead(
  file: string,
  sqlite: Database,
  now: () => string,
  failed: (error: unknown) => void,
): HeadKeeper {
  // A new file begins with the first of the two lines.
  let line: Line = { n: newestLine(file)?.n ?? 1, ...headOf(sqlite), at: now() }
  let handle: number | null = null
  let syncing: NodeJS.Timeout | undefined

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      // The store goes on without it; an older note is a true one, too.
      close()
      failed(error)
    }
  }

  function close(): void {
    clearTimeout(syncing)
    if (handle !== null) closeSync(handle)
    handle = null
  }

  function write(): void {
    const fd = handle
    if (fd === null) return
    line.n += 1
    attempt(() => void writeSync(fd, lineText(line), (line.n % 2) * LINE_BYTES))
    if (syncing !== undefined) return
    syncing = setTimeout(() => {
      syncing = undefined
      if (handle !== null) fdatasync(handle, () => {})
    }, SYNC_AFTER_MS)
    syncing.unref()
  }

  attempt(() => {
    handle = openSync(file, existing(file) ? 'r+' : 'w', 0o600)
    write()
    fdatasyncSync(handle)
    syncFolder(dirname(file))
  })

  return {
    get head() {
      return line
    },
    note(committed) {
      line = { ...line, ...committed, at: now() }
      write()
    },
    close() {
      attempt(() => void (handle !== null && fdatasyncSync(handle)))
      close()
    },
  }
}

const existing = (file: string) => newestLine(file) !== null

const checkOf = (line: Line) => createHash('sha256').update(JSON.stringify(line)).digest('hex').slice(0, 16)

function lineText(line: Line): string {
  return `${JSON.stringify({ ...line, check: checkOf(line) }).padEnd(LINE_BYTES - 1)}\n`
}

function newestLine(file: string): Line | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // None was written yet, or it went with the folder that it stood in.
    return null
  }
  const lines = text.split('\n').flatMap((one) => readLine(one) ?? [])
  return lines.toSorted((a, b) => b.n - a.n)[0] ?? null
}

/** Undefined when it is not as it was written. */
function readLine(text: string): Line | undefined {
  try {
    // Compared with its own check before it is believed.
    const { check, ...line } = JSON.parse(text) as Line & { check: string }
    return checkOf(line) === check ? line : undefined
  } catch {
    return undefined
  }
}
