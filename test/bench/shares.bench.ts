// A public link under load, from the cache: how many requests a second, how long each takes, what people who are signed in wait for
// meanwhile; and whether the time of a 404 tells why a link doesn't work.
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare, deleteDashboardShare, listDashboards } from '../../src/contract/dashboards.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { archiveJob, createJob, listJobs } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { type Installation, startInstallation } from './support/installation.ts'

const rows = 180
const seconds = 5
const perSecond = 1_000
const connections = 32
const callersPerSecond = 50
const asked404 = 1_500

const documents = (name: string) => ({
  task: `etl: 1\nkind: script\nname: ${name}.load\nscript: |\n  return {}\n`,
  job: `etl: 1\nkind: job\nname: ${name}\nconnectors:\n  dw: {type: sqlite}\ntasks:\n  load: {task: ${name}.load}\n`,
  dashboard: `etl: 1
kind: dashboard
name: ${name}.board
job_template: ${name}
data:
  sales: {connector: dw, query: "SELECT day, region, product, total, orders FROM sales ORDER BY day", ttl: 1h}
widgets:
  - {id: rows, type: table, data: sales, at: [0, 0, 12, 6]}
`,
})

/** A dashboard of a job, with a query whose rows stay in the cache. */
async function makeDashboard({ call, filesDir }: Installation, name: string): Promise<{ id: number; jobId: number }> {
  const path = join(filesDir, `${name}.db`)
  const sales = new Database(path)
  sales.exec(`CREATE TABLE sales (day TEXT, region TEXT, product TEXT, total REAL, orders INTEGER);
    WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < ${rows})
    INSERT INTO sales SELECT date('2026-01-01', v || ' days'), 'region ' || v % 7, 'product ' || v, v * 12.25, v FROM n`)
  sales.close()
  const dw = await call(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  const { task, job, dashboard } = documents(name)
  await call(createTask, { body: { yaml_content: task } })
  const template = await call(createJobTemplate, { body: { yaml_content: job } })
  await call(createDashboardTemplate, { body: { yaml_content: dashboard } })
  const { id: jobId } = await call(createJob, {
    params: { id: template.id },
    body: { name, connector_mapping: { dw: dw.id } },
  })
  const { result } = await call(listDashboards, { query: { job_id: jobId } })
  return { id: result[0]!.id, jobId }
}

interface Asked {
  status: number
  ms: number
}

function createAsker(url: string, maxSockets: number, headers: Record<string, string> = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const { hostname, port } = new URL(url)
  return {
    ask: (method: string, path: string, body = ''): Promise<Asked> =>
      new Promise((done, failed) => {
        const began = performance.now()
        const sent = request(
          {
            agent,
            hostname,
            port,
            method,
            path,
            headers: {
              ...headers,
              ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            },
          },
          (answer) => {
            answer.resume()
            answer.once('end', () => done({ status: answer.statusCode ?? 0, ms: performance.now() - began }))
          },
        )
        sent.once('error', failed)
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

/** So many a second, whether the ones before have been answered or not: who waits for a place waits, too. */
async function atRate(rate: number, forMs: number, ask: () => Promise<Asked>): Promise<Asked[]> {
  const began = performance.now()
  const asked: Promise<Asked>[] = []
  for (;;) {
    const now = performance.now() - began
    const due = Math.min((now * rate) / 1000, (forMs * rate) / 1000)
    while (asked.length < due) asked.push(ask())
    if (now >= forMs) return Promise.all(asked)
    await new Promise((next) => setTimeout(next, 1))
  }
}

/** One after the other on each connection, as fast as they are answered. */
async function atMost(forMs: number, ask: () => Promise<Asked>): Promise<Asked[]> {
  const until = performance.now() + forMs
  const all: Asked[] = []
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) all.push(await ask())
    }),
  )
  return all
}

const p = (asked: readonly Asked[], part: number) =>
  round(
    percentile(
      asked.map(({ ms }) => ms),
      part,
    ),
  )

/** How likely one of `a` takes longer than one of `b`: 0.5 tells nothing apart. */
function longer(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((ms) => ({ ms, of: 0 })), ...b.map((ms) => ({ ms, of: 1 }))].toSorted((x, y) => x.ms - y.ms)
  const ranks = all.reduce((sum, { of }, at) => (of === 0 ? sum + at + 1 : sum), 0)
  return (ranks - (a.length * (a.length + 1)) / 2) / (a.length * b.length)
}

