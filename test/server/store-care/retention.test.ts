import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { StoreInfo } from '../../../src/contract/store-care.ts'
import type { TestServer } from '../../support/server.ts'
import { type JobPlane, jobPlane } from '../job-runs/job-plane.ts'
import { controlPlane, movableClock } from '../runs/control-plane.ts'
import { fakeExecutor, line } from '../runs/fake-executor.ts'

const day = 86_400_000
const none = { runs: 0, job_runs: 0, log_lines: 0, rejects: 0, deliveries: 0 }

const clean = async (server: TestServer) => {
  const { status, body } = await server.as('admin').post('/api/server/clean')
  expect({ status, body }).toMatchObject({ status: 200 })
  return (body as { removed: typeof none }).removed
}
const count = (server: TestServer, table: string, where = '1') =>
  server.platform.store.sqlite.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()!.n
/** What run_counts says, and what is there. */
function expectCountsRight(server: TestServer): void {
  const kept = server.platform.store.sqlite
    .prepare<[], { n: number | null }>('SELECT sum(n) AS n FROM run_counts WHERE task_id = 0 AND grain = 0')
    .get()!.n
  expect(kept ?? 0).toBe(count(server, 'runs', "status NOT IN ('pending', 'running')"))
}

/** Runs of their own, with logs and rejects. */
async function runsPlane(retention: Partial<{ runsMs: number; runsMax: number; logsMs: number; logBytes: number }>) {
  const clock = movableClock()
  const plane = await controlPlane({ clock })
  Object.assign(plane.platform.config.retention, { runsMs: 0, runsMax: 0, logsMs: 0, logBytes: 0 }, retention)
  const executor = await fakeExecutor(plane)
  async function finished(lines = 3): Promise<number> {
    const { id } = await plane.trigger()
    const [plan] = (await executor.claim()).runs
    await executor.state(plan!)
    const text = () => randomBytes(300).toString('hex')
    await executor.logs(
      plan!,
      1,
      Array.from({ length: lines }, () => line(text())),
    )
    await executor.rejects(plan!, 1, [{ step: 's', reason: 'r', row: { a: 1 } }])
    const done = await executor.complete(plan!, { reject_count: 1, status: 'completed' })
    expect({ status: done.status, body: done.body }).toMatchObject({ status: 200 })
    return id
  }
  const ids = async () =>
    ((await plane.editor.get('/api/runs?limit=200')).body as { result: { id: number }[] }).result.map(({ id }) => id)
  return { plane, clock, finished, ids, executor }
}

describe('runs', () => {
  test('go when they have ended longer ago than they are kept; the newest of a task and those under way stay', async () => {
    const { plane, clock, finished, ids } = await runsPlane({ runsMs: 10 * day })
    const old = [await finished(), await finished(), await finished()]
    const waiting = (await plane.trigger()).id
    expect(await clean(plane)).toEqual(none)
    clock.offset += 11 * day
    // Nothing newer has ended, but one waits: that is the newest of its task.
    expect(await clean(plane)).toEqual({ ...none, runs: 3, log_lines: 9, rejects: 3 })
    expect(await ids()).toEqual([waiting])
    for (const table of ['run_log_chunks', 'run_rejects', 'run_steps']) expect(count(plane, table)).toBe(0)
    expectCountsRight(plane)
    const gone = await plane.editor.get(`/api/runs/${old[0]}`)
    expect(gone).toMatchObject({
      status: 404,
      body: {
        details: [
          {
            path: 'request',
            message: expect.stringContaining(`Run #${old[0]} was removed. retention.runs_days`) as string,
          },
        ],
      },
    })
    expect((await plane.editor.get(`/api/runs/${old[0]}/logs`)).status).toBe(404)
    expect((await plane.editor.get('/api/runs/999999')).body).toMatchObject({ message: 'Resource not found' })
  })

  test('stay all when the setting is 0, however old', async () => {
    const { plane, clock, finished } = await runsPlane({})
    await finished()
    await finished()
    clock.offset += 5_000 * day
    expect(await clean(plane)).toEqual(none)
  })

  test('beyond the most that are kept the oldest go', async () => {
    const { plane, finished, ids } = await runsPlane({ runsMax: 2 })
    const made = [await finished(), await finished(), await finished(), await finished()]
    expect(await clean(plane)).toMatchObject({ runs: 2 })
    expect(await ids()).toEqual([made[3], made[2]])
    expect(await clean(plane)).toEqual(none)
    expectCountsRight(plane)
  })

  test('a change of the setting holds with the next cleaning', async () => {
    const { plane, finished } = await runsPlane({})
    await finished()
    await finished()
    await plane.as('admin').put('/api/server/config', { values: { 'retention.runs_max': 1 } })
    expect(await clean(plane)).toMatchObject({ runs: 1 })
  })
})

