// Executors, their workers and the server are stopped and killed at random moments while runs append rows to tables that are looked at from
// outside. Whatever a run says in the end, its rows are there once or not at all, and it says so rightly.
// HEADGATE_COMMIT_FAULT_ROUNDS sets the number of faults (40 unless told).
import { mkdtempSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Paginated } from '../../src/contract/common.ts'
import type { Run } from '../../src/contract/runs.ts'
import { childrenOf } from '../executor/process/executor-process.ts'
import { startExecutorProcess } from './support/executor-process.ts'
import { randomFrom } from './support/job-plans.ts'
import { type PersistentClient, Whereabouts, persistentClient } from './support/persistent-client.ts'
import { connect, makeApiKey, startServerProcess } from './support/server-process.ts'

const rounds = Number(process.env.HEADGATE_COMMIT_FAULT_ROUNDS ?? 40)
const seed = Number(process.env.HEADGATE_FAULT_SEED ?? Date.now() % 1_000_000)
const leases = { SVC_EXECUTORS_LEASE_MS: '1500', SVC_EXECUTORS_HEARTBEAT_MS: '300' }
const rowsEach = 400
/** One writer at a time each: a worker that is stopped must not hold up all others. */
const ledgers = 4
const openAtOnce = 6

/** Some hundred milliseconds of reading, so that faults come before, while and after a run commits. */
const task = (name: string, retries: number): string => `
etl: 1
kind: pipeline
name: ${name}
retries: {max: ${retries}, delay: 100ms}
connectors: {db: {types: [sqlite], access: read_write}}
source: {inline: {rows: [{run: "\${{ run.id }}"}]}}
steps:
  - sql: >-
      SELECT run, n.range AS n FROM stream, range(${rowsEach}) n
      WHERE (SELECT sum(a.range * b.range) FROM range(20000) a, range(200) b) >= 0
target: {connector: db, table: ledger, mode: append}
`

async function prepare(url: string, folder: string): Promise<{ apiKey: string; tasks: number[]; dbs: number[] }> {
  const apiKey = await makeApiKey(url)
  const client = connect(url, { authorization: `Bearer ${apiKey}` })
  async function make(path: string, body: object): Promise<number> {
    const reply = await client.send('POST', path, body)
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return (reply.body as { id: number }).id
  }
  const dbs: number[] = []
  for (let n = 0; n < ledgers; n++) {
    const path = join(folder, `ledger-${n}.db`)
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE ledger (run INTEGER, n INTEGER)')
    database.close()
    dbs.push(await make('/api/connectors', { name: `ledger ${n}`, type: 'sqlite', config: { path } }))
  }
  const tasks = [
    await make('/api/tasks', { yaml_content: task('retried', 3) }),
    await make('/api/tasks', { yaml_content: task('once', 0) }),
  ]
  client.close()
  return { apiKey, tasks, dbs }
}

/** Rows of each run, by SQLite itself. */
function written(folder: string): Map<number, number> {
  const found = new Map<number, number>()
  for (let n = 0; n < ledgers; n++) {
    const database = new DatabaseSync(join(folder, `ledger-${n}.db`))
    for (const { run, rows } of database.prepare('SELECT run, count(*) AS rows FROM ledger GROUP BY run').all())
      found.set(Number(run), (found.get(Number(run)) ?? 0) + Number(rows))
    database.close()
  }
  return found
}

/** What is not as it is said to be; null: all is well. */
function untrue({ id, status, error_code, error_message }: Run, rows: number): string | null {
  const said = `run ${id} is ${status} ${error_code ?? ''}, with ${rows} rows: ${error_message ?? ''}`
  if (rows !== 0 && rows !== rowsEach) return said
  if (status === 'success') return rows === rowsEach ? null : said
  if (error_code === 'OUTCOME_UNKNOWN') return null
  const stays = error_message?.includes('is committed and stays') === true
  return rows > 0 === stays ? null : said
}

