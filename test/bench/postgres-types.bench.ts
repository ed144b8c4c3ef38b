// PostgreSQL → Parquet, ten columns of a type, against the same values as text in turns: no type may cost more than twice as much.
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import type { BenchResult } from './result.ts'
import { benchFolder, filesIn, median, timedRun } from './support/engine-run.ts'

const rows = 200_000
const columns = 10
const turns = 3
const text = `'value ' || (i * 7919 % 100000)`

/** What a value of each is made of, from the number of its row. */
const types: Record<string, string> = {
  'character varying': text,
  boolean: 'i % 3 = 0',
  smallint: '(i % 30000)::smallint',
  integer: 'i',
  bigint: 'i * 1000000007::bigint',
  real: '(i / 7.0)::real',
  'double precision': '(i / 7.0)::double precision',
  'numeric(10,2)': '(i * 7919 % 10000000 / 100.0)::numeric(10,2)',
  'numeric(38,10)': '(i * 123456789012345678.0987654321)::numeric(38,10)',
  numeric: 'i * 7919 % 10000000 / 128.0',
  date: `date '2000-01-01' + i % 10000`,
  time: `time '00:00' + (i % 86400) * interval '1 second'`,
  timestamp: `timestamp '2000-01-01' + i * interval '1.000001 second'`,
  'timestamp with time zone': `timestamptz '2000-01-01' + i * interval '1.000001 second'`,
  interval: `i * interval '1 day 1.5 second'`,
  uuid: 'md5(i::text)::uuid',
  bytea: `decode(md5(i::text), 'hex')`,
  json: `json_build_object('n', i, 't', ${text})`,
  jsonb: `jsonb_build_object('n', i, 't', ${text})`,
  'integer[]': 'ARRAY[i, i + 1, NULL]',
  'text[]': `ARRAY[${text}, NULL]`,
  inet: `'10.0.0.0'::inet + i`,
  money: `(i % 100000)::money`,
}

export async function run(): Promise<BenchResult[]> {
  const folder = benchFolder()
  const server = await startPostgres()
  try {
    const { host, port, database, user, password } = server
    const client = new pg.Client({ host, port, user, password, database })
    await client.connect()
    const made = Object.entries(types).map(([type, value], at) => ({ type, value, typed: `v${at}`, asText: `t${at}` }))
    for (const { type, value, typed, asText } of made) {
      for (const [table, cast] of [
        [typed, type],
        [asText, `${type}::text`],
      ]) {
        const all = Array.from({ length: columns }, (_, n) => `v::${cast} AS c${n}`).join(', ')
        await client.query(
          `CREATE TABLE ${table} AS SELECT ${all} FROM (SELECT ${value} AS v FROM generate_series(1, ${rows}) i) s`,
        )
      }
    }
    await client.query('VACUUM ANALYZE')
    await client.end()
    const bound = {
      in: {
        id: 1,
        name: 'pg',
        type: 'postgres' as const,
        config: { host, port, database, user },
        secrets: { password },
      },
      out: { ...filesIn(folder.path), id: 2 },
    }
    const timed = async (table: string): Promise<number> => {
      const yaml = `etl: 1
kind: pipeline
name: bench
connectors: {in: {type: postgres, access: read}, out: {type: file, access: write}}
source: {connector: in, sql: {table: ${table}}}
target: {connector: out, file: {path: out.parquet}}
`
      return (await timedRun(yaml, bound, folder)).ms
    }
    await timed('t0')
    const results: BenchResult[] = []
    for (const { type, typed, asText } of made) {
      const [ours, texts]: [number[], number[]] = [[], []]
      for (let turn = 0; turn < turns; turn++) {
        ours.push(await timed(typed))
        texts.push(await timed(asText))
      }
      const ratio = median(ours) / median(texts)
      results.push({
        name: `PostgreSQL → Parquet: ${type}, against its text`,
        value: Math.round(ratio * 100) / 100,
        unit: '× the time',
        bar: '≤ 2 ×',
        passed: ratio <= 2,
        note: `${Math.round(median(ours))} ms for ${rows.toLocaleString('en')} rows of ${columns} columns`,
      })
    }
    return results
  } finally {
    server.stop()
    folder.remove()
  }
}
