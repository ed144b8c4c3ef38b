/** What a chart draws of a query's rows. Pure: values are drawn as near as a number comes, and kept in their exact form for whoever reads them. */
import type { QueryField } from '../../../contract/query-values.ts'
import { cellOf, isNumber, shownText } from '../grid/cell.rules.ts'
import { type NumberLook, quantityOf } from '../quantity.ts'

export const chartTypes = ['line', 'area', 'bar', 'stacked', 'pie', 'scatter', 'heatmap'] as const
export type ChartType = (typeof chartTypes)[number]

/** Which columns are drawn, and how. */
export interface ChartSpec {
  chart: ChartType
  x: string
  y: readonly string[]
  /** A column whose values divide the rows into series; the rows of a heatmap. */
  series?: string | undefined
  /** How values are written; absent: as they are. */
  look?: NumberLook | undefined
}

/** Rows in the form that results of queries have. */
export interface ChartData {
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
}

export interface Place {
  text: string
  /** On an axis of time or numbers; the number of the place on one of categories. */
  at: number
}

export interface PlotSeries {
  name: string
  /** One for each place; null: nothing can be drawn there. */
  values: readonly (number | null)[]
  /** The same as text, exactly; undefined: there is no row. */
  texts: readonly (string | null | undefined)[]
  /** Numbers of the rows; -1: there is none. */
  rows: readonly number[]
}

export interface Plot {
  chart: ChartType
  axis: 'time' | 'value' | 'category'
  xName: string
  yNames: readonly string[]
  places: readonly Place[]
  series: readonly PlotSeries[]
  /** Values that are no finite numbers and so are not drawn. */
  undrawn: number
  look?: NumberLook | undefined
}

export type PlotProblem =
  | { kind: 'empty' }
  | { kind: 'missing'; column: string }
  | { kind: 'notNumbers'; column: string }
  | { kind: 'negative'; column: string }
  | { kind: 'manySeries'; amount: number; most: number }

/** More could not be told from each other, nor be read. */
const mostSeries = 100

const isoMoment = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const isMoment = (type: string) => type === 'date' || type === 'datetime' || type === 'datetime_tz'

/** A moment with its time of day, in milliseconds; null: it is another text. */
export const timeOf = (text: string): number | null =>
  text.length > 10 && isoMoment.test(text) ? momentOf(text) : null

/** Milliseconds; a moment without a zone is taken as UTC, as it is shown. */
function momentOf(text: string): number {
  const iso = text.replace(' ', 'T')
  return Date.parse(/T/.test(iso) && !/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? `${iso}Z` : iso)
}

const numeric = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const numberOf = (text: string): number | null => {
  const value = numeric.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : null
}

/** NULL is told from text that is empty. */
const nothing = 'NULL'

function textAt(row: readonly unknown[], index: number, field: QueryField): string | null {
  const { type, text } = cellOf(row[index], field.type)
  return typeof text === 'string' ? shownText({ type, text }) : null
}

/** Where each x is on an axis of time or numbers; null: they are categories. Databases without types of time hold it as text. */
function positionsOf(spec: ChartSpec, field: QueryField, texts: readonly (string | null)[]) {
  if (!['line', 'area', 'scatter'].includes(spec.chart)) return null
  const moments = isMoment(field.type) || field.type === 'text'
  if (!moments && !isNumber(field.type)) return null
  const positions: number[] = []
  for (const text of texts) {
    if (text === null) return null
    const at = moments ? (isoMoment.test(text) ? momentOf(text) : Number.NaN) : (numberOf(text) ?? Number.NaN)
    if (Number.isNaN(at)) return null
    positions.push(at)
  }
  return { axis: moments ? ('time' as const) : ('value' as const), positions }
}

/** Series under way: where its rows are, by place. */
interface Gathering {
  name: string
  y: number
  rows: number[]
}

