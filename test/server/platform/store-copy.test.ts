import Sqlite from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sealFile } from '../../../src/server/platform/backup-seal.ts'
import { migrations } from '../../../src/server/platform/migrations/index.ts'
import { migrate } from '../../../src/server/platform/migrations/migrate.ts'
import { inspectBackup } from '../../../src/server/platform/store-copy.ts'
import { openDatabase } from '../../../src/server/platform/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'headgate-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const newest = migrations.at(-1)!.version
let files = 0

/** What a store of that version is found to be after a change, sealed and unsealed. */
function inspected(change: string, version = newest): string[] {
  const path = join(folder, `store ${(files += 1)}.db`)
  const made = openDatabase(path)
  const steps = migrations.filter((step) => step.version <= version)
  migrate(made, steps, { file: path, iso: () => '2026-01-01T00:00:00.000Z', backup: () => '' })
  made.pragma('journal_mode = DELETE')
  made.close()
  const sqlite = new Sqlite(path)
  sqlite.unsafeMode(true)
  sqlite.exec(change).close()
  const look = () => inspectBackup({ path, reason: 'other', schema: newest }).status
  const unsealed = look()
  sealFile(path)
  return [unsealed, look()]
}

test.each([newest, 7])('a store of schema %i as it was made can be restored', (version) => {
  expect(inspected('', version)).toEqual(['unsealed', 'verified'])
})

test.each([
  ['another table', 'CREATE TABLE t (n CHECK (n > 0))'],
  ['a table less', 'DROP TABLE saved_views'],
  ['a slow index', 'CREATE INDEX slow ON events (length(hex(zeroblob(1000))))'],
  ['a unique index', 'CREATE UNIQUE INDEX one ON audit_records (operation)'],
  ['a computed column', "ALTER TABLE users ADD COLUMN n TEXT AS (username || 'x')"],
  ['a renamed column', 'ALTER TABLE tasks RENAME COLUMN description TO other'],
  ['a virtual table', 'CREATE VIRTUAL TABLE t USING fts5(x)'],
  [
    'a trigger that is named as if SQLite had made it',
    `PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES
      ('trigger', 'sqlite_x', 'events', 0, 'CREATE TRIGGER sqlite_x AFTER INSERT ON events BEGIN DELETE FROM users; END')`,
  ],
])('a store with %s is foreign, sealed or not', (_, change) => {
  expect(inspected(change)).toEqual(['foreign', 'foreign'])
})
