import { msg } from '../../../src/contract/messages.ts'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { caller } from '../triggers/trigger-world.ts'
import { type EventWorld, eventWorld } from './event-world.ts'

type Body = Parameters<EventWorld['triggers']['create']>[0]
const make = (world: EventWorld, body: Partial<Body> & Pick<Body, 'type'>) =>
  world.triggers.create({ job_id: world.job(`job ${Math.random()}`), name: 't', ...body }, caller)
const refusal = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    return error instanceof Refusal ? { code: error.code, details: error.details, message: error.message } : error
  }
}

test('the list is sorted by name, by the last run, or newest first', async () => {
  const world = await eventWorld()
  const [b, , c] = ['b', 'a', 'c'].map((name) => make(world, { type: 'webhook', name }))
  world.triggers.callHook(b!.token!, {}, {})
  world.clock.advance(1000)
  world.triggers.callHook(c!.token!, {}, {})
  const names = (query: Parameters<typeof world.triggers.list>[0]) =>
    world.triggers
      .list(query)
      .result.map(({ name }) => name)
      .join('')
  expect(names({})).toBe('cab')
  expect(names({ sort: 'name' })).toBe('abc')
  expect(names({ sort: 'name', order: 'desc' })).toBe('cba')
  expect(names({ sort: 'last_triggered_at' })).toBe('cba')
})

describe('a webhook', () => {
  test('starts its job with what the call brings', async () => {
    const world = await eventWorld()
    const { id, token } = make(world, {
      type: 'webhook',
      arguments: { day: '${{ event.body.day }}', n: 7 },
      task_key: 'a',
    })
    expect(token).toMatch(/^hook_[0-9a-f]{64}$/)
    expect(world.triggers.callHook(token!, { day: '2026-02-01' }, { 'x-kind': 'push' })).toEqual({
      job_run_id: 1,
      outcome: 'started',
    })
    expect(world.started()).toEqual([
      { event_trigger_id: id, arguments: { day: '2026-02-01', n: 7 }, selected_tasks: ['a'], skip_deps: true },
    ])
    expect(world.triggers.get(id)).toMatchObject({ last_triggered_at: '2026-03-01T07:59:00.000Z', last_error: null })
  })
  test('answers what is not to be started as if it were not there', async () => {
    const world = await eventWorld()
    const off = make(world, { type: 'webhook', enabled: false })
    const archived = make(world, { type: 'webhook' })
    world.archive(archived.job_id, true)
    const answers = [off.token!, archived.token!, `hook_${'0'.repeat(64)}`].map((token) =>
      refusal(() => world.triggers.callHook(token, {}, {})),
    )
    expect(answers[0]).toMatchObject({ code: 'NOT_FOUND' })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })
  test('a new token ends the old one; the store holds neither', async () => {
    const world = await eventWorld()
    const { id, token } = make(world, { type: 'webhook' })
    const rotated = world.triggers.rotateToken(id)
    expect(refusal(() => world.triggers.callHook(token!, {}, {}))).toMatchObject({ code: 'NOT_FOUND' })
    expect(world.triggers.callHook(rotated.token!, {}, {})).toMatchObject({ outcome: 'started' })
    const rows = JSON.stringify(world.platform.store.sqlite.prepare('SELECT * FROM event_triggers').all())
    expect(rows).not.toContain(rotated.token!.slice(5))
  })
  test('a call that cannot start the job says why, and so does the trigger', async () => {
    const world = await eventWorld(() => {
      throw new Refusal('VALIDATION_ERROR', undefined, {
        details: [{ path: 'body.arguments.n', ...msg('argument_invalid', { problem: 'is no number' }) }],
      })
    })
    const { id, token } = make(world, { type: 'webhook', arguments: { n: '${{ event.body.n }}' } })
    expect(refusal(() => world.triggers.callHook(token!, { n: 'x' }, {}))).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.arguments.n', ...msg('argument_invalid', { problem: 'is no number' }) }],
    })
    expect(world.triggers.get(id).last_error).toBe('Invalid input arguments.n: is no number')
  })
  test('that is called too often is told to wait', async () => {
    const world = await eventWorld()
    const { token } = make(world, { type: 'webhook' })
    const answers = Array.from({ length: 61 }, () => refusal(() => world.triggers.callHook(token!, {}, {})))
    expect(answers.at(-2)).toMatchObject({ outcome: 'started' })
    expect(answers.at(-1)).toMatchObject({ code: 'RATE_LIMITED' })
    world.clock.advance(100)
    expect(world.triggers.callHook(token!, {}, {})).toMatchObject({ outcome: 'started' })
  })
})