export function plotOf(spec: ChartSpec, { fields, rows }: ChartData): Plot | PlotProblem {
  const find = (name: string) => fields.findIndex((field) => field.name === name)
  const wanted = [spec.x, ...spec.y, ...(spec.series === undefined ? [] : [spec.series])]
  const missing = wanted.find((name) => find(name) < 0)
  if (missing !== undefined) return { kind: 'missing', column: missing }
  if (rows.length === 0) return { kind: 'empty' }
  const x = find(spec.x)
  const ys = (spec.chart === 'pie' ? spec.y.slice(0, 1) : spec.y).map(find)
  const divider = spec.series === undefined ? -1 : find(spec.series)
  // Found above.
  const xTexts = rows.map((row) => textAt(row, x, fields[x]!))
  const placed = positionsOf(spec, fields[x]!, xTexts)
  const axis = placed?.axis ?? 'category'

  const places: Place[] = []
  const placesOf = new Map<string, number[]>()
  /** What divides the rows: its series, and how many rows it had at each x. */
  const parts = new Map<string, { series: Gathering[]; counts: Map<string, number> }>()
  for (const [index, row] of rows.entries()) {
    const text = xTexts[index] ?? nothing
    const name = divider < 0 ? '' : (textAt(row, divider, fields[divider]!) ?? nothing)
    let part = parts.get(name)
    if (!part) {
      const nameOf = (y: number) => (ys.length > 1 ? `${name} · ${fields[y]!.name}` : name)
      const series = ys.map((y) => ({ name: divider < 0 ? fields[y]!.name : nameOf(y), y, rows: [] }))
      part = { series, counts: new Map() }
      parts.set(name, part)
    }
    // Several rows of a series at one x each have a place there: none is drawn over.
    const count = part.counts.get(text) ?? 0
    part.counts.set(text, count + 1)
    let here = placesOf.get(text)
    if (!here) placesOf.set(text, (here = []))
    const place = here[count] ?? places.length
    if (place === places.length) {
      here.push(place)
      places.push({ text, at: placed?.positions[index] ?? place })
    }
    for (const series of part.series) series.rows[place] = index
  }
  const gathered = [...parts.values()].flatMap((part) => part.series)
  if (gathered.length > mostSeries) return { kind: 'manySeries', amount: gathered.length, most: mostSeries }
  const order = places.map((_, index) => index)
  if (axis !== 'category') order.sort((a, b) => places[a]!.at - places[b]!.at)

  const inOrder = order.map((place) => places[place]!)
  let undrawn = 0
  const series = gathered.map(({ name, y, rows: at }): PlotSeries => {
    const numbers = order.map((place) => at[place] ?? -1)
    const texts = numbers.map((row) => (row < 0 ? undefined : textAt(rows[row]!, y, fields[y]!)))
    const values = texts.map((text) => (typeof text === 'string' ? numberOf(text) : null))
    undrawn += texts.filter((text, index) => typeof text === 'string' && values[index] === null).length
    return { name, values, texts, rows: numbers }
  })
  const yNames = ys.map((y) => fields[y]!.name)
  const drawn = series.some(({ values }) => values.some((value) => value !== null))
  if (!drawn && undrawn > 0) return { kind: 'notNumbers', column: yNames.join(', ') }
  if (!drawn) return { kind: 'empty' }
  if (spec.chart === 'pie' && series.some(({ values }) => values.some((value) => (value ?? 0) < 0)))
    return { kind: 'negative', column: yNames.join(', ') }
  return { chart: spec.chart, axis, xName: spec.x, yNames, places: inOrder, series, undrawn, look: spec.look }
}

/** How much of the pie each slice is, of those that are shown; undefined: it isn't drawn. */
export function sharesOf({ series }: Plot, hidden: ReadonlySet<number>): (number | undefined)[] {
  const sizes = series[0]?.values.map((value, place) => (hidden.has(place) ? 0 : (value ?? 0))) ?? []
  const sum = sizes.reduce((total, size) => total + size, 0)
  return sizes.map((size, place) => (sum === 0 || hidden.has(place) ? undefined : size / sum))
}

export const isPlot = (plot: Plot | PlotProblem): plot is Plot => 'places' in plot

/** What is read at a mark: all series at a place of an axis, one value of any other chart. */
export interface Reading {
  title: string
  values: readonly { series: number; name: string; text: string }[]
}

const readsAll = (chart: ChartType) => chart === 'line' || chart === 'area' || chart === 'bar' || chart === 'stacked'

function writtenAs(text: string, look: NumberLook | undefined): string {
  if (!look || (look.unit === null && look.decimals === null)) return text
  const { number, unit } = quantityOf(text, look)
  return unit === null ? number : `${number} ${unit}`
}

/** `hidden`: series that are switched off. */
export function readingAt(plot: Plot, place: number, only: number | null, hidden: ReadonlySet<number>): Reading {
  const values = plot.series.flatMap(({ name, texts }, series) => {
    const text = texts[place]
    if (text === undefined || hidden.has(series)) return []
    if (!readsAll(plot.chart) && only !== null && series !== only) return []
    return [{ series, name, text: text === null ? nothing : writtenAs(text, plot.look) }]
  })
  return { title: plot.places[place]?.text ?? '', values }
}
