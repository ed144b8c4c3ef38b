import { msg } from '../../../src/contract/messages.ts'
import { describe, expect, test } from 'vitest'
import type { Trigger } from '../../../src/contract/triggers.ts'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { type TriggerWorld, caller, triggerWorld } from './trigger-world.ts'

const minute = 60_000
const hourly = { type: 'cron', cron_expression: '0 * * * *' } as const
const make = (world: TriggerWorld, more: Partial<Parameters<TriggerWorld['triggers']['create']>[0]> = {}): Trigger =>
  world.triggers.create({ job_id: world.job(`job ${Math.random()}`), ...hourly, ...more }, caller)
const dates = (world: TriggerWorld) => world.started().map(({ logical_date }) => String(logical_date).slice(11, 16))
const outcomes = ({ triggers }: TriggerWorld, id: number) =>
  triggers.firings(id, { limit: 200 }).result.map((one) => [one.scheduled_at.slice(11, 16), one.outcome])
async function pass(world: TriggerWorld, ms: number): Promise<void> {
  world.clock.advance(ms)
  await world.triggers.scheduler.run()
}

describe('firing', () => {
  test('starts the job at its time, with the time as logical date, and waits for the next one', async () => {
    const world = await triggerWorld()
    const { id, job_id } = make(world, { arguments: { n: 3 }, task_key: 'a', on_overlap: 'skip' })
    await pass(world, minute - 1)
    expect(world.started()).toEqual([])
    await pass(world, 1)
    expect(world.started()).toEqual([
      {
        trigger_id: id,
        logical_date: '2026-03-01T08:00:00.000Z',
        timezone: 'UTC',
        arguments: { n: 3 },
        selected_tasks: ['a'],
        skip_deps: true,
        on_overlap: 'skip',
      },
    ])
    expect(world.triggers.get(id)).toMatchObject({
      last_triggered_at: '2026-03-01T08:00:00.000Z',
      next_fire_at: '2026-03-01T09:00:00.000Z',
      enabled: 1,
    })
    expect(world.nextFireOf(job_id)).toBe('2026-03-01T09:00:00.000Z')
    await pass(world, 0)
    expect(world.started()).toHaveLength(1)
  })

  test('a one_off fires once, and is off from then on', async () => {
    const world = await triggerWorld()
    const { id, job_id } = make(world, { type: 'one_off', cron_expression: '2026-03-01T08:30:00Z' })
    expect(world.nextFireOf(job_id)).toBe('2026-03-01T08:30:00.000Z')
    await pass(world, 31 * minute)
    await pass(world, 24 * 60 * minute)
    expect(dates(world)).toEqual(['08:30'])
    expect(world.triggers.get(id)).toMatchObject({
      enabled: 0,
      next_fire_at: null,
      last_triggered_at: '2026-03-01T08:30:00.000Z',
    })
    expect(world.nextFireOf(job_id)).toBeNull()
  })

  test('a new datetime of a one_off that has fired forgets the old firing, and fires when it is on again, in another process too', async () => {
    const world = await triggerWorld()
    const { id } = make(world, { type: 'one_off', cron_expression: '2026-03-01T08:30:00Z' })
    await pass(world, 31 * minute)
    const moved = world.triggers.update(id, { cron_expression: '2026-03-01T09:30:00Z' }, () => {})
    expect(moved).toMatchObject({ enabled: 0, last_triggered_at: null, next_fire_at: null })
    world.triggers.update(id, { enabled: true }, () => {})
    world.clock.advance(60 * minute)
    await world.service().scheduler.run()
    expect(dates(world)).toEqual(['08:30', '09:30'])
  })

  test('another jitter or zone loses no one_off whose time has come but which has yet to start', async () => {
    const world = await triggerWorld()
    const { id } = make(world, { type: 'one_off', cron_expression: '2026-03-01T08:00:00Z', jitter_seconds: 3_600 })
    await pass(world, minute + 1)
    expect(world.started()).toEqual([])
    world.triggers.update(id, { jitter_seconds: 0, timezone: 'Europe/Berlin' }, () => {})
    expect(world.triggers.get(id).next_fire_at).toBe('2026-03-01T08:00:00.000Z')
    await pass(world, 0)
    expect(dates(world)).toEqual(['08:00'])
    expect(world.triggers.get(id)).toMatchObject({ enabled: 0, next_fire_at: null })
  })

  test('of two that look at once only one fires', async () => {
    const world = await triggerWorld()
    make(world)
    world.clock.advance(minute)
    const other = world.service()
    await Promise.all([world.triggers.scheduler.run(), other.scheduler.run()])
    expect(dates(world)).toEqual(['08:00'])
  })

  test('a start that is refused is recorded with its reason, and keeps no other trigger waiting', async () => {
    const refused: number[] = []
    const world = await triggerWorld((jobId) => {
      if (refused.includes(jobId)) {
        throw new Refusal('VALIDATION_ERROR', undefined, {
          details: [{ path: 'body.arguments.n', ...msg('argument_invalid', { problem: 'is too large' }) }],
        })
      }
    })
    const bad = make(world)
    const good = make(world)
    refused.push(bad.job_id)
    await pass(world, minute)
    expect(world.triggers.firings(bad.id, {}).result).toMatchObject([
      { outcome: 'failed', message: 'Invalid input arguments.n: is too large', job_run_id: null },
    ])
    expect(outcomes(world, good.id)).toEqual([['08:00', 'started']])
    expect(world.triggers.get(bad.id).next_fire_at).toBe('2026-03-01T09:00:00.000Z')
  })

  test('a task that an upgrade has made a gate is not started alone, where it would wait for ever', async () => {
    const world = await triggerWorld()
    const { id } = make(world, { task_key: 'a' })
    Object.assign(world.jobs.heldSnapshot().document.tasks['a']!, { kind: 'gate' })
    await pass(world, minute)
    expect(world.started()).toEqual([])
    expect(world.triggers.firings(id, {}).result).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('a is a gate') },
    ])
  })

  test('a fault of the start is no reason to fire without end', async () => {
    const world = await triggerWorld(() => {
      throw new TypeError('broken')
    })
    const { id } = make(world)
    await pass(world, minute)
    expect(world.triggers.firings(id, {}).result).toMatchObject([
      { outcome: 'failed', message: 'Internal error: the log says more.' },
    ])
  })

  test('what cannot be written is fired when it can', async () => {
    const full = { now: true }
    const world = await triggerWorld(() => {
      if (full.now) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    })
    const { id } = make(world)
    world.clock.advance(minute)
    await expect(world.triggers.scheduler.run()).rejects.toThrow('disk is full')
    expect(outcomes(world, id)).toEqual([])
    full.now = false
    await world.triggers.scheduler.run()
    expect(dates(world)).toEqual(['08:00'])
  })
})

