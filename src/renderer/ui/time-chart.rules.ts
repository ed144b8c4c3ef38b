/** Where the marks of a chart stand, in a picture of 1000 by 100. */
export interface ChartSeries {
  name: string
  color: string
  /** Null where there is nothing to tell. */
  values: readonly (number | null)[]
}

type Values = Pick<ChartSeries, 'values'>

/** The smallest round number that nothing is above: 1, 2 or 5 and zeros. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * unit >= value) ?? 10) * unit
}

export function topOf(kind: 'bars' | 'lines', series: readonly Values[]): number {
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  const heights = Array.from({ length: count }, (_, at) => {
    const here = series.map(({ values }) => values[at] ?? 0)
    return kind === 'bars' ? here.reduce((sum, value) => sum + value, 0) : Math.max(0, ...here)
  })
  return roundUp(Math.max(0, ...heights))
}

/** One upon the other, the first series at the bottom. */
export function stackedBars(series: readonly Values[], top: number) {
  const bars: { series: number; index: number; y: number; height: number }[] = []
  const filled: number[] = []
  for (const [n, { values }] of series.entries()) {
    for (const [index, value] of values.entries()) {
      if (!value) continue
      const height = (value / top) * 100
      filled[index] = (filled[index] ?? 0) + height
      bars.push({ series: n, index, y: 100 - filled[index], height })
    }
  }
  return bars
}

/** A line through the middles of the times; where a value is missing it stops, and one alone is a dash. */
export function linePaths(values: readonly (number | null)[], top: number): string {
  const width = 1000 / values.length
  const y = (value: number) => (100 - (value / top) * 100).toFixed(2)
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
