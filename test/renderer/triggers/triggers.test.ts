import { describe, expect, it } from 'vitest'
import type { CalendarEntry, Trigger } from '../../../src/contract/triggers.ts'
import { effectOf } from '../../../src/renderer/api/event-rules.ts'
import * as events from '../../../src/renderer/features/event-triggers/event-draft.ts'
import { anchorOf, dateKey, daysOf, moved, spanOf } from '../../../src/renderer/features/triggers/calendar-days.ts'
import { cronShape } from '../../../src/renderer/features/triggers/cron-words.ts'
import { bodyOf, draftOf } from '../../../src/renderer/features/triggers/trigger-draft.ts'

describe('the calendar', () => {
  const march = new Date(2026, 2, 15)
  const entry = (at: Date, fields: Partial<CalendarEntry> = {}): CalendarEntry => ({
    at: at.toISOString(),
    trigger_id: 1,
    job_id: 1,
    job_name: 'Sales',
    task_key: null,
    enabled: 1,
    outcome: null,
    job_run_id: null,
    message: null,
    message_params: null,
    ...fields,
  })

  it('shows whole weeks from Monday, also of a month that begins on a Sunday', () => {
    const { from, to } = spanOf('month', march)
    expect([dateKey(from), dateKey(to)]).toEqual(['2026-02-23', '2026-04-06'])
    expect(daysOf('month', march, []).length % 7).toBe(0)
    expect(dateKey(spanOf('week', new Date(2026, 2, 1)).from)).toBe('2026-02-23')
  })
  it('gathers the firings of one trigger on one day, the gravest outcome first', () => {
    const day = (hour: number) => new Date(2026, 2, 10, hour)
    const days = daysOf('week', day(0), [
      entry(day(1), { outcome: 'started', job_run_id: 4 }),
      entry(day(2), { outcome: 'missed', message: 'asleep' }),
      entry(day(3)),
      entry(day(1), { trigger_id: 2 }),
    ])
    const tuesday = days.find(({ date }) => date === '2026-03-10')
    expect(
      tuesday?.entries.map(({ trigger_id, count, outcome, message }) => [trigger_id, count, outcome, message]),
    ).toEqual([
      [1, 3, 'missed', 'asleep'],
      [2, 1, 'coming', null],
    ])
  })
  it('goes to the month before and after, and to today for an address that is none', () => {
    expect(dateKey(moved('month', new Date(2026, 0, 31), 1))).toBe('2026-02-01')
    expect(dateKey(moved('month', march, -1))).toBe('2026-02-01')
    expect(dateKey(moved('week', march, 1))).toBe('2026-03-22')
    expect(dateKey(anchorOf('2026-02-03', march))).toBe('2026-02-03')
    expect(dateKey(anchorOf('soon', march))).toBe('2026-03-15')
  })
})

describe('five fields in words', () => {
  it.each([
    ['*/5 * * * *', { kind: 'everyMinutes', count: 5 }],
    ['*/20 8-18 * * *', { kind: 'everyMinutesWithin', count: 20, from: '08:00', to: '18:40' }],
    ['30 6-9 * * *', { kind: 'hourlyWithin', from: '06:30', to: '09:30' }],
    ['0 * * * *', { kind: 'hourly', minute: 0 }],
    ['15 */6 * * *', { kind: 'everyHours', count: 6, minute: 15 }],
    ['30 2 * * *', { kind: 'daily', time: '02:30' }],
    ['0 6 * * 1-5', { kind: 'weekly', days: [1, 2, 3, 4, 5], time: '06:00' }],
    ['0 6 * * 0,6', { kind: 'weekly', days: [6, 7], time: '06:00' }],
    ['0 6 * * 0-7', { kind: 'daily', time: '06:00' }],
    ['5 4 31 * *', { kind: 'monthly', day: 31, time: '04:05' }],
  ])('%s', (expression, shape) => {
    expect(cronShape(expression)).toEqual(shape)
  })
  it.each([
    '*/7 * * * *',
    '*/20 18-8 * * *',
    '0 8-24 * * *',
    '*/20 8-18 * * 1-5',
    '0 */5 * * *',
    '0 6 1 * 1',
    '0 6 * 3 *',
    '0 6 * * MON',
    '61 * * * *',
    '0 24 * * *',
    '0 6 * *',
    '',
    '@daily',
  ])('says nothing of %s, which few words would not tell exactly', (expression) => {
    expect(cronShape(expression)).toBeUndefined()
  })
})

describe('forms', () => {
  it('gives back a stored trigger unchanged', () => {
    const stored = {
      job_id: 3,
      type: 'one_off',
      cron_expression: '2026-12-01T06:00:00.000Z',
      timezone: 'UTC',
      task_key: null,
      misfire_policy: 'skip',
      on_overlap: null,
      jitter_seconds: 30,
      enabled: 0,
      arguments: '{"day":"2026-01-01"}',
    } as Trigger
    const draft = draftOf(stored, null)
    expect(draft.fields).toEqual({ day: '2026-01-01' })
    expect(bodyOf(draft, { day: '2026-01-01' })).toEqual({
      type: 'one_off',
      cron_expression: '2026-12-01T06:00:00.000Z',
      timezone: 'UTC',
      task_key: null,
      misfire_policy: 'skip',
      on_overlap: null,
      jitter_seconds: 30,
      enabled: false,
      arguments: { day: '2026-01-01' },
    })
  })
  it('asks for what the type of an event trigger needs, and takes only a JSON object', () => {
    const draft = events.draftOf(null, null)
    expect(events.missing({ ...draft, type: 'file_arrival', jobId: 1, name: 'x' })).toEqual(['connectorId', 'glob'])
    expect(events.missing({ ...draft, type: 'after_job', jobId: 1, name: 'x', on: [] })).toEqual(['afterJobId', 'on'])
    expect(events.missing({ ...draft, jobId: 1, name: 'x', args: '[1]' })).toEqual(['args'])
    expect(events.argumentsOf(' ')).toEqual({})
  })
})

it('a trigger that fired refreshes lists of triggers and jobs, and the calendar', () => {
  const effect = effectOf({ id: 1, type: 'trigger.changed', at: '2026-03-01T08:00:00.000Z', entity_id: 2, data: {} })
  expect(effect.refreshLists).toEqual(['listTriggers', 'listTriggerFirings', 'listJobs'])
  expect(effect.refreshAll).toEqual(['getTriggerCalendar', 'getAttention'])
})
