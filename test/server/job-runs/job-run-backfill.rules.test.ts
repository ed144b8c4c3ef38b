import { describe, expect, test } from 'vitest'
import { type BackfillRange, backfillDates } from '../../../src/server/features/job-runs/job-run-backfill.rules.ts'

const dates = (range: BackfillRange, zone = 'UTC') => {
  const found = backfillDates(range, zone)
  if (found.kind !== 'dates') throw new Error(found.reason.message)
  return found.dates
}
const short = (range: BackfillRange, zone?: string) => dates(range, zone).map((date) => date.slice(0, 10))

describe('days of a backfill', () => {
  test('include the first and the last', () => {
    expect(dates({ from: '2026-02-27', to: '2026-03-01', every: 'day' })).toEqual([
      '2026-02-27T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ])
    expect(short({ from: '2026-02-27', to: '2026-02-27', every: 'month' })).toEqual(['2026-02-27'])
    expect(short({ from: '2026-02-01', to: '2026-02-16', every: 'week' })).toEqual([
      '2026-02-01',
      '2026-02-08',
      '2026-02-15',
    ])
  })

  test('of months stay at the day of the first, or at the last one that a month has', () => {
    expect(short({ from: '2023-11-30', to: '2024-04-30', every: 'month' })).toEqual([
      '2023-11-30',
      '2023-12-30',
      '2024-01-30',
      '2024-02-29',
      '2024-03-30',
      '2024-04-30',
    ])
  })

  test('begin at midnight by the clocks of the zone, also where these are changed', () => {
    expect(dates({ from: '2026-03-28', to: '2026-03-30', every: 'day' }, 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    // Clocks went from 24:00 to 01:00: the day begins at one o’clock.
    expect(dates({ from: '2018-11-03', to: '2018-11-05', every: 'day' }, 'America/Sao_Paulo')).toEqual([
      '2018-11-03T03:00:00.000Z',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ])
    // Back from 24:00 to 23:00, and (Newfoundland) from 00:01 to 23:01: the day begins when its midnight comes first.
    expect(dates({ from: '2018-02-18', to: '2018-02-18', every: 'day' }, 'America/Sao_Paulo')).toEqual([
      '2018-02-18T03:00:00.000Z',
    ])
    expect(dates({ from: '2010-11-07', to: '2010-11-07', every: 'day' }, 'America/St_Johns')).toEqual([
      '2010-11-07T02:30:00.000Z',
    ])
  })

  test('that a zone skipped are left out', () => {
    expect(dates({ from: '2011-12-29', to: '2011-12-31', every: 'day' }, 'Pacific/Apia')).toEqual([
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
    ])
  })

  test('come in order and once in every zone, and each has the date that was asked for', () => {
    const range: BackfillRange = { from: '2026-01-01', to: '2026-12-31', every: 'day' }
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      const found = dates(range, zone)
      expect([zone, found.length]).toEqual([zone, 365])
      const local = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      const wrong = found.filter((date, index) => {
        const day = local.format(new Date(date))
        const before = local.format(Date.parse(date) - 1)
        const expected = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)
        return day !== expected || before >= expected
      })
      expect([zone, wrong]).toEqual([zone, []])
    }
  })

  test.each([
    [{ from: '2026-03-02', to: '2026-03-01', every: 'day' }, 'UTC', 'to'],
    [{ from: '2020-01-01', to: '2026-01-01', every: 'day' }, 'UTC', 'to'],
    [{ from: '2026-01-01', to: '2026-01-02', every: 'day' }, 'Mars/Olympus', 'timezone'],
    [{ from: '2026-01-01', to: '2026-01-02', every: 'day' }, '+02:00', 'timezone'],
  ] as const)('are refused: %j in %s', (range, zone, field) => {
    expect(backfillDates(range, zone)).toMatchObject({ kind: 'mistake', field })
  })

  test('may be a thousand', () => {
    expect(dates({ from: '2023-01-01', to: '2025-09-26', every: 'day' })).toHaveLength(1_000)
  })
})
