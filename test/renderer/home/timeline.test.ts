import { expect, test } from 'vitest'
import type { CalendarEntry } from '../../../src/contract/triggers.ts'
import { lanesOf, ticksOf } from '../../../src/renderer/features/home/timeline.rules.ts'

const from = new Date('2026-03-02T00:00:00.000Z')
const to = new Date('2026-03-03T06:00:00.000Z')
const entry = (
  job_id: number,
  at: string,
  outcome: CalendarEntry['outcome'] = null,
  enabled: 0 | 1 = 1,
): CalendarEntry => ({
  at: `2026-03-02T${at}:00.000Z`,
  trigger_id: job_id,
  job_id,
  job_name: `job ${job_id}`,
  task_key: null,
  enabled,
  outcome,
  job_run_id: outcome === 'started' ? job_id : null,
  message: null,
  message_params: null,
})

test('lanes with something amiss come first, then what fires soonest', () => {
  const lanes = lanesOf(
    [entry(1, '20:00'), entry(2, '12:00'), entry(3, '01:00', 'missed'), entry(3, '23:00')],
    from,
    to,
  )
  expect(lanes.map((lane) => lane.job_id)).toEqual([3, 2, 1])
  expect(lanes[0]).toMatchObject({ amiss: 1, next: '2026-03-02T23:00:00.000Z' })
})

test('a trigger that is off has nothing to come, and keeps what was', () => {
  expect(lanesOf([entry(1, '12:00', null, 0)], from, to)).toEqual([])
  expect(lanesOf([entry(1, '02:00', 'started', 0), entry(1, '12:00', null, 0)], from, to)).toMatchObject([
    { next: null, marks: [{ outcome: 'started', count: 1 }] },
  ])
})

test('firings that stand too close are one mark, as grave as the gravest of them', () => {
  const [lane] = lanesOf(
    [entry(1, '02:00', 'started'), entry(1, '02:05', 'failed'), entry(1, '02:06', 'started')],
    from,
    to,
  )
  expect(lane?.marks).toMatchObject([{ outcome: 'failed', count: 3, job_run_id: null }])
})

test('a job that fires every second makes no more marks than a lane has places', () => {
  const many = Array.from({ length: 5000 }, (_, at) => ({
    ...entry(1, '00:00'),
    at: new Date(from.getTime() + at * 20_000).toISOString(),
  }))
  const [lane] = lanesOf(many, from, to)
  expect(lane?.marks.length).toBeLessThanOrEqual(120)
  expect(lane?.marks.reduce((sum, mark) => sum + mark.count, 0)).toBe(5000)
})

test('ticks stand at full hours and not at the edges', () => {
  const ticks = ticksOf(new Date(2026, 2, 2, 5, 30), new Date(2026, 2, 3, 11, 30), 6)
  expect(ticks.map(({ moment }) => moment.getHours())).toEqual([12, 18, 0, 6])
})
