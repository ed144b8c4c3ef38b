import { describe, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { createTestClock } from '../../support/platform.ts'
import { startTestServer } from '../../support/server.ts'
import { type JobPlane, jobPlane, nameOf } from './job-plane.ts'

const work = (extra = '', task = 'work') => `{task: ${task}, connectors: {out: dir}${extra ? `, ${extra}` : ''}}`
const lines = (tasks: Record<string, string>) =>
  Object.entries(tasks)
    .map(([key, text]) => `  ${key}: ${text}\n`)
    .join('')
const refusal = async (asked: () => unknown): Promise<Refusal> => {
  try {
    await asked()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('was not refused')
}
const committed = (plane: JobPlane, { run_id, attempt, lease_token }: RunPlan) =>
  plane.services.runs.callbacks.state(run_id, {
    attempt,
    lease_token,
    state: 'committed',
    started_at: new Date().toISOString(),
  })
const names = (plane: JobPlane, plans: ReturnType<JobPlane['claim']>) => plans.map((plan) => nameOf(plane, plan))

describe('order', () => {
  test('a chain of 40 tasks runs in order, each when the one before has ended, and the job run completes', async () => {
    const plane = await jobPlane()
    const keys = Array.from({ length: 40 }, (_, n) => `t${n}`)
    const job = await plane.job(
      lines(Object.fromEntries(keys.map((key, n) => [key, work(n ? `depends_on: [t${n - 1}]` : '')]))),
    )
    const id = plane.start(job)
    expect(plane.node(id, 't1').status).toBe('pending')
    expect(names(plane, await plane.drain())).toEqual(keys)
    expect(plane.jobRun(id)).toMatchObject({ status: 'completed', error_message: null, task_counts: { success: 40 } })
  })

  test('the more urgent task gets the room first, and its run says so to executors', async () => {
    const plane = await jobPlane()
    const tasks = { low: work('priority: -5'), plain: work(), high: work('priority: 7') }
    const id = plane.start(await plane.job(lines(tasks), 'concurrency: {tasks: 1}'), { priority: 3 })
    const plans = await plane.drain()
    expect(names(plane, plans)).toEqual(['high', 'plain', 'low'])
    expect(plane.jobRun(id).priority).toBe(3)
  })

  test('outputs, status and counts of tasks upstream reach arguments; those of a fan-out as a list', async () => {
    const plane = await jobPlane()
    const value =
      '${{ $string([tasks.fan.outputs.n, tasks.one.outputs.n, tasks.fan.item_count, $count(tasks.fan.items)]) }}'
    const tasks = {
      one: work(),
      fan: work('depends_on: [one], for_each: {in: [5, 6], as: x}, args: {value: "${{ each.x }}/${{ each.index }}"}'),
      last: work(`depends_on: [fan], args: {value: "${value}"}`),
      all: work('depends_on: [last], args: {value: "${{ tasks.one.status }} ${{ job.name }} ${{ run.id }}"}'),
    }
    const id = plane.start(await plane.job(lines(tasks)))
    const plans = await plane.drain((plan) => ({ outputs: { n: plan.run_id } }))
    const runs = plans.map(({ run_id }) => run_id)
    expect(plans.map((plan) => plan.arguments['value'])).toEqual([
      undefined,
      '5/0',
      '6/1',
      JSON.stringify([runs[1], runs[2], runs[0], 6, 2]),
      `success job_1 ${id}`,
    ])
    expect(plane.node(id, 'fan').outputs).toBe(JSON.stringify([{ n: runs[1] }, { n: runs[2] }]))
  })
})

describe('what cannot be worked out', () => {
  test('arguments that cannot be evaluated fail their unit of work, not the others, with the reason', async () => {
    const plane = await jobPlane()
    const fan = work(
      'for_each: {in: ["1", "x", "3"], as: x, on_item_error: continue}, args: {value: "${{ $string($number(each.x)) }}"}',
    )
    const id = plane.start(await plane.job(lines({ fan, after: work('depends_on: [fan]') })))
    expect(names(plane, await plane.drain())).toEqual(['fan[0]', 'fan[2]', 'after'])
    expect(plane.node(id, 'fan')).toMatchObject({ status: 'completed', item_counts: { success: 2, failed: 1 } })
    expect(plane.node(id, 'fan').items[1]).toMatchObject({ status: 'failed', run_id: null })
    expect(plane.node(id, 'fan').items[1]?.error_message).toContain('args.value')
  })

  test('a connector that was archived since fails the task when it is to start', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(lines({ a: work(), b: work('depends_on: [a]') })))
    const [plan] = plane.claim()
    expect((await plane.editor.patch(`/api/connectors/${plane.folder}/archive`)).status).toBe(200)
    await plane.complete(plan!)
    expect(plane.states(id)).toEqual({ a: 'success', b: 'failed' })
    expect(plane.jobRun(id).status).toBe('failed')
    expect(plane.jobRun(id).error_message).toMatch(/^Task b failed: .*archived/)
  })

  test('a for_each that gives no list fails its task; an empty one is a success with nothing done', async () => {
    const plane = await jobPlane()
    const tasks = {
      bad: work('for_each: {in: "${{ parameters.many }}", as: x}, on_failure: continue'),
      none: work('for_each: {in: "${{ parameters.none }}", as: x}'),
    }
    const head = 'parameters: {many: {type: json, default: 3}, none: {type: list, items: string, default: []}}'
    const id = plane.start(await plane.job(lines(tasks), head))
    expect(plane.states(id)).toEqual({ bad: 'failed', none: 'success' })
    expect(plane.node(id, 'none').reason).toBe('empty')
    expect(plane.node(id, 'bad').error_message).toContain('it must be a list')
    expect(plane.jobRun(id).status).toBe('completed')
  })
})

