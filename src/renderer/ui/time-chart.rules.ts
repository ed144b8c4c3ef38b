/** Where the marks of a chart stand, in a picture of 1000 by 100. */
export interface ChartSeries {
  name: string
  color: string
  /** Null where there is nothing to tell. */
  values: readonly (number | null)[]
}

type Values = Pick<ChartSeries, 'values'>

/** A value that is drawn across the whole time. */
export interface ChartLimit {
  name: string
  color: string
  value: number
}
/** What the upper and the lower end of a chart stand for; 0 is always between them. */
export interface ChartRange {
  top: number
  bottom: number
}

/** The smallest power of two that nothing is above: a round number of bytes. */
export const binaryAbove = (value: number) => 2 ** Math.ceil(Math.log2(value))

/** The smallest round number that nothing is above: one of the steps and zeros. */
function roundUp(value: number, steps: readonly number[], binary: boolean): number {
  if (value <= 0) return 0
  if (binary) return binaryAbove(value)
  const unit = 10 ** Math.floor(Math.log10(value))
  return (steps.find((step) => step * unit >= value) ?? 10) * unit
}
const round = [1, 2, 3, 4, 5, 6, 8, 10]
/** With a limit, that one is near neither the ends nor the middle, where the grid is. */
const besideLimits = [1.2, 1.5, 2, 3, 5, 8, 12]
const roomForLimit = 1.1

export function rangeOf(
  kind: 'bars' | 'lines',
  series: readonly Values[],
  limits: readonly Pick<ChartLimit, 'value'>[] = [],
  binary = false,
): ChartRange {
  const end = (sign: 1 | -1): number => {
    const count = Math.max(0, ...series.map(({ values }) => values.length))
    const heights = Array.from({ length: count }, (_, at) => {
      const here = series.map(({ values }) => Math.max(0, sign * (values[at] ?? 0)))
      return kind === 'bars' ? here.reduce((sum, value) => sum + value, 0) : Math.max(0, ...here)
    })
    const limit = Math.max(0, ...limits.map(({ value }) => sign * value * roomForLimit))
    return roundUp(Math.max(0, limit, ...heights), limits.length > 0 ? besideLimits : round, binary)
  }
  const [top, below] = [end(1), end(-1)]
  return { top: top === 0 && below === 0 ? 1 : top, bottom: below === 0 ? 0 : -below }
}

/** How far from the upper end a value is drawn. */
export const heightOf = (value: number, { top, bottom }: ChartRange): number => ((top - value) / (top - bottom)) * 100

/** Values with a line across the chart and their names before it: both ends, and 0 or else the middle between them. */
export const gridOf = ({ top, bottom }: ChartRange): number[] =>
  top > 0 && bottom < 0 ? [top, 0, bottom] : [top, (top + bottom) / 2, bottom]

/** The names of the lines. One that stands too near to an end or says what an end says (where halves are rounded) is not shown. Nothing is 0, in any unit. */
export function gridNames(range: ChartRange, format: (value: number) => string): { name: string; at: number }[] {
  const all = gridOf(range).map((value) => ({ name: value === 0 ? '0' : format(value), at: heightOf(value, range) }))
  return all.filter(
    ({ name, at }) =>
      at === 0 || at === 100 || (at > 12 && at < 88 && all.filter((other) => other.name === name).length === 1),
  )
}

/** As high as any bar is, so that few beside many are seen. */
const leastHeight = 1.5

/** One upon the other, the first series at 0; negative ones below it. */
export function stackedBars(series: readonly Values[], range: ChartRange) {
  const bars: { series: number; index: number; y: number; height: number }[] = []
  const filled: Record<1 | -1, number[]> = { 1: [], [-1]: [] }
  for (const [n, { values }] of series.entries()) {
    for (const [index, value] of values.entries()) {
      if (!value) continue
      const ends = filled[value > 0 ? 1 : -1]
      const before = ends[index] ?? 0
      ends[index] = before + value
      const [from, to] = [heightOf(before, range), heightOf(before + value, range)]
      const height = Math.max(leastHeight, Math.abs(to - from))
      bars.push({ series: n, index, y: value > 0 ? Math.max(0, from - height) : from, height })
    }
  }
  return bars
}

/** A line through the middles of the times; where a value is missing it stops, and one alone is a dash. */
export function linePaths(values: readonly (number | null)[], range: ChartRange): string {
  const width = 1000 / values.length
  const y = (value: number) => heightOf(value, range).toFixed(2)
  return values
    .map((value, at) => {
      if (value === null) return ''
      const x = ((at + 0.5) * width).toFixed(2)
      const before = values[at - 1] ?? null
      const after = values[at + 1] ?? null
      if (before === null && after === null)
        return `M${((at + 0.25) * width).toFixed(2)} ${y(value)}h${(width / 2).toFixed(2)}`
      return `${before === null ? 'M' : 'L'}${x} ${y(value)}`
    })
    .join('')
}

/** Which of so many times are named below the chart: the last, and up to three before it at one distance. */
export function labelled(count: number): number[] {
  const step = Math.ceil(count / 4)
  return [3, 2, 1, 0].map((at) => count - 1 - at * step).filter((index) => index >= 0)
}

/** Where the name of a time stands: below the middle of its bar, and not outside of the chart where the bar is narrower. */
export function placeOf(
  index: number,
  count: number,
): Partial<Record<'left' | 'right' | 'width' | 'translate', string>> {
  if (index > 0 && index < count - 1) return { left: `${((index + 0.5) * 100) / count}%`, translate: '-50%' }
  return { [index === 0 ? 'left' : 'right']: '0', width: `${100 / count}%` }
}
