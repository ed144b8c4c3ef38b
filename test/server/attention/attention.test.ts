import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AttentionItem, getAttention } from '../../../src/contract/attention.ts'
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
beforeEach(() =>
  world.server.platform.store.sqlite.exec(`
    DELETE FROM runs; DELETE FROM job_runs; DELETE FROM triggers; DELETE FROM trigger_firings; DELETE FROM task_states;
    UPDATE jobs SET status = 'active'; UPDATE tasks SET archived = 0`),
)

const run = (sql: string, ...values: unknown[]) =>
  Number(world.server.platform.store.sqlite.prepare(sql).run(...values).lastInsertRowid)
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const attention = (limit?: number) => world.editor.call(getAttention, limit === undefined ? {} : { query: { limit } })
const items = async (): Promise<AttentionItem[]> => (await attention()).items

function jobRun(status: string, at: string): number {
  const ended = status === 'failed' ? at : null
  return run(
    `INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, trigger_type, logical_date, parameters,
      connector_mapping, on_overlap, max_tasks, error_message, completed_at, created_at, updated_at)
     SELECT id, name, snapshot_id, 1, ?, 'cron', '', '{}', '{}', 'queue', 4, 'Why', ?, ?, ? FROM jobs WHERE id = ?`,
    status,
    ended,
    at,
    at,
    job,
  )
}
const gate = (jobRunId: number, key: string, status: string, since: string) =>
  run(
    `INSERT INTO job_run_tasks (job_run_id, task_key, position, kind, status, message, started_at)
     VALUES (?, ?, (SELECT count(*) FROM job_run_tasks), 'gate', ?, 'Publish?', ?)`,
    jobRunId,
    key,
    status,
    since,
  )
function trigger(type: 'cron' | 'one_off' = 'cron', enabled = 1): number {
  return run(
    `INSERT INTO triggers (job_id, task_key, type, cron_expression, timezone, arguments, enabled, misfire_policy,
      jitter_seconds, revision, created_at, updated_at)
     VALUES (?, 'load', ?, '* * * * *', 'Europe/Berlin', '{"day":"2026-03-01"}', ?, 'skip', 0, 1, '', '')`,
    job,
    type,
    enabled,
  )
}
const firing = (id: number, outcome: string, at: string) =>
  run(
    `INSERT INTO trigger_firings (trigger_id, job_id, task_key, scheduled_at, fired_at, outcome, message)
     VALUES (?, ?, 'load', ?, ?, ?, 'Too late')`,
    id,
    job,
    at,
    at,
    outcome,
  )

test('a gate waits until it is decided, its job run ends, or is removed', async () => {
  const waiting = jobRun('paused', ago(90_000))
  gate(waiting, 'sign_off', 'paused', ago(80_000))
  gate(waiting, 'done', 'success', ago(80_000))
  gate(jobRun('cancelled', ago(5)), 'of_ended', 'paused', ago(5))
  const removed = jobRun('paused', ago(5))
  gate(removed, 'of_removed', 'paused', ago(5))
  run('UPDATE job_runs SET removed_at = ? WHERE id = ?', ago(1), removed)
  expect(await items()).toMatchObject([
    { kind: 'gate', name: 'nightly', task_keys: ['sign_off'], message: 'Publish?', job_id: job, job_run_id: waiting },
  ])
})

test('a failure needs someone until its job or task has succeeded or is archived', async () => {
  const failed = jobRun('failed', ago(10))
  run("UPDATE jobs SET last_run_status = 'failed' WHERE id = ?", job)
  expect(await items()).toMatchObject([
    { kind: 'failure', name: 'nightly', message: 'Why', status: 'failed', job_run_id: failed, run_id: null, count: 1 },
  ])
  run("UPDATE jobs SET last_run_status = 'running' WHERE id = ?", job)
  expect(await items()).toMatchObject([{ kind: 'failure', status: 'running' }])
  run("UPDATE jobs SET last_run_status = 'completed' WHERE id = ?", job)
  expect(await items()).toEqual([])
  run("UPDATE jobs SET last_run_status = 'failed', status = 'archived' WHERE id = ?", job)
  expect(await items()).toEqual([])
  const alone = run(
    `INSERT INTO runs (task_id, task_name, task_version, trigger_type, status, logical_date, ready_at, completed_at, created_at, updated_at)
     VALUES (?, 'load', 1, 'manual', 'failed', '', '', ?, ?, ?)`,
    task,
    ago(5),
    ago(5),
    ago(5),
  )
  expect(await items()).toMatchObject([{ kind: 'failure', task_id: task, run_id: alone, job_run_id: null }])
  run('UPDATE tasks SET archived = 1 WHERE id = ?', task)
  expect(await items()).toEqual([])
})

test('a missed run needs someone until its trigger or a person has started the job', async () => {
  const often = trigger()
  firing(often, 'started', ago(50))
  firing(often, 'missed', ago(40))
  firing(often, 'failed', ago(30))
  const scheduled = ago(20)
  firing(often, 'missed', scheduled)
  const [missed] = await items()
  expect(missed).toMatchObject({ kind: 'missed', trigger_id: often, message: 'Too late', count: 3, since: scheduled })
  // What the item offers is what the job takes.
  expect(missed?.start).toEqual({
    logical_date: scheduled,
    timezone: 'Europe/Berlin',
    arguments: { day: '2026-03-01' },
    selected_tasks: ['load'],
    skip_deps: true,
  })
  const { status } = await world.editor.post(`/api/jobs/${job}/run`, missed?.start)
  expect(status).toBe(201)
  expect((await items()).filter(({ kind }) => kind === 'missed')).toEqual([])
})

test('of missed runs only the newest of a trigger counts, and what is disabled or long past does not', async () => {
  const once = trigger('one_off', 0)
  firing(once, 'missed', ago(30))
  firing(trigger('cron', 0), 'missed', ago(20))
  const recovered = trigger()
  firing(recovered, 'missed', ago(30))
  firing(recovered, 'started', ago(25))
  firing(trigger(), 'missed', ago(8 * 24 * 60))
  expect(await items()).toMatchObject([{ kind: 'missed', trigger_id: once }])
})

test('the list says when it is not whole, and keeps its order', async () => {
  for (let index = 0; index < 3; index++) gate(jobRun('paused', ago(9)), `gate_${index}`, 'paused', ago(9 - index))
  firing(trigger(), 'missed', ago(5))
  const { items: first, truncated } = await attention(3)
  expect(truncated).toBe(true)
  expect(first.map(({ task_keys }) => task_keys[0])).toEqual(['gate_2', 'gate_1', 'gate_0'])
  expect((await attention(4)).truncated).toBe(false)
})
