import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../MenuChoice.tsx'

/** Chooses a record to compare this one with; the choices are loaded when it opens. */
export function CompareMenu({ command, children }: { command: string; children: ReactNode }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  useCommands([
    { id: command, title: t('compare.with'), icon: IconArrowsDiff, shortcut: 'd', run: () => setOpened(true) },
  ])
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" width={280} opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconArrowsDiff size={14} />}
          rightSection={<IconChevronDown size={12} />}
        >
          {t('compare.action')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

interface CompareChoicesProps {
  /** The record before this one; `id` is undefined while it isn't known yet, and null if there is none. */
  previous: { title: string; none: string; id: number | null | undefined }
  /** The record that this one repeats. */
  original: { title: string; id: number } | null
  textOf(id: number): string
  to(id: number): string
}

/** What a record is usually compared with. */
export function CompareChoices({ previous, original, textOf, to }: CompareChoicesProps) {
  const navigate = useNavigate()
  const choices = [
    { icon: IconArrowsDiff, ...previous },
    ...(original ? [{ icon: IconRefresh, none: '', ...original }] : []),
  ]
  return choices.map(({ icon, title, none, id }) => {
    const found = typeof id === 'number'
    return (
      <MenuChoice
        key={title}
        icon={icon}
        title={title}
        text={found ? textOf(id) : id === null ? none : '…'}
        disabled={!found}
        onClick={() => found && void navigate(to(id))}
      />
    )
  })
}
