// CSV → filter, derive → CSV against Miller, the usual tool of the shell for it: they take turns on the same file.
import { DuckDBInstance } from '@duckdb/node-api'
import { execFileSync, spawnSync } from 'node:child_process'
import { openSync, closeSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchResult } from './result.ts'
import { benchFolder, filesIn, median, timedRun } from './support/engine-run.ts'

const rows = 5_000_000
const turns = 3
const task = `etl: 1
kind: pipeline
name: bench
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: big.csv}}
steps:
  - filter: "k <> 3"
  - derive: {doubled: "amount * 2", shouted: "upper(name)"}
target: {connector: out, file: {path: ours.csv}}
`

export async function run(): Promise<BenchResult[]> {
  if (spawnSync('mlr', ['--version'], { stdio: 'ignore' }).error)
    throw new Error('This benchmark compares with Miller, which is not installed: `apt-get install miller`.')
  const folder = benchFolder()
  try {
    const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB' })
    const duckdb = await instance.connect()
    await duckdb.run(
      `COPY (SELECT i AS id, 'name ' || (i % 1000) AS name, (hash(i) % 100000 / 100.0)::DECIMAL(10,2) AS amount,
             DATE '2020-01-01' + (i % 1000)::INT AS day, i % 7 AS k FROM range(${rows}) t(i)) TO '${folder.path}/big.csv' (HEADER)`,
    )
    duckdb.closeSync()
    instance.closeSync()
    const bound = { in: filesIn(folder.path), out: filesIn(folder.path) }
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let turn = 0; turn < turns; turn++) {
      ours.push((await timedRun(task, bound, folder)).ms)
      theirs.push(miller(folder.path))
    }
    const ratio = median(theirs) / median(ours)
    return [
      {
        name: 'CSV → filter, derive → CSV, against Miller',
        value: Math.round(ratio * 100) / 100,
        unit: '×',
        note: `${Math.round(median(ours))} ms against ${Math.round(median(theirs))} ms, ${rows.toLocaleString('en')} rows, ${Math.round(statSync(join(folder.path, 'big.csv')).size / 2 ** 20)} MiB`,
      },
    ]
  } finally {
    folder.remove()
  }
}

function miller(folder: string): number {
  const out = openSync(join(folder, 'theirs.csv'), 'w')
  const began = performance.now()
  const words = ['filter', '$k != 3', 'then', 'put', '$doubled = $amount * 2; $shouted = toupper($name)']
  execFileSync('mlr', ['--icsv', '--ocsv', ...words, join(folder, 'big.csv')], { stdio: ['ignore', out, 'inherit'] })
  const took = performance.now() - began
  closeSync(out)
  return took
}
