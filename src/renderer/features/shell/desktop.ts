import { useMantineColorScheme } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { useNavigate } from 'react-router'
import type { DesktopCommand } from '../../../contract/desktop-bridge.ts'
import { useDesktopCommands } from '../../api/desktop-commands.ts'
import { useSession } from '../../api/session.ts'
import { findCommand } from '../../commands/commands.ts'
import { useDesktopMenu } from '../../commands/desktop-menu.ts'
import { dialogOpen } from '../../commands/shortcuts.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { ofOpened, receiveOpened } from '../incoming/incoming.store.ts'
import { useDesktopNotifications } from './use-desktop-notifications.ts'

/** What only the desktop's own window has: its menu, its frame's colours. Nothing in a browser. */
export function useDesktop(): void {
  const navigate = useNavigate()
  const client = useQueryClient()
  const { colorScheme } = useMantineColorScheme()
  const { me, lock } = useSession()
  const lockWithScreen = me.lock_after_minutes > 0 ? lock : null
  useDesktopMenu()
  useEffect(() => {
    void desktopBridge()?.setTheme(colorScheme === 'auto' ? 'system' : colorScheme)
  }, [colorScheme])
  const hear = useCallback(
    (command: DesktopCommand) => {
      if (command.name === 'navigate') void navigate(command.path)
      else if (command.name === 'server-restarted') void client.invalidateQueries()
      else if (command.name === 'open-file') receiveOpened(ofOpened(command.file))
      // Main says so when the screen of the machine is locked; an open dialog is hidden with the rest.
      else if (command.name === 'run' && command.id === 'lock-with-screen') void lockWithScreen?.()
      else if (command.name === 'run' && !dialogOpen()) findCommand(command.id)?.run()
    },
    [navigate, client, lockWithScreen],
  )
  useDesktopCommands(hear)
  useDesktopNotifications()
}
