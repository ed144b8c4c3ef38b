import { describe, expect, test } from 'vitest'
import { lateAfterMs, mostCaughtUp, planFiring, timetable } from '../../../src/server/features/triggers/firing.rules.ts'
import { readSchedule } from '../../../src/server/features/triggers/schedule.rules.ts'

const at = (text: string) => Date.parse(`2026-03-01T${text}Z`)
const shown = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(11, 16))
function tableOf(
  cron_expression: string,
  more: { type?: 'cron' | 'one_off'; jitter_seconds?: number; id?: number } = {},
) {
  const { type = 'cron', jitter_seconds = 0, id = 1 } = more
  const verdict = readSchedule({ type, cron_expression, timezone: 'UTC' })
  if (!verdict.ok) throw new Error(verdict.problem.message)
  return timetable(verdict.schedule, { id, jitter_seconds })
}
const hourly = tableOf('0 * * * *')
function plan(policy: 'skip' | 'fire_once' | 'fire_all', now: string, waited = '08:00', table = hourly) {
  const { missed, start, next } = planFiring(policy, table, at(`${waited}:00`), at(now))
  return { missed: missed.map(shown), start: shown(start), next: shown(next) }
}

describe('in time', () => {
  test.each(['skip', 'fire_once', 'fire_all'] as const)('it fires once, and waits for the next time: %s', (policy) => {
    expect(plan(policy, '08:00:00')).toEqual({ missed: [], start: '08:00', next: '09:00' })
    expect(plan(policy, '08:01:00')).toEqual({ missed: [], start: '08:00', next: '09:00' })
  })
  test('before its time nothing happens', () => {
    expect(plan('fire_once', '07:59:59')).toEqual({ missed: [], start: null, next: '08:00' })
  })
})

describe('after times were missed', () => {
  test('skip starts none of them', () => {
    expect(plan('skip', '10:30:00')).toEqual({ missed: ['08:00', '09:00', '10:00'], start: null, next: '11:00' })
  })
  test('skip starts the one that is still in time', () => {
    expect(plan('skip', '10:00:30')).toEqual({ missed: ['08:00', '09:00'], start: '10:00', next: '11:00' })
  })
  test('fire_once starts the newest', () => {
    expect(plan('fire_once', '10:30:00')).toEqual({ missed: ['08:00', '09:00'], start: '10:00', next: '11:00' })
  })
  test('fire_all starts them one after the other, oldest first', () => {
    expect(plan('fire_all', '10:30:00')).toEqual({ missed: [], start: '08:00', next: '09:00' })
    expect(plan('fire_all', '10:30:00', '09:00')).toEqual({ missed: [], start: '09:00', next: '10:00' })
    expect(plan('fire_all', '10:30:00', '10:00')).toEqual({ missed: [], start: '10:00', next: '11:00' })
  })
  test('fire_all starts the newest hundred, and a year of minutes is looked at in no time', () => {
    const now = at('10:00:30')
    const began = performance.now()
    const found = planFiring('fire_all', tableOf('* * * * *'), now - 365 * 86_400_000, now)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(shown(found.start)).toBe('08:21')
    expect((at('10:00:00') - found.start!) / 60_000).toBe(mostCaughtUp - 1)
    expect(found.missed).toHaveLength(100)
  })
  test('a one_off is started or missed, and never waits again', () => {
    const once = tableOf('2026-03-01T08:00:00Z', { type: 'one_off' })
    expect(plan('fire_once', '10:30:00', '08:00', once)).toEqual({ missed: [], start: '08:00', next: null })
    expect(plan('fire_all', '10:30:00', '08:00', once)).toEqual({ missed: [], start: '08:00', next: null })
    expect(plan('skip', '10:30:00', '08:00', once)).toEqual({ missed: ['08:00'], start: null, next: null })
    expect(plan('skip', '08:00:59', '08:00', once)).toEqual({ missed: [], start: '08:00', next: null })
  })
  test('where the zone’s rules have changed meanwhile, it waits for what there is now', () => {
    expect(plan('fire_once', '08:40:00', '08:30')).toEqual({ missed: [], start: null, next: '09:00' })
  })
})

describe('jitter', () => {
  const dues = (id: number, jitter_seconds: number) => {
    const table = tableOf('0 * * * *', { id, jitter_seconds })
    return Array.from({ length: 200 }, (_, hour) => at('00:00:00') + hour * 3_600_000).map(
      (scheduled) => table.due(scheduled) - scheduled,
    )
  }
  test('is the same for the same firing, spreads over its span, and differs between triggers', () => {
    const spread = dues(1, 600)
    expect(dues(1, 600)).toEqual(spread)
    expect(dues(2, 600)).not.toEqual(spread)
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...spread)).toBeLessThan(600_000)
    const mean = spread.reduce((sum, one) => sum + one, 0) / spread.length
    expect(mean).toBeGreaterThan(240_000)
    expect(mean).toBeLessThan(360_000)
  })
  test('never reaches the next firing', () => {
    expect(Math.max(...dues(1, 86_400))).toBeLessThan(3_600_000)
  })
  test('lateness counts from the start that was put off', () => {
    const table = tableOf('0 * * * *', { id: 7, jitter_seconds: 1_800 })
    const due = table.due(at('08:00:00'))
    const found = (now: number) => planFiring('skip', table, at('08:00:00'), now)
    expect(found(due - 1)).toMatchObject({ missed: [], start: null, next: at('08:00:00') })
    expect(found(due + lateAfterMs)).toMatchObject({ missed: [], start: at('08:00:00') })
    expect(found(due + lateAfterMs + 1)).toMatchObject({ missed: [at('08:00:00')], start: null })
  })
})

describe('after all triggers were paused', () => {
  const missedUntil = at('10:00:20')
  const resumed = (policy: 'skip' | 'fire_once' | 'fire_all') => {
    const { missed, start, next } = planFiring(policy, hourly, at('09:00:00'), at('10:00:21'), missedUntil)
    return { missed: missed.map(shown), start: shown(start), next: shown(next) }
  }
  test('skip starts nothing of the pause, however short it was', () => {
    expect(resumed('skip')).toEqual({ missed: ['09:00', '10:00'], start: null, next: '11:00' })
  })
  test('the other policies start what they start after any gap', () => {
    expect(resumed('fire_once')).toEqual({ missed: ['09:00'], start: '10:00', next: '11:00' })
    expect(resumed('fire_all')).toEqual({ missed: [], start: '09:00', next: '10:00' })
  })
})
