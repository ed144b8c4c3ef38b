import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RecentSubject, listRecentRuns } from '../../../src/contract/recent-runs.ts'
import { migrations } from '../../../src/server/platform/migrations/index.ts'
import { type JobWorld, createJobWorld, node, templateYaml } from '../jobs/job-world.ts'

let world: JobWorld
let job = 0
let task = 0
beforeAll(async () => {
  world = await createJobWorld()
  task = (await world.task('load')).id
  const template = await world.template(templateYaml('nightly', { load: node('load') }))
  job = (await world.job(template, { name: 'nightly' })).id
})
afterAll(() => world.close())

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const sqlite = () => world.server.platform.store.sqlite
const recent = (of: RecentSubject, ids: number[], limit?: number) =>
  world.editor.call(listRecentRuns, { query: { of, ids, ...(limit ? { limit } : {}) } })

function run(status: string, minute: number, mapping: object | null = null): number {
  const { lastInsertRowid } = sqlite()
    .prepare(
      `INSERT INTO runs (task_id, task_name, task_version, trigger_type, status, connector_mapping, logical_date, ready_at,
        created_at, updated_at) VALUES (?, 'load', 1, ?, 'running', ?, '', '', ?, ?)`,
    )
    .run(task, minute % 2 ? 'cron' : 'manual', mapping && JSON.stringify(mapping), at(minute), at(minute))
  sqlite().prepare('UPDATE runs SET status = ? WHERE id = ?').run(status, lastInsertRowid)
  return Number(lastInsertRowid)
}
function jobRun(status: string, minute: number, more: { trigger?: number; event?: number; success?: number } = {}) {
  return Number(
    sqlite()
      .prepare(
        `INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, success, trigger_type, trigger_id,
          event_trigger_id, logical_date, parameters, connector_mapping, on_overlap, max_tasks, created_at, updated_at)
         SELECT id, name, snapshot_id, 1, ?, ?, 'cron', ?, ?, '', '{}', '{}', 'queue', 4, ?, ? FROM jobs WHERE id = ?`,
      )
      .run(status, more.success ?? 0, more.trigger ?? null, more.event ?? null, at(minute), at(minute), job)
      .lastInsertRowid,
  )
}
const ids = (runs: readonly { id: number }[]) => runs.map(({ id }) => id)

test('a task has its newest runs of every state and trigger, newest first, and its newest failure however old', async () => {
  const failed = run('failed', 1)
  const made = ['success', 'completed', 'cancelled', 'running', 'success'].map((status, n) => run(status, 10 + n))
  const [found, unknown] = await recent('task', [task, 999], 3)
  expect(ids(found!.runs)).toEqual(made.toReversed().slice(0, 3))
  expect(found!.runs[0]).toMatchObject({ kind: 'run', status: 'success', created_at: at(14) })
  expect(found!.last_failure).toMatchObject({ id: failed, status: 'failed' })
  expect(unknown).toEqual({ id: 999, runs: [], last_failure: null })
})

test('a job and its triggers have job runs; a clean one is a success, a removed one is gone', async () => {
  const clean = jobRun('completed', 1, { trigger: 7, success: 1 })
  const failed = jobRun('failed', 2, { trigger: 7 })
  const other = jobRun('completed', 3, { event: 7 })
  const removed = jobRun('failed', 4, { trigger: 7 })
  sqlite().prepare("UPDATE job_runs SET removed_at = 'now' WHERE id = ?").run(removed)
  expect((await recent('job', [job]))[0]).toMatchObject({
    runs: [
      { id: other, status: 'completed', kind: 'job_run' },
      { id: failed, status: 'failed' },
      { id: clean, status: 'success' },
    ],
    last_failure: { id: failed },
  })
  expect(ids((await recent('trigger', [7]))[0]!.runs)).toEqual([failed, clean])
  expect((await recent('event_trigger', [7]))[0]).toMatchObject({ runs: [{ id: other }], last_failure: null })
})

test('a connector has the runs of every task that used it, until they are deleted', async () => {
  const failed = run('failed', 1, { in: 41, out: 41 })
  const later = run('success', 2, { in: 42, out: 41 })
  expect((await recent('connector', [41, 42], 1)).map((one) => [ids(one.runs), one.last_failure?.id])).toEqual([
    [[later], failed],
    [[later], undefined],
  ])
  sqlite().prepare('DELETE FROM runs WHERE id = ?').run(failed)
  expect((await recent('connector', [41]))[0]).toMatchObject({ runs: [{ id: later }], last_failure: null })
})

test('runs from before the migration count, too', async () => {
  const failed = run('failed', 1, { in: 51 })
  sqlite().exec(`DROP TABLE run_connectors; DROP TABLE connector_failures; DROP TRIGGER runs_note_connectors;
    DROP TRIGGER runs_note_failure; DROP TRIGGER runs_forget_connectors; DROP INDEX job_runs_by_event_trigger;
    DROP INDEX job_runs_failed_by_trigger; DROP INDEX job_runs_failed_by_event_trigger`)
  migrations.find(({ name }) => name === 'recent runs')!.up(sqlite())
  expect((await recent('connector', [51]))[0]).toMatchObject({ runs: [{ id: failed }], last_failure: { id: failed } })
})

test('a job run says that it waits at a gate, and is queued while none of its tasks has begun', async () => {
  const waiting = jobRun('paused', 50)
  sqlite().prepare("UPDATE job_runs SET pause_reason = 'gate', updated_at = ? WHERE id = ?").run(at(51), waiting)
  const begun = jobRun('running', 52)
  const queued = jobRun('running', 53)
  const addTask = sqlite().prepare(
    "INSERT INTO job_run_tasks (job_run_id, task_key, position, kind, status) VALUES (?, ?, 0, 'task', ?)",
  )
  addTask.run(begun, 'a', 'queued')
  addTask.run(begun, 'b', 'success')
  addTask.run(queued, 'a', 'queued')
  addTask.run(queued, 'b', 'pending')
  const [found] = await recent('job', [job], 3)
  expect(found!.runs).toMatchObject([
    { id: queued, status: 'pending', pause_reason: null },
    { id: begun, status: 'running' },
    { id: waiting, status: 'paused', pause_reason: 'gate', updated_at: at(51) },
  ])
})
