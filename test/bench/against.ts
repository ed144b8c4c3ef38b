import type { BenchResult } from './result.ts'

/** A figure that was measured several times. */
export interface Measured extends Omit<BenchResult, 'passed'> {
  /** The median of `values`. */
  value: number
  values: number[]
}

/** What `--json` writes and `--against` reads. */
export interface BenchReport {
  /** ISO 8601. */
  at: string
  machine: string
  results: Measured[]
}

export interface Slower {
  name: string
  before: number
  now: number
  unit: string
  /** Percent, and what both measurements vary by. */
  change: number
  noise: number
}

/** Two measurements say little of how much a third would differ: at least so many percent are noise. */
const leastNoise = 5

export function measured(rounds: readonly (readonly BenchResult[])[]): Measured[] {
  const names = [...new Set(rounds.flat().map(({ name }) => name))]
  return names.flatMap((name) => {
    const found = rounds.flat().filter((result) => result.name === name)
    const [first] = found
    if (!first) return []
    const { passed: _, ...result } = first
    const values = found.map(({ value }) => value)
    return [{ ...result, value: median(values), values }]
  })
}

/** Figures that are worse than before by more than both measurements vary, the worst first. */
export function slower(before: readonly Measured[], now: readonly Measured[]): Slower[] {
  const earlier = new Map(before.map((result) => [result.name, result]))
  return now
    .flatMap((result) => {
      const { name, unit, value } = result
      const old = earlier.get(name)
      if (!old || old.value === 0) return []
      const change = ((value - old.value) / old.value) * 100 * (moreIsBetter(result) ? -1 : 1)
      const noise = Math.max(leastNoise, spread(old.values), spread(result.values))
      return change > noise ? [{ name, before: old.value, now: value, unit, change, noise }] : []
    })
    .toSorted((a, b) => b.change - a.change)
}

const moreIsBetter = ({ unit, bar = '' }: Measured): boolean =>
  bar.startsWith('≥') || (bar === '' && (unit.endsWith('/s') || unit === '×'))

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** Of the largest and smallest value, in percent of the median. */
function spread(values: readonly number[]): number {
  const middle = median(values)
  return middle === 0 ? 0 : ((Math.max(...values) - Math.min(...values)) / middle) * 100
}
