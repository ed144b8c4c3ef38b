import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopCommandName } from '../contract/desktop-bridge.ts'

export interface MenuActions {
  /** Sends a command of the page's registry to the window that has the focus. */
  command(name: DesktopCommandName): void
  newWindow(): void
  openReference(): void
  openDataFolder(): void
  showLog(): void
}

type Item = MenuItemConstructorOptions

/** The application menu. Keys that the page handles itself are shown, but left to the page. */
export function menuTemplate(platform: NodeJS.Platform, actions: MenuActions): Item[] {
  const command = (label: string, name: DesktopCommandName, accelerator?: string): Item => ({
    id: name,
    label,
    accelerator,
    registerAccelerator: false,
    click: () => actions.command(name),
  })
  const mac = platform === 'darwin'
  return [
    ...(mac ? [{ role: 'appMenu' } satisfies Item] : []),
    { label: '&File', submenu: fileMenu(command, actions, mac) },
    { role: 'editMenu' },
    { label: '&View', submenu: viewMenu(command) },
    { role: 'windowMenu' },
    { role: 'help', label: '&Help', submenu: helpMenu(command, actions, mac) },
  ]
}

type CommandItem = (label: string, name: DesktopCommandName, accelerator?: string) => Item

function fileMenu(command: CommandItem, actions: MenuActions, mac: boolean): Item[] {
  return [
    command('New Task', 'new-task'),
    { id: 'new-window', label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow() },
    { type: 'separator' },
    command('Open …', 'open-anything', 'CmdOrCtrl+P'),
    { id: 'open-data-folder', label: 'Open Data Folder', click: () => actions.openDataFolder() },
    { type: 'separator' },
    command('Sign Out', 'sign-out'),
    { role: 'close' },
    ...(mac ? [] : [{ role: 'quit' } satisfies Item]),
  ]
}

function viewMenu(command: CommandItem): Item[] {
  return [
    command('All Commands …', 'show-commands', 'CmdOrCtrl+K'),
    { type: 'separator' },
    command('Tasks', 'go-tasks'),
    command('Runs', 'go-runs'),
    command('Connectors', 'go-connectors'),
    command('Executors', 'go-executors'),
    { type: 'separator' },
    { role: 'reload' },
    { role: 'toggleDevTools' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ]
}

function helpMenu(command: CommandItem, actions: MenuActions, mac: boolean): Item[] {
  return [
    command('Keyboard Shortcuts', 'show-shortcuts'),
    { id: 'reference', label: 'REST Reference', click: () => actions.openReference() },
    { id: 'show-log', label: 'Show Log', click: () => actions.showLog() },
    ...(mac ? [] : [{ type: 'separator' } satisfies Item, { role: 'about' } satisfies Item]),
  ]
}
