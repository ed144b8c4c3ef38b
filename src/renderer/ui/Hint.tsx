import { type FloatingPosition, Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'
import { useShortcutOf } from '../commands/commands.ts'
import classes from './Hint.module.css'
import { Kbd } from './Kbd.tsx'

export interface HintProps {
  /** What the control does; not needed where its own word says it and the keys are all there is to add. */
  label?: string | undefined
  /** Name of the command in the registry that does the same: its keys are shown. */
  command?: string | undefined
  position?: FloatingPosition
  children: ReactElement
}

/** The tooltip of a control: its word, and the keys that do the same, read from the registry. */
export function Hint({ label, command, position = 'bottom', children }: HintProps) {
  const keys = useShortcutOf(command)
  return (
    <Tooltip
      position={position}
      disabled={!label && !keys}
      label={
        <span className={classes.hint}>
          {label}
          {keys ? <Kbd keys={keys} /> : null}
        </span>
      }
    >
      {children}
    </Tooltip>
  )
}

/** The keys of a command where they stand in the page: in a menu, beside a button, in a hint. */
export function CommandKeys({ command }: { command: string }) {
  const keys = useShortcutOf(command)
  return keys ? <Kbd keys={keys} /> : null
}
