import { keyLabels } from '../commands/keys.ts'
import classes from './Kbd.module.css'

/** A shortcut as keys: `mod+k`, `g t`, `?`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keyLabels(keys).map((label, index) => (
        // A sequence may hold the same key twice.
        <kbd key={`${index}${label}`} className={classes.key}>
          {label}
        </kbd>
      ))}
    </span>
  )
}