/** Links that don't work, each for another reason. */
async function brokenLinks(installation: Installation): Promise<Record<string, string>> {
  const { call, dataDir } = installation
  const { id } = await makeDashboard(installation, 'broken')
  const archived = await makeDashboard(installation, 'archived')
  const share = (dashboard: number) => call(createDashboardShare, { params: { id: dashboard }, body: {} })
  const [expired, revoked, ofArchived] = [await share(id), await share(id), await share(archived.id)]
  await call(deleteDashboardShare, { params: { id, shareId: revoked.id } })
  await call(archiveJob, { params: { id: archived.jobId } })
  const store = new Database(join(dataDir, 'headgate.db'))
  store.pragma('busy_timeout = 5000')
  store.prepare('UPDATE dashboard_shares SET expires_at = ? WHERE id = ?').run('2020-01-01T00:00:00.000Z', expired.id)
  store.close()
  return { wrong: 'A'.repeat(43), expired: expired.token, revoked: revoked.token, archived: ofArchived.token }
}

async function timesOf404(installation: Installation): Promise<BenchResult> {
  const links = await brokenLinks(installation)
  const names = Object.keys(links)
  const asker = createAsker(installation.url, 1)
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let at = 0; at < asked404; at++) {
    // In another order each time: whatever the machine does meanwhile, it does to all of them.
    for (const name of names.map((_, n) => names[(n + at * 7 + (at % 3)) % names.length]!)) {
      const { status, ms } = await asker.ask('GET', `/api/public/dashboards/${links[name]}`)
      if (status !== 404) throw new Error(`${name}: ${status}`)
      if (at >= 100) times.get(name)!.push(ms)
    }
    // Below the rate of one address.
    if (at % 50 === 0) await new Promise((next) => setTimeout(next, 50))
  }
  asker.close()
  const medians = names.map((name) => percentile(times.get(name)!, 0.5))
  const apart = Math.max(...names.slice(1).map((name) => Math.abs(longer(times.get('wrong')!, times.get(name)!) - 0.5)))
  return {
    name: '404 of a link: how well its time tells the reason',
    value: round(0.5 + apart, 3),
    unit: '',
    bar: '≤ 0.6',
    passed: apart <= 0.1,
    note: `0.5 tells nothing; medians ${names.map((name, n) => `${name} ${round(medians[n]!, 3)}`).join(', ')} ms; ${asked404 - 100} of each`,
  }
}

export async function run(): Promise<BenchResult[]> {
  const installation = await startInstallation()
  try {
    const { call, url } = installation
    const { id } = await makeDashboard(installation, 'sales')
    const share = await call(createDashboardShare, { params: { id }, body: {} })
    const path = `/api/public/dashboards/${share.token}/widgets/rows/data`
    const strangers = createAsker(url, connections)
    const ask = () => strangers.ask('POST', path, '{}')
    const first = await ask()
    if (first.status !== 200) throw new Error(`The first answer was ${first.status}`)
    const caller = async () => {
      const began = performance.now()
      await call(listJobs, {})
      return { status: 200, ms: performance.now() - began }
    }
    await atMost(1_000, ask)
    const quiet = await atRate(callersPerSecond, 2_000, caller)
    const most = await atMost(seconds * 1000, ask)
    // The rates of an address and of a link refill.
    await new Promise((next) => setTimeout(next, 2_500))
    const [asked, beside] = await Promise.all([
      atRate(perSecond, seconds * 1000, ask),
      atRate(callersPerSecond, seconds * 1000, caller),
    ])
    strangers.close()
    const refused = (all: readonly Asked[]) => all.filter(({ status }) => status !== 200).length
    const answered = (most.length - refused(most)) / seconds
    return [
      {
        name: 'public link from the cache, as fast as it goes',
        value: round(answered, 0),
        unit: '/s',
        bar: `≥ ${perSecond}/s`,
        passed: answered >= perSecond,
        note: `${connections} connections, ${rows} rows an answer; ${refused(most)} refused for their rate; p99 ${p(most, 0.99)} ms`,
      },
      {
        name: `public link from the cache, ${perSecond}/s, p99`,
        value: p(asked, 0.99),
        unit: 'ms',
        bar: '≤ 50 ms',
        passed: p(asked, 0.99) <= 50,
        note: `p50 ${p(asked, 0.5)} ms; ${refused(asked)} of ${asked.length} refused`,
      },
      {
        name: `signed-in caller beside ${perSecond} public requests a second, p99`,
        value: p(beside, 0.99),
        unit: 'ms',
        bar: '≤ 50 ms',
        passed: p(beside, 0.99) <= 50,
        note: `p50 ${p(beside, 0.5)} ms; when quiet p99 ${p(quiet, 0.99)} ms`,
      },
      await timesOf404(installation),
    ]
  } finally {
    await installation.close()
  }
}
