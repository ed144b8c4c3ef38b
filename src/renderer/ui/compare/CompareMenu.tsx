import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown, IconListSearch, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useCommands } from '../../commands/commands.ts'
import { MenuChoice } from '../MenuChoice.tsx'
import classes from './compare.module.css'

interface CompareMenuProps {
  command: string
  /** The record before this one; `id` is undefined while it isn't known yet, and null if there is none. */
  previous: { title: string; id: number | null | undefined }
  /** The record that this one repeats. */
  original: { title: string; id: number } | null
  /** Any other one, chosen in a dialog. */
  other: { title: string; text: string; renderDialog(onClose: () => void): ReactNode }
  textOf(id: number): string
  to(id: number): string
}

/** Chooses a record to compare this one with. */
export function CompareMenu({ command, previous, original, other, textOf, to }: CompareMenuProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [opened, setOpened] = useState(false)
  const [choosing, setChoosing] = useState(false)
  // The record before is often the one that this one repeats: then there is one comparison.
  const isOne = original !== null && original.id === previous.id
  const choices = [
    ...(previous.id === null || isOne ? [] : [{ icon: IconArrowsDiff, ...previous, id: previous.id }]),
    ...(original ? [{ icon: IconRefresh, ...original }] : []),
  ]
  useCommands([
    { id: command, title: t('compare.with'), icon: IconArrowsDiff, shortcut: 'd', run: () => setOpened(true) },
  ])
  return (
    <>
      <Menu withInitialFocusPlaceholder={false} position="bottom-end" opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Button
            className={classes.action ?? ''}
            aria-label={t('compare.action')}
            variant="subtle"
            color="gray"
            leftSection={<IconArrowsDiff size={14} />}
            rightSection={<IconChevronDown size={12} />}
          >
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
          <MenuChoice icon={IconListSearch} title={other.title} text={other.text} onClick={() => setChoosing(true)} />
        </Menu.Dropdown>
      </Menu>
      {choosing ? other.renderDialog(() => setChoosing(false)) : null}
    </>
  )
}
