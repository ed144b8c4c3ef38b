import Sqlite from 'better-sqlite3'
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '../../../src/server/platform/migrations/index.ts'
import { migrate, schemaVersion } from '../../../src/server/platform/migrations/migrate.ts'
import type { Migration } from '../../../src/server/platform/migrations/migration.ts'
import { openPlatform } from '../../../src/server/platform/open-platform.ts'
import { StartupError } from '../../../src/server/platform/startup-error.ts'
import { openTestPlatform, quietLogger } from '../../support/platform.ts'
import { testConfig } from '../../support/server.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = async () => openPlatform(await testConfig(folder), { logger: quietLogger })
const database = () => join(folder, 'headgate.db')

test('versions run from 1 without gaps', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
})

test('every table is STRICT and every id is given once only', async () => {
  const { platform, close } = await openTestPlatform()
  const tables = platform.store.sqlite
    .prepare<[], { name: string; sql: string }>(
      // Those of an index of words are SQLite's own.
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%\\_fts%' ESCAPE '\\'",
    )
    .all()
  const loose = tables.filter(({ sql }) => !/\bSTRICT\b/.test(sql.slice(sql.lastIndexOf(')'))))
  expect(loose.map(({ name }) => name)).toEqual([])
  const reused = tables.filter(
    ({ name, sql }) => /\bid INTEGER PRIMARY KEY(?! AUTOINCREMENT)/.test(sql) && name !== 'schema_migrations',
  )
  expect(reused.map(({ name }) => name)).toEqual([])
  close()
})

describe('the tables of the code are those of the schema', async () => {
  const sources = join(import.meta.dirname, '../../../src/server')
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.table.ts'))
  const modules: object[] = await Promise.all(files.map((file) => import(join(sources, file)) as Promise<object>))
  const tables = modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable))
  const sqlite = new Sqlite(':memory:')
  migrate(sqlite, migrations, { file: ':memory:', iso: () => new Date().toISOString(), backup: () => '' })

  test('there are tables to compare', () => expect(tables.length).toBeGreaterThan(5))

  test.each(tables.map((table) => [getTableName(table), table] as const))('%s', (name, table) => {
    const inSchema = sqlite
      .prepare<[string], { name: string; type: string; required: number; pk: number }>(
        'SELECT name, type, "notnull" AS required, pk FROM pragma_table_xinfo(?)',
      )
      .all(name)
    const inCode = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      required: column.notNull || column.primary ? 1 : 0,
    }))
    const byName = <T extends { name: string }>(columns: T[]) => columns.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const shown = inSchema.map((column) => ({
      name: column.name,
      type: column.type,
      required: column.required || column.pk ? 1 : 0,
    }))
    const known = new Set(inCode.map((column) => column.name))
    expect(byName(inCode)).toEqual(byName(shown.filter((column) => known.has(column.name))))
  })
})

test('each step is recorded in the transaction that makes it', async () => {
  const platform = await open()
  const rows = platform.store.sqlite.prepare('SELECT version, name FROM schema_migrations ORDER BY version').all()
  expect(rows).toEqual(migrations.map(({ version, name }) => ({ version, name })))
  expect(platform.schemaVersion).toBe(migrations.length)
  platform.close()
})

test('a step that fails leaves the schema as it was before that step, and says where the backup is', () => {
  const sqlite = new Sqlite(database())
  const good: Migration = { version: 1, name: 'good', up: (db) => void db.exec('CREATE TABLE a (x TEXT) STRICT') }
  const bad: Migration = {
    version: 2,
    name: 'bad',
    up(db) {
      db.exec('CREATE TABLE b (x TEXT) STRICT')
      db.exec('DROP TABLE missing')
    },
  }
  const options = { file: 'headgate.db', iso: () => '2026-01-01T00:00:00.000Z', backup: () => '/backups/one.db' }
  migrate(sqlite, [good], options)
  expect(() => migrate(sqlite, [good, bad], options)).toThrow(/version 2 \(bad\).*no such table.*\/backups\/one\.db/)
  expect(schemaVersion(sqlite)).toBe(1)
  expect(sqlite.prepare("SELECT name FROM sqlite_schema WHERE name = 'b'").all()).toEqual([])
  expect(sqlite.prepare('SELECT version FROM schema_migrations').all()).toEqual([{ version: 1 }])
  sqlite.close()
})

test('a store that has data is backed up before it is changed; a new or current one is not', async () => {
  ;(await open()).close()
  ;(await open()).close()
  expect(existsSync(join(folder, 'backups'))).toBe(false)
  const sqlite = new Sqlite(database())
  const asked: number[] = []
  const next: Migration = {
    version: migrations.length + 1,
    name: 'next',
    up: (db) => void db.exec('CREATE TABLE z (x TEXT) STRICT'),
  }
  const backup = (from: number) => {
    asked.push(from)
    expect(sqlite.prepare("SELECT name FROM sqlite_schema WHERE name = 'z'").all()).toEqual([])
    return 'copy'
  }
  expect(migrate(sqlite, [...migrations, next], { file: 'f', iso: () => 'now', backup })).toMatchObject({
    backup: 'copy',
  })
  expect(asked).toEqual([migrations.length])
  sqlite.close()
})

