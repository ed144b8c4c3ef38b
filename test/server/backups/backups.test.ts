import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Backup, createBackup, deleteBackup, listBackups } from '../../../src/contract/backups.ts'
import { sealFile } from '../../../src/server/platform/backup-seal.ts'
import { inspectBackup } from '../../../src/server/platform/store-copy.ts'
import { createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { stageBackup } from '../../../src/server/platform/store-copy.ts'

let server: TestServer
let superadmin: TestClient
const clock = createTestClock()
beforeEach(async () => {
  server = await startTestServer({ clock })
  superadmin = server.as('superadmin')
})
afterEach(() => server.close())

const folder = () => join(server.dataDir, 'backups')
const pathOf = ({ name }: Backup) => join(folder(), name)
const make = () => superadmin.call(createBackup)
const list = async () => (await superadmin.call(listBackups)).result
const restore = (name: string, dry_run = false) => superadmin.post('/api/server/restore', { name, dry_run })

test('a backup is verified, for its owner alone, and opens as the store that it was', async () => {
  server.platform.store.sqlite.prepare("INSERT INTO store_meta VALUES ('mark', 'here')").run()
  const backup = await make()
  expect(backup).toMatchObject({ reason: 'manual', status: 'verified', version: server.platform.version })
  expect(backup).toMatchObject({ created_at: clock.iso(), schema_version: server.platform.schemaVersion })
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  expect(statSync(pathOf(backup)).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder())).toEqual([backup.name])
  const copy = new Sqlite(pathOf(backup), { readonly: true })
  expect(copy.prepare("SELECT value FROM store_meta WHERE key = 'mark'").pluck().get()).toBe('here')
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  copy.close()
  expect(await list()).toEqual([backup])
})

test('two of the same millisecond have names of their own, pages go both ways', async () => {
  const made = [await make(), await make(), await make()]
  expect(new Set(made.map(({ name }) => name)).size).toBe(3)
  const first = await superadmin.call(listBackups, { query: { limit: 2 } })
  expect(first).toMatchObject({ total: 3, prevCursor: null, nextCursor: expect.any(String) })
  const second = await superadmin.call(listBackups, { query: { limit: 2, cursor: first.nextCursor! } })
  expect(second).toMatchObject({ total: 3, nextCursor: null, prevCursor: expect.any(String) })
  expect([...first.result, ...second.result].map(({ name }) => name).toSorted()).toEqual(
    made.map(({ name }) => name).toSorted(),
  )
  const back = await superadmin.call(listBackups, { query: { limit: 2, cursor: second.prevCursor! } })
  expect(back.result).toEqual(first.result)
  expect(await superadmin.get('/api/server/backups?cursor=x')).toMatchObject({ status: 400 })
})

test('one at a time: the other is told to wait, and nothing can be removed meanwhile', async () => {
  const old = await make()
  const [first, second, removed] = await Promise.all([
    superadmin.post('/api/server/backup'),
    superadmin.post('/api/server/backup'),
    superadmin.delete(`/api/server/backups/${old.name}`),
  ])
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(removed.status).toBe(409)
  await superadmin.call(deleteBackup, { params: { name: old.name } })
  expect(existsSync(pathOf(old))).toBe(false)
  expect(await superadmin.delete(`/api/server/backups/${old.name}`)).toMatchObject({ status: 404 })
})

test('a download is the file, byte for byte', async () => {
  const backup = await make()
  const answer = await fetch(`${server.url}/api/server/backups/${backup.name}/download`, {
    headers: superadmin.headers,
  })
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${backup.name}"`)
  expect(Number(answer.headers.get('content-length'))).toBe(backup.bytes)
  expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(pathOf(backup)))).toBe(true)
})

test.each(['..%2Fsecret.key', '.hidden.db', 'a%00b.db', '..', 'secret.key', '%2Fetc%2Fpasswd'])(
  'no other file can be had by the name %s',
  async (name) => {
    const answer = await superadmin.get(`/api/server/backups/${name}/download`)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(405)
  },
)

test('a link in the folder is no backup, wherever it leads', async () => {
  const { name } = await make()
  symlinkSync(join(server.dataDir, 'secret.key'), join(folder(), 'key.db'))
  symlinkSync(join(folder(), name), join(folder(), 'copy.db'))
  expect((await list()).map((backup) => backup.name)).toEqual([name])
  for (const link of ['key.db', 'copy.db'])
    expect((await superadmin.get(`/api/server/backups/${link}/download`)).status).toBe(404)
})

test('a file with hard links is foreign, and neither downloaded nor restored', async () => {
  const { name } = await make()
  linkSync(join(server.dataDir, 'secret.key'), join(folder(), 'hard.db'))
  expect((await list()).find((backup) => backup.name === 'hard.db')).toMatchObject({ status: 'foreign' })
  linkSync(join(folder(), name), join(folder(), 'copy.db'))
  for (const link of ['hard.db', 'copy.db', name]) {
    expect(await superadmin.get(`/api/server/backups/${link}/download`)).toMatchObject({
      status: 400,
      body: { error: 'INVALID_STATE', code: 'backup_linked' },
    })
    expect(await restore(link, true)).toMatchObject({ status: 400, body: { code: 'backup_foreign' } })
  }
})

