// A bundle of 10,000 tasks with 10 versions each: imported into an empty store, imported again (all unchanged), exported.
// Meanwhile somebody else lists tasks all the time: how long he waits, and how much memory the server takes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeApiKey, startServerProcess } from '../faults/support/server-process.ts'
import type { ServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf } from './support/big-store.ts'
import { percentile, round } from './support/fake-fleet.ts'

const tasks = 10_000
const versions = 10
const bar = { recordsPerSecond: 2_000, p99: 100 }

const yaml = (name: string, version: number) => `etl: 1
kind: pipeline
name: ${name}
description: Version ${version} of a task as people write them
connectors:
  files: {type: file, access: read_write}
args:
  least: {type: integer, default: ${version}}
source:
  connector: files
  files: {glob: numbers.csv}
steps:
  - filter: "n >= :least OR n < 0"
  - expect: [{name: positive, check: "n > 0", on_fail: quarantine}]
target:
  connector: files
  file: {path: "${name}.jsonl"}
`

/** Made beforehand: who measures must not be busy with making it. */
function makeBundle(): Buffer {
  const lines = [Buffer.from('{"kind":"bundle","format":1}\n')]
  for (let i = 0; i < tasks; i++) {
    const name = `group_${i % 100}.task_${i}`
    const history = Array.from({ length: versions }, (_, v) => ({
      version: v + 1,
      yaml_content: yaml(name, v + 1),
      change_summary: `Change ${v + 1}`,
      created_at: '2026-01-01T00:00:00.000Z',
    }))
    const record = {
      kind: 'task',
      name,
      tags: ['bench'],
      archived: false,
      current_version: versions,
      versions: history,
    }
    lines.push(Buffer.from(`${JSON.stringify(record)}\n`))
  }
  return Buffer.concat(lines)
}

interface Measured {
  seconds: number
  bytes: number
  p99: number
  slowest: number
  rssMb: number
}

/** Does the work and reads its answer to the end, while somebody else asks. */
async function measured(server: ServerProcess, apiKey: string, work: () => Promise<Response>): Promise<Measured> {
  const other = clientOf(server.url, apiKey)
  const waits: number[] = []
  let rssMb = 0
  const state = { done: false }
  const asking = (async () => {
    while (!state.done) {
      const began = performance.now()
      await other.send('GET', '/api/tasks?limit=50')
      waits.push(performance.now() - began)
      rssMb = Math.max(rssMb, server.rssMb())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  })()
  const began = performance.now()
  const answer = await work()
  if (answer.status !== 200 || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`)
  let bytes = 0
  for await (const chunk of answer.body) bytes += chunk.length
  const seconds = (performance.now() - began) / 1_000
  state.done = true
  await asking
  other.close()
  return { seconds, bytes, p99: percentile(waits, 0.99), slowest: Math.max(...waits), rssMb }
}

export async function run(): Promise<BenchResult[]> {
  const body = new Blob([new Uint8Array(makeBundle())])
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-bench-exchange-'))
  const server = await startServerProcess(dataDir)
  const apiKey = await makeApiKey(server.url)
  const idle = server.rssMb()
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-ndjson' }
  const send = (query: string) => () =>
    fetch(`${server.url}/api/import?${query}`, {
      method: 'POST',
      headers,
      body,
    })
  try {
    const first = await measured(server, apiKey, send('mode=upsert_all_versions'))
    const again = await measured(server, apiKey, send('mode=upsert_all_versions'))
    const exported = await measured(server, apiKey, () => fetch(`${server.url}/api/export?versions=all`, { headers }))
    return [
      ...results('import', first, idle),
      ...results('import again, all unchanged', again, idle),
      ...results('export', exported, idle),
    ]
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function results(what: string, { seconds, bytes, p99, slowest, rssMb }: Measured, idle: number): BenchResult[] {
  const rate = tasks / seconds
  return [
    {
      name: `${what}: tasks per second`,
      value: Math.round(rate),
      unit: '/s',
      bar: `≥ ${bar.recordsPerSecond}/s`,
      passed: rate >= bar.recordsPerSecond,
      note: `${tasks} tasks of ${versions} versions, ${round(bytes / 1e6)} MB of answer; server ${Math.round(rssMb)} MB at most, ${Math.round(idle)} MB before`,
    },
    {
      name: `${what}: other requests, p99`,
      value: round(p99),
      unit: 'ms',
      bar: `≤ ${bar.p99} ms`,
      passed: p99 <= bar.p99,
      note: `lists of 50 tasks; slowest ${round(slowest)} ms`,
    },
  ]
}
