import { numberText } from '../format.ts'
import { orDash } from '../nothing.tsx'
import { durationText } from '../time.ts'
import classes from './compare.module.css'

/** Differences of durations below this are noise, and below the other aren't any. */
const noiseMs = 50
const leastMs = 1

export const isNoise = (milliseconds: number): boolean => Math.abs(milliseconds) < noiseMs

/** How much more or less the right side has; the dash where a side has none. Durations always differ a little: they don't stand out as counts do. */
export function Difference({ value, kind }: { value: number | null; kind: 'time' | 'count' }) {
  if (value === null) return orDash(value)
  if (value === 0) return null
  const size = Math.abs(value)
  if (kind === 'time' && size < leastMs) return null
  const text = kind === 'time' ? durationText(size) : numberText(size)
  const timeLook = isNoise(size) ? classes.faint : undefined
  return (
    <span className={kind === 'time' ? timeLook : classes.difference}>
      {value > 0 ? '+' : '−'}
      {text}
    </span>
  )
}
