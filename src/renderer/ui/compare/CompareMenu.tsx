import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown, IconListCheck, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCommands } from '../../commands/commands.ts'
import { Hint } from '../Hint.tsx'
import { MenuChoice } from '../MenuChoice.tsx'
import classes from './compare.module.css'

interface CompareMenuProps {
  command: string
  /** The record before this one; `id` is undefined while it isn't known yet, and null if there is none. */
  previous: { title: string; id: number | null | undefined }
  /** The record that this one repeats. */
  original: { title: string; id: number } | null
  /** The list in which any two can be selected. */
  list: { title: string; text: string; to: string }
  textOf(id: number): string
  to(id: number): string
}

/** Chooses a record to compare this one with. Where only the list is left to choose from, the button leads there at once. */
export function CompareMenu({ command, previous, original, list, textOf, to }: CompareMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  // The record before is often the one that this one repeats: then there is one comparison.
  const isOne = original !== null && original.id === previous.id
  const choices = [
    ...(previous.id === null || isOne ? [] : [{ icon: IconArrowsDiff, ...previous, id: previous.id }]),
    ...(original ? [{ icon: IconRefresh, ...original }] : []),
  ]
  const toList = () => void navigate(list.to)
  const only = choices.length === 0
  const start = only ? toList : () => setOpened(true)
  useCommands([{ id: command, title: t('compare.with'), icon: IconArrowsDiff, shortcut: 'd', run: start }])
  const look = {
    className: classes.action ?? '',
    'aria-label': t('compare.action'),
    variant: 'subtle',
    color: 'gray',
    leftSection: <IconArrowsDiff size={14} />,
  }
  if (only) {
    return (
      <Hint label={list.text}>
        <Button {...look} onClick={toList}>
          {t('compare.action')}
        </Button>
      </Hint>
    )
  }
  return (
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button {...look} rightSection={<IconChevronDown size={12} />}>
          {t('compare.action')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown miw={280}>
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
        <MenuChoice icon={IconListCheck} title={list.title} text={list.text} onClick={toList} />
      </Menu.Dropdown>
    </Menu>
  )
}
