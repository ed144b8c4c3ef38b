import { expect, test } from 'vitest'
import {
  gridNames,
  gridOf,
  heightOf,
  labelled,
  linePaths,
  placeOf,
  rangeOf,
  stackedBars,
} from '../../../src/renderer/ui/time-chart.rules.ts'

const of = (...values: (number | null)[]) => [{ values }]

test('a chart ends at the next round number above what it shows', () => {
  expect(rangeOf('lines', of(3, 480, null))).toEqual({ top: 500, bottom: 0 })
  expect(rangeOf('bars', [...of(3, 480), ...of(0, 30)])).toEqual({ top: 600, bottom: 0 })
  expect(rangeOf('bars', of(24))).toEqual({ top: 30, bottom: 0 })
  expect(rangeOf('bars', of(21_043))).toEqual({ top: 30_000, bottom: 0 })
  expect(rangeOf('bars', of(91))).toEqual({ top: 100, bottom: 0 })
  expect(rangeOf('lines', of(null, 0))).toEqual({ top: 1, bottom: 0 })
  expect(rangeOf('lines', of(0.035))).toEqual({ top: 0.04, bottom: 0 })
})

test('the end of a chart of sizes is a round number of KiB or MiB', () => {
  expect(rangeOf('bars', of(700 * 1024, 3), [], true)).toEqual({ top: 1024 ** 2, bottom: 0 })
  expect(rangeOf('bars', of(0), [], true)).toEqual({ top: 1, bottom: 0 })
})

test('a limit is within the chart, away from its ends and from the line in its middle', () => {
  for (const digit of [1, 1.3, 2, 2.5, 4, 5, 7, 9.9]) {
    for (const value of [digit, digit * 1000, -digit]) {
      const at = heightOf(value, rangeOf('lines', of(value / 20), [{ value }]))
      for (const line of [0, 50, 100]) expect(Math.abs(at - line), `${value}`).toBeGreaterThan(4)
    }
  }
})

test('negative values are drawn below the line of 0, inside the chart', () => {
  const range = rangeOf('lines', of(-40, 150, -3))
  expect(range).toEqual({ top: 200, bottom: -40 })
  expect(linePaths([-40, 150], range)).toBe('M250.00 100.00L750.00 20.83')
  expect(rangeOf('lines', of(-41, -3))).toEqual({ top: 0, bottom: -50 })
  const bars = stackedBars([...of(30, -20), ...of(-10, -20)], { top: 50, bottom: -50 })
  expect(bars).toEqual([
    { series: 0, index: 0, y: 20, height: 30 },
    { series: 0, index: 1, y: 50, height: 20 },
    { series: 1, index: 0, y: 50, height: 10 },
    { series: 1, index: 1, y: 70, height: 20 },
  ])
  const [, few] = stackedBars([...of(2000), ...of(1)], { top: 2000, bottom: 0 })
  expect(few, 'few beside many are seen').toEqual({ series: 1, index: 0, y: 0, height: 1.5 })
})

test('both ends of a chart and its middle, or 0, have a line with a name', () => {
  const namesOf = (top: number, bottom: number, format: (value: number) => string = String) =>
    gridNames({ top, bottom }, format)
  expect(namesOf(50, 0)).toEqual([
    { name: '50', at: 0 },
    { name: '25', at: 50 },
    { name: '0', at: 100 },
  ])
  expect(namesOf(50, 0, (ms) => (ms < 1 ? '< 1 ms' : `${ms} ms`)).map(({ name }) => name)).toEqual([
    '50 ms',
    '25 ms',
    '0',
  ])
  expect(gridOf({ top: 200, bottom: -50 })).toEqual([200, 0, -50])
  expect(gridOf({ top: 0, bottom: -50 })).toEqual([0, -25, -50])
  // Names that would stand on each other, or be the same.
  expect(namesOf(1000, -50).map(({ name }) => name)).toEqual(['1000', '-50'])
  expect(namesOf(1, 0, (value) => value.toFixed(0)).map(({ name }) => name)).toEqual(['1', '0'])
})

test('the names of times stand below their bars, each once', () => {
  expect(labelled(0)).toEqual([])
  expect(labelled(1)).toEqual([0])
  expect(labelled(2)).toEqual([0, 1])
  expect(labelled(7)).toEqual([0, 2, 4, 6])
  expect(labelled(8)).toEqual([1, 3, 5, 7])
  expect(labelled(90)).toEqual([20, 43, 66, 89])
  expect([0, 3, 7].map((index) => placeOf(index, 8))).toEqual([
    { left: '0', width: '12.5%' },
    { left: '43.75%', translate: '-50%' },
    { right: '0', width: '12.5%' },
  ])
  expect(placeOf(0, 1)).toEqual({ left: '0', width: '100%' })
})
