import { keyLabels } from '../commands/keys.ts'
import classes from './Kbd.module.css'

/** A shortcut as keys: `mod+k`, `g t`, `?`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className={classes.keys}>
      {keyLabels(keys).map((label) => (
        <kbd key={label} className={classes.key}>
          {label}
        </kbd>
      ))}
    </span>
  )
}
