import type { RunStep } from '../../../contract/runs.ts'

/** A step's bar in the step tree, in shares (0 to 1) of the whole width. */
export interface StepBar {
  start: number
  width: number
}

interface Span {
  from: number
  to: number
}

/** Narrower bars could not be seen. */
const narrowest = 0.006

/**
 * Bars of steps on one time axis that begins with the earliest step. A step that does not say when it began stands behind
 * the one before; a running one reaches to `now` (ms); one that has not begun has no bar.
 */
export function stepBars(steps: readonly RunStep[], now: number): (StepBar | null)[] {
  const spans: (Span | null)[] = []
  let behind: number | null = null
  for (const step of steps) {
    const span = spanOf(step, behind, now)
    spans.push(span)
    if (span) behind = span.to
  }
  const known = spans.filter((span) => span !== null)
  if (known.length === 0) return spans.map(() => null)
  const begin = Math.min(...known.map((span) => span.from))
  const length = Math.max(1, Math.max(...known.map((span) => span.to)) - begin)
  return spans.map((span) => {
    if (!span) return null
    const width = Math.max(narrowest, (span.to - span.from) / length)
    return { start: Math.min((span.from - begin) / length, 1 - width), width: Math.min(1, width) }
  })
}

function spanOf(step: RunStep, behind: number | null, now: number): Span | null {
  if (step.status === 'pending' || step.status === 'skipped') return null
  const began = step.started_at ? Date.parse(step.started_at) : behind
  if (step.duration_ms !== null) {
    const from = began ?? 0
    return { from, to: from + step.duration_ms }
  }
  if (step.status !== 'running') return null
  return { from: began ?? now, to: Math.max(now, began ?? now) }
}
