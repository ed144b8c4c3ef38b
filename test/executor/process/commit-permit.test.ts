// What a stopped executor's worker may still do: the server, an executor and the engine as users have them, and a table that is looked at from outside.
import Database from 'better-sqlite3'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { rmSync, mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { startRealWorld, type RealWorld } from './real-world.ts'

const LONG = { timeout: 60_000, interval: 20 }
const folder = mkdtempSync(join(tmpdir(), 'headgate-permit-'))
const path = join(folder, 'ledger.db')
let world: RealWorld
let api: Server
let connectors: Record<string, number>
/** Requests for the page, which are answered when a test says so. */
const pages: ServerResponse[] = []

beforeAll(async () => {
  new Database(path).exec('CREATE TABLE ledger (run INTEGER)').close()
  api = createServer((_request, response) => void pages.push(response)).listen(0, '127.0.0.1')
  world = await startRealWorld({}, { leases: { executorMs: 3_000, heartbeatMs: 200 } })
  const { port } = api.address() as AddressInfo // listens on a port
  const create = async (name: string, type: 'http' | 'sqlite', config: Record<string, unknown>): Promise<number> =>
    (await world.client.call(createConnector, { body: { name, type, config } })).id
  connectors = {
    api: await create('api', 'http', { base_url: `http://127.0.0.1:${port}`, allow_private: true }),
    db: await create('db', 'sqlite', { path }),
  }
})
beforeEach(async () => {
  await expect.poll(() => world.online(), LONG).toBe('online')
})
afterEach(() => signal('SIGCONT'))
afterAll(async () => {
  await world?.close()
  api?.close()
  rmSync(folder, { recursive: true })
})

function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  const { pid } = world.executor()
  if (pid !== undefined) process.kill(pid, name)
}

const task = (name: string, more = ''): string => `
etl: 1
kind: pipeline
name: ${name}
connectors: {api: {types: [http], access: read}, db: {types: [sqlite], access: read_write}}
source: {connector: api, http: {path: /page}}
target: {connector: db, table: ledger, mode: append}
${more}`

function answer(run: number): void {
  pages
    .shift()
    ?.setHeader('content-type', 'application/json')
    .end(JSON.stringify([{ run }]))
}

function written(run: number): number {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare('SELECT count(*) FROM ledger WHERE run = ?').pluck().get(run) as number // counts
  } finally {
    database.close()
  }
}

/** Starts a run and stops its executor while the worker waits for its page, which then comes. */
async function stoppedWhileReading(name: string, more?: string): Promise<number> {
  pages.length = 0
  const id = await world.trigger(task(name, more), connectors)
  await expect.poll(() => pages.length, LONG).toBe(1)
  signal('SIGSTOP')
  answer(id)
  return id
}

test('a run whose executor was stopped is failed, and its worker has written nothing', async () => {
  const id = await stoppedWhileReading('stopped')
  await expect.poll(() => world.statusOf(id), LONG).toBe('failed')
  expect((await world.runOf(id)).error_code).toBe('EXECUTOR_LOST')
  expect(written(id)).toBe(0)
  signal('SIGCONT')
  await expect.poll(() => world.online(), LONG).toBe('online')
  expect(written(id)).toBe(0)
})

test('the next attempt writes the rows, and the stopped one does not when its executor goes on', async () => {
  const id = await stoppedWhileReading('stopped_again', 'retries: {max: 1, delay: 1s}')
  await expect.poll(async () => (await world.runOf(id)).attempt, LONG).toBe(2)
  signal('SIGCONT')
  await expect.poll(() => pages.length, LONG).toBe(1)
  answer(id)
  await expect.poll(() => world.statusOf(id), LONG).toBe('success')
  expect(written(id)).toBe(1)
})

test('an executor that is stopped for less than its lease goes on, and writes once', async () => {
  const id = await stoppedWhileReading('stopped_shortly')
  await expect.poll(() => world.online(), LONG).toBe('online')
  signal('SIGCONT')
  await expect.poll(() => world.statusOf(id), LONG).toBe('success')
  expect(written(id)).toBe(1)
})