describe('a fan-out', () => {
  test('has a run for an item that is null, too, written in the job or given by an expression', async () => {
    const plane = await jobPlane()
    const args = 'as: x}, args: {value: "${{ each.x }}"}'
    const tasks = {
      written: work(`for_each: {in: [a, null, c], ${args}`),
      given: work(`depends_on: [written], for_each: {in: "\${{ parameters.items }}", ${args}`),
    }
    const head = 'parameters: {items: {type: json, default: [null, "b"]}}'
    const id = plane.start(await plane.job(lines(tasks), head))
    const plans = await plane.drain()
    expect(plans.map((plan) => [nameOf(plane, plan), plan.arguments['value']])).toEqual([
      ['written[0]', 'a'],
      ['written[1]', null],
      ['written[2]', 'c'],
      ['given[0]', null],
      ['given[1]', 'b'],
    ])
    expect(plane.states(id)).toEqual({ written: 'success', given: 'success' })
  })

  test('of 1,000 items starts each once, and never more than its limit at once', async () => {
    const plane = await jobPlane()
    plane.platform.store.sqlite.pragma('synchronous = OFF')
    const items = `for_each: {in: "\${{ [1..1000] }}", as: x, max_parallel: 16}, args: {value: "\${{ $string(each.x) }}"}`
    const id = plane.start(
      await plane.job(lines({ fan: work(items), after: work('depends_on: [fan]') }), 'concurrency: {tasks: 64}'),
    )
    const seen = new Set<unknown>()
    let plans = plane.claim()
    expect(plans).toHaveLength(16)
    while (plans.length > 0) {
      expect(plans.length).toBeLessThanOrEqual(16)
      for (const plan of plans) {
        seen.add(plan.arguments['value'])
        await plane.complete(plan, { outputs: { n: plan.arguments['value'] } })
      }
      plans = plane.claim()
    }
    expect(seen.size).toBe(1_001)
    expect(plane.node(id, 'fan')).toMatchObject({
      status: 'success',
      item_total: 1_000,
      item_counts: { success: 1_000 },
    })
    expect(plane.jobRun(id).status).toBe('completed')
  })

  test('keeps saved state for each item of its own, apart from that of the task by itself', async () => {
    const plane = await jobPlane()
    const yaml_content = `etl: 1
kind: pipeline
name: cursor
connectors: {out: {type: file, access: read_write}}
state: {cursor: {field: at, type: datetime, initial: "2026-01-01T00:00:00Z"}}
source: {connector: out, files: {glob: in.csv}}
target: {connector: out, file: {path: out.csv}}`
    const cursor = await plane.editor.post('/api/tasks', { yaml_content })
    expect(cursor.status).toBe(201)
    const job = await plane.job(lines({ fan: work('for_each: {in: [eu, us], as: x}', 'cursor') }))
    plane.start(job)
    const first = await plane.drain((plan) => ({ state: { cursor: nameOf(plane, plan) } }))
    expect(first.map(({ state }) => state)).toEqual([null, null])
    plane.start(job)
    const second = await plane.drain()
    expect(second.map(({ state }) => state)).toEqual([{ cursor: 'fan[0]' }, { cursor: 'fan[1]' }])
    const other = await plane.job(lines({ fan: work('for_each: {in: [eu, us], as: x}', 'cursor') }))
    plane.start(other)
    expect((await plane.drain()).map(({ state }) => state)).toEqual([null, null])
  })
})

