import { ActionIcon, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './RowActions.module.css'

export interface RowAction {
  /** Names the row, too: `Edit ops`. */
  label: string
  icon: Icon
  run: () => void
}

/** What can be done with one row of a table, in its last cell. */
export function RowActions({ actions }: { actions: readonly RowAction[] }) {
  return (
    <RowControl>
      {actions.map(({ label, icon: Symbol, run }) => (
        <Tooltip key={label} label={label}>
          <ActionIcon size={24} aria-label={label} onClick={run}>
            <Symbol size={15} />
          </ActionIcon>
        </Tooltip>
      ))}
    </RowControl>
  )
}

/** Puts a control into the middle of a row of a table. */
export function RowControl({ children }: { children: ReactNode }) {
  return <span className={classes.control}>{children}</span>
}
