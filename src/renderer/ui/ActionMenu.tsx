import { ActionIcon, Menu } from '@mantine/core'
import { type TablerIcon, IconDots } from '@tabler/icons-react'
import { type Command, useCommands } from '../commands/commands.ts'
import { Kbd } from './Kbd.tsx'
import { MenuEntry } from './MenuEntry.tsx'

export interface MenuAction extends Command {
  icon: TablerIcon
  /** False leaves it out: not allowed, not now. */
  when: boolean
}

/** What is done to a record as a whole, behind the three dots and in the command palette. */
export function ActionMenu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  useCommands(actions)
  const possible = actions.filter((action) => action.when)
  if (possible.length === 0) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {possible.map(({ id, title, icon: Icon, shortcut, needsServer, run }) => (
          <MenuEntry
            key={id}
            needsServer={needsServer}
            leftSection={<Icon size={15} aria-hidden />}
            rightSection={shortcut ? <Kbd keys={shortcut} /> : undefined}
            onClick={run}
          >
            {title}
          </MenuEntry>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