describe('pools', () => {
  test('two job runs share the slots; a freed slot goes to the more urgent, then to who waits longest', async () => {
    const plane = await jobPlane()
    await plane.editor.put('/api/pools/dw', { slots: 1 })
    const job = async (extra = '') => plane.job(lines({ a: work(`pool: dw${extra}`), b: work(`pool: dw${extra}`) }))
    const [first, second, urgent] = [await job(), await job(), await job(', priority: 9')]
    const ids = [plane.start(first), plane.start(second), plane.start(urgent)]
    const order: number[] = []
    for (let plans = plane.claim(); plans.length > 0; plans = plane.claim()) {
      expect(plans).toHaveLength(1)
      for (const plan of plans) {
        order.push(ids.indexOf(plan.job_run_id!))
        await plane.complete(plan)
      }
    }
    expect(order).toEqual([0, 2, 2, 0, 1, 1])
  })

  test('that grow let others in at once, that go limit nobody, and with no slots hold everything back', async () => {
    const plane = await jobPlane()
    await plane.editor.put('/api/pools/dw', { slots: 0 })
    const id = plane.start(await plane.job(lines({ fan: work('pool: dw, for_each: {in: [1, 2, 3, 4, 5], as: x}') })))
    expect(plane.claim()).toEqual([])
    expect(plane.node(id, 'fan')).toMatchObject({ status: 'queued', reason: 'pool' })
    await plane.editor.put('/api/pools/dw', { slots: 2 })
    expect(plane.claim()).toHaveLength(2)
    await plane.editor.delete('/api/pools/dw')
    expect(plane.claim()).toHaveLength(3)
  })
})

describe('overlap', () => {
  const chain = lines({ a: work() })
  test('queue: the next begins when the one before has ended, oldest first', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain)
    const ids = [plane.start(job), plane.start(job), plane.start(job)]
    const states = () => ids.map((id) => plane.jobRun(id).status)
    expect(states()).toEqual(['running', 'pending', 'pending'])
    await plane.complete(plane.claim()[0]!)
    expect(states()).toEqual(['completed', 'running', 'pending'])
    await plane.services.jobRuns.cancel(ids[1]!)
    expect(states()).toEqual(['completed', 'cancelled', 'running'])
  })

  test('skip: refused with a 409 that names the one under way, whatever started it', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain, 'concurrency: {on_overlap: skip}')
    const id = plane.start(job)
    expect(plane.start(job)).toBe(-id)
    const answer = await plane.editor.post(`/api/jobs/${job}/run`)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ error: 'CONFLICT', message: expect.stringContaining(`Job run #${id} `) })
    await plane.drain()
    expect((await plane.editor.post(`/api/jobs/${job}/run`)).status).toBe(201)
  })

  test('cancel_running: earlier ones are cancelled, the new one begins when they have ended', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain, 'concurrency: {on_overlap: cancel_running}')
    const first = plane.start(job)
    const [plan] = plane.claim()
    const [second, third] = [plane.start(job), plane.start(job)]
    expect([first, second, third].map((id) => plane.jobRun(id).status)).toEqual(['running', 'cancelled', 'pending'])
    await plane.complete(plan!, { status: 'cancelled' })
    expect([first, third].map((id) => plane.jobRun(id).status)).toEqual(['cancelled', 'running'])
  })

  test('job runs of one backfill only count each other', async () => {
    const plane = await jobPlane()
    const job = await plane.job(chain)
    const backfill = { id: 'b1', max_parallel: 2 }
    const ids = [
      plane.start(job, { backfill }),
      plane.start(job, { backfill }),
      plane.start(job, { backfill }),
      plane.start(job),
    ]
    const states = () => ids.map((id) => plane.jobRun(id).status)
    expect(states()).toEqual(['running', 'running', 'pending', 'pending'])
    await plane.complete(plane.claim(1)[0]!)
    expect(states()).toEqual(['completed', 'running', 'running', 'pending'])
    await plane.drain()
    expect(states()).toEqual(['completed', 'completed', 'completed', 'completed'])
  })
})