test('an older store is brought up to date with a backup that is a whole database', async () => {
  const sqlite = new Sqlite(database())
  migrate(sqlite, migrations.slice(0, 1), { file: 'f', iso: () => 'then', backup: () => '' })
  sqlite.prepare("INSERT INTO store_meta VALUES ('kept', 'yes')").run()
  sqlite.close()
  writeFileSync(join(folder, 'secret.key'), 'ab'.repeat(32))
  const platform = await open()
  expect(platform.store.sqlite.prepare("SELECT value FROM store_meta WHERE key = 'kept'").get()).toEqual({
    value: 'yes',
  })
  platform.close()
  const [backup] = readdirSync(join(folder, 'backups'))
  const copy = new Sqlite(join(folder, 'backups', backup!), { readonly: true })
  expect(schemaVersion(copy)).toBe(1)
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  copy.close()
})

test('a store of a newer version is refused and not touched', async () => {
  ;(await open()).close()
  const sqlite = new Sqlite(database())
  sqlite.pragma('user_version = 999')
  sqlite.close()
  const before = readFileSync(database())
  await expect(open()).rejects.toThrow(/newer Headgate \(schema 999.*--data-dir/)
  expect(readFileSync(database()).equals(before)).toBe(true)
})

test('a damaged file is refused, left as it is, and the newest good backup is named', async () => {
  ;(await open()).close()
  const backups = join(folder, 'backups')
  const good = join(folder, 'good-copy')
  copyFileSync(database(), good)
  writeFileSync(database(), 'this is no database, but somebody may want it back'.repeat(100))
  const before = readFileSync(database())
  const missing = await open().catch((error: unknown) => error)
  expect(missing).toBeInstanceOf(StartupError)
  expect(String(missing)).toMatch(
    /damaged or no Headgate database \(SQLITE_NOTADB\); it was left as it is\. There is no good backup/,
  )
  mkdirSync(backups)
  copyFileSync(database(), join(backups, 'damaged-as-well.db'))
  await expect(open()).rejects.toThrow(/There is no good backup/)
  copyFileSync(good, join(backups, 'good.db'))
  await expect(open()).rejects.toThrow(/newest good backup is .*good\.db, of .*--restore newest/)
  expect(readFileSync(database()).equals(before)).toBe(true)
})

test('pages damaged in the middle of the schema are noticed at start', async () => {
  ;(await open()).close()
  const bytes = readFileSync(database())
  bytes.fill(0xff, 100, 4096)
  writeFileSync(database(), bytes)
  await expect(open()).rejects.toThrow(/damaged or no Headgate database \(SQLITE_CORRUPT/)
})

test('the data folder and the key are for their owner alone', async () => {
  ;(await open()).close()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('a second platform on the same folder is refused until the first lets go', async () => {
  const first = await open()
  await expect(open()).rejects.toThrow(/Another Headgate \(just starting\) is using the data folder/)
  first.close()
  ;(await open()).close()
})

test('a data folder that cannot be one is refused with its reason', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const config = await testConfig(folder, { dataDir: join(file, 'data') })
  expect(() => openPlatform(config, { logger: quietLogger })).toThrow(/cannot be written \(ENOTDIR\).*--data-dir/)
})

test.runIf(process.platform === 'linux')(
  'a data folder that nobody can make is refused rather than tried for ever',
  async () => {
    const config = await testConfig(folder, { dataDir: '/proc/headgate/data' })
    expect(() => openPlatform(config, { logger: quietLogger })).toThrow(/cannot be written \(ENOENT\)/)
  },
)

test.runIf(process.platform !== 'win32')(
  'a data folder is closed to others, and its owner gets no right that he had not',
  async () => {
    const path = join(folder, 'shared')
    mkdirSync(path, { mode: 0o755 })
    const config = await testConfig(folder, { dataDir: path })
    openPlatform(config, { logger: quietLogger }).close()
    expect(statSync(path).mode & 0o777).toBe(0o700)
    chmodSync(path, 0o500)
    const again = () => {
      openPlatform(config, { logger: quietLogger }).close()
      return 'opened'
    }
    // Root may write anywhere; everybody else is refused.
    expect(attempt(again)).toMatch(process.getuid?.() === 0 ? /^opened$/ : /cannot be written \(EACCES\)/)
    expect(statSync(path).mode & 0o777).toBe(0o500)
  },
)

function attempt(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}

test('tokens that were used before usage was kept by day still count', () => {
  const database = new Sqlite(':memory:')
  const options = { file: ':memory:', iso: () => '2026-03-10T10:00:00.000Z', backup: () => '' }
  migrate(database, migrations.slice(0, 45), options)
  const add = database.prepare('INSERT INTO ai_usage (at, user_id, tokens) VALUES (?, ?, ?)')
  add.run('2026-03-09T23:59:59.999Z', 1, 5)
  add.run('2026-03-10T00:00:00.000Z', 1, 100)
  add.run('2026-03-10T08:00:00.000Z', 1, 20)
  add.run('2026-03-10T09:00:00.000Z', 2, 0)
  migrate(database, migrations, options)
  expect(
    database.prepare('SELECT day, host, model, user_id, calls, input_tokens, output_tokens FROM ai_usage_by_day').all(),
  ).toEqual([
    { day: '2026-03-09', host: '', model: '', user_id: 1, calls: 1, input_tokens: 5, output_tokens: 0 },
    { day: '2026-03-10', host: '', model: '', user_id: 1, calls: 2, input_tokens: 120, output_tokens: 0 },
    { day: '2026-03-10', host: '', model: '', user_id: 2, calls: 1, input_tokens: 0, output_tokens: 0 },
  ])
  database.close()
})
