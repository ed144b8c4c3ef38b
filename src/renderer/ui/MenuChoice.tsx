import type { TablerIcon } from '@tabler/icons-react'
import { CommandKeys } from './Hint.tsx'
import { MenuEntry } from './MenuEntry.tsx'
import classes from './MenuChoice.module.css'

interface MenuChoiceProps {
  icon: TablerIcon
  title: string
  /** What it does; of one that cannot be chosen, why not. */
  text: string
  disabled?: boolean
  needsServer?: boolean
  /** Name of the command that does the same. */
  command?: string
  onClick(): void
}

/** An entry of a menu with a second line, which also tells why it cannot be chosen. */
export function MenuChoice({
  icon: Icon,
  title,
  text,
  disabled = false,
  needsServer,
  command,
  onClick,
}: MenuChoiceProps) {
  return (
    <MenuEntry
      needsServer={needsServer}
      leftSection={<Icon size={15} />}
      rightSection={command ? <CommandKeys command={command} /> : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>{text}</div>
    </MenuEntry>
  )
}
