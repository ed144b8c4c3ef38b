// PostgreSQL → PostgreSQL unchanged, and with a filter and derived columns, against psql's COPY piped into COPY; CSV → PostgreSQL against
// \copy. The engine and its peer take turns on the same server, so that the ratio holds whatever else the machine does.
import { DuckDBInstance } from '@duckdb/node-api'
import { execSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import type { BoundConnector } from '../../src/contract/executor-protocol.ts'
import { startPostgres, type PostgresServer } from '../support/postgres.ts'
import type { BenchResult } from './result.ts'
import { benchFolder, filesIn, median, timedRun, type BenchFolder } from './support/engine-run.ts'

const rows = 5_000_000
const turns = 3
const shape = 'id bigint, name text, amount numeric(10,2), day date, k bigint'

const task = (type: string, source: string, steps: string): string => `etl: 1
kind: pipeline
name: bench
connectors: {in: {type: ${type}, access: read}, out: {type: postgres, access: write}}
source: {connector: in, ${source}}
steps: ${steps}
target: {connector: out, table: dst}
`

export async function run(): Promise<BenchResult[]> {
  const folder = benchFolder()
  const server = await startPostgres()
  try {
    await makeCsv(folder)
    const client = new pg.Client({
      host: server.host,
      port: server.port,
      user: server.user,
      password: server.password,
      database: server.database,
    })
    await client.connect()
    await client.query(`CREATE TABLE src (${shape})`)
    psql(server, `\\copy src from '${join(folder.path, 'big.csv')}' csv header`)
    const pipe = `COPY src TO STDOUT" | ${psqlCommand(server)} "COPY dst FROM STDIN`
    const results = [
      await compare(client, folder, 'PostgreSQL → PostgreSQL unchanged, against psql COPY | COPY', 1.2, {
        yaml: task('postgres', 'sql: {table: src}', '[]'),
        bound: { in: at(server, 1), out: at(server, 2) },
        peer: () => psql(server, pipe),
      }),
      await compare(client, folder, 'PostgreSQL → filter, derive → PostgreSQL, against psql COPY | COPY', 0.5, {
        yaml: task(
          'postgres',
          'sql: {table: src}',
          '[{filter: "k <> 9"}, {derive: {name: "upper(name)", amount: "(amount * 1.5)::DECIMAL(10,2)"}}]',
        ),
        bound: { in: at(server, 1), out: at(server, 2) },
        peer: () => psql(server, pipe),
      }),
      await compare(client, folder, 'CSV → PostgreSQL, against psql \\copy', 0.6, {
        yaml: task('file', 'files: {glob: big.csv, columns: {amount: "decimal(10,2)"}}', '[]'),
        bound: { in: filesIn(folder.path), out: at(server, 2) },
        peer: () => psql(server, `\\copy dst from '${join(folder.path, 'big.csv')}' csv header`),
      }),
    ]
    await client.end()
    return results
  } finally {
    server.stop()
    folder.remove()
  }
}

async function makeCsv(folder: BenchFolder): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB' })
  const duckdb = await instance.connect()
  await duckdb.run(
    `COPY (SELECT i AS id, 'name ' || (i % 1000) AS name, (hash(i) % 100000 / 100.0)::DECIMAL(10,2) AS amount,
           DATE '2020-01-01' + (i % 1000)::INT AS day, i % 7 AS k FROM range(${rows}) t(i)) TO '${folder.path}/big.csv' (HEADER)`,
  )
  duckdb.closeSync()
  instance.closeSync()
}

function at(server: PostgresServer, id: number): BoundConnector {
  const { host, port, database, user, password } = server
  return { id, name: 'pg', type: 'postgres', config: { host, port, database, user }, secrets: { password } }
}

interface Contest {
  yaml: string
  bound: Record<string, BoundConnector>
  peer(): void
}

async function compare(
  client: pg.Client,
  folder: BenchFolder,
  name: string,
  bar: number,
  { yaml, bound, peer }: Contest,
): Promise<BenchResult> {
  const [ours, theirs]: [number[], number[]] = [[], []]
  let lane = ''
  for (let turn = 0; turn < turns; turn++) {
    await anew(client)
    const { ms, outcome } = await timedRun(yaml, bound, folder)
    lane = outcome.metrics.lane
    ours.push(ms)
    await anew(client)
    const began = performance.now()
    peer()
    theirs.push(performance.now() - began)
  }
  const ratio = median(theirs) / median(ours)
  return {
    name,
    value: Math.round(ratio * 100) / 100,
    unit: '×',
    bar: `≥ ${bar} ×`,
    passed: ratio >= bar,
    note: `${Math.round(median(ours))} ms (${lane} lane) against ${Math.round(median(theirs))} ms, ${rows.toLocaleString('en')} rows`,
  }
}

async function anew(client: pg.Client): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS dst; CREATE TABLE dst (${shape}); CHECKPOINT`)
}

const psqlCommand = ({ host, port, user, database }: PostgresServer): string =>
  `psql -h ${host} -p ${port} -U ${user} -d ${database} -qc`

function psql(server: PostgresServer, command: string): void {
  execSync(`${psqlCommand(server)} "${command.replaceAll('\\', '\\\\')}"`, {
    env: { ...process.env, PGPASSWORD: server.password },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