test('a copy equals one committed state, whatever is written meanwhile', async () => {
  const { sqlite } = server.platform.store
  // Two sides of a ledger that every commit keeps equal, and enough pages for a copy in many steps.
  sqlite.exec('CREATE TABLE ledger (id INTEGER PRIMARY KEY, debit INTEGER, credit INTEGER, filler TEXT)')
  const insert = sqlite.prepare('INSERT INTO ledger (debit, credit, filler) VALUES (?, 0, ?)')
  server.platform.store.transaction(() => {
    for (let n = 0; n < 4_000; n++) insert.run(0, 'x'.repeat(2_000))
  })
  let commits = 0
  const load = { writing: true }
  const move = (n: number) =>
    server.platform.store.transaction(() => {
      sqlite.prepare('UPDATE ledger SET debit = debit + 1 WHERE id = ?').run(1 + (n % 4_000))
      sqlite.prepare('UPDATE ledger SET credit = credit + 1 WHERE id = ?').run(4_000 - (n % 4_000))
      insert.run(0, 'y'.repeat(500))
      commits++
    })
  const writer = (async () => {
    for (let n = 0; load.writing; n++) {
      move(n)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const states = []
  for (let round = 0; round < 3; round++) {
    const before = commits
    const backup = await make()
    states.push({ before, backup, after: commits })
  }
  load.writing = false
  await writer
  for (const { before, backup, after } of states) {
    const copy = new Sqlite(pathOf(backup), { readonly: true })
    const state = copy.prepare('SELECT sum(debit) AS debit, sum(credit) AS credit, count(*) AS n FROM ledger').get()
    copy.close()
    const { debit, credit, n } = state as { debit: number; credit: number; n: number }
    expect({ credit, rows: n }).toEqual({ credit: debit, rows: 4_000 + debit })
    expect(debit).toBeGreaterThanOrEqual(before)
    expect(debit).toBeLessThanOrEqual(after)
  }
  expect(commits).toBeGreaterThan(10)
})

test('damaged bytes, wherever they are, never pass for a good backup', async () => {
  const backup = await make()
  const bytes = readFileSync(pathOf(backup))
  const path = join(folder(), 'flipped.db')
  const verdict = (content: Buffer) => {
    writeFileSync(path, content)
    return inspectBackup({ path, reason: 'manual', schema: server.platform.schemaVersion }).status
  }
  expect(verdict(bytes)).toBe('verified')
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = Buffer.from(bytes)
      damaged[at] = damaged[at]! ^ change
      expect(verdict(damaged)).not.toBe('verified')
    }),
    {
      numRuns: 60,
      examples: [
        [0, 1],
        [bytes.length - 1, 1],
        [bytes.length - 80, 1],
        [100, 255],
      ],
    },
  )
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), (length) => {
      expect(verdict(bytes.subarray(0, length))).not.toBe('verified')
    }),
    { numRuns: 20, examples: [[0], [bytes.length - 1]] },
  )
})