describe('files that arrive', () => {
  const config = (world: EventWorld, more: object = {}) => ({ connector_id: world.connectorId, glob: '*.csv', ...more })
  const put = (world: EventWorld, name: string, text = 'a\n1\n') => writeFileSync(join(world.folder, name), text)
  async function watch(start?: () => void | 'overlap', more: object = {}) {
    const world = await eventWorld(start)
    put(world, 'old.csv')
    const trigger = make(world, {
      type: 'file_arrival',
      config: config(world, more),
      arguments: { n: '${{ event.count }}' },
    })
    world.triggers.start()
    await world.triggers.look()
    return { world, id: trigger.id, job_id: trigger.job_id }
  }
  async function look(world: EventWorld, afterMs: number) {
    world.clock.advance(afterMs)
    await world.triggers.look()
    return world.started().length
  }

  test('start the job once, together, when they have settled; what was there before starts nothing', async () => {
    const { world, id } = await watch()
    expect(await look(world, 60_000)).toBe(0)
    put(world, 'a.csv')
    put(world, 'b.csv')
    put(world, 'c.txt')
    expect(await look(world, 60_000)).toBe(0)
    expect(await look(world, 10_000)).toBe(1)
    expect(world.started()).toEqual([{ event_trigger_id: id, arguments: { n: 2 } }])
    expect(await look(world, 60_000)).toBe(1)
  })
  test('that still grow are waited for, and a changed file starts it again', async () => {
    const { world } = await watch()
    put(world, 'a.csv', 'x')
    await look(world, 60_000)
    put(world, 'a.csv', 'xx')
    expect(await look(world, 10_000)).toBe(0)
    expect(await look(world, 10_000)).toBe(1)
    put(world, 'a.csv', 'yyy')
    await look(world, 60_000)
    expect(await look(world, 10_000)).toBe(2)
    rmSync(join(world.folder, 'a.csv'))
    await look(world, 60_000)
    put(world, 'a.csv', 'yyy')
    await look(world, 60_000)
    expect(await look(world, 10_000)).toBe(3)
  })
  test('after a restart are known as before', async () => {
    const { world } = await watch()
    put(world, 'a.csv')
    await look(world, 60_000)
    const other = world.service()
    other.start()
    world.clock.advance(10_000)
    await other.look()
    expect(world.started()).toHaveLength(1)
    await look(world, 60_000)
    expect(world.started()).toHaveLength(1)
  })
  test('that the job could not be started for are not lost', async () => {
    const state: { now: 'refuse' | 'overlap' | 'start' } = { now: 'refuse' }
    const { world, id } = await watch(
      () => {
        if (state.now === 'refuse') throw new Refusal('INVALID_STATE', msg('argument_invalid', { problem: 'Not now.' }))
        return state.now === 'overlap' ? 'overlap' : undefined
      },
      { settle_seconds: 0 },
    )
    put(world, 'a.csv')
    expect(await look(world, 60_000)).toBe(0)
    expect(world.triggers.get(id).last_error).toBe('Not now.')
    state.now = 'overlap'
    expect(await look(world, 60_000)).toBe(0)
    expect(world.triggers.get(id).last_error).toBeNull()
    state.now = 'start'
    expect(await look(world, 60_000)).toBe(1)
    expect(world.triggers.get(id).last_error).toBeNull()
  })
  test('wait while no executor is online, and that is no error', async () => {
    const { world, id } = await watch()
    world.executor.online = false
    put(world, 'a.csv')
    await look(world, 60_000)
    expect(world.triggers.get(id).last_error).toBeNull()
    world.executor.online = true
    await look(world, 60_000)
    expect(await look(world, 10_000)).toBe(1)
  })
  test('that cannot be looked for are looked for again, less often, and the trigger says why', async () => {
    const { world, id } = await watch()
    renameSync(world.folder, `${world.folder}-away`)
    await look(world, 60_000)
    expect(world.triggers.get(id).last_error).toMatch(/does not exist/)
    renameSync(`${world.folder}-away`, world.folder)
    await look(world, 60_000)
    expect(world.triggers.get(id).last_error).toMatch(/does not exist/)
    await look(world, 60_000)
    expect(world.triggers.get(id).last_error).toBeNull()
  })
  test('that came while the trigger was off, or its job archived, are no news', async () => {
    const { world, id, job_id } = await watch(undefined, { settle_seconds: 0 })
    world.triggers.update(id, { enabled: false }, () => {})
    put(world, 'off.csv')
    await look(world, 60_000)
    world.triggers.update(id, { enabled: true }, () => {})
    expect(await look(world, 60_000)).toBe(0)
    world.archive(job_id, true)
    put(world, 'archived.csv')
    await look(world, 60_000)
    world.archive(job_id, false)
    expect(await look(world, 60_000)).toBe(0)
    put(world, 'now.csv')
    expect(await look(world, 60_000)).toBe(1)
  })
  test('are looked for with a connector that keeps files', async () => {
    const world = await eventWorld()
    const database = world.connectors.create({ name: 'db', type: 'sqlite', config: { path: '/tmp/x.db' } })
    for (const connector_id of [database.id, 999]) {
      expect(
        refusal(() => make(world, { type: 'file_arrival', config: { ...config(world), connector_id } })),
      ).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ path: 'body.config.connector_id' }],
      })
    }
  })
})

