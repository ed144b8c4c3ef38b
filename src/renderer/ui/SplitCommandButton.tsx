import { ActionIcon, Button, Menu } from '@mantine/core'
import { type TablerIcon, IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import { CommandButton } from './CommandButton.tsx'
import { Kbd } from './Kbd.tsx'
import { MenuEntry } from './MenuEntry.tsx'
import { useUnreachable } from './use-unreachable.ts'

interface SplitCommandButtonProps {
  id: string
  label: string
  icon: TablerIcon
  hint: string
  busy: boolean
  onClick(): void
  shortcut: string
  /** What opens a dialog first. */
  other: { id: string; label: string; shortcut: string; onClick(): void }
}

/** A deed of the server that is done immediately, and beside it the same with choices. Both are commands. */
export function SplitCommandButton({ other, busy, ...main }: SplitCommandButtonProps) {
  const { t } = useTranslation()
  const unreachable = useUnreachable()
  const possible = unreachable === undefined
  useCommands([
    {
      id: other.id,
      title: other.label,
      needsServer: true,
      icon: main.icon,
      shortcut: other.shortcut,
      run: other.onClick,
    },
  ])
  return (
    <Button.Group>
      <CommandButton {...main} needsServer loading={busy} />
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="filled"
            color="accent"
            size={30}
            disabled={!possible}
            aria-label={t('moreFor', { name: main.label })}
            style={{ borderStartStartRadius: 0, borderEndStartRadius: 0, marginInlineStart: 1 }}
          >
            <IconChevronDown size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuEntry needsServer rightSection={<Kbd keys={other.shortcut} />} onClick={other.onClick}>
            {other.label}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
