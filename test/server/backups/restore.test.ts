import Sqlite from 'better-sqlite3'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Backup, createBackup, listBackups, restoreBackup } from '../../../src/contract/backups.ts'
import { checkSeal } from '../../../src/server/platform/backup-seal.ts'
import { migrations } from '../../../src/server/platform/migrations/index.ts'
import { migrate } from '../../../src/server/platform/migrations/migrate.ts'
import type { TestClient } from '../../support/server.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { openSse } from '../../support/sse.ts'
import { callYaml, createFolder, keyHolder, startHeldCalls, timesReady } from './server-world.ts'

const patient = { timeout: 120_000 }
const connector = (client: TestClient, name: string) =>
  client.post('/api/connectors', { name, type: 'file', config: { root: '/tmp' } })
const names = async (client: TestClient) => {
  const { body } = await client.get('/api/connectors?limit=200')
  return (body as { result: { name: string }[] }).result.map(({ name }) => name).toSorted()
}
const backups = async (client: TestClient) => (await client.call(listBackups)).result
async function restored(server: ServerProcess, client: TestClient, name: string): Promise<string> {
  const before = timesReady(server)
  const { kept_as } = await client.call(restoreBackup, { body: { name } })
  await expect.poll(() => timesReady(server), patient).toBe(before + 1)
  return kept_as!
}

test('a restore goes back, keeps what was, gives no id twice, and begins the events anew', async () => {
  const { dataDir, start } = createFolder()
  const server = start(['--no-executor'])
  const client = await keyHolder(server)
  await connector(client, 'before')
  const backup = await client.call(createBackup)
  const later = (await connector(client, 'after')).body as { id: number }
  const { url } = await server.ready
  const login = await client.post('/api/auth/login', { username: 'root', password: 'a long enough password' })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const events = await openSse(`${url}/api/events`, { ...client.headers, 'last-event-id': '0' })
  const { id: lastEvent } = await events.next(
    ({ event, data }) => event === 'connector.changed' && (data as { entity_id: number }).entity_id === later.id,
  )

  const kept = await restored(server, client, backup.name)
  expect(await names(client)).toEqual(['before'])
  expect((await client.with({ authorization: '', cookie }).get('/api/auth/me')).status).toBe(401)
  const listed = await backups(client)
  expect(listed.map(({ name }) => name)).toEqual([kept, backup.name])
  expect(listed[0]).toMatchObject({ reason: 'before_restore', status: 'verified' })
  // Whoever heard events of the store that is no more loads afresh, whatever the new ids are.
  for (const id of [lastEvent!, '1']) {
    const stream = await openSse(`${url}/api/events`, { ...client.headers, 'last-event-id': id })
    expect(await stream.next(({ event }) => event === 'reset')).toBeDefined()
    stream.close()
  }
  const anew = (await connector(client, 'anew')).body as { id: number }
  expect(anew.id).toBeGreaterThan(later.id)
  const audit = (await client.get('/api/audit?limit=200')).body as { result: { operation: string }[] }
  expect(audit.result.map(({ operation }) => operation)).toContain('restoredBackup')
  for (const name of ['restore.json', 'restore.db']) expect(existsSync(join(dataDir, name))).toBe(false)

  await restored(server, client, kept)
  expect(await names(client)).toEqual(['after', 'before'])
}, 300_000)

test('the store that a restore has replaced is sealed by the next start, when the server was killed before it came to that', async () => {
  const { dataDir, start } = createFolder()
  const first = start(['--no-executor'])
  await first.ready
  first.kill('SIGTERM')
  await first.exited
  const sqlite = new Sqlite(join(dataDir, 'headgate.db'))
  // What takes a while to check and to seal.
  const fill = sqlite.prepare('INSERT INTO store_meta (key, value) VALUES (?, hex(randomblob(2000000)))')
  for (let n = 0; n < 40; n++) fill.run(`filler ${n}`)
  sqlite.close()
  const second = start(['--no-executor'])
  const client = await keyHolder(second)
  const { name } = await client.call(createBackup)
  const { kept_as } = await client.call(restoreBackup, { body: { name } })
  const journal = () => existsSync(join(dataDir, 'restore.json'))
  await expect.poll(() => timesReady(second) === 2 && !journal(), { timeout: 120_000, interval: 5 }).toBe(true)
  second.kill('SIGKILL')
  await second.exited
  const kept = join(dataDir, 'backups', kept_as!)
  expect({ seal: checkSeal(kept), journal: journal() }).toEqual({ seal: 'missing', journal: false })

  const third = await keyHolder(start(['--no-executor']))
  const status = async () => (await backups(third)).find((one) => one.name === kept_as)?.status
  await expect.poll(status, patient).toBe('verified')
  expect(checkSeal(kept)).toBe('intact')
}, 300_000)

