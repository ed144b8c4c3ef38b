/** Which columns of a result a chart draws unless somebody chooses. Pure. */
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import type { ChartSpec, ChartType } from '../../ui/chart/plot.rules.ts'
import { cellOf, isNumber } from '../../ui/grid/cell.rules.ts'
import type { ChartChoice } from './result-look.rules.ts'
import { uniqueNames } from './row-documents.rules.ts'
import type { Rows } from './use-first-rows.ts'

/** Rows that are looked at to find out what a column holds. */
const looked = 1_000
/** Values of a column that divides rows into series by itself. */
const fewSeries = 8

const isMoment = (type: ValueType) => type === 'date' || type === 'datetime' || type === 'datetime_tz'
const momentText = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
/** Numbers that stand for a record aren't amounts. */
const isKey = (name: string) => /(^|_)id$/i.test(name) || /[a-z]Id$/.test(name)

/** The fields with names of their own, and with the type that all values of a column have where each says its own. */
export function chartFields(fields: readonly QueryField[], rows: Rows): QueryField[] {
  const names = uniqueNames(fields)
  return fields.map((field, at) => ({
    ...field,
    name: names[at] ?? field.name,
    type: field.type === 'any' ? commonType(rows, at) : field.type,
  }))
}

function commonType(rows: Rows, at: number): ValueType {
  const types = new Set(
    rows.slice(0, looked).flatMap((row) => {
      const { type, text } = cellOf(row[at], 'any')
      return typeof text === 'string' ? [type] : []
    }),
  )
  const [first = 'any', ...others] = types
  if (others.length === 0) return first
  return [...types].every(isNumber) ? 'double' : 'any'
}

/** Of these a pie and a heatmap draw one. */
export const drawsOne = (chart: ChartType): boolean => chart === 'pie' || chart === 'heatmap'

/** What suits the columns; null: none of them has numbers. `fields` as `chartFields` gives them. */
export function usualChart(fields: readonly QueryField[], rows: Rows): ChartChoice | null {
  const numbers = fields.filter(({ type }) => isNumber(type))
  const amounts = numbers.filter(({ name }) => !isKey(name))
  const sample = rows.slice(0, looked)
  const isTime = ({ type }: QueryField, at: number) =>
    isMoment(type) ||
    (type === 'text' && sample.length > 0 && sample.every((row) => momentText.test(cellOf(row[at], 'text').text ?? '')))
  const time = fields.find((field, at) => isTime(field, at))
  const category = fields.find((field) => field !== time && !isNumber(field.type))
  const key = numbers.find(({ name }) => isKey(name))
  const x = time ?? category ?? (amounts.length > 1 ? amounts[0] : (key ?? numbers[0]))
  const y = amounts.find((field) => field !== x) ?? numbers.find((field) => field !== x) ?? numbers[0]
  if (!x || !y) return null
  const chart = time ? 'line' : category ? 'bar' : x === key ? 'bar' : 'scatter'
  return { chart, x: x.name, y: [y.name], series: time && category ? dividing(fields, sample, time, category) : null }
}

/** The column, if rows repeat at one moment and it has few values. */
function dividing(fields: readonly QueryField[], rows: Rows, x: QueryField, by: QueryField): string | null {
  const textsOf = (field: QueryField) => {
    const at = fields.indexOf(field)
    return new Set(rows.map((row) => cellOf(row[at], field.type).text))
  }
  const repeats = textsOf(x).size < rows.length
  return repeats && textsOf(by).size <= fewSeries ? by.name : null
}

/** What was chosen, as far as the result has it; the rest is what suits. null: nothing can be drawn. */
export function chartOf(
  chosen: ChartChoice | undefined,
  fields: readonly QueryField[],
  rows: Rows,
): ChartChoice | null {
  const usual = usualChart(fields, rows)
  if (!usual || !chosen) return usual
  const has = (name: string) => fields.some((field) => field.name === name)
  const y = chosen.y.filter(has)
  return {
    chart: chosen.chart,
    x: has(chosen.x) ? chosen.x : usual.x,
    y: y.length > 0 ? y : usual.y,
    series: chosen.series !== null && has(chosen.series) ? chosen.series : null,
  }
}

/** As the drawing takes it. Of a heatmap, the series are its rows. */
export function specOf({ chart, x, y, series }: ChartChoice): ChartSpec {
  return { chart, x, y: drawsOne(chart) ? y.slice(0, 1) : y, ...(series !== null && { series }) }
}
