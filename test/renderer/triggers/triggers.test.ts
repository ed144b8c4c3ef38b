import { describe, expect, it } from 'vitest'
import type { EventTrigger } from '../../../src/contract/event-triggers.ts'
import type { CalendarEntry, Trigger } from '../../../src/contract/triggers.ts'
import { effectOf } from '../../../src/renderer/api/event-rules.ts'
import { anchorOf, dateKey, daysOf, moved, spanOf } from '../../../src/renderer/features/triggers/calendar-days.ts'
import { cronShape } from '../../../src/renderer/features/triggers/cron-words.ts'
import { cronOf, readClock, scheduleOf } from '../../../src/renderer/features/triggers/rhythm.ts'
import {
  argumentsOf,
  draftOf,
  eventBody,
  expressionOf,
  kindsFor,
  missing,
  timedBody,
} from '../../../src/renderer/features/triggers/trigger-draft.ts'
import { momentOf, wallText } from '../../../src/renderer/features/triggers/wall-time.ts'

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
    expect(daysOf('month', march, [], false).length % 7).toBe(0)
  })
  it('shows seven days from the chosen one on, hour by hour', () => {
    const { from, to } = spanOf('week', march)
    expect([dateKey(from), dateKey(to)]).toEqual(['2026-03-15', '2026-03-22'])
    const days = daysOf(
      'week',
      march,
      [
        entry(new Date(2026, 2, 16, 7)),
        entry(new Date(2026, 2, 16, 7, 59)),
        entry(new Date(2026, 2, 16, 8)),
        entry(new Date(2026, 2, 22, 0)),
      ],
      false,
    )
    expect(days.map(({ hours }) => hours.map((slot) => slot.map(({ count }) => count)).flat(2))).toEqual([
      [],
      [2, 1],
      [],
      [],
      [],
      [],
      [],
    ])
    expect(days[1]?.hours[7]?.[0]).toMatchObject({
      first: new Date(2026, 2, 16, 7).toISOString(),
      last: new Date(2026, 2, 16, 7, 59).toISOString(),
    })
  })
  it('gathers the firings of one trigger on one day, the gravest outcome first', () => {
    const day = (hour: number) => new Date(2026, 2, 10, hour)
    const days = daysOf(
      'week',
      day(0),
      [
        entry(day(1), { outcome: 'started', job_run_id: 4 }),
        entry(day(2), { outcome: 'missed', message: 'asleep' }),
        entry(day(3)),
        entry(day(1), { trigger_id: 2 }),
      ],
      false,
    )
    const tuesday = days.find(({ date }) => date === '2026-03-10')
    expect(
      tuesday?.entries.map(({ trigger_id, count, outcome, message }) => [trigger_id, count, outcome, message]),
    ).toEqual([
      [1, 3, 'missed', 'asleep'],
      [2, 1, 'coming', null],
    ])
  })
  it('says from which day on there are more firings than are shown', () => {
    const entries = [entry(new Date(2026, 2, 16, 7)), entry(new Date(2026, 2, 18, 7))]
    const cut = (isCut: boolean) => daysOf('week', march, entries, isCut).filter((day) => day.isCut)
    expect(cut(true).map(({ date }) => date)).toEqual(['2026-03-18', '2026-03-19', '2026-03-20', '2026-03-21'])
    expect(cut(false)).toEqual([])
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
    expect(draft).toMatchObject({ fields: { day: '2026-01-01' }, at: '2026-12-01 06:00' })
    expect(timedBody(draft, 'one_off', { day: '2026-01-01' })).toEqual({
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
  it('saves a stored moment as it was written until another one is entered', () => {
    const stored = {
      type: 'one_off',
      cron_expression: '2026-12-01T06:00Z',
      timezone: 'Asia/Tokyo',
      enabled: 1,
    } as Trigger
    const draft = draftOf({ ...stored, arguments: null }, null)
    expect(draft.at).toBe('2026-12-01 15:00')
    expect(expressionOf(draft)).toBe('2026-12-01T06:00Z')
    expect(expressionOf({ ...draft, at: '2026-12-01 15:01' })).toBe('2026-12-01T06:01:00.000Z')
    expect(expressionOf({ ...draft, timezone: 'UTC' })).toBe('2026-12-01T15:00:00.000Z')
  })
  it('gives back a stored event trigger unchanged, and offers no other kind for it', () => {
    const stored = {
      job_id: 3,
      name: 'Inbox',
      type: 'file_arrival',
      config: { connector_id: 2, glob: 'inbox/*.csv', poll_seconds: 5, settle_seconds: 0 },
      task_key: 'load',
      enabled: 1,
      arguments: '{"files":"${{ event.files }}"}',
    } as unknown as EventTrigger
    expect(eventBody(draftOf(stored, null))).toEqual({
      name: 'Inbox',
      config: stored.config,
      task_key: 'load',
      enabled: true,
      arguments: { files: '${{ event.files }}' },
    })
    expect(kindsFor(stored)).toEqual(['file_arrival'])
    expect(kindsFor(null)).toEqual(['cron', 'one_off', 'webhook', 'file_arrival', 'after_job'])
  })
  it('asks for what each kind needs, and takes only a JSON object', () => {
    const draft = draftOf(null, null)
    expect(missing(draft)).toEqual(['jobId'])
    expect(missing({ ...draft, kind: 'one_off', jobId: 1, at: '2026-02-30 07:00' })).toEqual(['at'])
    expect(missing({ ...draft, kind: 'file_arrival', jobId: 1, name: 'x' })).toEqual(['connectorId', 'glob'])
    expect(missing({ ...draft, kind: 'after_job', jobId: 1, name: 'x', on: [] })).toEqual(['afterJobId', 'on'])
    expect(missing({ ...draft, kind: 'webhook', jobId: 1, name: 'x', args: '[1]' })).toEqual(['args'])
    expect(missing({ ...draft, jobId: 1, args: '[1]' })).toEqual([])
    expect(argumentsOf(' ')).toEqual({})
  })
})

describe('common schedules', () => {
  it.each(['5 * * * *', '30 2 * * *', '0 7 * * 1-5', '0 6 * * 0', '0 6 * * 3', '5 4 31 * *'])(
    'keeps %s when it is read and written',
    (cron) => {
      const schedule = scheduleOf(cron)
      expect(schedule && cronOf(schedule)).toBe(cron)
    },
  )
  it.each(['*/5 * * * *', '0 6 * * 1,3', '0 6 1 * 1', ''])('offers none for %s', (cron) => {
    expect(scheduleOf(cron)).toBeUndefined()
  })
  it('reads a time of the day', () => {
    expect(['7:05', '07:5', '23:59', '24:00', '7', '7:60'].map(readClock)).toEqual([
      '07:05',
      '07:05',
      '23:59',
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a moment by the clocks of a zone', () => {
  it.each([
    ['2026-07-01 07:00', 'Europe/Berlin', '2026-07-01T05:00:00.000Z'],
    ['2026-12-01T07:00:30', 'Asia/Kolkata', '2026-12-01T01:30:30.000Z'],
    ['2026-12-31 23:30', 'Pacific/Kiritimati', '2026-12-31T09:30:00.000Z'],
    ['2026-01-01T07:00:00+05:00', 'Europe/Berlin', '2026-01-01T02:00:00.000Z'],
    // Clocks show this hour twice, and the next one never.
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    ['2026-03-29 02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ])('%s in %s', (text, zone, moment) => {
    expect(momentOf(text, zone)).toBe(moment)
  })
  it.each(['', 'tomorrow', '2026-02-30 07:00', '2026-12-01 24:00', '2026-12-01', '1 Dec 2026 07:00'])(
    'is none: %s',
    (text) => {
      expect(momentOf(text, 'UTC')).toBeUndefined()
    },
  )
  it('shows what it would read again, and the moment itself where it would not', () => {
    expect(wallText('2026-10-25T00:30:00.000Z', 'Europe/Berlin')).toBe('2026-10-25 02:30')
    expect(wallText('2026-10-25T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-10-25T01:30:00.000Z')
    expect(wallText('2026-12-01T06:00:00.250Z', 'UTC')).toBe('2026-12-01T06:00:00.250Z')
  })
})

it('a trigger that fired refreshes lists of triggers and jobs, and the calendar', () => {
  const effect = effectOf({ id: 1, type: 'trigger.changed', at: '2026-03-01T08:00:00.000Z', entity_id: 2, data: {} })
  expect(effect.refreshLists).toEqual(['listTriggers', 'listTriggerFirings', 'listJobs'])
  expect(effect.refreshAll).toEqual(['getTriggerCalendar', 'getAttention'])
})
