import { Duration } from '../Duration.tsx'
import { durationText } from '../time.ts'
import classes from './compare.module.css'

/** From one duration to the other; those that read alike are said once. */
export function Durations({ a, b }: { a: number | null; b: number | null }) {
  if (a === b || (a !== null && b !== null && durationText(a) === durationText(b))) return <Duration ms={b} />
  return (
    <span className={classes.change}>
      <Duration ms={a} />
      <span>{' → '}</span>
      <Duration ms={b} />
    </span>
  )
}