describe('starting', () => {
  test('with selected tasks takes those upstream along, or not', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work(), b: work('depends_on: [a]'), c: work('depends_on: [b]'), d: work() }))
    const some = plane.start(job, { selected_tasks: ['b'] })
    expect(names(plane, await plane.drain())).toEqual(['a', 'b'])
    expect(plane.states(some)).toEqual({ a: 'success', b: 'success', c: 'skipped', d: 'skipped' })
    const alone = plane.start(job, { selected_tasks: ['c'], skip_deps: true })
    expect(names(plane, await plane.drain())).toEqual(['c'])
    expect(plane.node(alone, 'a').reason).toBe('not_selected')
    expect(plane.jobRun(alone)).toMatchObject({ status: 'completed', selected_tasks: '["c"]', skip_deps: 1 })
  })

  test('refuses unknown tasks, arguments that do not fit, an archived job, and a job that there is not', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ load: work() }), 'parameters: {n: {type: integer}}')
    expect(await refusal(() => plane.start(job, { selected_tasks: ['laod'] }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.selected_tasks[0]', message: expect.stringContaining('did you mean load') }],
    })
    expect(await refusal(() => plane.start(job, { arguments: { n: 'x', m: 1 } }))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.arguments.m' }, { path: 'body.arguments.n' }],
    })
    expect(await refusal(() => plane.start(99))).toMatchObject({ code: 'NOT_FOUND' })
    const open = plane.start(job, { arguments: { n: 2 } })
    await plane.editor.patch(`/api/jobs/${job}/archive`)
    expect(await refusal(() => plane.start(job))).toMatchObject({ code: 'INVALID_STATE' })
    await plane.drain()
    expect(plane.jobRun(open).status).toBe('completed')
  })

  test('takes arguments over the parameters of the job, and defaults that know the job run', async () => {
    const plane = await jobPlane()
    const head = 'parameters: {day: {type: date, default: "${{ run.logical_date }}"}, n: {type: integer, default: 1}}'
    const a = work('args: {value: "${{ parameters.day }} ${{ parameters.n }}"}')
    const job = await plane.job(lines({ a }), head)
    plane.start(job, { arguments: { n: 5 }, logical_date: '2026-02-03T01:00:00+02:00' })
    const [plan] = plane.claim()
    expect(plan?.arguments['value']).toBe('2026-02-02 5')
    expect(plan?.logical_date).toBe('2026-02-02T23:00:00.000Z')
  })
})

