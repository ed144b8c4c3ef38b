// What somebody waits for who looks into a large table: its first rows, the next ones, the end of a canceled query, and an export. Measured
// over REST with a real executor, beside the database itself. QUERY_ROWS: rows of the table and of the export (10,000,000 and 5,000,000).
import { execSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { listExecutors } from '../../src/contract/executors.ts'
import { cancelQuery, getQueryPage, queryConnector } from '../../src/contract/queries.ts'
import { startPostgres } from '../support/postgres.ts'
import type { BenchResult } from './result.ts'
import { startInstallation } from './support/installation.ts'

const rows = Number(process.env['QUERY_ROWS'] ?? 10_000_000)
const exported = Math.min(rows, 5_000_000)
const turns = 30

export async function run(): Promise<BenchResult[]> {
  const postgres = await startPostgres()
  const installation = await startInstallation()
  const { host, port, database, user, password } = postgres
  const client = new pg.Client({ host, port, database, user, password })
  try {
    await client.connect()
    await client.query(
      `CREATE TABLE large AS SELECT n, md5(n::text) AS hash, n * 1.01 AS amount, now() AS at FROM generate_series(1, ${rows}) n`,
    )
    await client.query('ANALYZE large')
    while ((await installation.call(listExecutors)).every(({ status }) => status !== 'online')) await sleep(50)
    const config = { host, port, database, user }
    const { id } = await installation.call(createConnector, {
      body: { name: 'dw', type: 'postgres', config, secrets: { password } },
    })
    const { key } = await installation.call(createApiKey, { body: { name: 'bench' } })
    const ask = (rawQuery: string) =>
      installation.call(queryConnector, {
        params: { id },
        body: { definition: { mode: 'raw', rawQuery }, page_size: 100 },
      })
    const cancel = (queryId: string) => installation.call(cancelQuery, { params: { id, queryId } })
    const running = async () =>
      Number(
        (
          await client.query(
            `SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE '%large%' AND pid <> pg_backend_pid()`,
          )
        ).rows[0].n,
      )

    const first: number[] = []
    const own: number[] = []
    const next: number[] = []
    const back: number[] = []
    const gone: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      own.push(await timed(() => client.query('SELECT * FROM large LIMIT 100')))
      let queryId = ''
      first.push(await timed(async () => void ({ query_id: queryId } = await ask('SELECT * FROM large'))))
      for (let row = 100; row < 5_100; row += 500) {
        next.push(
          await timed(() =>
            installation.call(getQueryPage, { params: { id, queryId }, query: { row, page_size: 500 } }),
          ),
        )
      }
      back.push(
        await timed(() =>
          installation.call(getQueryPage, { params: { id, queryId }, query: { row: 200, page_size: 500 } }),
        ),
      )
      gone.push(
        await timed(async () => {
          await cancel(queryId)
          while ((await running()) > 0) await sleep(2)
        }),
      )
    }

    const { query_id: queryId } = await ask(`SELECT * FROM large LIMIT ${exported}`)
    const copy = `psql "host=${host} port=${port} dbname=${database} user=${user}" -c "\\copy (SELECT * FROM large LIMIT ${exported}) TO '/dev/null' csv"`
    const [ours, theirs]: number[][] = [[], []]
    for (let turn = 0; turn < 2; turn++) {
      theirs!.push(await timed(async () => void execSync(copy, { env: { ...process.env, PGPASSWORD: password } })))
      ours!.push(await timed(async () => void execSync(download(installation.url, id, queryId, key))))
    }
    await countLines(installation.url, id, queryId, key)
    const ratio = Math.min(...theirs!) / Math.min(...ours!)
    const ms = (name: string, values: number[], most: number, note = ''): BenchResult => ({
      name,
      value: Math.round(p95(values) * 10) / 10,
      unit: 'ms p95',
      bar: `≤ ${most} ms`,
      passed: p95(values) <= most,
      note: `${values.length} times${note}`,
    })
    return [
      ms(
        `first 100 of ${rows.toLocaleString('en')} rows, more than the database’s own`,
        first.map((value) => value - p50(own)),
        150,
        `; its own ${Math.round(p50(own))} ms`,
      ),
      ms('next 500 rows', next, 40),
      ms('500 rows that were read before', back, 40),
      ms('cancel → gone at the database', gone, 1000),
      {
        name: `export of ${exported.toLocaleString('en')} rows as CSV, against psql \\copy`,
        value: Math.round(ratio * 100) / 100,
        unit: '×',
        bar: '≥ 0.7 ×',
        passed: ratio >= 0.7,
        note: `${Math.round(Math.min(...ours!))} ms, psql ${Math.round(Math.min(...theirs!))} ms`,
      },
    ]
  } finally {
    await client.end()
    await installation.close()
    postgres.stop()
  }
}

/** As psql does it: a program of its own, to nowhere. */
function download(url: string, id: number, queryId: string, key: string): string {
  const headers = `-H 'authorization: Bearer ${key}' -H 'content-type: application/json'`
  return `curl --fail -s -o /dev/null -X POST ${headers} -d '{"format":"csv"}' ${url}/api/connectors/${id}/query/${queryId}/export`
}

async function countLines(url: string, id: number, queryId: string, key: string): Promise<void> {
  const response = await fetch(`${url}/api/connectors/${id}/query/${queryId}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ format: 'csv' }),
  })
  let lines = -1
  for await (const piece of response.body ?? [])
    for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) lines += 1
  if (lines !== exported) throw new Error(`The export has ${lines} rows, not ${exported}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const at = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0
const p95 = (values: number[]): number => at(values, 0.95)
const p50 = (values: number[]): number => at(values, 0.5)
