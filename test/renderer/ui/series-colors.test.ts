import { expect, it } from 'vitest'
import type { ValueType } from '../../../src/contract/query-values.ts'
import { type ChartSpec, isPlot, plotOf } from '../../../src/renderer/ui/chart/plot.rules.ts'
import { type TakenColors, colorsFor } from '../../../src/renderer/ui/chart/series-colors.rules.ts'

const field = (name: string, type: ValueType) => ({ name, type, native: '' })
const fields = [
  field('airport', 'text'),
  field('day', 'integer'),
  field('flights', 'integer'),
  field('late', 'integer'),
]
const pie: ChartSpec = { chart: 'pie', x: 'airport', y: ['flights'] }
const lines: ChartSpec = { chart: 'line', x: 'day', y: ['flights'], series: 'airport' }

/** The color of each name, where the rows come in this order. */
function colors(spec: ChartSpec, airports: readonly string[], taken: TakenColors, most = 8) {
  const plot = plotOf(spec, { fields, rows: airports.map((airport, day) => [airport, day, day + 1, 1]) })
  if (!isPlot(plot)) throw new Error(plot.kind)
  const names = spec.chart === 'pie' ? plot.places.map(({ text }) => text) : plot.series.map(({ name }) => name)
  return new Map(colorsFor(plot, most, taken).map((color, at) => [names[at], color]))
}

it('a value has the same color in a pie and in lines, whichever is drawn first and however its rows are sorted', () => {
  const [one, other]: [TakenColors, TakenColors] = [new Map(), new Map()]
  const first = colors(pie, ['ORD', 'DFW', 'ATL'], one)
  expect(colors(lines, ['DFW', 'ATL', 'ORD'], one)).toEqual(first)
  expect(colors(lines, ['DFW', 'ATL', 'ORD'], other)).toEqual(first)
  expect(new Set(first.values()).size).toBe(3)
})

it('a filter that leaves one value leaves it its color', () => {
  const taken: TakenColors = new Map()
  const all = colors(pie, ['ORD', 'DFW', 'ATL'], taken)
  expect(colors(pie, ['ORD'], taken).get('ORD')).toBe(all.get('ORD'))
})

it('columns have the colors of their order', () => {
  const spec: ChartSpec = { chart: 'bar', x: 'airport', y: ['late', 'flights'] }
  expect([...colors(spec, ['ORD'], new Map())]).toEqual([
    ['late', 0],
    ['flights', 1],
  ])
})

it('with more values than colors, all colors are used before one comes again', () => {
  const given = [...colors(pie, ['a', 'b', 'c', 'd', 'e'], new Map(), 2).values()]
  expect(given).toEqual([0, 1, 0, 1, 0])
})

it('two names that got one color in other charts are told apart in one chart', () => {
  const taken: TakenColors = new Map([
    ['a', 0],
    ['b', 0],
  ])
  expect([...colors(pie, ['a', 'b'], taken)]).toEqual([
    ['a', 0],
    ['b', 1],
  ])
})
