import Sqlite from 'better-sqlite3'
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createBackup } from '../../../src/contract/backups.ts'
import { headgate } from '../../cli/command.ts'
import type { TestClient } from '../../support/server.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { createFolder, keyHolder } from './server-world.ts'

type World = ReturnType<typeof createFolder>

async function saveConnectors(client: TestClient, from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    const { status } = await client.post('/api/connectors', { name: `c${n}`, type: 'file', config: { root: '/tmp' } })
    expect(status).toBe(201)
  }
}

const connectors = async (client: TestClient) =>
  ((await client.get('/api/connectors?limit=1')).body as { total: number }).total

async function kill(server: ServerProcess): Promise<void> {
  server.kill('SIGKILL')
  await server.exited
}

/** What a server says that doesn't start. */
async function refusal({ start }: World, args: string[] = []): Promise<string> {
  const server = start(['--no-executor', ...args])
  await expect(server.ready).rejects.toThrow('The server has ended')
  return server.stderr.join('\n')
}

/** A server that was killed after 60 changes, of which the log alone holds the last ones. */
async function killed(): Promise<World & { log: string; client: Record<string, string> }> {
  const world = createFolder()
  const server = world.start(['--no-executor'])
  const client = await keyHolder(server)
  await client.call(createBackup)
  await saveConnectors(client, 0, 60)
  await kill(server)
  return { ...world, log: join(world.dataDir, 'headgate.db-wal'), client: client.headers }
}

const headerBytes = 32
const frameBytes = 24 + 4_096
/** Bytes of the log up to its newest frame. What follows is from before it began anew, and has other salts. */
function liveBytes(bytes: Buffer): number {
  const salts = bytes.subarray(16, 24)
  let end = headerBytes
  while (end + frameBytes <= bytes.length && bytes.subarray(end + 8, end + 16).equals(salts)) end += frameBytes
  return end
}
const damages: Record<string, (log: string) => void> = {
  truncated: (log) => truncateSync(log, Math.floor(liveBytes(readFileSync(log)) * 0.6)),
  corrupted(log) {
    const bytes = readFileSync(log)
    const at = Math.floor(liveBytes(bytes) * 0.6)
    writeFileSync(log, bytes.fill(0x5a, at, at + 64))
  },
  'cut by its last commit': (log) => truncateSync(log, liveBytes(readFileSync(log)) - frameBytes),
}

describe('a log that lost committed changes', () => {
  test.each(Object.keys(damages))('(%s) stops the start, which says what is lost and how to continue', async (how) => {
    const world = await killed()
    damages[how]!(world.log)
    const message = await refusal(world)
    const [, kept, lost] = /it ends with change (\d+), which is of \S+, but (\d+) more were saved/.exec(message) ?? []
    expect(Number(lost)).toBeGreaterThan(0)
    expect(message).toContain(`--accept-loss ${kept}`)
    expect(message).toContain('start once with `--restore newest`')
    expect(readdirSync(world.dataDir).some((name) => /^damaged-.*\.db-wal$/.test(name))).toBe(true)
    // Neither the number of another loss nor the next start makes it go away.
    expect(await refusal(world, ['--accept-loss', String(Number(kept) + 1)])).toContain('lacks changes that were saved')

    const accepted = world.start(['--no-executor', '--accept-loss', kept!])
    const client = (await accepted.client()).with(world.client)
    expect(await connectors(client)).toBeLessThan(60)
    const { body } = await client.get('/api/audit?operation=acceptedLoss')
    expect(body).toMatchObject({ total: 1 })
    expect(accepted.stderr.join('\n')).toContain('Continuing without changes that were saved and lost')
    expect((await client.get('/api/audit/verify')).body).toMatchObject({ ok: true })
    await kill(accepted)
    await world.start(['--no-executor']).ready
  })

  test('(removed) that is put back brings everything back', async () => {
    const world = await killed()
    copyFileSync(world.log, `${world.log}.kept`)
    rmSync(world.log)
    expect(await refusal(world)).toMatch(/lacks changes that were saved|is empty/)
    copyFileSync(`${world.log}.kept`, world.log)
    const client = (await world.start(['--no-executor']).client()).with(world.client)
    expect(await connectors(client)).toBe(60)
  })

  test('is answered by --restore newest, and the restored store is not an older one', async () => {
    const world = await killed()
    damages['truncated']!(world.log)
    const restored = world.start(['--no-executor', '--restore', 'newest'])
    const client = (await restored.client()).with(world.client)
    expect(await connectors(client)).toBe(0)
    await kill(restored)
    await world.start(['--no-executor']).ready
  })
})

test('a server that is killed while it writes always starts again, and knows how far it had got', async () => {
  const world = createFolder()
  const first = world.start(['--no-executor'])
  let client = await keyHolder(first)
  let server = first
  for (let round = 0; round < 5; round++) {
    const writing = saveConnectors(client, round * 1_000, round * 1_000 + 900).catch(() => 'killed')
    await expect.poll(() => connectors(client).catch(() => Infinity)).toBeGreaterThan(round * 5)
    await kill(server)
    expect(await writing).toBe('killed')
    server = world.start(['--no-executor'])
    client = (await server.client()).with(client.headers)
    await client.get('/api/health')
  }
  await kill(server)
  const sqlite = new Sqlite(join(world.dataDir, 'headgate.db'), { readonly: true })
  const events = sqlite.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck().get()
  sqlite.close()
  expect(readFileSync(join(world.dataDir, 'headgate.head'), 'utf8')).toContain(`"events":${String(events)},`)
})

test('half of the note of how far the store has got may be unreadable', async () => {
  const world = await killed()
  const file = join(world.dataDir, 'headgate.head')
  const whole = readFileSync(file, 'utf8')
  for (const damaged of [`${'x'.repeat(100)}${whole.slice(100)}`, whole.slice(0, 300)]) {
    writeFileSync(file, damaged)
    await kill(await up(world))
  }
  rmSync(file)
  await up(world)
  expect(existsSync(file)).toBe(true)
})

async function up({ start }: World): Promise<ServerProcess> {
  const server = start(['--no-executor'])
  await server.ready
  return server
}

test.each([
  ['emptied', 'DELETE FROM audit_records'],
  ['cut at its end', 'DELETE FROM audit_records WHERE id > 10'],
])('an audit log that was %s is told by headgate audit verify, and stops the next start', async (_, change) => {
  const world = await killed()
  const sqlite = new Sqlite(join(world.dataDir, 'headgate.db'))
  const triggers = sqlite
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'audit_records'")
    .pluck()
    .all()
  sqlite.exec(`${triggers.map((name) => `DROP TRIGGER "${name}"; `).join('')}${change}`)
  sqlite.close()
  const { code, out } = await headgate(world.dataDir, ['audit', 'verify', '--data-dir', world.dataDir])
  expect(out).toContain('records were removed from the end, or the log was rewritten')
  expect(code).toBe(1)
  expect(await refusal(world)).toContain('audit records that were written by')
})
