import type { Run } from '../../../contract/runs.ts'

/** Share of the height, 0.08 to 1: by the logarithm, so that a slow run does not flatten all others. */
export function barHeights(runs: readonly Pick<Run, 'duration_ms'>[]): number[] {
  const sizes = runs.map((run) => Math.log10(1 + (run.duration_ms ?? 0)))
  const largest = Math.max(...sizes, 0)
  return sizes.map((size) => (largest === 0 ? 0.08 : Math.max(0.08, size / largest)))
}

/** The start of the hour `hours` ago: a moment that stays the same for an hour, and so does the query made with it. */
export function hoursAgo(hours: number, now: Date): string {
  const hour = 3_600_000
  return new Date(Math.floor(now.getTime() / hour) * hour - hours * hour).toISOString()
}
