import { useEffect } from 'react'
import type { DesktopCommand } from '../../contract/desktop-bridge.ts'
import { desktopBridge } from '../desktop-bridge.ts'
import { useSession } from './session.ts'

/**
 * Hears what main tells the page, while its session is open. Behind the question for the password nobody may listen: main takes any
 * listener for the whole page, and keeps links and files only until there is one.
 */
export function useDesktopCommands(listener: (command: DesktopCommand) => void): void {
  const { open } = useSession()
  useEffect(() => (open ? desktopBridge()?.onCommand(listener) : undefined), [open, listener])
}