describe('after nobody could fire', () => {
  const down = 3 * 60 * minute + 30 * minute
  test('skip records what was missed', async () => {
    const world = await triggerWorld()
    const { id } = make(world, { misfire_policy: 'skip' })
    await pass(world, down)
    expect(dates(world)).toEqual([])
    expect(outcomes(world, id)).toEqual([
      ['11:00', 'missed'],
      ['10:00', 'missed'],
      ['09:00', 'missed'],
      ['08:00', 'missed'],
    ])
    expect(world.triggers.get(id)).toMatchObject({ last_triggered_at: null, next_fire_at: '2026-03-01T12:00:00.000Z' })
  })
  test('fire_once, which is the default, starts the newest', async () => {
    const world = await triggerWorld()
    const { id } = make(world)
    await pass(world, down)
    expect(dates(world)).toEqual(['11:00'])
    expect(outcomes(world, id)).toEqual([
      ['11:00', 'started'],
      ['10:00', 'missed'],
      ['09:00', 'missed'],
      ['08:00', 'missed'],
    ])
  })
  test('fire_all starts each, oldest first', async () => {
    const world = await triggerWorld()
    make(world, { misfire_policy: 'fire_all' })
    await pass(world, down)
    expect(dates(world)).toEqual(['08:00', '09:00', '10:00', '11:00'])
  })
  test('a one_off is started unless the policy is skip', async () => {
    const world = await triggerWorld()
    const once = { type: 'one_off', cron_expression: '2026-03-01T08:30:00Z' } as const
    const skipped = make(world, { ...once, misfire_policy: 'skip' })
    make(world, once)
    await pass(world, down)
    expect(dates(world)).toEqual(['08:30'])
    expect(outcomes(world, skipped.id)).toEqual([['08:30', 'missed']])
    expect(world.triggers.get(skipped.id)).toMatchObject({ enabled: 0, last_triggered_at: null })
  })
})

