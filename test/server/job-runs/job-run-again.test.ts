import { describe, expect, test } from 'vitest'
import { type JobRunRerun, backfillJob, rerunJobRun } from '../../../src/contract/job-run-control.ts'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { type JobPlane, jobPlane, nameOf } from './job-plane.ts'

const work = (extra = '') => `{task: work, connectors: {out: dir}${extra ? `, ${extra}` : ''}}`
const lines = (tasks: Record<string, string>) =>
  Object.entries(tasks)
    .map(([key, text]) => `  ${key}: ${text}\n`)
    .join('')
/** a, then a fan-out over its output, then c behind it; e alone. */
const chain = lines({
  a: work(),
  b: work('depends_on: [a], for_each: {in: ["1", "2", "3"], as: x}, args: {value: "${{ each.x }}"}'),
  c: work('depends_on: [b], args: {value: "${{ $string(tasks.a.outputs.n) & $string(tasks.b.outputs) }}"}'),
  e: work(),
})
const rerun = (plane: JobPlane, id: number, body: object = {}): Promise<JobRunRerun> =>
  plane.editor.call(rerunJobRun, { params: { id }, body })
const names = (plane: JobPlane, plans: RunPlan[]) => plans.map((plan) => nameOf(plane, plan))
const outputs = (plan: RunPlan) => ({ outputs: { n: plan.run_id } })
const ownYaml = (value: string) => `etl: 1
kind: pipeline
name: mine
connectors:
  out: {type: file, access: write}
args:
  value: {type: string}
source: {inline: {rows: [{a: "${value}"}]}}
target: {connector: out, file: {path: out.csv}}
`

