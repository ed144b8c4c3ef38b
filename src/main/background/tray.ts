import { Menu, Tray, type MenuItemConstructorOptions } from 'electron'
import { join } from 'node:path'
import type { TrayItem, TrayView } from './tray.rules.ts'

export interface TrayActions {
  act(id: Extract<TrayItem, { kind: 'action' }>['id']): void
  show(path: string): void
  /** Its menu is open: the user sees what has failed. */
  looked(): void
}

export interface AppTray {
  show(view: TrayView): void
}

/** The icon in the notification area, the menu bar on the Mac. Throws where the system has none. */
export function appTray(folder: string, platform: NodeJS.Platform, actions: TrayActions): AppTray {
  // The Mac draws templates in the colour of its menu bar; the others show ours as they are.
  const fileOf = ({ icon }: TrayView): string =>
    join(folder, platform === 'darwin' ? `${icon}Template.png` : `${icon}.png`)
  let tray: Tray | null = null
  let shown = ''

  function item(entry: TrayItem): MenuItemConstructorOptions {
    if (entry.kind === 'separator') return { type: 'separator' }
    if (entry.kind === 'text') return { label: entry.label, enabled: false }
    if (entry.kind === 'page') return { id: entry.path, label: entry.label, click: () => actions.show(entry.path) }
    return { id: entry.id, label: entry.label, click: () => actions.act(entry.id) }
  }

  function make(view: TrayView): Tray {
    const made = new Tray(fileOf(view))
    // On the Mac and on most desktops of Linux a click opens the menu; Windows leaves it to us.
    if (platform !== 'darwin') made.on('click', () => actions.act('open'))
    else made.on('click', actions.looked)
    made.on('right-click', actions.looked)
    return made
  }

  return {
    show(view) {
      const text = JSON.stringify(view)
      if (text === shown) return
      tray ??= make(view)
      shown = text
      tray.setImage(fileOf(view))
      tray.setToolTip(view.tooltip)
      // Linux takes a menu anew or not at all.
      tray.setContextMenu(Menu.buildFromTemplate(view.items.map(item)))
    },
  }
}