test('each file in the folder is told for what it is, and looked into again when it has changed', async () => {
  const good = await make()
  copyFileSync(pathOf(good), join(folder(), 'from-elsewhere.db'))
  copyFileSync(pathOf(good), join(folder(), 'unsealed.db'))
  truncateSync(join(folder(), 'unsealed.db'), statSync(join(folder(), 'unsealed.db')).size - 90)
  new Sqlite(join(folder(), 'unsealed.db')).exec("UPDATE users SET role = 'superadmin'").close()
  writeFileSync(join(folder(), 'notes.db'), 'no database')
  new Sqlite(join(folder(), 'other.db')).exec('CREATE TABLE a (b)').close()
  copyFileSync(pathOf(good), join(folder(), 'future.db'))
  truncateSync(join(folder(), 'future.db'), statSync(join(folder(), 'future.db')).size - 90)
  new Sqlite(join(folder(), 'future.db')).exec('PRAGMA user_version = 999').close()
  writeFileSync(join(folder(), 'strange name.db'), 'cannot be addressed')
  writeFileSync(join(folder(), '.headgate-x.db.partial'), 'left over')
  mkdirSync(join(folder(), 'folder.db'))
  const said = async () => Object.fromEntries((await list()).map(({ name, status }) => [name, status]))
  expect(await said()).toEqual({
    [good.name]: 'verified',
    'from-elsewhere.db': 'verified',
    'unsealed.db': 'unsealed',
    'notes.db': 'foreign',
    'other.db': 'foreign',
    'future.db': 'newer',
  })
  for (const [name, reason] of [
    ['notes.db', /not a backup of a Headgate store/],
    ['future.db', /newer version of Headgate \(schema 999\)/],
  ] as const) {
    expect(await restore(name)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE', message: reason } })
  }
  const bytes = readFileSync(pathOf(good))
  bytes[5_000] = bytes[5_000]! ^ 1
  writeFileSync(pathOf(good), bytes)
  utimesSync(pathOf(good), 1, 1)
  expect((await said())[good.name]).toBe('damaged')
  expect(await restore(good.name)).toMatchObject({ status: 400, body: { message: /is damaged/ } })
})

test.each([
  ['a trigger', 'CREATE TRIGGER t AFTER INSERT ON events BEGIN UPDATE users SET totp_enabled = 0; END'],
  ['a view', 'CREATE VIEW v AS SELECT * FROM users'],
  ['a trigger less', 'DROP TRIGGER %'],
  [
    'an endless view in place of a table',
    `ALTER TABLE store_meta RENAME TO m; CREATE VIEW store_meta AS
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'version' AS key, i AS value FROM n WHERE i < 0`,
  ],
])('a store with %s that is not ours is foreign, sealed or not, and is not restored', async (_, change) => {
  const good = await make()
  const names = ['changed.db', 'sealed.db']
  for (const name of names) {
    const path = join(folder(), name)
    copyFileSync(pathOf(good), path)
    truncateSync(path, statSync(path).size - 90)
    const sqlite = new Sqlite(path)
    const trigger = sqlite.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' LIMIT 1").pluck().get()
    sqlite.exec(change.replace('%', String(trigger))).close()
  }
  sealFile(join(folder(), 'sealed.db'))
  const listed = await list()
  for (const name of names) {
    expect(listed.find((backup) => backup.name === name)?.status).toBe('foreign')
    expect(await restore(name)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    rmSync(join(folder(), name))
  }
})

test('a folder that cannot be written is a clear refusal, and nothing is left', async () => {
  const file = join(server.dataDir, 'a-file')
  writeFileSync(file, '')
  server.platform.config.backup.folder = join(file, 'backups')
  expect(await superadmin.post('/api/server/backup')).toMatchObject({
    status: 503,
    body: { error: 'UNAVAILABLE', message: expect.stringContaining(file) },
  })
  const elsewhere = join(server.dataDir, 'elsewhere')
  server.platform.config.backup.folder = elsewhere
  const { name } = await make()
  expect(readdirSync(elsewhere)).toEqual([name])
})

test('only a superadmin may', async () => {
  const admin = server.as('admin')
  for (const [method, path] of [
    ['GET', '/api/server/backups'],
    ['POST', '/api/server/backup'],
    ['POST', '/api/server/restart'],
  ] as const) {
    expect((await admin.request(method, path)).status).toBe(403)
  }
})

describe('scheduled ones', () => {
  const hour = 3_600_000
  const scheduled = async () => (await list()).filter(({ reason }) => reason === 'scheduled')

  test('come when they are due, are recorded, and the oldest go; others stay', async () => {
    const { backups } = server.services
    server.platform.config.backup.keep = 2
    const manual = await make()
    await backups.tick()
    expect(await scheduled()).toEqual([])
    for (let round = 0; round < 4; round++) {
      clock.advance(24 * hour)
      await backups.tick()
      await backups.tick()
    }
    expect(await scheduled()).toHaveLength(2)
    expect((await scheduled())[0]!.created_at).toBe(clock.iso())
    expect((await list()).map(({ name }) => name)).toContain(manual.name)
    expect(backups.schedule()).toEqual({
      folder: folder(),
      last_at: clock.iso(),
      next_at: new Date(clock.now().getTime() + 24 * hour).toISOString(),
    })
    const records = server.platform.store.sqlite
      .prepare("SELECT count(*) FROM audit_records WHERE operation = 'scheduledBackup' AND actor = 'system'")
      .pluck()
      .get()
    expect(records).toBe(4)
  })

  test('one that fails is recorded and tried again later, not at once', async () => {
    const { backups } = server.services
    const file = join(server.dataDir, 'a-file')
    writeFileSync(file, '')
    server.platform.config.backup.folder = file
    clock.advance(24 * hour)
    await backups.tick()
    const failures = () =>
      server.platform.store.sqlite
        .prepare("SELECT count(*) FROM audit_records WHERE operation = 'scheduledBackup' AND outcome = 'failed'")
        .pluck()
        .get()
    expect(failures()).toBe(1)
    await backups.tick()
    expect(failures()).toBe(1)
    server.platform.config.backup.folder = join(server.dataDir, 'no', 'such')
    await backups.tick()
    expect(await scheduled()).toEqual([])
    clock.advance(15 * 60_000)
    await backups.tick()
    expect(await scheduled()).toHaveLength(1)
  })
})

test('a backup that cannot be used leaves nothing beside the store, whatever its journal', async () => {
  const good = await make()
  const bad = join(folder(), 'journal.db')
  copyFileSync(pathOf(good), bad)
  truncateSync(bad, statSync(bad).size - 90)
  const changed = new Sqlite(bad)
  changed.pragma('journal_mode = WAL')
  changed.pragma('user_version = 999')
  changed.close()
  const target = join(server.platform.config.dataDir, 'restore.db')
  expect(stageBackup({ path: bad, reason: 'other', schema: 1, target })).toMatchObject({ status: 'newer' })
  expect(readdirSync(server.platform.config.dataDir).filter((name) => name.startsWith('restore'))).toEqual([])
})