async function runsOf(client: PersistentClient): Promise<Run[]> {
  const found: Run[] = []
  for (let cursor = ''; ;) {
    const { body } = await client.send('GET', `/api/runs?limit=200${cursor && `&cursor=${cursor}`}`)
    const page = body as Paginated<Run>
    found.push(...page.result)
    if (!page.nextCursor) return found
    cursor = page.nextCursor
  }
}

test(`${rounds} stops and deaths of executors, workers and the server write nothing twice and make no run untrue`, async () => {
  const random = randomFrom(seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-kill-commit-'))
  const folder = mkdtempSync(join(tmpdir(), 'headgate-ledgers-'))
  onTestFinished(() => [dataDir, folder].forEach((path) => rmSync(path, { recursive: true, force: true })))
  let server = await startServerProcess(dataDir, leases)
  onTestFinished(() => server.kill())
  const { apiKey, tasks, dbs } = await prepare(server.url, folder)
  const executors = ['first', 'second'].map((name) => startExecutorProcess(dataDir, name, 2))
  onTestFinished(async () => void (await Promise.all(executors.map((executor) => executor.kill()))))
  const where = new Whereabouts()
  where.arrived(server.url)
  const client = persistentClient(where, apiKey)
  onTestFinished(() => client.close())

  const count = async (status: string) =>
    ((await client.send('GET', `/api/runs?limit=1&status=${status}`)).body as Paginated<Run>).total
  const open = async () => (await count('pending')) + (await count('running'))
  const load = { more: true }
  const loading = (async () => {
    for (let n = 0; load.more; n++) {
      while (load.more && (await open()) >= openAtOnce) await delay(20)
      const body = { connector_mapping: { db: dbs[n % ledgers] } }
      const key = { 'idempotency-key': `${seed}-${n}` }
      const reply = await client.send('POST', `/api/runs/trigger/${tasks[n % tasks.length]}`, body, key)
      if (reply.status >= 300) throw new Error(JSON.stringify(reply))
    }
  })()

  /** Stops a process for less or for more than a lease. */
  async function pause(pid: number | undefined): Promise<void> {
    if (pid === undefined || !signal(pid, 'SIGSTOP')) return
    await delay(random.below(3_500))
    signal(pid, 'SIGCONT')
  }
  const faults = {
    'executor stopped': (n: number) => pause(executors[n]!.pid),
    'worker stopped': (n: number) => pause(random.pick(childrenOf(executors[n]!.pid))),
    'server stopped': () => pause(server.pid),
    'worker killed': async (n: number) => void signal(random.pick(childrenOf(executors[n]!.pid)), 'SIGKILL'),
    async 'executor killed'(n: number) {
      await executors[n]!.kill()
      executors[n] = startExecutorProcess(dataDir, executors[n]!.name, 2)
    },
    async 'server killed'() {
      where.left()
      await server.kill()
      server = await startServerProcess(dataDir, leases)
      where.arrived(server.url)
    },
  }
  const names = Object.keys(faults) as (keyof typeof faults)[]
  for (let round = 0; round < rounds; round++) {
    await delay(random.below(400))
    await faults[random.pick(names)](random.below(executors.length))
  }
  load.more = false
  await loading
  await expect.poll(open, { timeout: 240_000, interval: 100 }).toBe(0)

  const rows = written(folder)
  const runs = await runsOf(client)
  expect(
    runs.flatMap((run) => untrue(run, rows.get(run.id) ?? 0) ?? []),
    `seed ${seed}`,
  ).toEqual([])
  const ends = Object.groupBy(runs, ({ status, error_code }) => error_code ?? status)
  expect(ends['success']?.length ?? 0).toBeGreaterThan(rounds / 4)
  const told = Object.entries(ends).map(([end, list]) => `${list?.length} ${end}`)
  console.log(`${runs.length} runs over ${rounds} faults: ${told.join(', ')}; seed ${seed}`)
}, 7_200_000)

function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
    return false
  }
}
