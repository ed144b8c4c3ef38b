// What somebody waits for who opens a list of options with a million entries, searches it, and goes on in it: a page over REST with a real
// executor, beside the same statement on the database itself. OPTION_ROWS: rows of the table (1,000,000).
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { listDashboards, resolveDashboardWidgetOptions } from '../../src/contract/dashboards.ts'
import { listExecutors } from '../../src/contract/executors.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { postgresPrograms, startPostgres } from '../support/postgres.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { type Installation, startInstallation } from './support/installation.ts'

const rows = Number(process.env['OPTION_ROWS'] ?? 1_000_000)
const size = 50
const turns = 40

/** `like` is the operator that ignores case. */
const queryOf = (like: string) =>
  `SELECT code AS value, name AS label FROM codes WHERE code > coalesce(:cursor, '') AND name ${like} '%' || :search || '%' ORDER BY code LIMIT :limit`

type Own = (cursor: string | null, search: string, limit: number) => Promise<string> | string

interface Side {
  name: string
  connector: { type: 'sqlite' | 'postgres'; config: Record<string, unknown>; secrets?: Record<string, string> }
  like: string
  /** The statement on the database itself; gives the last value. */
  own: Own
}

async function pages({ call }: Installation, { name, connector, like, own }: Side): Promise<BenchResult[]> {
  const { id: dw } = await call(createConnector, { body: { name, ...connector } })
  await call(createTask, {
    body: { yaml_content: `etl: 1\nkind: script\nname: ${name}.load\nscript: |\n  return {}\n` },
  })
  const template = await call(createJobTemplate, {
    body: {
      yaml_content: `etl: 1\nkind: job\nname: ${name}\nparameters:\n  code: {type: string, default: ''}\nconnectors:\n  dw: {type: ${connector.type}}\ntasks:\n  load: {task: ${name}.load}\n`,
    },
  })
  await call(createDashboardTemplate, {
    body: {
      yaml_content: `etl: 1\nkind: dashboard\nname: ${name}.board\njob_template: ${name}\ndata:\n  codes: {connector: dw, query: "${queryOf(like)}"}\nwidgets:\n  - {id: setup, type: form, at: [0, 0, 6, 3], fields: [{key: code, param: code, widget: select, options_source: {data: codes, page_size: ${size}}}]}\n`,
    },
  })
  await call(createJob, { params: { id: template.id }, body: { name, connector_mapping: { dw } } })
  const { result } = await call(listDashboards, { query: { q: name } })
  const id = result[0]!.id
  const options = (body: object) =>
    call(resolveDashboardWidgetOptions, { params: { id, widgetId: 'setup' }, body: { side: 'code', ...body } })

  const times = { page: [] as number[], search: [] as number[] }
  const alone = { page: [] as number[], search: [] as number[] }
  // A worker that is warm, and pages of the table that are in memory.
  await options({ q: 'warm' })
  let cursor: string | undefined
  let last: string | null = null
  for (let turn = 0; turn < turns; turn++) {
    const from = last
    alone.page.push(
      await timed(async () => {
        last = await own(from, '', size)
      }),
    )
    times.page.push(
      await timed(async () => {
        const page = await options(cursor === undefined ? {} : { cursor })
        if (page.options.at(-1)?.value !== last) throw new Error('The page is another one')
        cursor = page.next_cursor ?? undefined
      }),
    )
    // Everything is looked through for it: there are fewer than a page has.
    const words = `name ${(turn * 7919) % rows}7`
    alone.search.push(await timed(async () => void (await own(null, words, size + 1))))
    times.search.push(await timed(async () => void (await options({ q: words }))))
  }
  return (['page', 'search'] as const).map((kind) => {
    const over = times[kind].map((ms, at) => ms - alone[kind][at]!)
    const p50 = percentile(over, 0.5)
    return {
      name: `${kind === 'page' ? 'page of' : 'search in'} ${rows.toLocaleString('en')} options of ${name}, over the database’s own time`,
      value: round(p50, 0),
      unit: 'ms',
      bar: '≤ 100 ms',
      passed: p50 <= 100,
      note: `p95 ${round(percentile(over, 0.95), 0)} ms; the statement itself ${round(percentile(alone[kind], 0.5), 1)} ms`,
    }
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function sqliteSide(filesDir: string): Side & { close(): void } {
  const path = join(filesDir, 'codes.db')
  const made = new Database(path)
  made.exec(`CREATE TABLE codes (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
    WITH RECURSIVE n (v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM n WHERE v < ${rows - 1})
    INSERT INTO codes SELECT printf('%08d', v), 'name ' || v FROM n`)
  const statement = made.prepare<unknown[], { value: string }>(queryOf('LIKE'))
  return {
    name: 'sqlite',
    connector: { type: 'sqlite', config: { path } },
    like: 'LIKE',
    own: (cursor, search, limit) => statement.all({ cursor, search, limit }).at(-1)?.value ?? '',
    close: () => void made.close(),
  }
}

async function postgresSide(): Promise<Side & { close(): Promise<void> }> {
  const server = await startPostgres()
  const { host, port, database, user, password } = server
  const client = new pg.Client({ host, port, database, user, password })
  await client.connect()
  await client.query(
    `CREATE TABLE codes AS SELECT lpad(v::text, 8, '0') AS code, 'name ' || v AS name FROM generate_series(0, ${rows - 1}) v`,
  )
  await client.query('ALTER TABLE codes ADD PRIMARY KEY (code)')
  await client.query('VACUUM ANALYZE codes')
  // As in a read-only session, where rows are fetched piece by piece: PostgreSQL uses no parallel workers for that.
  await client.query('SET max_parallel_workers_per_gather = 0')
  const text = queryOf('ILIKE').replace(':cursor', '$1').replace(':search', '$2').replace(':limit', '$3')
  return {
    name: 'postgres',
    connector: { type: 'postgres', config: { host, port, database, user }, secrets: { password } },
    like: 'ILIKE',
    own: async (...binds) => (await client.query<{ value: string }>(text, binds)).rows.at(-1)?.value ?? '',
    async close() {
      await client.end()
      server.stop()
    },
  }
}

export async function run(): Promise<BenchResult[]> {
  const installation = await startInstallation()
  try {
    while ((await installation.call(listExecutors)).every(({ status }) => status !== 'online')) await sleep(50)
    const sqlite = sqliteSide(installation.filesDir)
    const all = await pages(installation, sqlite).finally(sqlite.close)
    if (postgresPrograms === null) return all
    const postgres = await postgresSide()
    try {
      all.push(...(await pages(installation, postgres)))
    } finally {
      await postgres.close()
    }
    return all
  } finally {
    await installation.close()
  }
}
