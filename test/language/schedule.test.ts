import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, MAX_DURATION_MS, parseDuration } from '../../src/language/schedule/duration.ts'

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['10s', 10_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['1h30m', 5_400_000],
    ['PT1H30M', 5_400_000],
    ['P1DT12H', 129_600_000],
    ['P2W', 1_209_600_000],
    ['PT0.5S', 500],
    ['0s', 0],
    ['P', null],
    ['PT', null],
    ['P1M', null],
    ['P1Y', null],
    ['10', null],
    ['-5s', null],
    ['5 s', null],
    ['30m1h', null],
    ['1h1h', null],
    ['', null],
    ['11y', null],
    ['4000d', null],
    ['1e3s', null],
  ])('%s is %j ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  it('are written so that they are read as the same', () => {
    fc.assert(
      fc.property(fc.nat(MAX_DURATION_MS), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
      }),
    )
  })
})
