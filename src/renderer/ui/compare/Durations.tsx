import { Duration } from '../Duration.tsx'
import { durationText } from '../time.ts'
import { isNoise } from './Difference.tsx'
import classes from './compare.module.css'

/** From one duration to the other; those that read alike are said once. */
export function Durations({ a, b }: { a: number | null; b: number | null }) {
  if (a !== null && b !== null && durationText(a) === durationText(b)) return <Duration ms={b} />
  const marked = a !== null && b !== null && !isNoise(b - a)
  return (
    <span className={`${classes.change} ${marked ? classes.marked : ''}`}>
      <Duration ms={a} />
      <span>{' → '}</span>
      <Duration ms={b} />
    </span>
  )
}