describe('a rerun', () => {
  test('from a task does it and what lies after it again, on the outcome of the rest', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(chain), { arguments: {}, logical_date: '2026-02-03T00:00:00.000Z' })
    const plans = await plane.drain(outputs)
    const c = plans.find((plan) => nameOf(plane, plan) === 'c')!
    const { job_run, ...told } = await rerun(plane, id, { from: ['c'] })
    expect(told).toMatchObject({ dry_run: false, runs: ['c'], overrides: [] })
    expect(told.reused.map(({ task_key }) => task_key)).toEqual(['a', 'b', 'e'])
    const again = job_run!
    expect(again).toMatchObject({ rerun_of: id, logical_date: '2026-02-03T00:00:00.000Z', status: 'running' })

    const done = await plane.drain(outputs)
    expect(names(plane, done)).toEqual(['c'])
    // The same list of outputs, and by that the same arguments.
    expect(done[0]!.arguments).toEqual(c.arguments)
    expect(plane.jobRun(again.id).status).toBe('completed')
    for (const key of ['a', 'b', 'e']) {
      const [before, after] = [plane.node(id, key), plane.node(again.id, key)]
      expect(after).toMatchObject({ status: before.status, reason: 'reused', run_id: before.run_id })
      expect([after.outputs, after.items, after.item_counts]).toEqual([
        before.outputs,
        before.items,
        before.item_counts,
      ])
    }
    // A rerun of the rerun still has them.
    const third = (await rerun(plane, again.id, { from: ['c'] })).job_run!
    await plane.drain(outputs)
    expect(plane.node(third.id, 'b').outputs).toBe(plane.node(id, 'b').outputs)
  })

  test('that is only asked for shows what would happen and does nothing', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(chain))
    await plane.drain(outputs)
    const body = { from: ['b'], dry_run: true, overrides: { c: ownYaml('x') } }
    const told = await rerun(plane, id, body)
    expect(told).toMatchObject({ dry_run: true, job_run: null, runs: ['b', 'c'] })
    expect(told.reused).toEqual(
      ['a', 'e'].map((key) => {
        const { status, run_id, outputs: put } = plane.node(id, key)
        return { task_key: key, status, run_id, outputs: put }
      }),
    )
    expect(told.overrides).toHaveLength(1)
    expect(told.overrides[0]).toMatchObject({ task_key: 'c', after: ownYaml('x') })
    expect(told.overrides[0]!.before).toContain('name: work')
    expect(plane.services.jobRunReads.list({}).total).toBe(1)
    expect(plane.claim()).toEqual([])
  })

  test('with an edited task runs that text, in this job run alone; the next rerun keeps it until it is taken back', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain)
    const id = plane.start(job)
    const pinned = (await plane.drain(outputs))[0]!.task.yaml_content
    const second = (await rerun(plane, id, { from: ['c'], overrides: { c: ownYaml('x') } })).job_run!
    expect((await plane.drain(outputs)).map(({ task }) => task.yaml_content)).toEqual([ownYaml('x')])
    expect(plane.node(second.id, 'c').overridden).toBe(true)
    expect(plane.node(id, 'c').overridden).toBe(false)

    const told = await rerun(plane, second.id, { from: ['c'], overrides: { c: ownYaml('x') }, dry_run: true })
    expect(told.overrides).toEqual([])
    await rerun(plane, second.id, { from: ['c'] })
    expect((await plane.drain(outputs)).map(({ task }) => task.yaml_content)).toEqual([ownYaml('x')])
    const last = await rerun(plane, second.id, { from: ['c'], overrides: { c: pinned } })
    expect(last.overrides).toEqual([{ task_key: 'c', before: ownYaml('x'), after: pinned }])
    expect(plane.node(last.job_run!.id, 'c').overridden).toBe(false)
    expect((await plane.drain(outputs))[0]!.task.yaml_content).toBe(pinned)
    const fresh = plane.start(job)
    expect(plane.node(fresh, 'c').overridden).toBe(false)
  })

  test('says how many items of a fan-out are repeated although they had succeeded', async () => {
    const plane = await jobPlane()
    const fan = 'for_each: {in: ["1", "2", "3"], as: x, on_item_error: continue}, args: {value: "${{ each.x }}"}'
    const id = plane.start(await plane.job(lines({ a: work(), b: work(`depends_on: [a], ${fan}`), c: work(fan) })))
    const finish = async () => {
      for (let plans = plane.claim(); plans.length > 0; plans = plane.claim())
        for (const plan of plans) {
          if (nameOf(plane, plan) === 'b[1]') await plane.fail(plan)
          else await plane.complete(plan, outputs(plan))
        }
    }
    await finish()
    const asked = async (run: number, from: string[]) => (await rerun(plane, run, { from, dry_run: true })).repeated
    expect(await asked(id, ['a'])).toEqual([{ task_key: 'b', items: 2 }])
    expect(await asked(id, ['a', 'c'])).toEqual([
      { task_key: 'b', items: 2 },
      { task_key: 'c', items: 3 },
    ])
    // Of what a rerun has taken over, too.
    const again = (await rerun(plane, id, { from: ['c'] })).job_run!
    await finish()
    expect(await asked(again.id, ['b'])).toEqual([{ task_key: 'b', items: 2 }])
  })

  test('keeps the failure of a branch that it leaves alone', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(chain))
    for (const plan of plane.claim()) {
      if (nameOf(plane, plan) === 'e') await plane.fail(plan)
      else await plane.complete(plan, outputs(plan))
    }
    await plane.drain(outputs)
    expect(plane.jobRun(id).status).toBe('failed')
    const kept = (await rerun(plane, id, { from: ['c'] })).job_run!
    await plane.drain(outputs)
    expect(plane.jobRun(kept.id).status).toBe('failed')
    const mended = (await rerun(plane, id, { from: ['e'] })).job_run!
    expect(names(plane, await plane.drain(outputs))).toEqual(['e'])
    expect(plane.jobRun(mended.id).status).toBe('completed')
  })

  test('uses what the earlier job run held, whatever the job holds by now', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain, 'parameters: {p: {type: string, default: one}}')
    const id = plane.start(job, { arguments: { p: 'given' } })
    await plane.drain(outputs)
    const { snapshot_id } = plane.services.jobs.forRun(job)
    const put = await plane.editor.put(`/api/jobs/${job}`, { parameters: { p: 'changed' } })
    expect(put.status).toBe(200)
    await rerun(plane, id)
    const rows = plane.platform.store.sqlite
      .prepare<[], { snapshot_id: number; parameters: string }>(
        'SELECT snapshot_id, parameters FROM job_runs ORDER BY id',
      )
      .all()
    expect(rows[1]).toEqual(rows[0])
    expect(rows[1]).toEqual({ snapshot_id, parameters: '{"p":"given"}' })
    const shown = async (jobRun: number) => (await plane.editor.get(`/api/job-runs/${jobRun}`)).body
    expect(await shown(id)).toMatchObject({ arguments: '{"p":"given"}', parameters: '{"p":"given"}' })
    expect(await shown(plane.start(job))).toMatchObject({ arguments: null, parameters: '{"p":"changed"}' })
  })

  test('of a selection stays with it; a task that was left out joins when it is named', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(chain), { selected_tasks: ['b'] })
    expect(names(plane, await plane.drain(outputs))).toEqual(['a', 'b[0]', 'b[1]', 'b[2]'])
    const same = await rerun(plane, id)
    expect(same).toMatchObject({ runs: ['a', 'b'], reused: [] })
    await plane.drain(outputs)
    expect(plane.states(same.job_run!.id)).toEqual({ a: 'success', b: 'success', c: 'skipped', e: 'skipped' })
    const more = await rerun(plane, id, { from: ['c'] })
    expect(more.runs).toEqual(['c'])
    expect(names(plane, await plane.drain(outputs))).toEqual(['c'])
    expect(plane.states(more.job_run!.id)).toEqual({ a: 'success', b: 'success', c: 'success', e: 'skipped' })
  })

  test('of a paused job run also does what had not ended', async () => {
    const plane = await jobPlane()
    const gate = lines({ a: work(), ask: '{gate: "Go on?", depends_on: [a]}', z: work('depends_on: [ask]'), e: work() })
    const id = plane.start(await plane.job(gate))
    await plane.drain(outputs)
    expect(plane.jobRun(id)).toMatchObject({ status: 'paused', pause_reason: 'gate' })
    const { runs, reused, job_run } = await rerun(plane, id, { from: ['e'] })
    expect([runs, reused.map(({ task_key }) => task_key)]).toEqual([['ask', 'z', 'e'], ['a']])
    // It waits its turn behind the one that is paused.
    expect(job_run!.status).toBe('pending')
    await plane.services.jobRuns.cancel(id)
    expect(names(plane, await plane.drain(outputs))).toEqual(['e'])
    expect(plane.jobRun(job_run!.id).status).toBe('paused')
  })

  test('is refused while the job run goes on, of an archived job, and for tasks and texts that do not fit', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain)
    const id = plane.start(job)
    const ask = async (body: object) => {
      const answer = await plane.editor.post(`/api/job-runs/${id}/rerun`, body)
      const { error, details } = answer.body as { error: string; details?: { path: string }[] } // an error, as the contract has it
      return [answer.status, error, details?.map(({ path }) => path)]
    }
    expect(await ask({})).toEqual([400, 'INVALID_STATE', undefined])
    await plane.drain(outputs)
    expect(await ask({ from: ['c', 'nowhere'] })).toEqual([400, 'VALIDATION_ERROR', ['body.from[1]']])
    expect(await ask({ overrides: { nowhere: ownYaml('x') } })).toEqual([
      400,
      'VALIDATION_ERROR',
      ['body.overrides.nowhere'],
    ])
    expect(await ask({ from: ['c'], overrides: { a: ownYaml('x') } })).toEqual([
      400,
      'VALIDATION_ERROR',
      ['body.overrides.a'],
    ])
    const [status, error, details] = await ask({ overrides: { a: 'etl: 1\nkind: pipline\n' } })
    expect([status, error]).toEqual([400, 'VALIDATION_ERROR'])
    expect(details).toEqual(['request', 'body.overrides.a.kind'])
    await plane.editor.patch(`/api/jobs/${job}/archive`)
    expect(await ask({})).toEqual([400, 'INVALID_STATE', undefined])
    expect((await plane.editor.post('/api/job-runs/999/rerun', {})).status).toBe(404)
  })

  test('asked for twice under one key is one rerun', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(chain))
    await plane.drain(outputs)
    const headers = { 'idempotency-key': 'once' }
    const [one, two] = await Promise.all(
      [1, 2].map(() => plane.editor.post(`/api/job-runs/${id}/rerun`, { from: ['c'] }, { headers })),
    )
    expect(two!.body).toEqual(one!.body)
    expect(plane.services.jobRunReads.list({}).total).toBe(2)
  })

  test('takes over a fan-out of 10,000 items in one go', async () => {
    const plane = await jobPlane()
    const tasks = lines({
      b: work('for_each: {in: "${{ [1..10000] }}", as: x}'),
      c: work('depends_on: [b]'),
    })
    const id = plane.start(await plane.job(tasks, 'concurrency: {tasks: 4}'))
    const { sqlite } = plane.platform.store
    // Ten thousand reports are what other tests are for: here the rows are needed.
    await plane.services.jobRuns.cancel(id)
    sqlite.exec(`UPDATE job_run_items SET status = 'success', outputs = '{"n":1}'`)
    sqlite.exec("UPDATE job_run_tasks SET status = 'success', reason = NULL WHERE task_key = 'b'")
    const { job_run } = await rerun(plane, id, { from: ['c'] })
    const node = plane.node(job_run!.id, 'b')
    expect(node).toMatchObject({ item_total: 10_000, item_counts: { success: 10_000 } })
    expect(node.items).toHaveLength(200)
  })
})

