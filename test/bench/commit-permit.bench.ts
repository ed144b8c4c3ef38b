// What a run costs through the server and a real executor: with a tiny target, which asks for leave to commit, and without one.
// HEADGATE_SERVER and HEADGATE_EXECUTOR name another build to compare with.
import { DatabaseSync } from 'node:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Paginated } from '../../src/contract/common.ts'
import type { Run } from '../../src/contract/runs.ts'
import { startExecutorProcess } from '../faults/support/executor-process.ts'
import { type Client, connect, makeApiKey, startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { round } from './support/fake-fleet.ts'

const runsEach = 200
const withTarget = `etl: 1
kind: pipeline
name: tiny
connectors: {db: {types: [sqlite], access: read_write}}
source: {inline: {rows: [{n: 1}]}}
target: {connector: db, table: ledger, mode: append}
`
const withoutTarget = 'etl: 1\nkind: script\nname: none\nscript: return {n: 1}\n'

export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  const path = `${dataDir}-ledger.db`
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE ledger (n INTEGER)')
  database.close()
  const server = await startServerProcess(dataDir)
  const client = connect(server.url, { authorization: `Bearer ${await makeApiKey(server.url)}` })
  const executor = startExecutorProcess(dataDir, 'bench', 1)
  const post = async (to: string, body: object) => ((await client.send('POST', to, body)).body as { id: number }).id
  const db = await post('/api/connectors', { name: 'db', type: 'sqlite', config: { path } })
  const figures: [string, number, number][] = []
  const spent = () => cpuMs(server.pid) + cpuMs(executor.pid)
  for (const [name, yaml_content] of [
    ['with a tiny target', withTarget],
    ['without a target', withoutTarget],
  ] as const) {
    const task = await post('/api/tasks', { yaml_content })
    const body = name === 'with a tiny target' ? { connector_mapping: { db } } : {}
    await through(client, task, body, 20)
    const before = spent()
    const elapsed = await through(client, task, body, runsEach)
    figures.push([name, elapsed, (spent() - before) / runsEach])
  }
  client.close()
  await executor.kill()
  await server.kill()
  for (const used of [dataDir, path]) rmSync(used, { recursive: true, force: true })
  return figures.flatMap(([name, elapsed, processor]) => [
    {
      name: `a run ${name}, one after the other in one slot`,
      value: round(elapsed, 2),
      unit: 'ms',
      note: `${runsEach} runs that wait in line, from the first start to the last end`,
    },
    {
      name: `processor time of server and executor per run ${name}`,
      value: round(processor, 2),
      unit: 'ms',
      note: 'without the worker',
    },
  ])
}

/** Milliseconds a run, all of them waiting in line. */
async function through(client: Client, task: number, body: object, count: number): Promise<number> {
  const began = performance.now()
  await Promise.all(Array.from({ length: count }, () => client.send('POST', `/api/runs/trigger/${task}`, body)))
  for (const status of ['pending', 'running'])
    for (;;) {
      const { body: page } = await client.send('GET', `/api/runs?limit=1&status=${status}&task_id=${task}`)
      if ((page as Paginated<Run>).total === 0) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  return (performance.now() - began) / count
}

/** Of a process so far; Linux counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
