import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { desktopBridge } from '../desktop-bridge.ts'
import { availableCommands, onCommandsChange } from './commands.ts'
import { desktopMenu } from './menu.rules.ts'

/** Pages register and leave in bursts: the menu follows once they are still. */
const stillForMs = 120

/** Tells the desktop what this page can do: when that changes, when the language does, when the window gets the focus. */
export function useDesktopMenu(): void {
  const { t, i18n } = useTranslation('shell')
  useEffect(() => {
    const bridge = desktopBridge()
    if (!bridge) return
    let sent = ''
    let timer: ReturnType<typeof setTimeout> | undefined
    const send = (again: boolean) => {
      const state = {
        language: i18n.resolvedLanguage ?? i18n.language,
        commands: desktopMenu(availableCommands(), (group) => t(`groups.${group}`)),
      }
      const text = JSON.stringify(state)
      if (text === sent && !again) return
      sent = text
      bridge.setMenu(state).catch((error: unknown) => {
        // The next change tells it again; until then the menu is an old one.
        sent = ''
        globalThis.reportError(error)
      })
    }
    const soon = () => {
      clearTimeout(timer)
      timer = setTimeout(() => send(false), stillForMs)
    }
    // Several windows share one menu: the one in front says what it holds.
    const onFocus = () => send(true)
    const stop = onCommandsChange(soon)
    globalThis.addEventListener('focus', onFocus)
    soon()
    return () => {
      clearTimeout(timer)
      stop()
      globalThis.removeEventListener('focus', onFocus)
    }
  }, [t, i18n, i18n.resolvedLanguage])
}
