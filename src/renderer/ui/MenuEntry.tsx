import { Menu, type MenuItemProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { useUnreachable } from './use-unreachable.ts'

interface MenuEntryProps extends MenuItemProps, Omit<ComponentPropsWithoutRef<'button'>, keyof MenuItemProps> {
  /** Disabled while the server can’t be reached. */
  needsServer?: boolean | undefined
}

/** An entry of a menu, disabled as buttons are while the server that it needs can’t be reached. */
export function MenuEntry({ needsServer = false, disabled = false, title, ...props }: MenuEntryProps) {
  const unreachable = useUnreachable()
  const lacks = needsServer ? unreachable : undefined
  return <Menu.Item {...props} disabled={disabled || lacks !== undefined} title={lacks ?? title} />
}