describe('time', () => {
  test('a job run that is over its time is stopped and fails; pauses do not count', async () => {
    const clock = createTestClock()
    const plane = await jobPlane({ clock })
    const id = plane.start(await plane.job(lines({ a: work(), b: work('depends_on: [a]') }), 'timeout: 10m'))
    const [plan] = plane.claim()
    clock.advance(300_000)
    await plane.services.jobRuns.pause(id, false)
    expect(plane.jobRun(id)).toMatchObject({ ran_ms: 300_000, running_since: null, duration_ms: null })
    clock.advance(3_600_000)
    await plane.services.jobRuns.resume(id, null)
    const running_since = clock.iso()
    expect(plane.jobRun(id)).toMatchObject({ ran_ms: 300_000, running_since, duration_ms: null })
    clock.advance(299_000)
    plane.services.jobRuns.sweep()
    expect(plane.jobRun(id).status).toBe('running')
    clock.advance(1_000)
    plane.services.jobRuns.sweep()
    expect(plane.states(id)).toEqual({ a: 'running', b: 'skipped' })
    await plane.complete(plan!, { status: 'cancelled' })
    expect(plane.jobRun(id)).toMatchObject({
      status: 'failed',
      error_message: 'The job run took longer than its time limit.',
      duration_ms: 600_000,
    })
    await plane.services.jobRuns.resume(id, null)
    await plane.drain()
    expect(plane.jobRun(id)).toMatchObject({ status: 'completed', error_message: null })
  })

  test('a job run that has not ended by its deadline is told late, once; the timer finds it by itself', async () => {
    const clock = createTestClock()
    const plane = await jobPlane({ clock })
    const job = await plane.job(lines({ a: work() }), 'deadline: 1h')
    const late: number[] = []
    plane.services.jobRuns.onLate(({ id, status }) => void (status === 'running' && late.push(id)))
    const [first, second] = [plane.start(job), plane.start(await plane.job(lines({ a: work() }), 'deadline: 2h'))]
    clock.advance(3_600_000)
    for (let n = 0; n < 2; n++) plane.services.jobRuns.sweep()
    expect(late).toEqual([first])
    await plane.drain()
    clock.advance(3_600_000)
    plane.services.jobRuns.sweep()
    expect([late, plane.jobRun(second).status]).toEqual([[first], 'completed'])
  })
})

describe('resuming what failed', () => {
  test('keeps what is done with its outputs and does the rest again, on the same snapshot', async () => {
    const plane = await jobPlane()
    const tasks = {
      a: work(),
      fan: work('depends_on: [a], for_each: {in: [1, 2, 3], as: x, on_item_error: continue, max_parallel: 3}'),
      bad: work('depends_on: [a]'),
      last: work('depends_on: [fan, bad], args: {value: "${{ $string(tasks.a.outputs.n) }}"}'),
    }
    const id = plane.start(await plane.job(lines(tasks)))
    await plane.complete(plane.claim()[0]!, { outputs: { n: 42 } })
    for (const plan of plane.claim()) {
      const name = nameOf(plane, plan)
      await (name === 'fan[1]' || name === 'bad' ? plane.fail(plan) : plane.complete(plan))
    }
    expect(plane.states(id)).toEqual({ a: 'success', fan: 'completed', bad: 'failed', last: 'skipped' })
    expect(plane.jobRun(id)).toMatchObject({ status: 'failed', error_message: 'Task bad failed: The table is locked.' })
    await plane.services.jobRuns.resume(id, null)
    const again = await plane.drain()
    // The fan-out is done: it was completed.
    expect(names(plane, again)).toEqual(['bad', 'last'])
    expect(again[1]?.arguments['value']).toBe('42')
    expect(plane.jobRun(id)).toMatchObject({ status: 'completed', task_counts: { success: 3, completed: 1 } })
    expect(plane.services.jobRunReads.list({ status: ['success'] }).total).toBe(0)
  })

  test('runs only the items that are not done, unless what they come from is done again', async () => {
    const plane = await jobPlane()
    const fan = 'for_each: {in: [1, 2, 3], as: x, max_parallel: 1}'
    const id = plane.start(await plane.job(lines({ fan: work(fan) })))
    await plane.complete(plane.claim()[0]!)
    await plane.fail(plane.claim()[0]!)
    expect(plane.node(id, 'fan')).toMatchObject({
      status: 'failed',
      item_counts: { success: 1, failed: 1, skipped: 1 },
    })
    await plane.services.jobRuns.resume(id, null)
    expect(names(plane, await plane.drain())).toEqual(['fan[1]', 'fan[2]'])
    expect(plane.jobRun(id).status).toBe('completed')
  })

  test('does again what a rerun has only taken over, within the limits of its task', async () => {
    const plane = await jobPlane()
    const fan = work('for_each: {in: [1, 2, 3], as: x, max_parallel: 1, on_item_error: continue}')
    const first = plane.start(await plane.job(lines({ fan, x: work() })))
    for (let plans = plane.claim(); plans.length > 0; plans = plane.claim())
      for (const plan of plans) await plane.fail(plan)
    const origin = { trigger_type: 'manual', created_by: null } as const
    const { job_run } = plane.services.reruns.rerun(first, { from: ['x'] }, origin)
    expect(names(plane, await plane.drain())).toEqual(['x'])
    expect(plane.jobRun(job_run!.id)).toMatchObject({ status: 'failed', task_counts: { success: 1, failed: 1 } })
    await plane.services.jobRuns.resume(job_run!.id, null)
    expect(names(plane, plane.claim())).toEqual(['fan[0]'])
    expect(plane.node(job_run!.id, 'fan')).toMatchObject({ status: 'running', reason: null })
  })

  test('waits for another job run of the job that has not ended', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }))
    const first = plane.start(job)
    await plane.fail(plane.claim()[0]!)
    const second = plane.start(job)
    expect(await refusal(() => plane.services.jobRuns.resume(first, null))).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining(`Job run #${second} `),
    })
    await plane.drain()
    await plane.services.jobRuns.resume(first, null)
    expect(plane.jobRun(first).status).toBe('running')
  })
})

