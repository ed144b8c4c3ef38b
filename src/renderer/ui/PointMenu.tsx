import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './PointMenu.module.css'

/** In px of the window. */
export interface Point {
  x: number
  y: number
}

interface PointMenuProps {
  /** Where it opens; null: it is closed. */
  at: Point | null
  onClose: () => void
  /** Spoken name. */
  label: string
  children: ReactNode
}

/** A menu at a place of the window, such as the pointer’s. */
export function PointMenu({ at, onClose, label, children }: PointMenuProps) {
  return (
    <Menu
      opened={at !== null}
      onChange={(opened) => !opened && onClose()}
      position="bottom-start"
      // The first item takes the focus: a place for it beside the items is no part of a menu.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          className={classes.place}
          tabIndex={-1}
          aria-label={label}
          style={{ left: at?.x ?? 0, top: at?.y ?? 0 }}
        />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
