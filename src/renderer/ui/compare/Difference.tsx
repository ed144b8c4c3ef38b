import { numberText } from '../format.ts'
import { orDash } from '../nothing.tsx'
import { durationText } from '../time.ts'
import classes from './compare.module.css'

/** Differences of durations below this are noise, and below the other aren't any. */
const noiseMs = 50
const leastMs = 1

export const isNoise = (milliseconds: number): boolean => Math.abs(milliseconds) < noiseMs

/** How much more or less the right side has; the dash where that can’t be said or is nothing. Durations always differ a little: less than that doesn’t stand out. */
export function Difference({ value, kind }: { value: number | null; kind: 'time' | 'count' }) {
  if (value === null || value === 0) return orDash(null)
  const size = Math.abs(value)
  if (kind === 'time' && size < leastMs) return orDash(null)
  const text = kind === 'time' ? durationText(size) : numberText(size)
  return (
    <span className={kind === 'time' && isNoise(size) ? classes.faint : classes.difference}>
      {value > 0 ? '+' : '−'}
      {text}
    </span>
  )
}