describe('runs of a job run', () => {
  test('are tried again as the task says unless the template says otherwise; not by themselves afterwards', async () => {
    const plane = await jobPlane()
    const tasks = { a: work('', 'stubborn'), b: work('retries: {max: 0}', 'stubborn') }
    const id = plane.start(await plane.job(lines(tasks)))
    for (let n = 0; n < 3; n++) for (const plan of plane.claim()) await plane.fail(plan, true)
    expect(plane.states(id)).toEqual({ a: 'failed', b: 'failed' })
    expect([plane.node(id, 'a').attempt, plane.node(id, 'b').attempt]).toEqual([3, 1])
    const run = plane.services.runs.get(plane.node(id, 'a').run_id!)
    expect(run).toMatchObject({ job_run_id: id, task_key: 'a', item_index: null, overridden: false })
    const answer = await plane.editor.post(`/api/runs/${run.id}/retry`)
    expect([answer.status, answer.body]).toMatchObject([400, { error: 'INVALID_STATE' }])
    const { total } = plane.services.runs.list({ job_run_id: id, task_key: 'a' })
    expect(total).toBe(1)
  })

  test('run the text of the job instead of the version’s, and say so', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }))
    const { tasks } = plane.services.jobs.snapshot(job)
    const yaml_content = `${tasks[0]!.yaml_content}\ndescription: another text\n`
    const saved = await plane.editor.put(`/api/jobs/${job}/tasks/a/override`, { yaml_content })
    expect([saved.status, saved.body]).toMatchObject([200, {}])
    const id = plane.start(job)
    // What the job is told later changes nothing for a job run that was started.
    await plane.editor.delete(`/api/jobs/${job}/tasks/a/override`)
    const [plan] = plane.claim()
    expect(plan?.task).toMatchObject({ name: 'work', version: 1, yaml_content })
    expect(plane.services.runs.get(plan!.run_id).overridden).toBe(true)
    expect(plane.node(id, 'a').overridden).toBe(true)
  })

  test('all that a pause has stopped is done again, also in a fan-out that had failed before, whoever is heard of first', async () => {
    const plane = await jobPlane()
    const fan = work('for_each: {in: [0, 1, 2], as: x, max_parallel: 2}, on_failure: stop')
    const job = await plane.job(lines({ fan, other: work() }))
    // Those that have begun when the pause comes, as they are heard of.
    for (const begun of [[], ['fan[1]'], ['other'], ['fan[1]', 'other'], ['other', 'fan[1]']]) {
      const id = plane.start(job)
      const [first, ...rest] = plane.claim()
      const byName = new Map(rest.map((plan) => [nameOf(plane, plan), plan]))
      for (const [name, plan] of byName) if (!begun.includes(name)) plane.services.runs.attempts.giveBack(plan)
      await plane.fail(first!)
      await plane.services.jobRuns.pause(id, true)
      for (const name of begun) await plane.complete(byName.get(name)!, { status: 'cancelled' })
      expect(plane.states(id)).toEqual({ fan: 'queued', other: 'queued' })
      await plane.services.jobRuns.resume(id, null)
      const again = await plane.drain()
      expect(again.map((plan) => [nameOf(plane, plan), plan.attempt])).toEqual([
        ['fan[1]', 1],
        ['other', 1],
      ])
      expect(plane.states(id)).toEqual({ fan: 'failed', other: 'success' })
      expect(plane.node(id, 'fan').item_counts).toEqual({ failed: 1, success: 1, skipped: 1 })
    }
  })

  test('a task that fails during a pause leaves what the pause has stopped waiting, whoever is heard of first', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work('on_failure: stop'), b: work() }))
    for (const first of ['a', 'b']) {
      const id = plane.start(job)
      const [a, b] = plane.claim()
      await committed(plane, a!)
      await plane.services.jobRuns.pause(id, true)
      const ends = [() => plane.fail(a!), () => plane.complete(b!, { status: 'cancelled' })]
      for (const end of first === 'a' ? ends : ends.toReversed()) await end()
      expect(plane.states(id)).toEqual({ a: 'failed', b: 'queued' })
      await plane.services.jobRuns.resume(id, null)
      expect(plane.states(id)).toEqual({ a: 'failed', b: 'skipped' })
      await plane.services.jobRuns.resume(id, null)
      expect(names(plane, await plane.drain())).toEqual(['a', 'b'])
      expect(plane.jobRun(id).status).toBe('completed')
    }
  })

  test('what a run has committed is not written again after a pause that stops what is under way', async () => {
    const plane = await jobPlane()
    const id = plane.start(await plane.job(lines({ a: work(), b: work() })))
    const [a, b] = plane.claim()
    await committed(plane, a!)
    await plane.services.jobRuns.pause(id, true)
    // The one had done its work and is let end; the other has committed before it heard of the pause.
    await committed(plane, b!)
    await plane.complete(a!)
    await plane.complete(b!, { status: 'cancelled' })
    await plane.services.jobRuns.resume(id, null)
    expect(plane.claim()).toEqual([])
    expect(plane.states(id)).toEqual({ a: 'success', b: 'cancelled' })
    expect(plane.node(id, 'b').error_message).toContain('after its rows were committed')
    expect(plane.jobRun(id).status).toBe('failed')
  })

  test('one that is cancelled alone leaves its task cancelled, and others go on', async () => {
    const plane = await jobPlane()
    const tasks = { a: work(), b: work(), c: work('depends_on: [a]'), d: work('depends_on: [a], run_if: any_failed') }
    const id = plane.start(await plane.job(lines(tasks)))
    await plane.services.runs.cancel(plane.node(id, 'a').run_id!)
    await plane.drain()
    expect(plane.states(id)).toEqual({ a: 'cancelled', b: 'success', c: 'skipped', d: 'success' })
    expect(plane.jobRun(id)).toMatchObject({ status: 'failed', error_message: 'Task a was canceled.' })
  })
})