describe('logs', () => {
  test('go by age with the rejected rows, and their run says so', async () => {
    const { plane, clock, finished } = await runsPlane({ logsMs: day })
    const id = await finished(5)
    clock.offset += 2 * day
    const young = await finished(2)
    expect(await clean(plane)).toEqual({ ...none, log_lines: 5, rejects: 1 })
    expect(await plane.run(id)).toMatchObject({ log_file: null, log_removed_at: expect.any(String), reject_count: 1 })
    expect((await plane.editor.get(`/api/runs/${id}/logs`)).body).toMatchObject({ total_lines: 0, lines: [] })
    expect((await plane.run(young)).log_file).not.toBeNull()
    expect(await plane.run(young)).not.toHaveProperty('log_removed_at')
    expect(await clean(plane)).toEqual(none)
  })

  test('go by size, those of the oldest runs first; those of runs under way stay', async () => {
    const { plane, finished, executor } = await runsPlane({ logBytes: 1 })
    await plane.trigger()
    const [plan] = (await executor.claim()).runs
    await executor.state(plan!)
    await executor.logs(plan!, 1, [line('under way')])
    await finished(40)
    const bytes = () =>
      plane.platform.store.sqlite.prepare<[], { bytes: number }>('SELECT bytes FROM log_size').get()!.bytes
    const sum = () =>
      plane.platform.store.sqlite
        .prepare<[], { bytes: number }>('SELECT sum(length(content)) AS bytes FROM run_log_chunks')
        .get()!.bytes
    expect(bytes()).toBe(sum())
    plane.platform.config.retention.logBytes = bytes()
    expect(await clean(plane)).toEqual(none)
    const last = await finished(30)
    expect(await clean(plane)).toMatchObject({ runs: 0, log_lines: 40 })
    expect((await plane.run(last)).log_file).not.toBeNull()
    expect((await plane.run(plan!.run_id)).log_file).not.toBeNull()
    expect(bytes()).toBe(sum())
  })
})

describe('job runs', () => {
  const two = '  a: {task: work, connectors: {out: dir}}\n  b: {task: work, connectors: {out: dir}, depends_on: [a]}\n'
  async function jobsPlane(retention: object): Promise<{ plane: JobPlane; clock: { offset: number } }> {
    const clock = movableClock()
    const plane = await jobPlane({ clock })
    Object.assign(plane.platform.config.retention, { runsMs: 0, runsMax: 0, logsMs: 0, logBytes: 0 }, retention)
    return { plane, clock }
  }

  test('go with all their runs; the newest of each job stays whole', async () => {
    const { plane, clock } = await jobsPlane({ runsMs: 10 * day })
    const job = await plane.job(two)
    const first = plane.start(job)
    await plane.drain()
    const second = plane.start(job)
    await plane.drain()
    expect(plane.jobRun(second).status).toBe('completed')
    clock.offset += 11 * day
    expect(await clean(plane)).toEqual({ ...none, runs: 2, job_runs: 1 })
    expect(count(plane, 'job_runs')).toBe(1)
    for (const table of ['job_run_tasks', 'job_run_items']) expect(count(plane, table, `job_run_id = ${first}`)).toBe(0)
    expect((await plane.editor.get(`/api/job-runs/${first}`)).body).toMatchObject({
      error: 'NOT_FOUND',
      details: [{ path: 'request', message: expect.stringContaining(`Job run #${first} was removed`) as string }],
    })
    expect(plane.graph(second).nodes.map(({ status }) => status)).toEqual(['success', 'success'])
    expect(await clean(plane)).toEqual(none)
    expectCountsRight(plane)
  })

  test('one that is paused or whose rerun stays is not touched', async () => {
    const { plane, clock } = await jobsPlane({ runsMs: 10 * day })
    const job = await plane.job(two)
    const paused = plane.start(job)
    await plane.editor.post(`/api/job-runs/${paused}/pause`)
    await plane.drain()
    const original = plane.start(await plane.job(two))
    const [plan] = plane.claim()
    await plane.fail(plan!)
    const again = await plane.editor.post(`/api/job-runs/${original}/rerun`, { from: ['a'] })
    expect({ status: again.status, body: again.body }).toMatchObject({ status: 200 })
    await plane.drain()
    clock.offset += 11 * day
    expect(await clean(plane)).toEqual(none)
  })

  test('a removal that was cut off is finished by the next server, and nobody sees or resumes what is left', async () => {
    const { plane, clock } = await jobsPlane({ runsMs: 10 * day })
    const job = await plane.job(two)
    const first = plane.start(job)
    const [plan] = plane.claim()
    await plane.fail(plan!)
    plane.start(job)
    await plane.drain()
    clock.offset += 11 * day
    plane.platform.store.sqlite.prepare('UPDATE job_runs SET removed_at = ? WHERE id = ?').run('x', first)
    expect((await plane.editor.get(`/api/job-runs/${first}`)).status).toBe(404)
    expect((await plane.editor.post(`/api/job-runs/${first}/resume`)).status).toBe(404)
    plane.platform.config.retention.runsMs = 0
    expect(await clean(plane)).toMatchObject({ runs: 1 })
    expect(count(plane, 'job_runs', `id = ${first}`)).toBe(0)
  })

  test('by number they go whole, oldest first, together with runs of their own', async () => {
    const { plane } = await jobsPlane({})
    const job = await plane.job(two)
    for (let n = 0; n < 4; n++) {
      plane.start(job)
      await plane.drain()
    }
    plane.platform.config.retention.runsMax = 5
    expect(await clean(plane)).toMatchObject({ runs: 4, job_runs: 2 })
    expect(count(plane, 'job_runs')).toBe(2)
    expectCountsRight(plane)
  })

  test('snapshots that nothing holds any more go, the one that the job holds stays', async () => {
    const { plane, clock } = await jobsPlane({ runsMs: 10 * day })
    const job = await plane.job(two)
    const { sqlite } = plane.platform.store
    const copy = (at: string) =>
      sqlite
        .prepare(
          'INSERT INTO job_snapshots SELECT NULL, job_id, job_template_id, template_version, yaml_content, tasks, dashboard_templates, ? FROM job_snapshots WHERE job_id = ? LIMIT 1',
        )
        .run(at, job)
    copy('2020-01-01T00:00:00.000Z')
    clock.offset += 11 * day
    copy(plane.platform.clock.iso())
    expect(count(plane, 'job_snapshots')).toBe(3)
    await clean(plane)
    expect(count(plane, 'job_snapshots')).toBe(2)
    plane.start(job)
    expect(await plane.drain()).toHaveLength(2)
  })
})

