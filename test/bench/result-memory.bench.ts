// Memory of server, executor and its worker while somebody takes a large result slowly: it must not grow with the rows.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { listExecutors } from '../../src/contract/executors.ts'
import { queryConnector } from '../../src/contract/queries.ts'
import { childrenOf } from '../support/processes.ts'
import { startPostgres } from '../support/postgres.ts'
import type { BenchResult } from './result.ts'
import { startInstallation } from './support/installation.ts'

const rows = Number(process.env['RESULT_ROWS'] ?? 10_000_000)
/** The reader waits after so many bytes; without it the export runs as fast as it can. */
const pause = { bytes: 8 * 2 ** 20, ms: 50 }

interface Peak {
  before: number
  most: number
}

export async function run(): Promise<BenchResult[]> {
  const postgres = await startPostgres()
  const installation = await startInstallation()
  const peaks: Record<'server' | 'executor' | 'worker', Peak> = {
    server: { before: 0, most: 0 },
    executor: { before: 0, most: 0 },
    worker: { before: 0, most: 0 },
  }
  let watch: NodeJS.Timeout | undefined
  try {
    while ((await installation.call(listExecutors)).every(({ status }) => status !== 'online')) await sleep(50)
    const { host, port, database, user, password } = postgres
    const { id } = await installation.call(createConnector, {
      body: { name: 'dw', type: 'postgres', config: { host, port, database, user }, secrets: { password } },
    })
    const { key } = await installation.call(createApiKey, { body: { name: 'bench' } })
    const rawQuery = `SELECT n, md5(n::text) AS hash, n * 1.01 AS amount, repeat('x', 60) AS filler FROM (SELECT generate_series(1, ${rows}) AS n) s`
    const { query_id } = await installation.call(queryConnector, {
      params: { id },
      body: { definition: { mode: 'raw', rawQuery } },
    })
    const server = childrenOf(process.pid).find((pid) => nameOf(pid).includes('server'))
    const [executor] = childrenOf(server ?? 0)
    const look = (set: (peak: Peak, mb: number) => void): void => {
      const workers = childrenOf(executor ?? 0).filter((pid) => nameOf(pid).includes('result'))
      set(peaks.server, megabytes(server))
      set(peaks.executor, megabytes(executor))
      set(peaks.worker, Math.max(0, ...workers.map(megabytes)))
    }
    look((peak, mb) => (peak.before = mb))
    watch = setInterval(() => look((peak, mb) => (peak.most = Math.max(peak.most, mb))), 200)
    const began = performance.now()
    const response = await fetch(`${installation.url}/api/connectors/${id}/query/${query_id}/export`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ format: 'ndjson' }),
    })
    const { lines, bytes } = await readSlowly(response)
    const seconds = Math.round((performance.now() - began) / 1000)
    const note = `${lines.toLocaleString('en')} rows, ${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB in ${seconds} s`
    return Object.entries(peaks).map(([name, { before, most }]) => ({
      name: `a slow reader: ${name}, more than before`,
      value: most - before,
      unit: 'MiB',
      bar: name === 'server' ? '≤ 64 MB' : '≤ 800 MB',
      passed: lines === rows && most - before <= (name === 'server' ? 64 : 800),
      note: `${note}; ${before} MiB before, ${most} MiB at most`,
    }))
  } finally {
    clearInterval(watch)
    await installation.close()
    postgres.stop()
  }
}

async function readSlowly(response: Response): Promise<{ lines: number; bytes: number }> {
  let [lines, bytes, paused] = [0, 0, 0]
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) lines += 1
    if (bytes - paused < pause.bytes) continue
    paused = bytes
    await sleep(pause.ms)
  }
  return { lines, bytes }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has just ended
  }
}

function megabytes(pid: number | undefined): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
  } catch {
    return 0 // it has just ended
  }
}
