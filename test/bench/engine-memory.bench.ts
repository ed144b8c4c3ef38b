// Memory of a run that holds several times more rows than DuckDB may keep in memory: a whole-stream expectation puts all rows down,
// then they are sorted, and what does not fit spills to disk.
import { DuckDBInstance } from '@duckdb/node-api'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchResult } from './result.ts'
import { benchFolder, filesIn, sqliteAt, timedRun } from './support/engine-run.ts'

const rows = 10_000_000

const spilling = `etl: 1
kind: pipeline
name: bench
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: big.csv}}
steps:
  - expect: [{name: id, unique: [id], on_fail: fail}]
  - sql: "SELECT * FROM stream ORDER BY word, id"
target: {connector: out, file: {path: sorted.parquet}}
`
const intoSqlite = `etl: 1
kind: pipeline
name: bench
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: big.csv}}
target: {connector: db, table: t, mode: append}
`

export async function run(): Promise<BenchResult[]> {
  const folder = benchFolder()
  let peak = 0
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
  try {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB' })
    const connection = await instance.connect()
    await connection.run(
      `COPY (SELECT (hash(i) // 2)::BIGINT AS id, md5(i::VARCHAR) AS word, i AS n FROM range(${rows}) t(i)) TO '${folder.path}/big.csv' (HEADER)`,
    )
    connection.closeSync()
    instance.closeSync()
    const bytes = statSync(join(folder.path, 'big.csv')).size
    const results: BenchResult[] = []
    for (const [name, yaml] of [
      ['unique, sort → Parquet', spilling],
      ['CSV → SQLite', intoSqlite],
    ] as const) {
      peak = 0
      const bound = { in: filesIn(folder.path), out: filesIn(folder.path), db: sqliteAt(join(folder.path, 'o.db')) }
      const { ms } = await timedRun(yaml, bound, folder)
      const mb = Math.round(peak / 2 ** 20)
      results.push({
        name: `memory of a run: ${name}`,
        value: mb,
        unit: 'MiB',
        bar: '≤ 800 MB',
        passed: mb <= 800,
        note: `${rows.toLocaleString('en')} rows, ${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB of CSV, ${Math.round(ms / 1000)} s`,
      })
    }
    return results
  } finally {
    clearInterval(watch)
    folder.remove()
  }
}
