import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown, IconListCheck, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../MenuChoice.tsx'
import classes from './compare.module.css'

/** Chooses a record to compare this one with; the choices are loaded when it opens. */
export function CompareMenu({ command, children }: { command: string; children: ReactNode }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  useCommands([
    { id: command, title: t('compare.with'), icon: IconArrowsDiff, shortcut: 'd', run: () => setOpened(true) },
  ])
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button
          className={classes.action}
          aria-label={t('compare.action')}
          variant="subtle"
          color="gray"
          leftSection={<IconArrowsDiff size={14} />}
          rightSection={<IconChevronDown size={12} />}
        >
          {t('compare.action')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={280}>{children}</Menu.Dropdown>
    </Menu>
  )
}

interface CompareChoicesProps {
  /** The record before this one; `id` is undefined while it isn't known yet, and null if there is none. */
  previous: { title: string; id: number | null | undefined }
  /** The record that this one repeats. */
  original: { title: string; id: number } | null
  /** The list in which any two can be selected. */
  list: { title: string; text: string; to: string }
  textOf(id: number): string
  to(id: number): string
}

/** What a record is usually compared with. */
export function CompareChoices({ previous, original, list, textOf, to }: CompareChoicesProps) {
  const navigate = useNavigate()
  const choices = [
    ...(previous.id === null ? [] : [{ icon: IconArrowsDiff, ...previous, id: previous.id }]),
    ...(original ? [{ icon: IconRefresh, ...original }] : []),
  ]
  return (
    <>
      {choices.map(({ icon, title, id }) => (
        <MenuChoice
          key={title}
          icon={icon}
          title={title}
          text={id === undefined ? '…' : textOf(id)}
          disabled={id === undefined}
          onClick={() => id !== undefined && void navigate(to(id))}
        />
      ))}
      <MenuChoice icon={IconListCheck} title={list.title} text={list.text} onClick={() => void navigate(list.to)} />
    </>
  )
}
