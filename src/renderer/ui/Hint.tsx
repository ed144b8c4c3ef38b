import { type ReactElement, cloneElement } from 'react'
import { useShortcutOf } from '../commands/commands.ts'
import type { HintSide } from './hint.rules.ts'
import { Kbd } from './Kbd.tsx'

export interface HintProps {
  /** What the control does; not needed where its own word says it and the keys are all there is to add. */
  label?: string | undefined
  /** Name of the command in the registry that does the same: its keys are shown. */
  command?: string | undefined
  position?: HintSide
  /** Stays when the control is used: its word then says what has come of it. */
  stays?: boolean
  children: ReactElement<Record<`data-${string}`, unknown>>
}

/**
 * The tooltip of a control: its word, and the keys that do the same, read from the registry. It costs attributes alone: the window's one
 * tooltip (HintLayer) reads them when pointer or keyboard rest on the control.
 */
export function Hint({ label, command, position = 'bottom', stays = false, children }: HintProps) {
  return cloneElement(children, {
    'data-hint': label,
    'data-hint-command': command,
    'data-hint-side': position === 'bottom' ? undefined : position,
    'data-hint-stays': stays || undefined,
  })
}

/** The keys of a command where they stand in the page: in a menu, beside a button, in a hint. */
export function CommandKeys({ command }: { command: string }) {
  const keys = useShortcutOf(command)
  return keys ? <Kbd keys={keys} /> : null
}
