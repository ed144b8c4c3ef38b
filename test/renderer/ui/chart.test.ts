import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ValueType } from '../../../src/contract/query-values.ts'
import { type ChartLooks, momentLabel, optionsOf } from '../../../src/renderer/ui/chart/options.rules.ts'
import { setLocale } from '../../../src/renderer/i18n/locale.ts'
import { roughText } from '../../../src/renderer/ui/format.ts'
import { nearestPlace, nextPlace } from '../../../src/renderer/ui/chart/place-at.rules.ts'
import {
  type Plot,
  type PlotProblem,
  chartTypes,
  isPlot,
  plotOf,
  readingAt,
  sharesOf,
} from '../../../src/renderer/ui/chart/plot.rules.ts'

const field = (name: string, type: ValueType) => ({ name, type, native: '' })
const drawn = (plot: Plot | PlotProblem): Plot => {
  if (!isPlot(plot)) throw new Error(plot.kind)
  return plot
}
const none: ReadonlySet<number> = new Set()

describe('what a chart draws of rows', () => {
  it('keeps the exact text of values that a number can’t hold', () => {
    const fields = [field('k', 'text'), field('n', 'bigint'), field('d', 'decimal')]
    const rows = [['a', '9007199254740993', '0.1000000000000000055511151231257827']]
    const plot = drawn(plotOf({ chart: 'bar', x: 'k', y: ['n', 'd'] }, { fields, rows }))
    expect(readingAt(plot, 0, null, none).values.map(({ text }) => text)).toEqual(rows[0]!.slice(1))
    expect(plot.series.map(({ values }) => values)).toEqual([[9007199254740992], [0.1]])
  })

  it('draws over no row: two at one x of a series have a place each', () => {
    const fields = [field('x', 'integer'), field('s', 'text'), field('y', 'integer')]
    const value = fc.integer({ min: 0, max: 5 })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(value, fc.constantFrom('a', 'b', null), fc.integer()), { minLength: 1 }),
        (rows) => {
          for (const chart of chartTypes) {
            if (chart === 'pie') continue
            const plot = drawn(plotOf({ chart, x: 'x', y: ['y'], series: 's' }, { fields, rows }))
            const seen = plot.series.flatMap((series) => series.rows.filter((row) => row >= 0))
            expect(seen.toSorted((a, b) => a - b)).toEqual(rows.map((_, row) => row))
            for (const series of plot.series) {
              for (const [place, row] of series.rows.entries()) {
                if (row < 0) continue
                expect(series.texts[place]).toBe(String(rows[row]![2]))
                expect(plot.places[place]!.text).toBe(String(rows[row]![0]))
              }
            }
          }
        },
      ),
    )
  })

  it('takes texts for moments only if all are, and orders them', () => {
    const fields = [field('day', 'text'), field('n', 'integer')]
    const rows = [
      ['2026-02-01', 2],
      ['2026-01-01 10:00:00', 1],
    ]
    const plot = drawn(plotOf({ chart: 'line', x: 'day', y: ['n'] }, { fields, rows }))
    expect(plot.axis).toBe('time')
    expect(plot.places.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2026-01-01T10:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ])
    const mixed = drawn(plotOf({ chart: 'line', x: 'day', y: ['n'] }, { fields, rows: [...rows, ['soon', 3]] }))
    expect(mixed.axis).toBe('category')
    expect(mixed.places.map(({ text }) => text)).toEqual(['2026-02-01', '2026-01-01 10:00:00', 'soon'])
  })

  it('says how much of a pie each slice is that is drawn', () => {
    const fields = [field('k', 'text'), field('n', 'integer')]
    const pie = drawn(
      plotOf(
        { chart: 'pie', x: 'k', y: ['n'] },
        {
          fields,
          rows: [
            ['a', 1],
            ['b', 3],
            ['c', 4],
          ],
        },
      ),
    )
    expect(sharesOf(pie, none)).toEqual([0.125, 0.375, 0.5])
    expect(sharesOf(pie, new Set([2]))).toEqual([0.25, 0.75, undefined])
  })

  it('says why nothing is drawn', () => {
    const fields = [field('k', 'text'), field('n', 'text'), field('neg', 'integer')]
    const rows = Array.from({ length: 101 }, (_, at) => [`k${at}`, 'n/a', -1])
    const why = (spec: Parameters<typeof plotOf>[0], some = rows) => plotOf(spec, { fields, rows: some })
    expect(why({ chart: 'bar', x: 'k', y: ['m'] })).toEqual({ kind: 'missing', column: 'm' })
    expect(why({ chart: 'bar', x: 'k', y: ['n'] })).toEqual({ kind: 'notNumbers', column: 'n' })
    expect(why({ chart: 'pie', x: 'k', y: ['neg'] })).toEqual({ kind: 'negative', column: 'neg' })
    expect(why({ chart: 'bar', x: 'k', y: ['neg'], series: 'k' })).toMatchObject({ kind: 'manySeries', amount: 101 })
    expect(why({ chart: 'bar', x: 'k', y: ['neg'] }, [])).toEqual({ kind: 'empty' })
  })

  it('counts values that are no finite numbers, and leaves a gap for them', () => {
    const fields = [field('k', 'integer'), field('n', 'double')]
    const rows = [
      [1, 'NaN'],
      [2, 'Infinity'],
      [3, null],
      [4, '-0'],
      [5, { text: 'n/a' }],
    ]
    const plot = drawn(plotOf({ chart: 'line', x: 'k', y: ['n'] }, { fields, rows }))
    expect(plot.series[0]!.values).toEqual([null, null, null, -0, null])
    expect(plot.undrawn).toBe(3)
    expect(readingAt(plot, 2, null, none).values[0]!.text).toBe('NULL')
  })
})

