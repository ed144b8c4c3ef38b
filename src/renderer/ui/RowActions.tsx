import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, createContext, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../commands/commands.ts'
import { Hint } from './Hint.tsx'
import { Kbd } from './Kbd.tsx'
import { MenuEntry } from './MenuEntry.tsx'
import classes from './RowActions.module.css'
import { useOpening } from './use-opening.ts'
import { useUnreachable } from './use-unreachable.ts'

export interface RowAction {
  /** Names the row, too: `Edit ops`. */
  label: string
  icon: TablerIcon
  /** Works while the keyboard stands in the row. */
  shortcut?: string
  /** Disabled while the server can’t be reached. */
  needsServer?: boolean
  run: () => void
}

/** Whether the keyboard stands in this row of its table. */
export const ActiveRow = createContext(false)

const rowCommand = (index: number) => `row.${index}`

function useRowCommands(actions: readonly RowAction[]): boolean {
  const active = useContext(ActiveRow)
  useCommands(
    active
      ? actions.map(({ label, icon, shortcut, needsServer, run }, index) => ({
          id: rowCommand(index),
          title: label,
          group: 'row',
          icon,
          needsServer,
          ...(shortcut ? { shortcut } : {}),
          run,
        }))
      : [],
  )
  return active
}

/** What can be done with one row of a table, in its last cell; with the row that the keyboard stands in by command, too. */
export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  const active = useRowCommands(actions)
  const unreachable = useUnreachable()
  return (
    <RowControl>
      {actions.map(({ label, icon: Symbol, needsServer, run }, index) => (
        <Hint key={label} label={label} command={active ? rowCommand(index) : undefined}>
          <ActionIcon
            size={24}
            aria-label={label}
            disabled={needsServer === true && unreachable !== undefined}
            onClick={run}
          >
            <Symbol size={15} />
          </ActionIcon>
        </Hint>
      ))}
    </RowControl>
  )
}

export interface RowMenuAction extends RowAction {
  /** What stands in the menu; `label` names the row as well. */
  text: string
  danger?: boolean
}

/** What can be done with one row of a table, behind one button in its last cell; with the row that the keyboard stands in by command, too. */
export function RowMenuButton({ actions }: { actions: readonly RowMenuAction[] }) {
  const { t } = useTranslation()
  useRowCommands(actions)
  return (
    <RowControl>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon size={24} className={classes.menu} aria-label={t('table.rowMenu')}>
            <IconDots size={15} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, text, icon: Symbol, shortcut, danger, needsServer, run }) => (
            <MenuEntry
              key={label}
              needsServer={needsServer}
              aria-label={label}
              leftSection={<Symbol size={15} aria-hidden />}
              rightSection={shortcut ? <Kbd keys={shortcut} /> : undefined}
              {...(danger ? { c: 'var(--hg-status-failed-text)' } : {})}
              onClick={run}
            >
              {text}
            </MenuEntry>
          ))}
        </Menu.Dropdown>
      </Menu>
    </RowControl>
  )
}

interface RowButtonProps {
  /** What stands on it; `action.label` names the row as well. */
  text: string
  action: RowAction
  /** Shows the icon beside the word. */
  withIcon?: boolean
  /** Opens a dialog. */
  opens?: boolean
}

/** The one thing that can be done with a row of a table, as a word. */
export function RowButton({ text, action, withIcon = false, opens = false }: RowButtonProps) {
  const unreachable = useUnreachable()
  const { label, icon: Symbol, run } = action
  const lacks = action.needsServer ? unreachable : undefined
  const active = useRowCommands([action])
  const opening = useOpening()
  return (
    <RowControl>
      <Hint label={lacks} command={active ? rowCommand(0) : undefined}>
        <Button
          disabled={lacks !== undefined}
          size="compact-xs"
          variant="default"
          leftSection={withIcon ? <Symbol size={13} /> : undefined}
          aria-label={label}
          onClick={run}
        >
          {opens ? opening(text) : text}
        </Button>
      </Hint>
    </RowControl>
  )
}

/** Puts a control into the middle of a row of a table. */
export function RowControl({ children }: { children: ReactNode }) {
  return <span className={classes.control}>{children}</span>
}
