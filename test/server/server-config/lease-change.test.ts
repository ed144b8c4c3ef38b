import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { controlPlane, movableClock, pass } from '../runs/control-plane.ts'
import { executorClient, fakeExecutor, registration } from '../runs/fake-executor.ts'

test('lease and heartbeat that were changed with a restart reach the executors that run on, whose runs go on', async () => {
  const first = await controlPlane()
  const executor = await fakeExecutor(first)
  const { id } = await first.trigger()
  const [plan] = (await executor.claim()).runs
  const values = { 'executors.lease_ms': 2_000, 'executors.heartbeat_ms': 1_000 }
  expect((await first.as('admin').put('/api/server/config', { values })).body).toMatchObject({ restart_pending: true })
  const copy = mkdtempSync(`${first.dataDir}-copy-`)
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  first.platform.store.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  cpSync(first.dataDir, copy, { recursive: true, filter: (file) => !/lock|endpoint/.test(file) })

  const clock = movableClock()
  const second = await startTestServer({ dataDir: copy, clock })
  onTestFinished(() => second.close())
  expect(second.platform.config.leases).toEqual({ executorMs: 2_000, heartbeatMs: 1_000 })
  // It still keeps to the five seconds that it knows of.
  pass(second, clock, 6)
  expect(second.services.runs.get(id)).toMatchObject({ status: 'running' })
  const old = executorClient(second.asExecutor(), executor.id, executor.credential)
  expect((await old.heartbeat([plan!])).status).toBe(409)
  const again = await second.asExecutor().post('/api/executors/register', registration('fake'))
  expect(again.body).toMatchObject({ id: executor.id, lease_ms: 2_000, heartbeat_ms: 1_000 })
  const back = executorClient(second.asExecutor(), executor.id, (again.body as { credential: string }).credential)
  expect((await back.heartbeat([plan!])).body).toMatchObject({ cancel: [] })
  expect((await back.complete(plan!)).status).toBe(200)
  expect(second.services.runs.get(id)).toMatchObject({ status: 'success' })
})
