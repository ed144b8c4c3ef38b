import { numberText } from '../format.ts'
import { orDash } from '../nothing.tsx'
import { durationText } from '../time.ts'
import classes from './compare.module.css'

/** Differences of durations below this are noise, and below the other aren’t any, nor are there smaller ones of rows. */
const noiseMs = 50
const leastMs = 1

export const isNoise = (milliseconds: number): boolean => Math.abs(milliseconds) < noiseMs

/** How much more or less the right side has; the dash where that can’t be said. Durations always differ a little: less than that doesn’t stand out. */
export function Difference({ value, kind }: { value: number | null; kind: 'time' | 'count' }) {
  if (value === null) return orDash(null)
  const size = Math.abs(value)
  if (size < leastMs) return <span className={classes.faint}>0</span>
  const text = kind === 'time' ? durationText(size) : numberText(size)
  return (
    <span className={kind === 'time' && isNoise(size) ? classes.faint : classes.difference}>
      {value > 0 ? '+' : '−'}
      {text}
    </span>
  )
}