describe('after another job', () => {
  test('its job is started with the logical date of the one before it, for the ends that are asked for', async () => {
    const world = await eventWorld()
    const first = world.job('first')
    const { id } = make(world, {
      type: 'after_job',
      config: { job_id: first, on: ['completed', 'failed'] },
      arguments: { n: '${{ event.job_run_id }}' },
    })
    world.end(first, { status: 'cancelled' })
    expect(world.started()).toEqual([])
    world.end(first, { id: 41, status: 'failed' })
    expect(world.started()).toEqual([
      { event_trigger_id: id, arguments: { n: 41 }, logical_date: '2026-02-28T00:00:00.000Z', timezone: 'UTC' },
    ])
  })
  test('what cannot be started keeps nothing from ending', async () => {
    const world = await eventWorld(() => {
      throw new Refusal('INVALID_STATE', msg('argument_invalid', { problem: 'Not now.' }))
    })
    const first = world.job('first')
    const { id } = make(world, { type: 'after_job', config: { job_id: first } })
    world.end(first)
    expect(world.triggers.get(id).last_error).toBe('Not now.')
  })
  test('an end that an overlap kept from starting its job is told, until one starts it again', async () => {
    let busy = true
    const world = await eventWorld(() => (busy ? 'overlap' : undefined))
    const first = world.job('first')
    const { id } = make(world, { type: 'after_job', config: { job_id: first } })
    world.end(first)
    expect(world.triggers.get(id)).toMatchObject({ last_error: 'Job run #77 had not ended.', last_triggered_at: null })
    busy = false
    world.end(first)
    expect(world.triggers.get(id).last_error).toBeNull()
    expect(world.started()).toHaveLength(1)
  })
  test('jobs that would start each other for ever are refused, with the chain', async () => {
    const world = await eventWorld()
    const [a, b, c] = [world.job('A'), world.job('B'), world.job('C')]
    const after = (job_id: number, source: number) =>
      refusal(() => make(world, { job_id, type: 'after_job', config: { job_id: source } }))
    expect(after(b, a)).toMatchObject({ type: 'after_job' })
    expect(after(c, b)).toMatchObject({ type: 'after_job' })
    expect(after(a, c)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'body.config.job_id', message: 'would start jobs in a loop: C → A → B → C' }],
    })
    expect(after(a, a)).toMatchObject({ details: [{ message: 'would start jobs in a loop: A → A' }] })
    expect(after(a, 999)).toMatchObject({ details: [{ message: 'There is no job 999' }] })
  })
})

describe('saving', () => {
  test('checks task and arguments against the job; what an event brings is checked when it comes', async () => {
    const world = await eventWorld()
    const bad = (body: Partial<Body>) => refusal(() => make(world, { type: 'webhook', ...body }))
    expect(bad({ task_key: 'aa' })).toMatchObject({
      details: [{ path: 'body.task_key', message: 'The job has no task "aa"; did you mean a?' }],
    })
    expect(bad({ task_key: 'ok' })).toMatchObject({ details: [{ path: 'body.task_key' }] })
    expect(bad({ arguments: { n: 'three' } })).toMatchObject({ details: [{ path: 'body.arguments.n' }] })
    expect(bad({ arguments: { m: '${{ event.body }}' } })).toMatchObject({ details: [{ path: 'body.arguments.m' }] })
    expect(bad({ arguments: { n: '${{ event.body.n }}' } })).toMatchObject({ type: 'webhook' })
  })
  test('keeps names unique within a job', async () => {
    const world = await eventWorld()
    const { job_id } = make(world, { type: 'webhook' })
    expect(refusal(() => make(world, { job_id, type: 'webhook' }))).toMatchObject({ code: 'CONFLICT' })
    expect(make(world, { type: 'webhook' })).toMatchObject({ name: 't' })
  })
})