test('news that were delivered and firings go by age; what is still to be sent stays', async () => {
  const { plane, clock } = await runsPlane({ runsMs: 10 * day })
  const { sqlite } = plane.platform.store
  const at = plane.platform.clock.iso()
  const admin = plane.as('admin')
  const channel = await admin.post('/api/notifications', {
    name: 'news',
    type: 'desktop',
    config: {},
    on: ['failed'],
  })
  expect({ status: channel.status, body: channel.body }).toMatchObject({ status: 201 })
  for (const [n, status] of ['delivered', 'failed', 'pending'].entries()) {
    sqlite
      .prepare(
        `INSERT INTO notification_deliveries (notification_id, event, news, message_key, status, attempts, created_at, updated_at)
         VALUES (?, 'failed', '{}', ?, ?, 1, ?, ?)`,
      )
      .run((channel.body as { id: number }).id, `k${n}`, status, at, at)
  }
  sqlite
    .prepare(
      `INSERT INTO idempotency_keys (caller, operation, key, request_hash, status, body, created_at)
       VALUES ('c', 'o', 'k', 'h', 200, '{}', ?)`,
    )
    .run(at)
  clock.offset += 11 * day
  expect(await clean(plane)).toEqual({ ...none, deliveries: 2 })
  expect(count(plane, 'notification_deliveries')).toBe(1)
  expect(count(plane, 'idempotency_keys')).toBe(0)
})

test('what fills the store is told, and vacuum gives back what cleaning has freed', async () => {
  const { plane, clock, finished } = await runsPlane({ logsMs: day })
  for (let n = 0; n < 3; n++) await finished(400)
  const admin = plane.as('admin')
  const info = async () => (await admin.get('/api/server/store')).body as StoreInfo
  const before = await info()
  expect(before).toMatchObject({ writable: true, problem: null, retention: { last_at: null, removed: none } })
  expect(before.tables.map(({ name }) => name)).toContain('runs')
  const log = before.tables.find(({ name }) => name === 'run_log_chunks')!
  expect(log.bytes).toBeGreaterThan(100_000)
  expect(before.tables[0]!.bytes).toBeGreaterThanOrEqual(before.tables[1]!.bytes)
  expect(before.log_bytes).toBeGreaterThan(0)
  // Nothing is counted twice: not all of a page belongs to a table.
  const parts = before.tables.reduce((sum, { bytes }) => sum + bytes, before.log_bytes + before.unused_bytes)
  expect(parts).toBeLessThanOrEqual(before.bytes)
  expect(parts).toBeGreaterThan(before.bytes * 0.9)
  expect(before.disk_free_bytes).toBeGreaterThan(0)
  expect(before.backup.folder).toContain('backups')
  clock.offset += 2 * day
  await clean(plane)
  const cleaned = await info()
  expect(cleaned.retention).toMatchObject({ last_at: expect.any(String), removed: { log_lines: 1200, rejects: 3 } })
  expect(cleaned.unused_bytes).toBeGreaterThan(100_000)
  const vacuumed = (await admin.post('/api/server/vacuum')).body as { bytes_before: number; bytes_after: number }
  expect(vacuumed.bytes_after).toBeLessThan(vacuumed.bytes_before - 100_000)
  expect((await info()).unused_bytes).toBe(0)
  expect(plane.platform.store.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
})
