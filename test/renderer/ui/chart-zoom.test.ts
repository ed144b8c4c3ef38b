import { expect, test } from 'vitest'
import { type ChartSpec, type Plot, isPlot, plotOf } from '../../../src/renderer/ui/chart/plot.rules.ts'
import { isZoomable, zoomIn, zoomOut, zoomTo, zoomed } from '../../../src/renderer/ui/chart/zoom.rules.ts'

const plot = (
  spec: Partial<ChartSpec>,
  rows: readonly (readonly unknown[])[],
  type: 'text' | 'integer' = 'text',
): Plot => {
  const fields = [
    { name: 'x', type, native: '' },
    { name: 'y', type: 'integer' as const, native: '' },
  ]
  const made = plotOf({ chart: 'line', x: 'x', y: ['y'], ...spec }, { fields, rows })
  if (!isPlot(made)) throw new Error(made.kind)
  return made
}
const days = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => [`2026-01-${String(from + at).padStart(2, '0')}`, at])
const texts = ({ places }: Plot) => places.map(({ text }) => text.slice(-2)).join(' ')

test('a part of a line is what is drawn and read, with its own rows', () => {
  const whole = plot({}, days(1, 10))
  const part = zoomed(whole, zoomTo(whole, 6, 3))
  expect(texts(part)).toBe('04 05 06 07')
  expect(part.series[0]).toMatchObject({ values: [3, 4, 5, 6], texts: ['3', '4', '5', '6'], rows: [3, 4, 5, 6] })
  expect(zoomed(whole, null)).toBe(whole)
})

test('it stays where it is when newer rows come and older ones go', () => {
  for (const chart of ['line', 'bar', 'stacked'] as const) {
    const whole = plot({ chart }, days(1, 10))
    const zoom = zoomTo(whole, 3, 6)
    expect(texts(zoomed(plot({ chart }, days(3, 12)), zoom))).toBe('04 05 06 07')
    // Its beginning has gone.
    expect(texts(zoomed(plot({ chart }, days(6, 9)), zoom))).toBe('06 07')
    const other = plot({ chart }, days(20, 5))
    expect(zoomed(other, zoom)).toBe(other)
  }
})

test('places of categories are counted from the part, and those of numbers keep their values', () => {
  const bars = plot({ chart: 'bar' }, days(1, 6))
  expect(zoomed(bars, zoomTo(bars, 2, 4)).places.map(({ at }) => at)).toEqual([0, 1, 2])
  const points = plot(
    { chart: 'scatter' },
    [
      [30, 1],
      [10, 2],
      [20, 3],
      [20, 4],
    ],
    'integer',
  )
  const part = zoomed(points, zoomTo(points, 0, 2))
  // All rows of a value are in it, whichever of them the range ended at.
  expect(part.places.map(({ at }) => at)).toEqual([10, 20, 20])
  expect(part.series[0]?.rows).toEqual([1, 2, 3])
})

test('keys halve and double what is seen, within the whole', () => {
  const whole = plot({}, days(1, 16))
  const half = zoomIn(whole, 15)
  expect(texts(zoomed(whole, half))).toBe('09 10 11 12 13 14 15 16')
  const quarter = zoomIn(zoomed(whole, half), 0)
  expect(texts(zoomed(whole, quarter))).toBe('09 10 11 12')
  expect(texts(zoomed(whole, zoomOut(whole, quarter)))).toBe('07 08 09 10 11 12 13 14')
  expect(zoomOut(whole, half)).toBeNull()
  expect(zoomOut(whole, null)).toBeNull()
  let least = zoomed(whole, zoomTo(whole, 3, 5))
  for (let more = 0; more < 5; more++) least = zoomed(least, zoomIn(least, 0))
  expect(texts(least)).toBe('04 05')
})

test('what has no order, or too few places, is not zoomed', () => {
  const pie = plot({ chart: 'pie' }, days(1, 5))
  expect(isZoomable(pie)).toBe(false)
  expect(zoomed(pie, { from: pie.places[1]!, to: pie.places[2]! })).toBe(pie)
  const two = plot({}, days(1, 2))
  expect(isZoomable(two)).toBe(false)
  const whole = plot({}, days(1, 5))
  expect(zoomTo(whole, 2, 2)).toBeNull()
  expect(zoomTo(whole, 0, 4)).toBeNull()
})