describe('the end of a job run', () => {
  test('is told in its transaction, with how the one before ended; what is refused there undoes the completion', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work() }))
    const told: [number, string, string | null][] = []
    let broken = false
    plane.services.jobRuns.onEnded((end) => {
      if (broken) throw new Refusal('CONFLICT')
      told.push([end.id, end.status, end.previous_status])
    })
    const first = plane.start(job)
    await plane.fail(plane.claim()[0]!)
    const second = plane.start(job)
    await plane.drain()
    const third = plane.start(job)
    await plane.drain()
    await plane.services.jobRuns.resume(first, null)
    await plane.drain()
    expect(told).toEqual([
      [first, 'failed', null],
      [second, 'completed', 'failed'],
      [third, 'completed', 'completed'],
      [first, 'completed', 'failed'],
    ])
    expect((await plane.editor.get(`/api/jobs/${job}`)).body).toMatchObject({
      last_run_id: third,
      last_run_status: 'completed',
    })
    broken = true
    const fourth = plane.start(job)
    const [plan] = plane.claim()
    expect((await refusal(() => plane.complete(plan!))).code).toBe('CONFLICT')
    expect([plane.jobRun(fourth).status, plane.services.runs.get(plan!.run_id).status]).toEqual(['running', 'running'])
    broken = false
    await plane.complete(plan!)
    expect(plane.jobRun(fourth).status).toBe('completed')
  })

  test('events: created and changed with the change, progress with the keys that have changed', async () => {
    const plane = await jobPlane()
    const job = await plane.job(lines({ a: work(), b: work('depends_on: [a]') }))
    const before = plane.platform.events.latestId()
    const id = plane.start(job)
    await plane.drain()
    const events = plane.platform.events.after(before, 1_000).filter(({ type }) => type.startsWith('job_run.'))
    expect(events.map(({ type, data }) => [type, data['status']])).toEqual([
      ['job_run.created', 'pending'],
      ['job_run.changed', 'running'],
      ...events.filter(({ type }) => type === 'job_run.progress').map(({ type }) => [type, undefined]),
      ['job_run.changed', 'completed'],
    ])
    const keys = new Set(events.flatMap(({ data }) => (data['task_keys'] as string[] | undefined) ?? []))
    expect(keys).toEqual(new Set(['a', 'b']))
    expect(events.every(({ entity_id }) => entity_id === id)).toBe(true)
  })
})

