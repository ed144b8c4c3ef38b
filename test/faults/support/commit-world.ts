// One installation (server, two executors, their workers) whose processes are stopped and killed while runs append rows to tables that are
// looked at from outside.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Paginated } from '../../../src/contract/common.ts'
import { runMessage } from '../../../src/contract/run-messages.ts'
import type { Run } from '../../../src/contract/runs.ts'
import { childrenOf } from '../../support/processes.ts'
import { startExecutorProcess } from './executor-process.ts'
import { type Random, randomFrom } from './job-plans.ts'
import { type PersistentClient, Whereabouts, persistentClient } from './persistent-client.ts'
import { connect, makeApiKey, startServerProcess } from './server-process.ts'

/** As short as they can be without ending by themselves where two cores carry several installations. */
const leases = { SVC_EXECUTORS_LEASE_MS: '2000', SVC_EXECUTORS_HEARTBEAT_MS: '300' }
const longestPauseMs = 2_900
const rowsEach = 400
/** One writer at a time each: a worker that is stopped must not hold up all others. */
const ledgers = 4
const openAtOnce = 4

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
      WHERE (SELECT sum(a.range * b.range) FROM range(20000) a, range(60) b) >= 0
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
  const stays = error_message?.includes(runMessage('committed_stays').message) === true
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

/** What each fault does, and how often it comes: starting a process again takes most of the time. */
const shares = {
  'executor stopped': 4,
  'worker stopped': 5,
  'server stopped': 3,
  'worker killed': 2,
  'executor killed': 1,
  'server killed': 1,
}
type Fault = keyof typeof shares
const drawn = (Object.keys(shares) as Fault[]).flatMap((fault) => Array<Fault>(shares[fault]).fill(fault))

export interface Ledger {
  faults: number
  runs: Run[]
  /** One sentence for each run that is not what it says it is. */
  untrue: string[]
  /** Runs whose rows are there twice. */
  doubled: number
}

/** Makes that many faults, waits until all runs have ended, and counts. */
export async function commitLedger(faults: number, seed: number): Promise<Ledger> {
  const world = await startWorld(seed)
  try {
    const random = randomFrom(seed)
    const load = world.startLoad()
    for (let n = 0; n < faults; n++) {
      await Promise.race([world.somethingRuns(), load.failed])
      await Promise.race([delay(random.below(150)), load.failed])
      await Promise.race([world.faults[random.pick(drawn)](random), load.failed])
    }
    await load.end()
    return { faults, ...(await world.count()) }
  } finally {
    await world.close()
  }
}

async function startWorld(seed: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-kill-commit-'))
  const folder = mkdtempSync(join(tmpdir(), 'headgate-ledgers-'))
  let server = await startServerProcess(dataDir, leases)
  const { apiKey, tasks, dbs } = await prepare(server.url, folder)
  const executors = ['first', 'second'].map((name) => startExecutorProcess(dataDir, name, 1))
  const where = new Whereabouts()
  where.arrived(server.url)
  const client = persistentClient(where, apiKey)

  const count = async (status: string) =>
    ((await client.send('GET', `/api/runs?limit=1&status=${status}`)).body as Paginated<Run>).total
  const open = async () => (await count('pending')) + (await count('running'))

  async function start(n: number): Promise<void> {
    const body = { connector_mapping: { db: dbs[n % ledgers] } }
    const key = { 'idempotency-key': `${seed}-${n}` }
    const reply = await client.send('POST', `/api/runs/trigger/${tasks[n % tasks.length]}`, body, key)
    if (reply.status >= 300) throw new Error(JSON.stringify(reply))
  }

  /** Keeps runs open until it is told to end, and then waits for the last of them. */
  function startLoad() {
    const load = { more: true }
    const loading = (async () => {
      for (let n = 0; load.more;) {
        for (let room = openAtOnce - (await open()); load.more && room > 0; room--) await start(n++)
        await delay(60)
      }
    })()
    return {
      /** Never resolves. */
      failed: new Promise<never>((_, reject) => void loading.catch(reject)),
      async end(): Promise<void> {
        load.more = false
        await loading
        while ((await open()) > 0) await delay(200)
      },
    }
  }

  /** Stops a process for less or for more than a lease. */
  async function pause(pid: number | undefined, random: Random): Promise<void> {
    if (pid === undefined || !signal(pid, 'SIGSTOP')) return
    await delay(random.below(longestPauseMs))
    signal(pid, 'SIGCONT')
  }
  const faults: Record<Fault, (random: Random) => Promise<void>> = {
    'executor stopped': (random) => pause(random.pick(executors).pid, random),
    'worker stopped': (random) => pause(random.pick(runWorkersOf(random.pick(executors).pid)), random),
    'server stopped': (random) => pause(server.pid, random),
    'worker killed': async (random) => void signal(random.pick(runWorkersOf(random.pick(executors).pid)), 'SIGKILL'),
    async 'executor killed'(random) {
      const n = random.below(executors.length)
      await executors[n]!.kill()
      executors[n] = startExecutorProcess(dataDir, executors[n]!.name, 1)
    },
    async 'server killed'() {
      where.left()
      await server.kill()
      server = await startServerProcess(dataDir, leases)
      where.arrived(server.url)
    },
  }

  return {
    startLoad,
    /** A fault while nothing runs shows nothing. */
    async somethingRuns(): Promise<void> {
      while ((await count('running')) === 0) await delay(40)
    },
    faults,
    async count() {
      const rows = written(folder)
      const runs = await runsOf(client)
      return {
        runs,
        untrue: runs.flatMap((run) => untrue(run, rows.get(run.id) ?? 0) ?? []),
        doubled: [...rows.values()].filter((count) => count > rowsEach).length,
      }
    },
    async close(): Promise<void> {
      client.close()
      await Promise.all(executors.map((executor) => executor.kill()))
      await server.kill()
      for (const path of [dataDir, folder]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Not those that wait for previews and tests, which commit nothing. */
function runWorkersOf(pid: number): (number | undefined)[] {
  return childrenOf(pid).filter((child) => titleOf(child).includes('run worker'))
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

function signal(pid: number | undefined, name: NodeJS.Signals): boolean {
  try {
    return pid !== undefined && process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
    return false
  }
}
