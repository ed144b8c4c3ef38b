import { Duration } from '../Duration.tsx'
import { durationText } from '../time.ts'
import { isNoise } from './Difference.tsx'
import classes from './compare.module.css'

/** From one duration to the other. Those that read alike are said once; those that differ by noise alone, or where only one side has one, stand back. */
export function Durations({ a, b, quiet = false }: { a: number | null; b: number | null; quiet?: boolean }) {
  const known = a !== null && b !== null
  const alike = a === b || (known && durationText(a) === durationText(b))
  const isSame = quiet || alike || !known || isNoise(b - a)
  return (
    <span className={`${classes.change} ${isSame ? classes.same : classes.marked}`}>
      {alike ? null : (
        <>
          <Duration ms={a} />
          <span>{' → '}</span>
        </>
      )}
      <Duration ms={b} />
    </span>
  )
}
