import { describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import { type JobRunItem, getJobHistory, listJobRunItems, listJobRunRuns } from '../../../src/contract/job-runs.ts'
import { jobPlane, nameOf } from './job-plane.ts'

const work = (extra = '') => `{task: work, connectors: {out: dir}${extra ? `, ${extra}` : ''}}`
const lines = (tasks: Record<string, string>) =>
  Object.entries(tasks)
    .map(([key, text]) => `  ${key}: ${text}\n`)
    .join('')

describe('the graph of a job run', () => {
  test('shows the whole plan while it waits, in the order of the template', async () => {
    const plane = await jobPlane()
    const job = await plane.job(
      lines({
        z: work(),
        ask: '{gate: "Publish?", depends_on: [z]}',
        a: work('depends_on: [ask], for_each: {in: [1, 2], as: x}'),
      }),
    )
    plane.start(job)
    const id = plane.start(job)
    const { job_run, nodes } = plane.graph(id)
    expect(job_run).toMatchObject({
      status: 'pending',
      started_at: null,
      run_state: '{"z":"pending","ask":"pending","a":"pending"}',
      task_counts: { pending: 3 },
    })
    expect(
      nodes.map(({ key, kind, depends_on, for_each, task_name, message }) => [
        key,
        kind,
        depends_on,
        for_each,
        task_name,
        message,
      ]),
    ).toEqual([
      ['z', 'task', [], false, 'work', null],
      ['ask', 'gate', ['z'], false, null, 'Publish?'],
      ['a', 'task', ['ask'], true, 'work', null],
    ])
    expect(nodes[0]).toMatchObject({ status: 'pending', task_version: 1, overridden: false, run_id: null, items: [] })
  })

  test('has times, attempt, rows, outputs and errors of each task', async () => {
    const plane = await jobPlane()
    const id = plane.start(
      await plane.job(lines({ a: work(), b: '{task: stubborn, connectors: {out: dir}}', c: work('depends_on: [b]') })),
    )
    const [a, b] = plane.claim()
    expect(plane.node(id, 'a')).toMatchObject({ status: 'running', run_id: a!.run_id, attempt: 1, completed_at: null })
    const { run_id, attempt, lease_token } = a!
    const rejects = [{ step: 'cast', reason: 'bad', row: { a: 1 } }]
    await plane.services.runs.callbacks.rejects(run_id, { attempt, lease_token, seq: 1, rejects })
    await plane.complete(a!, { outputs: { rows: 3 }, reject_count: 1, status: 'completed' })
    await plane.fail(b!, true)
    const [again] = plane.claim()
    expect(plane.node(id, 'b')).toMatchObject({ status: 'running', attempt: 2 })
    await plane.fail(again!)
    expect(plane.node(id, 'a')).toMatchObject({
      status: 'completed',
      item_total: 1,
      item_counts: { completed: 1 },
      item_count: 3,
      reject_count: 1,
      outputs: '{"rows":3}',
      error_message: null,
    })
    expect(plane.node(id, 'a').duration_ms).toBeGreaterThanOrEqual(0)
    expect(plane.node(id, 'b')).toMatchObject({ status: 'failed', run_id: b!.run_id })
    expect(plane.node(id, 'b').error_message).toContain('The table is locked.')
    expect(plane.node(id, 'c')).toMatchObject({ status: 'skipped', reason: 'upstream', duration_ms: null })
  })

  test('a task that was resumed has the duration of its newest run, and as many runs as it had', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(lines({ a: work() })))
    await plane.fail(plane.claim()[0]!)
    expect(plane.node(id, 'a')).toMatchObject({ status: 'failed', run_count: 1 })
    await plane.services.jobRuns.resume(id, null)
    expect(plane.node(id, 'a')).toMatchObject({ status: 'queued', started_at: null, duration_ms: null })
    const [again] = plane.claim()
    await plane.complete(again!)
    const run = plane.services.runs.get(again!.run_id)
    expect(plane.node(id, 'a')).toMatchObject({
      status: 'success',
      run_count: 2,
      started_at: run.started_at,
      duration_ms: run.duration_ms,
    })
  })

  test('says what a queued task waits for', async () => {
    const plane = await jobPlane()
    expect(await plane.editor.put('/api/pools/narrow', { slots: 1 })).toMatchObject({ status: 200 })
    const job = await plane.job(
      lines({ a: work('pool: narrow'), b: work('pool: narrow'), c: work(), d: work() }),
      'concurrency: {tasks: 2}',
    )
    const id = plane.start(job)
    const waiting = () => plane.graph(id).nodes.flatMap(({ key, reason }) => (reason ? [[key, reason]] : []))
    expect(waiting()).toEqual([
      ['b', 'pool'],
      ['d', 'concurrency'],
    ])
    expect(plane.services.pools.list()).toMatchObject([{ name: 'narrow', slots: 1, used: 1, waiting: 1 }])
    const inPool = (pool: string) => plane.services.jobRunReads.list({ pool }).result.map((run) => run.id)
    expect(inPool('narrow')).toEqual([id])
    expect(inPool('wide')).toEqual([])
    await plane.editor.put('/api/pools/narrow', { slots: 2 })
    expect(waiting()).toEqual([
      ['b', 'concurrency'],
      ['d', 'concurrency'],
    ])
    await plane.services.jobRuns.pause(id, false)
    expect(waiting()).toEqual([])
    expect(plane.services.pools.list()).toMatchObject([{ waiting: 0 }])
    expect(inPool('narrow')).toEqual([])
  })

  test('says who opened a gate, and what he wrote', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(lines({ ask: '{gate: "Day ${{ run.id }}?"}' })))
    expect(plane.node(id, 'ask')).toMatchObject({ status: 'paused', message: `Day ${id}?`, decided_by: null })
    await plane.editor.post(`/api/job-runs/${id}/gates/ask`, { open: true, note: 'Figures checked' })
    expect(plane.node(id, 'ask')).toMatchObject({ status: 'success', decided_by: 'admin-1', note: 'Figures checked' })
  })

  test('of a fan-out tells the items under way, those that failed and the first ones, at most 200', async () => {
    const plane = await jobPlane()
    const id = plane.start(
      await plane.job(
        lines({ fan: work('for_each: {in: "${{ [1..400] }}", as: x, max_parallel: 256, on_item_error: continue}') }),
        'concurrency: {tasks: 256}',
      ),
    )
    const plans = plane.claim()
    expect(plans).toHaveLength(256)
    const failed = plans.slice(240)
    for (const plan of failed) await plane.fail(plan)
    for (const plan of plans.slice(0, 236)) await plane.complete(plan)
    const node = plane.node(id, 'fan')
    expect(node.items).toHaveLength(200)
    const first = plane.services.runs.get(failed[0]!.run_id)
    expect(node).toMatchObject({ run_id: first.id, item_total: 400, item_count: 236 * 3 })
    expect(node.item_counts).toEqual({ success: 236, failed: 16, running: 4, pending: 144 })
    const of = (status: string) => node.items.filter((item) => item.status === status).map(({ index }) => index)
    expect(of('running')).toEqual([236, 237, 238, 239])
    expect(of('failed')).toHaveLength(16)
    for (const plan of plans.slice(236, 240)) await plane.complete(plan)
    expect(plane.node(id, 'fan').outputs).toBeNull()
    await plane.drain(() => ({ outputs: { n: 1 } }))
    const ended = plane.node(id, 'fan')
    expect(ended.status).toBe('completed')
    expect(ended.items.filter(({ status }) => status === 'failed').map(({ index }) => index)).toEqual(
      Array.from({ length: 16 }, (_, n) => 240 + n),
    )
    expect(ended.items.slice(0, 3)).toMatchObject([
      { index: 0, item: 1 },
      { index: 1, item: 2 },
      { index: 2, item: 3 },
    ])
    // As the list that expressions see: of each item, whether it put out something or not.
    expect(JSON.parse(ended.outputs ?? '[]')).toEqual(
      Array.from({ length: 400 }, (_, index) => (index < 256 ? null : { n: 1 })),
    )

    const page = await plane.editor.call(listJobRunItems, {
      params: { id, key: 'fan' },
      query: { status: 'failed', limit: 10 },
    })
    expect(page.total).toBe(16)
    expect(page.result.map(({ index }) => index)).toEqual([240, 241, 242, 243, 244, 245, 246, 247, 248, 249])
    const next = (
      await plane.editor.get(`/api/job-runs/${id}/tasks/fan/items`, {
        query: { status: 'failed', limit: 10, cursor: page.nextCursor! },
      })
    ).body as Paginated<JobRunItem> // as the contract has it
    expect(next.result.map(({ index }) => index)).toEqual([250, 251, 252, 253, 254, 255])
    expect((await plane.editor.get(`/api/job-runs/${id}/tasks/nowhere/items`)).status).toBe(404)
  })

  test('of a template that this server cannot read any more still tells what was run', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(lines({ a: work() })))
    await plane.drain()
    const { sqlite } = plane.platform.store
    // Another snapshot, as an older release may have written it: those that were read are kept in memory.
    sqlite.exec(`INSERT INTO job_snapshots (job_id, job_template_id, template_version, yaml_content, tasks, dashboard_templates, created_at)
      SELECT job_id, job_template_id, template_version, 'etl: 0', tasks, dashboard_templates, created_at FROM job_snapshots`)
    sqlite.exec('UPDATE job_runs SET snapshot_id = (SELECT max(id) FROM job_snapshots)')
    const answer = await plane.editor.get(`/api/job-runs/${id}/graph`)
    expect(answer).toMatchObject({
      status: 200,
      body: { nodes: [{ key: 'a', status: 'success', depends_on: [], task_name: null }] },
    })
  })
})

