import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { createSchedulerService } from '../../../src/server/features/scheduler/scheduler.service.ts'
import { eventWorld } from '../event-triggers/event-world.ts'
import { type TriggerWorld, caller, triggerWorld } from '../triggers/trigger-world.ts'

const minute = 60_000
type Misfire = 'skip' | 'fire_once' | 'fire_all'
const hourly = (world: TriggerWorld, misfire_policy: Misfire, cron_expression = '0 * * * *') =>
  world.triggers.create(
    { job_id: world.job(misfire_policy + cron_expression), type: 'cron', cron_expression, misfire_policy },
    caller,
  )
const outcomes = ({ triggers }: TriggerWorld, id: number) =>
  triggers
    .firings(id, { limit: 200 })
    .result.map((one) => `${one.scheduled_at.slice(11, 16)} ${one.outcome}`)
    .toReversed()
function refusal(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('It was not refused')
}

test('while triggers are paused nothing fires; resumed, each trigger does what its misfire policy says', async () => {
  const world = await triggerWorld()
  const ids = (['skip', 'fire_once', 'fire_all'] as const).map((policy) => hourly(world, policy).id)
  const once = world.triggers.create(
    { job_id: world.job('once'), type: 'one_off', cron_expression: '2026-03-01T09:30:00Z' },
    caller,
  )
  world.pause.set(true, 'ada')
  // 08:00, 09:00 and 10:00 pass.
  world.clock.advance(121 * minute + 20_000)
  await world.triggers.scheduler.run()
  expect(world.started()).toEqual([])
  expect(world.triggers.scheduler.lateMs()).toBe(0)
  world.pause.set(false, 'ada')
  await world.triggers.scheduler.run()
  expect(ids.map((id) => outcomes(world, id))).toEqual([
    // 10:00 was twenty seconds ago: it would be in time, had there been no pause.
    ['08:00 missed', '09:00 missed', '10:00 missed'],
    ['08:00 missed', '09:00 missed', '10:00 started'],
    ['08:00 started', '09:00 started', '10:00 started'],
  ])
  expect(outcomes(world, once.id)).toEqual(['09:30 started'])
  world.clock.advance(60 * minute)
  await world.triggers.scheduler.run()
  expect(ids.map((id) => outcomes(world, id).at(-1))).toEqual(Array(3).fill('11:00 started'))
})

test('a pause outlives the process, and resuming looks at once', async () => {
  const world = await triggerWorld()
  const { id } = hourly(world, 'fire_once')
  world.pause.set(true, 'ada')
  const after = createSchedulerService(world.platform)
  expect(after.read()).toEqual({ paused: true, paused_at: '2026-03-01T07:59:00.000Z', paused_by: 'ada' })
  world.triggers.scheduler.start()
  world.clock.advance(5 * minute)
  await world.triggers.scheduler.run()
  expect(world.started()).toEqual([])
  world.pause.set(false, null)
  // The look that the change itself has begun, no other.
  await expect.poll(() => outcomes(world, id)).toEqual(['08:00 started'])
  expect(world.pause.read()).toEqual({ paused: false, paused_at: null, paused_by: null })
})

test('a clock that was set back after a pause keeps nothing from firing', async () => {
  const world = await triggerWorld()
  world.pause.set(true, 'ada')
  world.clock.advance(3 * 60 * minute)
  world.pause.set(false, 'ada')
  await world.triggers.scheduler.run()
  world.clock.advance(-3 * 60 * minute)
  const { id } = hourly(world, 'skip')
  world.clock.advance(minute)
  await world.triggers.scheduler.run()
  expect(outcomes(world, id)).toEqual(['08:00 started'])
})

test('asking for what is so already changes nothing; the tray leaves a record, and no name', async () => {
  const { platform, pause } = await triggerWorld()
  pause.setByOwner(true)
  pause.setByOwner(true)
  pause.set(true, 'ada')
  expect(pause.read()).toMatchObject({ paused: true, paused_by: null })
  expect(platform.events.after(0, 10).map(({ type }) => type)).toEqual(['scheduler.changed'])
  const records = platform.store.sqlite.prepare('SELECT operation, actor FROM audit_records').all()
  expect(records).toEqual([{ operation: 'pausedScheduler', actor: 'system' }])
})

test('a webhook is told to come again, and an end of a job is not made up for', async () => {
  const world = await eventWorld()
  const make = (more: object) =>
    world.triggers.create({ job_id: world.job(JSON.stringify(more)), name: 'e', type: 'webhook', ...more }, caller)
  const { token, job_id } = make({})
  const after = make({ job_id: world.job('next'), type: 'after_job', config: { job_id } })
  world.pause.set(true, 'ada')
  expect(refusal(() => world.triggers.callHook(token!, {}, {}))).toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 60,
  })
  expect(refusal(() => world.triggers.callHook(`hook_${'0'.repeat(64)}`, {}, {})).code).toBe('NOT_FOUND')
  world.end(job_id)
  expect(world.started()).toEqual([])
  expect(world.triggers.get(after.id).last_error).toContain('paused')
  world.pause.set(false, 'ada')
  world.triggers.callHook(token!, {}, {})
  world.end(job_id)
  expect(world.started()).toHaveLength(2)
  expect(world.triggers.get(after.id).last_error).toBeNull()
})

test('files that arrive while triggers are paused are found when they are resumed', async () => {
  const world = await eventWorld()
  const config = { connector_id: world.connectorId, glob: '*.csv', settle_seconds: 0, poll_seconds: 5 }
  world.triggers.create({ job_id: world.job(), name: 'e', type: 'file_arrival', config }, caller)
  world.triggers.start()
  await world.triggers.look()
  world.pause.set(true, 'ada')
  writeFileSync(join(world.folder, 'a.csv'), 'id\n1\n')
  world.clock.advance(minute)
  await world.triggers.look()
  expect(world.started()).toEqual([])
  world.pause.set(false, 'ada')
  await world.triggers.look()
  expect(world.started()).toHaveLength(1)
})
