// A backup of a store of 1 GB while runs are triggered and lists are read: its time, and what those requests wait meanwhile.
import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../src/server/platform/store.ts'
import { type Client, startServerProcess } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { clientOf, makeBigStore } from './support/big-store.ts'
import { percentile } from './support/fake-fleet.ts'

const bytesWanted = 1024 ** 3
const quietMs = 10_000

/** More of what is there anyhow: lines of logs fill a store. */
function fill(dataDir: string): number {
  const file = join(dataDir, 'headgate.db')
  const sqlite = openDatabase(file)
  sqlite.exec('CREATE TABLE filler (id INTEGER PRIMARY KEY, content BLOB NOT NULL)')
  const insert = sqlite.prepare('INSERT INTO filler (content) VALUES (?)')
  const size = () => (sqlite.pragma('page_count', { simple: true }) as number) * 4096
  while (size() < bytesWanted) {
    sqlite.transaction(() => {
      for (let n = 0; n < 1_000; n++) insert.run(randomBytes(16_000))
    })()
  }
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
  return statSync(file).size
}

/** Writes and reads, one after the other each, until told; the time of each request in ms. */
function startLoad(client: Client) {
  const waits = { write: [] as number[], read: [] as number[] }
  const state = { working: true }
  async function repeat(kind: keyof typeof waits, request: (n: number) => Promise<{ status: number }>): Promise<void> {
    for (let n = 0; state.working; n++) {
      const began = performance.now()
      const { status } = await request(n)
      if (status >= 300) throw new Error(`${kind}: ${status}`)
      waits[kind].push(performance.now() - began)
      // Fifty a second of each: a busy server, not one that is at its limit.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const done = Promise.all([
    repeat('write', (n) => client.send('PUT', `/api/pools/bench-${n % 100}`, { slots: 1 + (n % 7) })),
    repeat('read', () => client.send('GET', '/api/runs?limit=50')),
  ])
  return {
    take: () => ({ write: waits.write.splice(0), read: waits.read.splice(0) }),
    async stop() {
      state.working = false
      await done
    },
  }
}

const p99 = (values: number[]) => Math.round(percentile(values, 0.99) * 10) / 10

export async function run(): Promise<BenchResult[]> {
  const { dataDir, apiKey } = await makeBigStore()
  const bytes = fill(dataDir)
  const server = await startServerProcess(dataDir)
  const client = clientOf(server.url, apiKey)
  const load = startLoad(client)
  await new Promise((resolve) => setTimeout(resolve, quietMs))
  const quiet = load.take()
  const began = performance.now()
  const reply = await client.send('POST', '/api/server/backup')
  const seconds = (performance.now() - began) / 1_000
  const busy = load.take()
  await load.stop()
  if (reply.status !== 201) throw new Error(`backup: ${reply.status} ${JSON.stringify(reply.body)}`)
  client.close()
  const memory = Math.round(server.rssMb())
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
  const note = (kind: 'write' | 'read') => `${p99(quiet[kind])} ms without a backup; ${busy[kind].length} requests`
  return [
    {
      name: 'backup under load, verified',
      value: Math.round(seconds * 10) / 10,
      unit: 's',
      note: `${Math.round(bytes / 1024 ** 2)} MiB, ${Math.round(bytes / 1024 ** 2 / seconds)} MiB/s, server ${memory} MB`,
    },
    { name: 'p99 of writes during the backup', value: p99(busy.write), unit: 'ms', note: note('write') },
    { name: 'p99 of reads during the backup', value: p99(busy.read), unit: 'ms', note: note('read') },
  ]
}