test('the runs of a job run are listed newest first, those of one task on their own', async () => {
  const plane = await jobPlane()
  const id = plane.start(
    await plane.job(lines({ a: work(), b: work('depends_on: [a], for_each: {in: [1, 2, 3], as: x}') })),
  )
  const plans = await plane.drain()
  const list = async (query = {}) => (await plane.editor.call(listJobRunRuns, { params: { id }, query })).result
  expect((await list()).map((run) => run.id)).toEqual(plans.map(({ run_id }) => run_id).toReversed())
  expect((await list({ task_key: 'b' })).map(({ item_index }) => item_index)).toEqual([2, 1, 0])
  const page = await plane.editor.call(listJobRunRuns, { params: { id }, query: { task_key: 'b', limit: 1 } })
  expect([page.total, page.result[0]!.task_key]).toEqual([3, 'b'])
})

test('the history of a job has a state for each task of each job run, also of tasks that are gone', async () => {
  const plane = await jobPlane()
  const job = await plane.job(lines({ a: work(), b: work('depends_on: [a]') }))
  const first = plane.start(job)
  const [plan] = plane.claim()
  await plane.fail(plan!)
  const { yaml_content } = plane.services.jobs.snapshot(job)
  const { job_template_id } = plane.services.jobs.get(job)
  const put = await plane.editor.put(`/api/job-templates/${job_template_id}`, {
    yaml_content: yaml_content.replace('  b:', '  c: {task: work, connectors: {out: dir}}\n  d:'),
  })
  expect(put.status).toBe(200)
  expect((await plane.editor.post(`/api/jobs/${job}/upgrade`)).status).toBe(200)
  const second = plane.start(job)
  const done = await plane.drain()
  const history = await plane.editor.call(getJobHistory, { params: { id: job } })
  expect(history.task_keys).toEqual(['a', 'c', 'd', 'b'])
  expect(history.job_runs.map(({ job_run }) => job_run.id)).toEqual([second, first])
  const runOf = (key: string) => done.find((one) => nameOf(plane, one) === key)?.run_id
  expect(history.job_runs[0]!.tasks).toMatchObject({
    a: { status: 'success', run_id: runOf('a') },
    c: { status: 'success', run_id: runOf('c') },
    d: { status: 'success', run_id: runOf('d') },
  })
  expect(history.job_runs[1]!.tasks).toMatchObject({
    a: { status: 'failed', run_id: plan!.run_id, reason: null },
    b: { status: 'skipped', run_id: null, reason: 'upstream', duration_ms: null },
  })
})
