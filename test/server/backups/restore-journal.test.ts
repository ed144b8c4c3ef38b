import Sqlite from 'better-sqlite3'
import { existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type Restore,
  confirmRestore,
  continueRestore,
  stagedStore,
  undoRestore,
  wantRestore,
} from '../../../src/server/platform/restore-journal.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'headgate-journal-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const store = () => join(dataDir, 'headgate.db')
const kept = () => join(dataDir, 'kept.db')
const journal = () => join(dataDir, 'restore.json')
const failures: unknown[] = []
const go = () => continueRestore(dataDir, (error) => failures.push(error))

/** A store that says what it is, with ids up to `last`. */
function make(path: string, what: string, last: number, wal = false): void {
  const sqlite = new Sqlite(path)
  if (wal) sqlite.pragma('journal_mode = WAL')
  sqlite.exec(`CREATE TABLE store_meta (key TEXT, value TEXT);
    CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE audit_records (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE tasks (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE unused (id INTEGER PRIMARY KEY AUTOINCREMENT);
    INSERT INTO store_meta VALUES ('what', '${what}')`)
  for (const table of ['events', 'audit_records', 'tasks']) sqlite.exec(`INSERT INTO ${table} VALUES (${last})`)
  sqlite.close()
}
function read(path: string, sql: string): unknown {
  const sqlite = new Sqlite(path, { readonly: true })
  try {
    return sqlite.prepare(sql).pluck().get()
  } finally {
    sqlite.close()
  }
}
const what = (path: string) => read(path, 'SELECT value FROM store_meta')
const last = (table: string) => read(store(), `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`)
const wanted = (): Omit<Restore, 'state'> => ({
  backup: 'b.db',
  kept: kept(),
  damaged: false,
  at: '2026-03-01T08:00:00.000Z',
  by: 'ada',
})

beforeEach(() => {
  failures.length = 0
  make(store(), 'old', 50, true)
  make(stagedStore(dataDir), 'new', 20)
})

const done = () => {
  expect({ store: what(store()), kept: what(kept()) }).toEqual({ store: 'new', kept: 'old' })
  expect(existsSync(stagedStore(dataDir))).toBe(false)
  expect(failures).toEqual([])
}

test('without a journal nothing happens, and a copy that nobody wants is removed', () => {
  expect(go()).toBeNull()
  expect(readdirSync(dataDir)).toEqual(['headgate.db'])
  expect(what(store())).toBe('old')
})

test('stores are swapped, ids go on, events begin anew and the audit chain has no gap', () => {
  wantRestore(dataDir, wanted())
  expect(go()).toMatchObject({ state: 'swapped', backup: 'b.db' })
  done()
  expect([last('tasks'), last('events'), last('audit_records')]).toEqual([50, 51, 20])
  expect(read(store(), 'SELECT count(*) FROM events')).toBe(0)
  expect(readFileSync(kept())[18]).toBe(1)
  // Until it has opened, the next start knows that there is a way back.
  expect(go()).toMatchObject({ state: 'swapped' })
  confirmRestore(dataDir)
  expect(go()).toBeNull()
  done()
})

describe('after a death it goes on where it was', () => {
  test.each<[string, () => void]>([
    ['before anything was moved', () => {}],
    ['when the old store was moved', () => renameSync(store(), kept())],
    [
      'when both were moved and it was not noted yet',
      () => {
        renameSync(store(), kept())
        renameSync(stagedStore(dataDir), store())
      },
    ],
  ])('%s', (_, die) => {
    wantRestore(dataDir, wanted())
    die()
    expect(go()).toMatchObject({ state: 'swapped' })
    done()
  })
})

test('what the old store had in its log is in what is kept', () => {
  const sqlite = new Sqlite(store())
  sqlite.exec("UPDATE store_meta SET value = 'from the log'")
  // As kill -9 leaves it: the log is there, nobody has it open.
  for (const end of ['', '-wal']) writeFileSync(join(dataDir, `copy${end}`), readFileSync(store() + end))
  sqlite.close()
  for (const end of ['', '-wal']) renameSync(join(dataDir, `copy${end}`), store() + end)
  wantRestore(dataDir, wanted())
  go()
  expect(what(kept())).toBe('from the log')
  expect(what(store())).toBe('new')
  expect(readdirSync(dataDir).toSorted()).toEqual(['headgate.db', 'kept.db', 'restore.json'])
})

test('a damaged store is kept as it is, with its log; its ids are not known, so events begin far behind them', () => {
  writeFileSync(store(), 'damaged')
  writeFileSync(`${store()}-wal`, 'its log')
  wantRestore(dataDir, { ...wanted(), damaged: true })
  expect(go()).toMatchObject({ state: 'swapped' })
  expect(readFileSync(kept(), 'utf8')).toBe('damaged')
  expect(readFileSync(`${kept()}-wal`, 'utf8')).toBe('its log')
  expect(existsSync(`${store()}-wal`)).toBe(false)
  expect(what(store())).toBe('new')
  expect(last('events')).toBeGreaterThan(1_000_000)
})

test('a backup that does not open is given up: the old store comes back, also when a death comes between', () => {
  wantRestore(dataDir, wanted())
  const swapped = go()!
  expect(undoRestore(dataDir)).toBe(true)
  expect(what(store())).toBe('old')
  expect(readdirSync(dataDir)).toEqual(['headgate.db'])
  expect(undoRestore(dataDir)).toBe(false)

  make(kept(), 'kept', 1)
  for (const between of [() => {}, () => rmSync(store(), { force: true })]) {
    writeFileSync(journal(), JSON.stringify({ ...swapped, state: 'undoing' }))
    between()
    expect(go()).toBeNull()
    expect(what(store())).toBe('kept')
    renameSync(store(), kept())
  }
})

test('what cannot be done leaves the store as it was, and says why', () => {
  wantRestore(dataDir, { ...wanted(), kept: join(dataDir, 'no', 'such', 'kept.db') })
  expect(go()).toBeNull()
  expect(failures).toHaveLength(1)
  expect(what(store())).toBe('old')
  expect(readdirSync(dataDir)).toEqual(['headgate.db'])
  rmSync(stagedStore(dataDir), { force: true })
  wantRestore(dataDir, wanted())
  expect(go()).toBeNull()
  expect(what(store())).toBe('old')
})

test('where there was no store the backup becomes one', () => {
  rmSync(store())
  wantRestore(dataDir, { ...wanted(), kept: null })
  expect(go()).toMatchObject({ state: 'swapped' })
  expect(what(store())).toBe('new')
  expect(undoRestore(dataDir)).toBe(false)
})