describe('a backfill', () => {
  test('starts a job run for each day, oldest first, so many at once, and waits for nothing else of its own', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work('args: {value: "${{ run.logical_date }}"}') }))
    const body = { from: '2026-03-28', to: '2026-03-31', timezone: 'Europe/Berlin', max_parallel: 2 }
    const told = await plane.editor.call(backfillJob, { params: { id: job }, body })
    const dates = [
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]
    expect(told).toMatchObject({ dry_run: false, logical_dates: dates })
    const states = () => told.job_run_ids.map((id) => plane.jobRun(id).status)
    expect(states()).toEqual(['running', 'running', 'pending', 'pending'])
    expect(told.job_run_ids.map((id) => plane.jobRun(id).backfill_id)).toEqual(dates.map(() => told.backfill_id))
    const first = plane.claim()
    // The same moments, on the clocks of Berlin.
    expect(first.map((plan) => plan.arguments['value'])).toEqual([
      '2026-03-28T00:00:00.000+01:00',
      '2026-03-29T00:00:00.000+01:00',
    ])
    await plane.complete(first[1]!)
    expect(states()).toEqual(['running', 'completed', 'running', 'pending'])
    await plane.complete(first[0]!)
    await plane.drain()
    expect(states()).toEqual(dates.map(() => 'completed'))
    expect(plane.services.jobRunReads.list({ backfill_id: told.backfill_id }).total).toBe(4)
  })

  test('that is only asked for names the dates and starts nothing', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }))
    const body = { from: '2026-01-31', to: '2026-04-30', every: 'month', dry_run: true } as const
    const told = await plane.editor.call(backfillJob, { params: { id: job }, body })
    expect(told.logical_dates.map((date) => date.slice(0, 10))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
    ])
    expect(told.job_run_ids).toEqual([])
    expect(plane.services.jobRunReads.list({}).total).toBe(0)
  })

  test('that is only asked for refuses what the backfill would refuse', async () => {
    const plane = await jobPlane()
    const job = await plane.job(
      lines({ a: work() }),
      'parameters: {n: {type: integer, default: 1}}\nconcurrency: {on_overlap: skip}',
    )
    const ask = async (more: object) => {
      const body = { from: '2026-01-01', to: '2026-01-03', dry_run: true, ...more }
      const answer = await plane.editor.post(`/api/jobs/${job}/backfill`, body)
      return [answer.status, (answer.body as ErrorBody).details?.map(({ path }) => path)]
    }
    expect(await ask({})).toEqual([200, undefined])
    expect(await ask({ selected_tasks: ['nowhere'] })).toEqual([400, ['body.selected_tasks[0]']])
    expect(await ask({ arguments: { n: 'many' } })).toEqual([400, ['body.arguments.n']])
    plane.start(job)
    expect(await ask({})).toEqual([409, undefined])
    expect(plane.services.jobRunReads.list({}).total).toBe(1)
  })

  test('is all or nothing', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }), 'concurrency: {on_overlap: skip}')
    plane.start(job)
    const post = (body: object) => plane.editor.post(`/api/jobs/${job}/backfill`, body)
    const range = { from: '2026-01-01', to: '2026-01-03' }
    expect(await post(range)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
    await plane.drain()
    expect(await post({ ...range, selected_tasks: ['nowhere'] })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.selected_tasks[0]' }] },
    })
    expect(await post({ ...range, timezone: 'Mars/Olympus' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.timezone' }] },
    })
    expect(await post({ from: '2026-02-30', to: '2026-03-01' })).toMatchObject({ status: 400 })
    expect(plane.services.jobRunReads.list({}).total).toBe(1)
    expect(await post(range)).toMatchObject({ status: 200 })
    await plane.editor.patch(`/api/jobs/${job}/archive`)
    expect(await post(range)).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
    expect((await plane.editor.post('/api/jobs/999/backfill', range)).status).toBe(404)
  })

  test('of a thousand dates is one answer', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }))
    const body = { from: '2023-01-01', to: '2025-09-26', max_parallel: 16 }
    const told = await plane.editor.call(backfillJob, { params: { id: job }, body })
    expect(told.job_run_ids).toHaveLength(1_000)
    expect(plane.services.jobRunReads.list({ status: ['running'] }).total).toBe(16)
    expect(plane.claim()).toHaveLength(16)
  })
})
