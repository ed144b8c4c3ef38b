import { describe, expect, test } from 'vitest'
import { firstFirings } from '../../../src/server/features/triggers/triggers.service.ts'
import { readSchedule } from '../../../src/server/features/triggers/schedule.rules.ts'
import { localTime } from '../../../src/server/platform/zones.ts'

const message = (cron_expression: string, type: 'cron' | 'one_off' = 'cron', timezone = 'UTC') => {
  const verdict = readSchedule({ type, cron_expression, timezone })
  return verdict.ok ? 'fine' : `${verdict.field} ${verdict.problem.message}`
}
function firings(expression: string, zone: string, from: string, count: number): string[] {
  const verdict = readSchedule({ type: 'cron', cron_expression: expression, timezone: zone })
  if (!verdict.ok) throw new Error(verdict.problem.message)
  const found: string[] = []
  let at: number | null = Date.parse(from)
  while (found.length < count && (at = verdict.schedule.next(at)) !== null) found.push(localTime(at, zone))
  return found
}

describe('what is taken', () => {
  test.each([
    '*/5 0-6,22-23 1,15 JAN-Mar,dec mon-fri',
    '0 0 * * 7',
    '0 0 29 2 *',
    '  0\t6  * * * ',
    '0 0 31 2 1',
    '59 23 31 12 0-7',
  ])('%s', (expression) => expect(message(expression)).toBe('fine'))
  test.each([
    ['', 'cron_expression has 0 fields. Use five: minute, hour, day of month, month, day of week.'],
    [
      '0 0 * * * *',
      'cron_expression has 6 fields. Use five: minute, hour, day of month, month, day of week. Seconds and years aren’t supported.',
    ],
    ['@hourly', 'cron_expression is a nickname; use `0 * * * *`'],
    ['@reboot', 'cron_expression is a nickname; use five fields: minute, hour, day of month, month, day of week'],
    ['60 * * * *', 'cron_expression field 1 (minute): 60 is not between 0 and 59'],
    ['0 24 * * *', 'cron_expression field 2 (hour): 24 is not between 0 and 23'],
    ['0 0 0 * *', 'cron_expression field 3 (day of month): 0 is not between 1 and 31'],
    [
      '0 0 L * *',
      'cron_expression field 3 (day of month): `L` is not standard cron. Use numbers, names, lists, ranges and steps',
    ],
    ['0 0 ? * *', 'cron_expression field 3 (day of month): `?` is not standard cron; use `*`'],
    [
      '0 0 * mai *',
      'cron_expression field 4 (month): `mai` is not valid. Use 1–12 or a name (jan … dec), `*`, lists, ranges and steps',
    ],
    [
      '0 0 * * 1#2',
      'cron_expression field 5 (day of week): `1#2` is not standard cron. Use numbers, names, lists, ranges and steps',
    ],
    [
      '0 0 * * fri-mon',
      'cron_expression field 5 (day of week): the range `fri-mon` ends before it begins; use two ranges, such as `5-7,0-1`',
    ],
    ['1,,2 * * * *', 'cron_expression field 1 (minute): has an empty item in its list'],
    ['*/0 * * * *', 'cron_expression field 1 (minute): the step of `*/0` must be a whole number, 1 or greater'],
    ['*/90 * * * *', 'cron_expression field 1 (minute): the step of `*/90` is larger than the field'],
    ['5/15 * * * *', 'cron_expression field 1 (minute): a step needs `*` or a range: use `5-59/15` instead of `5/15`'],
    ['0 0 30 2 *', 'cron_expression never fires: none of its months has this day'],
    ['0 0 31 4,6,9,11 *', 'cron_expression never fires: none of its months has this day'],
  ])('not %j', (expression, expected) => expect(message(expression)).toBe(expected))

  test('a one_off is a moment in UTC', () => {
    for (const text of [
      '2026-03-01T08:30:00.000Z',
      '2026-03-01T08:30Z',
      '2026-03-01T08:30:00+00:00',
      '2026-03-01T08:30:00',
    ]) {
      expect([text, message(text, 'one_off')]).toEqual([text, 'fine'])
    }
    for (const text of ['2026-03-01T08:30:00+01:00', '2026-02-30T08:30:00Z', '2026-03-01', '0 6 * * *', 'now']) {
      expect([text, message(text, 'one_off')]).toEqual([
        text,
        expect.stringMatching(/^cron_expression must be an ISO 8601/),
      ])
    }
  })
  test('a zone is one that knows its summer time', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'america/new_york', 'Asia/Kolkata']) {
      expect([zone, message('0 6 * * *', 'cron', zone)]).toEqual([zone, 'fine'])
    }
    for (const zone of ['+02:00', 'Europe/Nowhere', 'CEST!', ' UTC']) {
      expect([zone, message('0 6 * * *', 'cron', zone)]).toEqual([zone, expect.stringMatching(/^timezone /)])
    }
  })
})

describe('when the clocks change', () => {
  const berlin = 'Europe/Berlin'
  test('a time that does not exist fires at the first moment after the gap', () => {
    expect(firings('30 2 * * *', berlin, '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-30T02:30:00+02:00',
    ])
  })
  test('all times of the gap together fire once, and not again where the gap ends at one of them', () => {
    expect(firings('0,20,40 2,3 * * *', berlin, '2026-03-28T12:00:00Z', 4)).toEqual([
      '2026-03-29T03:00:00+02:00',
      '2026-03-29T03:20:00+02:00',
      '2026-03-29T03:40:00+02:00',
      '2026-03-30T02:00:00+02:00',
    ])
  })
  test('a day that does not exist fires as the next one begins', () => {
    expect(firings('15 10 30 12 *', 'Pacific/Apia', '2011-06-01T00:00:00Z', 1)).toEqual(['2011-12-31T00:00:00+14:00'])
  })
  test('a time that comes twice fires the first time', () => {
    expect(firings('30 2 * * *', berlin, '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T02:30:00+02:00',
      '2026-10-26T02:30:00+01:00',
    ])
  })
  test('each 15 minutes are 15 real ones', () => {
    const gaps = (from: string) => {
      const times = firings('*/15 * * * *', berlin, from, 20).map((text) => Date.parse(text))
      return new Set(times.slice(1).map((time, index) => (time - times[index]!) / 60_000))
    }
    expect(gaps('2026-03-29T00:00:00Z')).toEqual(new Set([15]))
    expect(gaps('2026-10-24T23:00:00Z')).toEqual(new Set([15]))
  })
  test('every hour goes by the hour', () => {
    expect(firings('30 * * * *', berlin, '2026-03-29T00:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00+01:00',
      '2026-03-29T03:30:00+02:00',
    ])
    expect(firings('30 * * * *', berlin, '2026-10-25T00:00:00Z', 3)).toEqual([
      '2026-10-25T02:30:00+02:00',
      '2026-10-25T02:30:00+01:00',
      '2026-10-25T03:30:00+01:00',
    ])
  })
})

test('other requests get their turn between the firings of a preview', async () => {
  const order: string[] = []
  const other = () => {
    order.push('other')
    if (order.length < 5) setImmediate(other)
  }
  setImmediate(other)
  const next = (after: number) => {
    order.push('next')
    return after + 1
  }
  expect(await firstFirings({ next }, 0, 3)).toEqual([1, 2, 3])
  expect(order).toEqual(['next', 'other', 'next', 'other', 'next'])
})
