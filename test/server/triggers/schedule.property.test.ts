import { CronExpressionParser } from 'cron-parser'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSchedule } from '../../../src/server/features/triggers/schedule.rules.ts'
import { minutesOf, walk, wallClock } from './minute-walker.ts'

const hour = 3_600_000
const day = 24 * hour

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'EST5EDT', 'US/Pacific']

/** Moments within a day of which the clocks of a zone change in these years; by themselves, without the code under test. */
function changesOf(zone: string, firstYear: number, lastYear: number): number[] {
  const clock = wallClock(zone)
  const found: number[] = []
  let offset: number | null = null
  for (let at = Date.UTC(firstYear, 0, 1); at < Date.UTC(lastYear, 11, 31); at += day) {
    const now = clock(at) - at
    if (offset !== null && now !== offset) found.push(at)
    offset = now
  }
  return found
}

const values = (min: number, max: number) =>
  fc.oneof(
    fc.integer({ min, max }).map(String),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 2, maxLength: 4 }).map((list) => list.join(',')),
    fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
    fc
      .tuple(fc.integer({ min, max }), fc.integer({ min, max }), fc.integer({ min: 1, max: 7 }))
      .map(([a, b, step]) => `${Math.min(a, b)}-${Math.max(a, b)}/${step}`),
  )
const wild = (max: number) => fc.integer({ min: 1, max }).map((step) => (step === 1 ? '*' : `*/${step}`))
/** Mostly in the small hours, when clocks change. */
const expressionsUpTo = (lastWeekday: 6 | 7) =>
  fc
    .tuple(
      fc.oneof(values(0, 59), values(0, 59), wild(30)),
      fc.oneof(values(0, 4), values(0, 23), wild(6)),
      fc.oneof({ weight: 4, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: values(1, 31) }, wild(7)),
      fc.oneof({ weight: 4, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: values(1, 12) }),
      fc.oneof(
        { weight: 4, arbitrary: fc.constant('*') },
        { weight: 1, arbitrary: values(0, lastWeekday) },
        fc.constantFrom('mon-fri', 'SUN', 'Tue,thu', '*/2'),
      ),
    )
    .map((fields) => fields.join(' '))

const scheduleOf = (cron_expression: string, timezone: string) => {
  const verdict = readSchedule({ type: 'cron', cron_expression, timezone })
  if (verdict.ok) return verdict.schedule
  // Of the mistakes that there are, the generator makes this one only.
  if (verdict.problem.message.includes('never fires')) return undefined
  throw new Error(`${cron_expression}: ${verdict.problem.message}`)
}

/** Firings from `from` on and before `to`. */
function firings(expression: string, zone: string, from: number, to: number): number[] {
  const schedule = scheduleOf(expression, zone)!
  const found: number[] = []
  for (let next = schedule.next(from - 1); next !== null && next < to; next = schedule.next(next)) found.push(next)
  return found
}

test.each(zones)('around a change of the clocks, cron fires as a walk through the minutes does: %s', (zone) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1975, max: 2036 }),
      fc.integer({ min: 0, max: 1000 }),
      fc.array(expressionsUpTo(7), { minLength: 4, maxLength: 4 }),
      (year, pick, tried) => {
        const changes = changesOf(zone, year, year)
        const change = changes[pick % Math.max(1, changes.length)] ?? Date.UTC(year, 2, 1)
        const from = change - 26 * hour
        const to = change + 4 * hour
        const minutes = minutesOf(zone, from, to)
        for (const expression of tried.filter((one) => scheduleOf(one, zone))) {
          const found = firings(expression, zone, from, to)
          expect([expression, ...found]).toEqual([expression, ...walk(expression, minutes, from)])
        }
      },
    ),
    { numRuns: 2 },
  )
})

test('far from any change it fires as another implementation does', () => {
  fc.assert(
    // It takes 0 and 7 together for a mistake.
    fc.property(expressionsUpTo(6), fc.integer({ min: 0, max: 20_000 }), (expression, days) => {
      const from = Date.UTC(1990, 0, 1) + days * day
      const schedule = scheduleOf(expression, 'UTC')
      fc.pre(schedule !== undefined)
      const other = CronExpressionParser.parse(expression, { currentDate: new Date(from), tz: 'UTC' })
      let at = from
      for (let count = 0; count < 5; count++) {
        at = schedule.next(at)!
        expect([expression, new Date(at).toISOString()]).toEqual([expression, other.next().toDate().toISOString()])
      }
    }),
    { numRuns: 300 },
  )
})