describe('while it is off', () => {
  test('nothing fires, and nothing of it is made up for when it is on again', async () => {
    const world = await triggerWorld()
    const { id, job_id } = make(world)
    world.triggers.update(id, { enabled: false }, () => {})
    expect(world.nextFireOf(job_id)).toBeNull()
    await pass(world, 150 * minute)
    world.triggers.update(id, { enabled: true }, () => {})
    await pass(world, 0)
    expect([world.started(), outcomes(world, id)]).toEqual([[], []])
    expect(world.triggers.get(id).next_fire_at).toBe('2026-03-01T11:00:00.000Z')
  })
  test('an archived job is not started, and has missed nothing when it is back', async () => {
    const world = await triggerWorld()
    const { id, job_id } = make(world)
    world.archive(job_id, true)
    expect(world.triggers.get(id)).toMatchObject({ enabled: 1, next_fire_at: null })
    await pass(world, 150 * minute)
    world.archive(job_id, false)
    await pass(world, 0)
    expect([world.started(), outcomes(world, id)]).toEqual([[], []])
    expect(world.nextFireOf(job_id)).toBe('2026-03-01T11:00:00.000Z')
  })
})

describe('when the clock is set', () => {
  test('back, the times that come again are not fired again, and the trigger does not wait for the old future', async () => {
    const world = await triggerWorld()
    const { id } = make(world)
    await pass(world, 61 * minute)
    expect(dates(world)).toEqual(['09:00'])
    await pass(world, -90 * minute)
    expect(world.triggers.get(id).next_fire_at).toBe('2026-03-01T08:00:00.000Z')
    await pass(world, 30 * minute)
    await pass(world, 60 * minute)
    await pass(world, 60 * minute)
    expect(dates(world)).toEqual(['09:00', '10:00'])
  })
  test('far ahead and back, it fires as before', async () => {
    const world = await triggerWorld()
    make(world, { misfire_policy: 'skip' })
    await pass(world, 365 * 24 * 60 * minute)
    await pass(world, -365 * 24 * 60 * minute)
    await pass(world, minute)
    expect(dates(world)).toEqual(['08:00'])
  })
})

test('firings are kept, the newest 1,000 of each trigger', async () => {
  const world = await triggerWorld()
  const { id } = make(world, { cron_expression: '* * * * *', misfire_policy: 'skip' })
  for (let round = 0; round < 6; round++) await pass(world, 200 * minute)
  const { total, result } = world.triggers.firings(id, { limit: 1 })
  expect(total).toBe(1_000)
  expect(result[0]!.scheduled_at).toBe('2026-03-02T03:59:00.000Z')
})

test('thousands that are due at once leave the event loop free', async () => {
  const world = await triggerWorld()
  const job_id = world.job()
  world.platform.store.transaction(() => {
    for (let count = 0; count < 2_000; count++) world.triggers.create({ job_id, ...hourly }, caller)
  })
  world.clock.advance(minute)
  let turns = 0
  let over = false
  const watch = () => {
    turns++
    if (!over) setImmediate(watch)
  }
  setImmediate(watch)
  await world.triggers.scheduler.run()
  over = true
  expect(world.started()).toHaveLength(2_000)
  expect(turns).toBeGreaterThanOrEqual(2_000 / 50)
})
