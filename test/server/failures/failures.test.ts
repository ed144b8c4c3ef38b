import { afterAll, beforeEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { listFailures } from '../../../src/contract/failures.ts'
import { createFailuresStore } from '../../../src/server/features/failures/failures.store.ts'
import { type JobWorld, createJobWorld, node, templateYaml } from '../jobs/job-world.ts'

const from = '2026-03-01T00:00:00.000Z'
const at = (minute: number) => new Date(Date.parse(from) + minute * 60_000).toISOString()

let world: JobWorld
let [often, seldom]: number[] = []
let [load, check]: number[] = []
beforeAll(async () => {
  world = await createJobWorld()
  const tasks = [await world.task('load'), await world.task('check')]
  ;[load, check] = tasks.map(({ id }) => id)
  const template = await world.template(templateYaml('nightly', { load: node('load'), check: node('check') }))
  ;[often, seldom] = [(await world.job(template)).id, (await world.job(template)).id]
})
afterAll(() => world.close())
beforeEach(() => world.server.platform.store.sqlite.exec('DELETE FROM runs; DELETE FROM job_runs'))

/** Job runs and runs that nobody ran; each answers with the id it got. */
function jobRun(job: number, status: string, time: string, error: string | null = null): number {
  const { lastInsertRowid: id } = world.server.platform.store.sqlite
    .prepare(
      `INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, trigger_type, logical_date, parameters,
        connector_mapping, on_overlap, max_tasks, error_message, completed_at, created_at, updated_at)
       SELECT id, name, snapshot_id, 1, ?, 'cron', '', '{}', '{}', 'queue', 4, ?, ?, ?, ? FROM jobs WHERE id = ?`,
    )
    .run(status, error, time, time, time, job)
  return Number(id)
}
function run(task: number, status: string, time: string, job: number | null = null): number {
  const { lastInsertRowid: id } = world.server.platform.store.sqlite
    .prepare(
      `INSERT INTO runs (task_id, task_name, task_version, job_run_id, trigger_type, status, logical_date, ready_at, completed_at,
        created_at, updated_at) SELECT id, name, 1, ?, 'manual', ?, '', '', ?, ?, ? FROM tasks WHERE id = ?`,
    )
    .run(job, status, time, time, time, task)
  return Number(id)
}
const failures = (query: { from: string; limit?: number } = { from }) => world.editor.call(listFailures, { query })

test('a job that fails every minute hides no other: each job and task is told once, with its newest failure', async () => {
  const { sqlite } = world.server.platform.store
  world.server.platform.store.transaction(() => {
    for (let minute = 2; minute < 1_300; minute++) jobRun(often!, 'failed', at(minute))
  })
  const last = jobRun(often!, 'failed', at(1_300), 'The newest')
  const once = jobRun(seldom!, 'failed', at(1), 'Only once')
  sqlite
    .prepare("INSERT INTO job_run_tasks (job_run_id, task_key, position, kind, status) VALUES (?, ?, ?, 'task', ?)")
    .run(once, 'check', 1, 'failed')
  const alone = run(load!, 'failed', at(0))
  // Stands under its job.
  run(check!, 'failed', at(1_300), last)
  sqlite.prepare("UPDATE jobs SET last_run_id = ?, last_run_status = 'completed' WHERE id = ?").run(last + 1, seldom)
  expect(await failures()).toMatchObject([
    { kind: 'job', id: often, run_id: last, error_message: 'The newest', failed_at: at(1_300), count: 1_000 },
    { kind: 'job', id: seldom, run_id: once, count: 1, failed_task_keys: ['check'], status: 'completed' },
    { kind: 'task', id: load, name: 'load', run_id: alone, count: 1, failed_task_keys: [], status: 'failed' },
  ])
  expect(await failures({ from, limit: 1 })).toMatchObject([{ id: often }])
})

test('tells how the newest run stands, and nothing of what failed before, was resumed or is to be removed', async () => {
  const { sqlite } = world.server.platform.store
  run(load!, 'failed', at(1))
  run(load!, 'success', at(2))
  // Within a job it may have other connectors: that tells nothing of the task alone.
  run(load!, 'failed', at(3), jobRun(often!, 'failed', at(-1)))
  run(check!, 'failed', at(-1))
  const resumed = jobRun(often!, 'failed', at(3))
  sqlite.prepare("UPDATE job_runs SET status = 'running', completed_at = NULL WHERE id = ?").run(resumed)
  sqlite.prepare('UPDATE job_runs SET removed_at = ? WHERE id = ?').run(at(5), jobRun(seldom!, 'failed', at(4)))
  expect(await failures()).toMatchObject([{ kind: 'task', id: load, status: 'success', failed_at: at(1) }])
  expect(await failures({ from: '2026-03-01T01:00:00+01:00' })).toHaveLength(1)
  expect((await world.editor.get('/api/failures', { query: { from: '2026-12-31T23:59:60Z' } })).body).toMatchObject({
    error: 'VALIDATION_ERROR',
    details: [{ path: 'query.from' }],
  })
})

test('a run of a few rejected rows says nothing about a task that has failed since', async () => {
  const rejecting = run(load!, 'completed', at(1))
  run(load!, 'failed', at(2))
  const again = run(load!, 'success', at(3))
  world.server.platform.store.sqlite.prepare('UPDATE runs SET rejects_of = ? WHERE id = ?').run(rejecting, again)
  expect(await failures()).toMatchObject([{ kind: 'task', id: load, status: 'failed', failed_at: at(2) }])
  run(load!, 'success', at(4))
  expect(await failures()).toMatchObject([{ id: load, status: 'success' }])
})

test('is read from the indexes of failures alone, never row by row', () => {
  const { sqlite } = world.server.platform.store
  const prepared = vi.spyOn(sqlite, 'prepare')
  onTestFinished(() => prepared.mockRestore())
  createFailuresStore(world.server.platform.store)
  const texts = prepared.mock.calls.map(([text]) => text).filter((text) => text.includes('RECURSIVE'))
  expect(texts).toHaveLength(2)
  for (const text of texts) {
    const plan = sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all({ from, limit: 6 })
    const reads = plan.map(({ detail }) => detail).filter((detail) => /\b(runs|job_runs|last)\b/.test(detail))
    for (const read of reads) {
      expect(read).toMatch(
        /^SEARCH (\w+ USING COVERING INDEX \w*runs_failed_by_(job|task)\b|last USING INTEGER PRIMARY KEY)/,
      )
    }
    expect(reads).toHaveLength(6)
  }
  const newest = prepared.mock.calls.map(([text]) => text).find((text) => text.includes('runs_alone_by_task'))
  expect(sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${newest}`).all(1)).toMatchObject([
    { detail: 'SEARCH runs USING INDEX runs_alone_by_task (task_id=?)' },
  ])
})
