/** A disk that is full and a disk that fails: what was promised is there, reading goes on, and it mends by itself. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { StoreInfo } from '../../../src/contract/store-care.ts'
import { cookieOf } from '../../support/sign-in.ts'
import { spawnServer } from '../../support/server-process.ts'
import { openSse } from '../../support/sse.ts'
import { controlPlane } from '../runs/control-plane.ts'
import { fakeExecutor, line } from '../runs/fake-executor.ts'

const patience = { timeout: 60_000, interval: 100 }

test('a full disk is told at once, loses nothing that was acknowledged, stops no work, and is over when there is space', async () => {
  const logs: string[] = []
  const plane = await controlPlane({ onLog: (text) => logs.push(text) })
  const admin = plane.as('admin')
  const info = async () => (await admin.get('/api/server/store')).body as StoreInfo
  const health = async () =>
    (await plane.client.get('/api/health')).body as { status: string; checks: { disk: object } }
  const executor = await fakeExecutor(plane)
  const run = await plane.trigger()
  const [plan] = (await executor.claim()).runs
  await executor.state(plan!)
  const stream = await openSse(`${plane.url}/api/events`, { ...admin.headers })
  onTestFinished(() => stream.close())
  expect(await info()).toMatchObject({ writable: true, problem: null })

  const { sqlite } = plane.platform.store
  sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true }) as number}`)
  const flood = Array.from({ length: 400 }, (_, n) => line(`${n} ${Math.random().toString(36).repeat(20)}`))
  let seq = 1
  while ((await executor.logs(plan!, seq, flood)).status === 200) seq += 1
  expect((await executor.logs(plan!, seq, flood)).status).toBe(503)

  // Whoever looks sees it, and whoever listens is told, although nothing can be written.
  const isStore = ({ event, data }: { event: string; data: unknown }) =>
    event === 'server.changed' && (data as { data: { what: string } }).data.what === 'store'
  expect((await stream.next(isStore)).id).toBeUndefined()
  expect(await info()).toMatchObject({ writable: false, problem: expect.stringContaining('The disk is full') })
  expect(await health()).toMatchObject({ status: 'degraded', checks: { disk: { status: 'degraded' } } })
  expect((await admin.get(`/api/runs/${run.id}`)).status).toBe(200)
  for (const work of ['clean', 'vacuum']) expect((await admin.post(`/api/server/${work}`)).status).toBe(503)
  // What works in the background neither ends the server nor gives up.
  expect((await executor.heartbeat([plan!])).status).toBe(200)
  plane.services.executors.sweep()
  await plane.services.triggers.scheduler.run()

  sqlite.pragma('max_page_count = 1073741823')
  await vi.waitFor(async () => expect((await info()).writable).toBe(true), patience)
  expect((await health()).checks.disk).toEqual({ status: 'ok' })
  await stream.next((event) => isStore(event) && event.id !== undefined)
  // The executor repeats what was not taken; nothing is there twice.
  expect((await executor.logs(plan!, seq, flood)).status).toBe(200)
  expect((await executor.complete(plan!)).status).toBe(200)
  expect(await plane.run(run.id)).toMatchObject({ status: 'success', log_file: expect.any(String) })
  const { body } = await admin.get(`/api/runs/${run.id}/logs?limit=1`)
  expect((body as { total_lines: number }).total_lines).toBe(seq * flood.length)
  const told = logs.filter((text) => (JSON.parse(text) as { msg: string }).msg.startsWith('The disk is full'))
  // Once for the state, beside the requests that it refused.
  expect(told.length).toBeLessThan(20)
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
})

/** From here on the process may write no file beyond so many bytes, as on a disk that gives errors. */
const limitFiles = (pid: number, bytes: number | 'unlimited') =>
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])

test('errors of the disk under a server of its own: 503 for what cannot be saved, and it lives, reads, mends and ends well', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const server = spawnServer(dataDir, { args: ['--port', '0', '--no-executor'] })
  onTestFinished(() => server.kill('SIGKILL'))
  const anybody = await server.client()
  const answer = await anybody.post('/api/auth/bootstrap', { username: 'ada', password: 'three wet horses 42' })
  const { origin } = new URL((await server.ready).url)
  const client = anybody.with({ cookie: cookieOf(answer), origin })
  const make = (n: number) => client.put(`/api/pools/pool_${n}`, { slots: n + 1 })
  const names = async () => {
    const { body } = await client.get('/api/pools')
    return (body as { name: string }[]).map(({ name }) => name).toSorted()
  }
  const acknowledged: string[] = []
  for (let n = 0; n < 5; n++) {
    expect((await make(n)).status).toBeLessThan(300)
    acknowledged.push(`pool_${n}`)
  }
  limitFiles(server.pid, 4096)
  for (let n = 5; n < 15; n++) {
    const { status, body } = await make(n)
    expect({ status, body }).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } })
  }
  expect(await names()).toEqual(acknowledged)
  expect((await client.get('/api/server/store')).body).toMatchObject({
    writable: false,
    problem: expect.stringContaining('can’t be written'),
  })
  limitFiles(server.pid, 'unlimited')
  await vi.waitFor(async () => {
    expect((await client.get('/api/server/store')).body).toMatchObject({ writable: true, problem: null })
  }, patience)
  expect((await make(99)).status).toBeLessThan(300)
  acknowledged.push('pool_99')
  // It also ends while nothing can be written, and the next one finds everything.
  limitFiles(server.pid, 4096)
  server.kill('SIGTERM')
  expect(await server.exited).toMatchObject({ code: 0 })
  const next = spawnServer(dataDir, { args: ['--port', '0', '--no-executor'] })
  onTestFinished(() => next.kill('SIGKILL'))
  const after = (await next.client()).with({
    cookie: client.headers.cookie!,
    origin: new URL((await next.ready).url).origin,
  })
  const { body } = await after.get('/api/pools')
  expect((body as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(acknowledged.toSorted())
})
