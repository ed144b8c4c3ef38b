import { useCallback, useEffect, useState } from 'react'
import type {
  DesktopAbilities,
  DesktopBridge,
  DesktopCommand,
  DesktopSettings,
  DesktopUpdate,
} from '../../../contract/desktop-bridge.ts'
import { useDesktopCommands } from '../../api/desktop-commands.ts'
import { useSession } from '../../api/session.ts'

export interface DesktopState {
  settings: DesktopSettings
  abilities: DesktopAbilities
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The settings of this app on this machine. A change shows at once, and goes back where the system refuses it. */
export function useDesktopSettings(bridge: DesktopBridge) {
  const [state, setState] = useState<DesktopState | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(async () => {
    try {
      setState(await bridge.settings())
    } catch (error) {
      setProblem(messageOf(error))
    }
  }, [bridge])
  useEffect(() => {
    const again = () => void read()
    again()
    // The tray and the system's own settings change them, too.
    globalThis.addEventListener('focus', again)
    return () => globalThis.removeEventListener('focus', again)
  }, [read])

  /** True when it holds now. */
  const change = async (changes: Partial<DesktopSettings>): Promise<boolean> => {
    setState((before) => before && { ...before, settings: { ...before.settings, ...changes } })
    try {
      const settings = await bridge.setSettings(changes)
      setState((before) => before && { ...before, settings })
      setProblem(null)
      return true
    } catch (error) {
      setProblem(messageOf(error))
      await read()
      return false
    }
  }
  return { state, problem, change }
}

/** How far the update of this app is; it tells of changes itself. */
export function useDesktopUpdate(bridge: DesktopBridge) {
  const { open } = useSession()
  const [update, setUpdate] = useState<DesktopUpdate | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const follow = useCallback(async (answer: Promise<DesktopUpdate | void>) => {
    setProblem(null)
    try {
      const now = await answer
      if (now) setUpdate(now)
    } catch (error) {
      setProblem(messageOf(error))
    }
  }, [])
  useEffect(() => {
    // Anew after the session was ended: what was told meanwhile was not heard.
    if (open) void follow(bridge.update())
  }, [bridge, follow, open])
  const hear = useCallback((command: DesktopCommand) => {
    if (command.name === 'update') setUpdate(command.update)
  }, [])
  useDesktopCommands(hear)
  return {
    update,
    problem,
    check: () => void follow(bridge.checkForUpdate()),
    install: () => void follow(bridge.installUpdate()),
  }
}
