// kill -9 of the server at random moments of a backup and of a restore, while others write. A ledger outside of it holds
// what was answered. After each death the store is whole: as it was, or as the backup was; whatever is called a backup is
// one. HEADGATE_FAULT_ROUNDS sets the number of deaths (12 unless told).
import Sqlite from 'better-sqlite3'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Backup, Restored } from '../../src/contract/backups.ts'
import type { Paginated } from '../../src/contract/common.ts'
import type { Pool } from '../../src/contract/pools.ts'
import { seed } from './support/fault-seed.ts'
import { randomFrom } from './support/job-plans.ts'
import { type Client, connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.HEADGATE_FAULT_ROUNDS ?? 12)

const poolsOf = async (client: Client) => {
  const { status, body } = await client.send('GET', '/api/pools')
  expect(status).toBe(200)
  return (body as Pool[]).map(({ name }) => name).toSorted()
}
/** All that the answers before `last` promise, and at most what was asked for besides. */
function expectBetween(found: string[], sure: Set<string>, perhaps: Set<string>): void {
  expect(found).toEqual(expect.arrayContaining([...sure]))
  expect(found.filter((name) => !sure.has(name) && !perhaps.has(name))).toEqual([])
}
/** What a backup holds, read without the server. */
function poolsIn(path: string): string[] {
  const sqlite = new Sqlite(path, { readonly: true })
  try {
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    return sqlite.prepare<[], string>('SELECT name FROM pools ORDER BY name').pluck().all()
  } finally {
    sqlite.close()
  }
}

test(`${rounds} deaths in backups and restores leave the old or the new store, whole`, async () => {
  const random = randomFrom(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-kill-backup-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const folder = join(dataDir, 'backups')
  let server = await startServerProcess(dataDir)
  onTestFinished(() => server.kill())
  const apiKey = await makeApiKey(server.url)
  const comeBack = async () => {
    server = await startServerProcess(dataDir)
    return connect(server.url, { authorization: `Bearer ${apiKey}` })
  }
  let client = connect(server.url, { authorization: `Bearer ${apiKey}` })
  /** Names that the store is known to hold. */
  let sure = new Set<string>()
  const seen = { backups: 0, lostBackups: 0, restored: 0, stayed: 0 }
  let made = 0

  const first = (await client.send('POST', '/api/server/backup')).body as Backup
  const contents = new Map([[first.name, poolsIn(join(folder, first.name))]])
  // How long a restore takes here, from its request to the server that is up again: deaths come somewhere within.
  const began = performance.now()
  await client.send('POST', '/api/server/restore', { name: first.name })
  const isBack = async () => {
    const health = await client.send('GET', '/api/health').catch(() => undefined)
    return health?.status === 200 && !readdirSync(dataDir).includes('restore.json')
  }
  await expect.poll(isBack, { timeout: 60_000, interval: 20 }).toBe(true)
  const restoreMs = performance.now() - began

  for (let round = 0; round < rounds; round++) {
    const perhaps = new Set<string>()
    const held = sure.size
    const load = { writing: true }
    const current = client
    const write = async () => {
      while (load.writing) {
        const name = `pool-${made++}`
        perhaps.add(name)
        // A connection that breaks says nothing: it may or may not be there.
        const reply = await current.send('PUT', `/api/pools/${name}`, { slots: 1 }).catch(() => undefined)
        if (reply?.status === 200) sure.add(name)
        else return
      }
    }
    const writers = [write(), write()]
    await expect.poll(() => sure.size, { timeout: 60_000, interval: 1 }).toBeGreaterThan(held + 2)
    const before = new Set(sure)
    const restores = random.chance(0.6)
    const target = random.pick([...contents.keys()])
    const asked = restores
      ? client.send('POST', '/api/server/restore', { name: target })
      : client.send('POST', '/api/server/backup')
    const answered = asked.then(
      (reply) => reply,
      () => undefined,
    )
    await delay(random.next() * restoreMs * (restores ? 3 : 0.5))
    await server.kill()
    load.writing = false
    await Promise.all(writers)
    const reply = await answered
    client.close()
    client = await comeBack()

    const found = await poolsOf(client)
    const isTarget = restores && found.join() === contents.get(target)!.join()
    // What was acknowledged after the restore was asked for may be in the one store or the other.
    if (isTarget) seen.restored++
    else {
      expectBetween(found, restores ? before : sure, perhaps)
      seen.stayed += Number(restores)
    }
    // A restore that was promised happens, whatever comes between; what was before it is kept.
    const restored = restores && reply?.status === 200 ? (reply.body as Restored) : undefined
    const promised = restored ? contents.get(target)! : found
    expect(found.filter((name) => before.has(name) && !promised.includes(name))).toEqual([])
    if (restored) expectBetween(poolsIn(join(folder, restored.kept_as!)), before, perhaps)
    sure = new Set(found)

    const { body } = await client.send('GET', '/api/server/backups?limit=200')
    const listed = (body as Paginated<Backup>).result
    // The store that was replaced is sealed once the new one runs: a death before leaves it whole, and called unsealed.
    const isWhole = ({ status, reason }: Backup) =>
      status === 'verified' || (status === 'unsealed' && reason === 'before_restore')
    expect(listed.filter((one) => !isWhole(one))).toEqual([])
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
    for (const { name } of listed) if (!contents.has(name)) contents.set(name, poolsIn(join(folder, name)))
    for (const name of contents.keys()) if (!listed.some((one) => one.name === name)) contents.delete(name)
    const backup = !restores && reply?.status === 201 ? (reply.body as Backup).name : undefined
    if (backup) expectBetween(contents.get(backup) ?? [], before, perhaps)
    seen.backups += Number(backup !== undefined)
    seen.lostBackups += Number(!restores && backup === undefined)
    for (const name of ['restore.json', 'restore.db']) expect(readdirSync(dataDir)).not.toContain(name)
  }
  client.close()
  await server.stop()
  poolsIn(join(dataDir, 'headgate.db'))
  console.log(
    `${JSON.stringify(seen)} over ${rounds} deaths; seed ${seed}; a restore takes ${Math.round(restoreMs)} ms`,
  )
}, 1_800_000)