describe('the drawing', () => {
  beforeEach(() => setLocale('en'))

  const looks: ChartLooks = {
    series: ['#111111', '#222222'],
    text: '#000000',
    muted: '#333333',
    line: '#444444',
    surface: '#ffffff',
    accent: '#555555',
    fontFamily: 'Inter',
    patterned: true,
    motion: false,
  }
  const data = {
    fields: [field('k', 'date'), field('s', 'text'), field('n', 'integer')],
    rows: [
      ['2026-01-01', 'a', 1],
      ['2026-01-02', 'b', 2],
    ],
  }

  it('tells series apart by more than color, and by the colors of the window', () => {
    const plot = drawn(plotOf({ chart: 'line', x: 'k', y: ['n'], series: 's' }, data))
    const option = optionsOf(plot, looks, { hidden: none, chosen: null }, 'Label')
    expect(option).toMatchObject({
      aria: { label: { description: 'Label' }, decal: { show: true } },
      series: [
        { id: '0', color: '#111111', sampling: 'minmax', lineStyle: { type: 'solid' } },
        { id: '1', color: '#222222', lineStyle: { type: 'dashed' } },
      ],
    })
  })

  it('keeps the numbers of series when one is hidden', () => {
    const plot = drawn(plotOf({ chart: 'bar', x: 'k', y: ['n'], series: 's' }, data))
    const option = optionsOf(plot, looks, { hidden: new Set([0]), chosen: '2026-01-02' }, '')
    expect(option).toMatchObject({ series: [{ id: '1', color: '#222222' }] })
  })

  it('reads values with the unit and digits of the chart', () => {
    const fields = [field('k', 'text'), field('n', 'decimal')]
    const read = (unit: string | null, decimals: number | null) => {
      const spec = { chart: 'bar', x: 'k', y: ['n'], look: { unit, decimals } } as const
      const plot = drawn(plotOf(spec, { fields, rows: [['a', '1234.56']] }))
      const { yAxis } = optionsOf(plot, looks, { hidden: none, chosen: null }, '') as unknown as {
        yAxis: { axisLabel: { formatter(value: number): string } }
      }
      return [readingAt(plot, 0, null, none).values[0]?.text, yAxis.axisLabel.formatter(2000)]
    }
    expect(read(null, null)).toEqual(['1234.56', '2,000'])
    expect(read('mm', 1)).toEqual(['1,234.6 mm', '2,000 mm'])
    expect(read('ms', null)).toEqual(['1.24 s', '2.00 s'])
  })

  it('labels moments as round as they are', () => {
    const label = (iso: string) => momentLabel(Date.parse(iso))
    expect(label('2026-01-01T00:00:00Z')).toBe('2026')
    expect(label('2026-03-01T00:00:00Z')).toBe('Mar')
    expect(label('2026-03-02T00:00:00Z')).toBe('Mar 2')
    expect(label('2026-03-02T13:05:00Z')).toBe('13:05')
  })

  it('names the first of a month like the days around it', () => {
    const fields = [field('k', 'datetime_tz'), field('n', 'integer')]
    const names = (...days: string[]) => {
      const moments = days.map((day) => `${day}T00:00:00Z`)
      const plot = drawn(plotOf({ chart: 'bar', x: 'k', y: ['n'] }, { fields, rows: moments.map((at) => [at, 1]) }))
      const { xAxis } = optionsOf(plot, looks, { hidden: none, chosen: null }, '') as unknown as {
        xAxis: { axisLabel: { formatter: (text: string) => string } }
      }
      return moments.map((at) => xAxis.axisLabel.formatter(at))
    }
    expect(names('2026-03-31', '2026-04-01')).toEqual(['Mar 31', 'Apr 1'])
    expect(names('2026-04-01', '2026-04-02')).toEqual(['Apr 1', 'Apr 2'])
    expect(names('2026-03-01', '2026-04-01')).toEqual(['Mar', 'Apr'])
  })

  it('begins the first label of times at its place, where its half would cover the number beside it', () => {
    const fields = [field('k', 'date'), field('n', 'integer')]
    const days = (count: number) => Array.from({ length: count }, (_, at) => [`2026-01-${String(at + 10)}`, at])
    const first = (chart: 'bar' | 'line', count: number) => {
      const plot = drawn(plotOf({ chart, x: 'k', y: ['n'] }, { fields, rows: days(count) }))
      const { xAxis } = optionsOf(plot, looks, { hidden: none, chosen: null }, '') as unknown as {
        xAxis: { axisLabel: { alignMinLabel: string | null } }
      }
      return xAxis.axisLabel.alignMinLabel
    }
    expect([first('line', 4), first('bar', 20), first('bar', 4)]).toEqual(['left', 'left', null])
  })

  it('labels categories that are moments alike, and leaves days as they are written', () => {
    const fields = [field('at', 'datetime'), field('n', 'integer')]
    const rows = [
      ['2026-03-02T00:00:00.000Z', 1],
      ['2026-03-02T13:05:00.000Z', 2],
    ]
    const plot = drawn(plotOf({ chart: 'bar', x: 'at', y: ['n'] }, { fields, rows }))
    const { xAxis } = optionsOf(plot, looks, { hidden: none, chosen: null }, '') as unknown as {
      xAxis: { data: string[]; axisLabel: { formatter(text: string): string } }
    }
    expect(xAxis.data.map((text) => xAxis.axisLabel.formatter(text))).toEqual(['Mar 2', '13:05'])
    expect(xAxis.axisLabel.formatter('2026-03-02')).toBe('2026-03-02')
  })
})

describe('a label of an axis', () => {
  it('is short whatever the number is', () => {
    const written = [0, -12, 99_999, 250_000, -1_500_000_000, 9_007_199_254_740_992, 1e308, -1e21].map(roughText)
    expect(written).toEqual(['0', '-12', '99,999', '250K', '-1.5B', '9.01E15', '1E308', '-1E21'])
  })
})

describe('a place on the picture', () => {
  it('is the nearest one', () => {
    const places = [0, 10, 100].map((at) => ({ text: String(at), at }))
    expect([-5, 4, 5, 6, 54, 56, 1e9].map((at) => nearestPlace({ places }, at))).toEqual([0, 0, 0, 1, 1, 2, 2])
  })

  it('skips what is hidden', () => {
    const fields = [field('k', 'text'), field('s', 'text'), field('n', 'integer')]
    const rows = [
      ['x', 'a', 1],
      ['y', 'b', 2],
      ['z', 'a', 3],
    ]
    const plot = drawn(plotOf({ chart: 'bar', x: 'k', y: ['n'], series: 's' }, { fields, rows }))
    expect(nextPlace(plot, 0, 1, new Set([1]))).toBe(2)
    expect(nextPlace(plot, 2, 1, none)).toBe(2)
  })
})
