/** A database file that is taken away from under a running server: nothing that is answered with success is lost. */
import { copyFileSync, linkSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer } from '../../support/server.ts'

const patience = { timeout: 60_000, interval: 100 }

async function start() {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const admin = server.as('admin')
  const health = async () => (await server.client.get('/api/health')).body
  const write = (n: number) => admin.put(`/api/pools/pool_${n}`, { slots: 2 })
  return { server, health, write, file: join(server.dataDir, 'headgate.db') }
}

const moved = { status: 'degraded', message: expect.stringContaining('was moved, replaced, shortened, or removed') }

describe.each<[string, (file: string) => void]>([
  [
    'replaced by something else',
    (file) => (writeFileSync(`${file}.new`, 'id,name\n'), renameSync(`${file}.new`, file)),
  ],
  ['replaced by a copy of itself', (file) => (copyFileSync(file, `${file}.new`), renameSync(`${file}.new`, file))],
  [
    'replaced by a hard link to an older copy',
    (file) => (copyFileSync(file, `${file}.old`), rmSync(file), linkSync(`${file}.old`, file)),
  ],
  [
    'replaced, with its log, by an older copy',
    (file) => (
      ['', '-wal'].map((end) => copyFileSync(file + end, `${file}.old${end}`)),
      ['', '-wal'].map((end) => renameSync(`${file}.old${end}`, file + end))
    ),
  ],
  ['removed', (file) => rmSync(file)],
  ['without its log', (file) => rmSync(`${file}-wal`)],
  ['emptied where it is', (file) => truncateSync(file)],
  ['cut to half where it is', (file) => truncateSync(file, statSync(file).size / 2)],
  ['with an emptied log', (file) => truncateSync(`${file}-wal`)],
  ['with half of its log', (file) => truncateSync(`${file}-wal`, statSync(`${file}-wal`).size / 2)],
])('a store that is %s', (_name, harm) => {
  test('is told by health, and takes nothing that would be lost', async () => {
    const { health, write, file } = await start()
    expect((await write(1)).status).toBeLessThan(300)
    expect(await health()).toMatchObject({ checks: { database: { status: 'ok' } } })
    harm(file)
    expect(await write(2)).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', message: moved.message } })
    expect(await health()).toMatchObject({ status: 'degraded', checks: { database: moved } })
  })
})

test('health notices it before anything is written', async () => {
  const { health, file } = await start()
  renameSync(file, `${file}.gone`)
  expect(await health()).toMatchObject({
    status: 'degraded',
    checks: { database: moved, disk: { status: 'degraded' } },
  })
})

test('a store that is put back is written again', async () => {
  const { server, health, write, file } = await start()
  const admin = server.as('admin')
  renameSync(file, `${file}.gone`)
  expect((await write(1)).status).toBe(503)
  expect((await admin.get('/api/pools')).status).toBe(200)
  renameSync(`${file}.gone`, file)
  await vi.waitFor(async () => expect((await write(2)).status).toBeLessThan(300), patience)
  await vi.waitFor(
    async () =>
      expect(await health()).toMatchObject({ checks: { database: { status: 'ok' }, disk: { status: 'ok' } } }),
    patience,
  )
  const { body } = await admin.get('/api/pools')
  expect((body as { name: string }[]).map(({ name }) => name)).toContain('pool_2')
})

test('a store that SQLite itself makes shorter is written as before', async () => {
  const { health, write, file } = await start()
  const other = new Database(file)
  onTestFinished(() => void other.close())
  // What a vacuum after a large deletion, and a checkpoint of another program, do to the files.
  other.exec('CREATE TABLE large (text); INSERT INTO large VALUES (randomblob(4000000)); DROP TABLE large')
  other.pragma('wal_checkpoint(TRUNCATE)')
  const before = statSync(file).size
  // The first may be the one that notices it.
  await write(1)
  expect((await write(2)).status).toBeLessThan(300)
  other.exec('PRAGMA incremental_vacuum')
  other.pragma('wal_checkpoint(TRUNCATE)')
  expect(statSync(file).size).toBeLessThan(before - 3_000_000)
  await write(3)
  expect((await write(4)).status).toBeLessThan(300)
  expect(await health()).toMatchObject({ checks: { database: { status: 'ok' } } })
})
