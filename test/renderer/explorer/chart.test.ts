import { expect, test } from 'vitest'
import type { ValueType } from '../../../src/contract/query-values.ts'
import { chartFields, chartOf, specOf, usualChart } from '../../../src/renderer/features/explorer/chart.rules.ts'
import { lookOf, lookOfPreset, withLook } from '../../../src/renderer/features/explorer/result-look.rules.ts'
import { isPlot, plotOf } from '../../../src/renderer/ui/chart/plot.rules.ts'

const fieldsOf = (types: Readonly<Record<string, ValueType>>) =>
  Object.entries(types).map(([name, type]) => ({ name, type, native: '' }))

test('what is drawn follows from the columns: time as a line, names as bars, numbers as points', () => {
  expect(usualChart(fieldsOf({ id: 'bigint', day: 'date', total: 'decimal' }), [])).toEqual({
    chart: 'line',
    x: 'day',
    y: ['total'],
    series: null,
  })
  expect(usualChart(fieldsOf({ id: 'integer', name: 'text', total: 'decimal' }), [])).toMatchObject({
    chart: 'bar',
    x: 'name',
    y: ['total'],
  })
  expect(usualChart(fieldsOf({ order_id: 'bigint', a: 'double', b: 'double' }), [])).toMatchObject({
    chart: 'scatter',
    x: 'a',
    y: ['b'],
  })
  expect(usualChart(fieldsOf({ id: 'bigint', total: 'double' }), [])).toMatchObject({
    chart: 'bar',
    x: 'id',
    y: ['total'],
  })
  expect(usualChart(fieldsOf({ count: 'bigint' }), [])).toMatchObject({ x: 'count', y: ['count'] })
  expect(usualChart(fieldsOf({ name: 'text', raw: 'bytes' }), [])).toBeNull()
})

test('text that holds moments is time, and rows that repeat at one are divided by a column of few values', () => {
  const fields = fieldsOf({ day: 'text', region: 'text', total: 'double' })
  const rows = ['2026-01-01', '2026-01-02'].flatMap((day) => ['eu', 'us'].map((region, at) => [day, region, at]))
  expect(usualChart(fields, rows)).toEqual({ chart: 'line', x: 'day', y: ['total'], series: 'region' })
  const many = Array.from({ length: 40 }, (_, at) => ['2026-01-01', `region ${at}`, at])
  expect(usualChart(fields, many)).toMatchObject({ series: null })
})

test('columns whose values have types of their own are drawn by them, and two of one name are told apart', () => {
  const fields = [...fieldsOf({ n: 'any', mixed: 'any' }), { name: 'n', type: 'any' as const, native: '' }]
  const rows = [
    [{ bigint: '9007199254740993' }, { text: 'a' }, { double: 1.5 }],
    [{ integer: 2 }, { integer: 1 }, null],
  ]
  const drawn = chartFields(fields, rows)
  expect(drawn.map(({ name, type }) => [name, type])).toEqual([
    ['n', 'double'],
    ['mixed', 'any'],
    ['n (2)', 'double'],
  ])
  const choice = chartOf({ chart: 'line', x: 'n', y: ['n (2)'], series: null }, drawn, rows)
  const plot = choice && plotOf(specOf(choice), { fields: drawn, rows })
  if (!plot || !isPlot(plot)) throw new Error('Nothing is drawn')
  expect(plot.axis).toBe('value')
  expect(plot.places.map(({ text }) => text)).toEqual(['2', '9007199254740993'])
  expect(plot.series[0]?.texts).toEqual([null, '1.5'])
})

test('what was chosen stays where the next result has it, and what is gone is chosen anew', () => {
  const fields = fieldsOf({ day: 'date', a: 'double', b: 'double' })
  const chosen = { chart: 'area', x: 'gone', y: ['b', 'gone'], series: 'gone' } as const
  expect(chartOf(chosen, fields, [])).toEqual({ chart: 'area', x: 'day', y: ['b'], series: null })
  expect(specOf({ chart: 'pie', x: 'day', y: ['a', 'b'], series: null })).toEqual({ chart: 'pie', x: 'day', y: ['a'] })
})

test('a look that the browser kept is read whatever stands there, and presets keep the part that they have', () => {
  const chart = { chart: 'bar', x: 'a', y: ['b'], series: null } as const
  expect(lookOf({ view: 'chart', chart, jsonata: '$' })).toEqual({ view: 'chart', chart, jsonata: '$' })
  for (const odd of [undefined, null, 5, { view: 'other', chart: { chart: 'x' }, jsonata: 1 }])
    expect(lookOf(odd)).toEqual({ view: 'table', chart: undefined, jsonata: undefined })
  const definition = { mode: 'raw', rawQuery: 'SELECT 1', resultView: 'json', jsonata: 'old' } as const
  expect(withLook(definition, { view: 'chart', chart })).toEqual({ mode: 'raw', rawQuery: 'SELECT 1' })
  const kept = withLook(definition, { view: 'json', jsonata: '$.id' })
  expect(kept).toEqual({ ...definition, jsonata: '$.id' })
  expect(lookOfPreset(kept)).toEqual({ view: 'json', jsonata: '$.id' })
})
