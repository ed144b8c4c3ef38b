import Sqlite, { type Database } from 'better-sqlite3'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { headFile } from './data-folder.ts'
import { syncFolder, writeDurably } from './durable-file.ts'
import { moveDurably } from './move-durably.ts'
import { readHead, removeHead } from './store-head.ts'

/**
 * Going back to a backup, so that a death at any moment leaves the old or the new store whole. `restore.json` says what is
 * wanted and how far it is; whoever opens the folder next goes on from there:
 *
 * | state   | files                                             | next                                               |
 * | wanted  | restore.db is whole and verified                  | the store moves to `kept`, restore.db becomes it   |
 * | swapped | the backup is the store, `kept` is the old one    | it opens: the journal goes; it does not: undoing   |
 * | undoing | the backup does not open                          | `kept` becomes the store again, the journal goes   |
 */
export interface Restore {
  state: 'wanted' | 'swapped' | 'undoing'
  /** Name of the backup. */
  backup: string
  /** Where the store as it was goes; null when there was none. */
  kept: string | null
  /** The store cannot be used: it is moved as it is, with its log. */
  damaged: boolean
  at: string
  /** Who asked. */
  by: string
}

const journalOf = (dataDir: string) => join(dataDir, 'restore.json')
/** The copy of the backup that is to become the store. */
export const stagedStore = (dataDir: string): string => join(dataDir, 'restore.db')
const storeOf = (dataDir: string) => join(dataDir, 'headgate.db')
const companions = ['-wal', '-shm', '-journal']
/** Ids that events of an unreadable store may have had at most: clients have seen them. */
const UNSEEN = 1_000_000

/** From here on it happens, in this process or the next. */
export function wantRestore(dataDir: string, wanted: Omit<Restore, 'state'>): void {
  syncFolder(dataDir)
  write(dataDir, { state: 'wanted', ...wanted })
}

/** Before the store is opened, by the one who has the folder. Returns a restore that is done but not confirmed yet. */
export function continueRestore(dataDir: string, failed: (error: unknown) => void): Restore | null {
  let restore = read(dataDir)
  if (restore?.state === 'wanted') restore = swapOrStay(dataDir, restore, failed)
  if (restore?.state === 'undoing') restore = undo(dataDir, restore)
  if (restore === null) removeStaged(dataDir)
  return restore
}

/** The restored store has opened. */
export function confirmRestore(dataDir: string): void {
  rmSync(journalOf(dataDir), { force: true })
  syncFolder(dataDir)
}

/** The restored store does not open: what was before comes back. False when there is nothing to go back to. */
export function undoRestore(dataDir: string): boolean {
  const restore = read(dataDir)
  if (restore?.state !== 'swapped' || restore.kept === null) return false
  undo(dataDir, write(dataDir, { ...restore, state: 'undoing' }))
  return true
}

/** Nothing that goes wrong (a full disk) keeps the store from starting as it was. */
function swapOrStay(dataDir: string, restore: Restore, failed: (error: unknown) => void): Restore | null {
  try {
    return swap(dataDir, restore)
  } catch (error) {
    failed(error)
    return abandon(dataDir, restore)
  }
}

function swap(dataDir: string, restore: Restore): Restore | null {
  const [store, staged] = [storeOf(dataDir), stagedStore(dataDir)]
  if (!existsSync(staged)) {
    // Died between the last rename and its record, or somebody took the copy away before anything was moved.
    const moved = restore.kept === null || existsSync(restore.kept)
    if (!existsSync(store) || !moved) return abandon(dataDir, restore)
    return write(dataDir, { ...restore, state: 'swapped' })
  }
  if (existsSync(store)) {
    keepCounting(store, staged, readHead(headFile(dataDir))?.events ?? 0)
    if (!restore.damaged) settle(store)
    moveDurably(store, restore.kept!)
  }
  removeHead(headFile(dataDir))
  // Of a store that could not be opened; beside another store they would damage it.
  for (const end of companions) {
    if (!existsSync(store + end)) continue
    if (end === '-shm' || restore.kept === null) rmSync(store + end)
    else moveDurably(store + end, restore.kept + end)
  }
  for (const end of companions) rmSync(staged + end, { force: true })
  renameSync(staged, store)
  syncFolder(dataDir)
  return write(dataDir, { ...restore, state: 'swapped' })
}

function undo(dataDir: string, { kept }: Restore): null {
  const store = storeOf(dataDir)
  if (kept !== null && existsSync(kept)) {
    removeHead(headFile(dataDir))
    for (const end of companions) rmSync(store + end, { force: true })
    for (const end of companions) if (existsSync(kept + end)) moveDurably(kept + end, store + end)
    moveDurably(kept, store)
  }
  confirmRestore(dataDir)
  return null
}

function abandon(dataDir: string, restore: Restore): null {
  return existsSync(storeOf(dataDir)) ? undo(dataDir, { ...restore, kept: null }) : undo(dataDir, restore)
}

/** Moves the log into the file, so that the file alone is the store. Where that fails, they are moved together. */
function settle(store: string): void {
  attempt(() => {
    const sqlite = new Sqlite(store, { fileMustExist: true })
    try {
      sqlite.pragma('journal_mode = DELETE')
    } finally {
      sqlite.close()
    }
  })
}

/**
 * Ids that were given since the backup are given to nobody else, as windows, scripts and executors still know them; and
 * every stream of events begins anew. Audit records count on: they are a chain without gaps.
 */
function keepCounting(store: string, staged: string, seen: number): void {
  const before = attempt(() => sequencesOf(store))
  const sqlite = new Sqlite(staged, { fileMustExist: true })
  try {
    sqlite.exec('BEGIN IMMEDIATE')
    const own = sequencesOf(staged)
    for (const [name, last] of before ?? []) {
      if (name !== 'audit_records' && name !== 'events' && last > (own.get(name) ?? 0)) setSequence(sqlite, name, last)
    }
    const events = own.get('events') ?? 0
    beginEventsAnew(sqlite, Math.max(events, seen, before?.get('events') ?? events + UNSEEN))
    sqlite.exec('COMMIT')
    sqlite.pragma('journal_mode = DELETE')
  } finally {
    sqlite.close()
  }
}

/** Whoever has heard of events up to `seen` loads afresh. */
export function beginEventsAnew(sqlite: Database, seen: number): void {
  setSequence(sqlite, 'events', seen + 1)
  sqlite.exec('DELETE FROM events')
}

function sequencesOf(path: string): Map<string, number> {
  const sqlite = new Sqlite(path, { readonly: true, fileMustExist: true })
  try {
    const rows = sqlite.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all()
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  } finally {
    sqlite.close()
  }
}

function setSequence(sqlite: Database, name: string, last: number): void {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name)
  if (!table) return
  const { changes } = sqlite.prepare('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run(last, name)
  if (changes === 0) sqlite.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, last)
}

/** Undefined when the store is damaged: then it is kept as it is. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function removeStaged(dataDir: string): void {
  const staged = stagedStore(dataDir)
  for (const end of ['', ...companions]) rmSync(staged + end, { force: true })
  rmSync(`${journalOf(dataDir)}.new`, { force: true })
}

function read(dataDir: string): Restore | null {
  const file = journalOf(dataDir)
  // Written whole by `write`, or not there.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Restore) : null
}

function write(dataDir: string, restore: Restore): Restore {
  writeDurably(journalOf(dataDir), `${JSON.stringify(restore)}\n`)
  return restore
}