test('a backup of an older schema is brought up to date; one that cannot be is given up for the store from before', async () => {
  const { dataDir, start } = createFolder()
  const server = start(['--no-executor'])
  const client = await keyHolder(server)
  await connector(client, 'mine')
  const folder = join(dataDir, 'backups')
  mkdirSync(folder)
  const old = (name: string, change: string) => {
    const sqlite = new Sqlite(join(folder, name))
    migrate(sqlite, migrations.slice(0, 7), { file: name, iso: () => '2026-01-01T00:00:00.000Z', backup: () => '' })
    sqlite.exec(change)
    sqlite.close()
  }
  old('hopeless.db', "INSERT INTO schema_migrations VALUES (8, 'in the way', '')")
  expect((await backups(client))[0]).toMatchObject({ name: 'hopeless.db', status: 'unsealed', schema_version: 7 })
  await restored(server, client, 'hopeless.db')
  expect(await names(client)).toEqual(['mine'])
  expect(server.stderr.join('\n')).toContain('the store is the one from before')
  expect(existsSync(join(dataDir, 'restore.json'))).toBe(false)

  old('older.db', '')
  await restored(server, client, 'older.db')
  // Its accounts are gone with it: the configured one was made again.
  const again = await keyHolder(server)
  expect(await names(again)).toEqual([])
  expect((await backups(again)).map(({ reason }) => reason)).toContain('before_migration')
}, 300_000)

test('a run that the backup does not know is stopped at its executor, which takes the next one', async () => {
  const { start } = createFolder()
  const calls = await startHeldCalls()
  const server = start()
  const client = await keyHolder(server)
  const config = { base_url: calls.url, allow_private: true }
  const made = await client.post('/api/connectors', { name: 'held', type: 'http', config })
  const { id: api } = made.body as { id: number }
  const { id: task } = (await client.post('/api/tasks', { yaml_content: callYaml })).body as { id: number }
  const trigger = async () => {
    const answer = await client.post(`/api/runs/trigger/${task}`, { connector_mapping: { api } })
    return (answer.body as { id: number }).id
  }
  const backup = await client.call(createBackup)
  const lost = await trigger()
  await expect.poll(calls.waiting, patient).toBe(1)
  await restored(server, client, backup.name)
  expect((await client.get(`/api/runs/${lost}`)).status).toBe(404)
  await expect.poll(calls.givenUp, patient).toBe(1)
  calls.release()
  const next = await trigger()
  expect(next).toBeGreaterThan(lost)
  const status = async () => ((await client.get(`/api/runs/${next}`)).body as { status: string }).status
  await expect.poll(status, patient).toBe('success')
}, 300_000)

async function endedWith(server: ServerProcess): Promise<string> {
  expect((await server.exited).code).toBe(1)
  return server.stderr.filter((line) => !line.startsWith('{')).join('\n')
}

test('a damaged store names the newest good backup, and is replaced by it on request; the damaged file stays', async () => {
  const { dataDir, start } = createFolder()
  const first = start(['--no-executor'])
  const client = await keyHolder(first)
  await connector(client, 'kept')
  const good: Backup = await client.call(createBackup)
  const bad = await client.call(createBackup)
  first.kill('SIGTERM')
  await first.exited
  const badFile = join(dataDir, 'backups', bad.name)
  const bytes = readFileSync(badFile)
  bytes[9_000] = bytes[9_000]! ^ 1
  writeFileSync(badFile, bytes)
  const store = join(dataDir, 'headgate.db')
  const sound = join(dataDir, '..', 'sound.db')
  copyFileSync(store, sound)
  const damaged = Buffer.concat([Buffer.from('no longer a database'), readFileSync(store)])
  writeFileSync(store, damaged)

  const refused = start(['--no-executor'], { ipc: true })
  const message = await endedWith(refused)
  expect(message).toMatch(/headgate\.db is damaged or no Headgate database \(SQLITE_NOTADB\); it was left as it is\./)
  expect(message).toContain(good.name)
  expect(message).toContain('--restore newest')
  expect(message).not.toContain(bad.name)
  expect(refused.messages).toMatchObject([
    { event: 'failed', restore: { name: good.name, created_at: good.created_at } },
  ])
  expect(readFileSync(store).equals(damaged)).toBe(true)

  expect(await endedWith(start(['--no-executor', '--restore', bad.name]))).toMatch(/cannot be used: it is damaged/)
  expect(await endedWith(start(['--no-executor', '--restore', 'none.db']))).toMatch(/there is no backup none\.db/)
  expect(readFileSync(store).equals(damaged)).toBe(true)

  const second = start(['--no-executor', '--restore', 'newest'])
  const back = await keyHolder(second)
  expect(await names(back)).toEqual(['kept'])
  const keptName = readdirSync(dataDir).find((name) => name.startsWith('damaged-'))
  expect(readFileSync(join(dataDir, keptName!)).equals(damaged)).toBe(true)
  // The argument is for the start, not for the restarts after it.
  await back.post('/api/server/restart')
  await expect.poll(() => timesReady(second), patient).toBe(2)
  expect(await names(back)).toEqual(['kept'])
  second.kill('SIGTERM')
  await second.exited

  expect(await endedWith(start(['--no-executor', '--restore=newest']))).toMatch(/headgate\.db is sound/)
  rmSync(store)
  const third = start(['--no-executor', '--restore', good.name])
  expect(await names(await keyHolder(third))).toEqual(['kept'])
}, 300_000)
