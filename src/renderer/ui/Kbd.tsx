import { useTranslation } from 'react-i18next'
import { keyLabels } from '../commands/keys.ts'
import classes from './Kbd.module.css'

const named = ['Ctrl', 'Shift', 'Enter', 'Del'] as const

/** A shortcut as keys: `mod+k`, `g t`, `?`. */
export function Kbd({ keys }: { keys: string }) {
  const { t } = useTranslation()
  const printed = (label: string) => {
    const known = named.find((name) => name === label)
    return known ? t(`keys.${known}`) : label
  }
  return (
    <span className={classes.keys}>
      {keyLabels(keys).map((label, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a sequence may hold the same key twice
        <kbd key={`${index}${label}`} className={classes.key}>
          {printed(label)}
        </kbd>
      ))}
    </span>
  )
}
