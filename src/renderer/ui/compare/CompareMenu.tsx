import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../MenuChoice.tsx'

/** Beside which other record this one is put; the choices are asked for when it opens. */
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

interface PreviousChoiceProps {
  title: string
  /** Said where there is none. */
  none: string
  /** Undefined: not known yet; null: there is none. */
  previous: number | null | undefined
  textOf(id: number): string
  to(id: number): string
}

/** The record before this one. */
export function PreviousChoice({ title, none, previous, textOf, to }: PreviousChoiceProps) {
  const navigate = useNavigate()
  const found = typeof previous === 'number'
  return (
    <MenuChoice
      icon={IconArrowsDiff}
      title={title}
      text={found ? textOf(previous) : previous === null ? none : '…'}
      disabled={!found}
      onClick={() => found && void navigate(to(previous))}
    />
  )
}