describe('asking', () => {
  test('pause, resume, cancel and gates answer 404 for what is not there and 400 for what cannot be', async () => {
    const plane = await jobPlane()
    const id = plane.start(
      await plane.job(lines({ ok: '{gate: "Is ${{ job.name }} right?"}', a: work('depends_on: [ok]') })),
    )
    const post = async (path: string, body: object = {}) => {
      const answer = await plane.editor.post(`/api/job-runs/${path}`, body)
      return [answer.status, (answer.body as { error?: string }).error]
    }
    for (const what of ['pause', 'resume', 'cancel']) expect(await post(`99/${what}`)).toEqual([404, 'NOT_FOUND'])
    expect(plane.node(id, 'ok')).toMatchObject({ status: 'paused', message: 'Is job_1 right?' })
    expect(plane.jobRun(id)).toMatchObject({ status: 'paused', pause_reason: 'gate' })
    expect(await post(`${id}/pause`)).toEqual([400, 'INVALID_STATE'])
    expect(await post(`${id}/gates/none`, { open: true })).toEqual([404, 'NOT_FOUND'])
    expect(await post(`${id}/gates/a`, { open: true })).toEqual([404, 'NOT_FOUND'])
    expect(await post(`${id}/gates/ok`, { open: true, note: 'figures checked' })).toEqual([200, undefined])
    expect(await post(`${id}/gates/ok`, { open: false })).toEqual([400, 'INVALID_STATE'])
    expect(plane.node(id, 'ok')).toMatchObject({ status: 'success', note: 'figures checked', decided_by: 'admin-1' })
    expect(await post(`${id}/resume`)).toEqual([400, 'INVALID_STATE'])
    await plane.drain()
    for (const what of ['pause', 'resume', 'cancel'])
      expect(await post(`${id}/${what}`)).toEqual([400, 'INVALID_STATE'])
  })

  test('a server that is opened again goes on where the one before ended, and looking again changes nothing', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'headgate-jobs-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const plane = await jobPlane({ dataDir })
    const job = await plane.job(lines({ a: work(), b: work('depends_on: [a]') }))
    const ids = [plane.start(job), plane.start(job)]
    await plane.close()
    const again = await startTestServer({ dataDir })
    onTestFinished(again.close)
    const { jobRuns, jobRunReads, runs } = again.services
    const before = again.platform.events.latestId()
    jobRuns.recover()
    expect(again.platform.events.latestId()).toBe(before)
    expect(ids.map((id) => jobRunReads.get(id).status)).toEqual(['running', 'pending'])
    const [ready] = runs.attempts.ready(10)
    await runs.cancel(ready!.run_id)
    expect(ids.map((id) => jobRunReads.get(id).status)).toEqual(['failed', 'running'])
  })
})
