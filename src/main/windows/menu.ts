import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopMenuCommand, DesktopMenuName } from '../../contract/desktop-bridge.ts'
import type { Words } from '../words.ts'
import type { ZoomChange } from './zoom.rules.ts'

export interface MenuActions {
  /** Performs a command of the registry of the page that has the focus. */
  run(id: string): void
  newWindow(): void
  openFile(): void
  zoom(change: ZoomChange): void
  showWindow(id: number): void
  openReference(): void
  openDataFolder(): void
  showLog(): void
  checkForUpdates(): void
  about(): void
}

export interface MenuContent {
  platform: NodeJS.Platform
  words: Words
  /** What the page that has the focus can do; none while there is no page. */
  commands: readonly DesktopMenuCommand[]
  /** Developer tools are offered: they read what stands behind a locked window. */
  mayInspect: boolean
  /** All open windows; `current` was used last. */
  windows: readonly { id: number; title: string; current: boolean }[]
}

type Item = MenuItemConstructorOptions
/** Items that belong together, between two separators. */
type Group = Item[]

/** The application menu: what every page has, and what the page that has the focus adds. */
export function menuTemplate(content: MenuContent, actions: MenuActions): Item[] {
  const { platform, words, commands, mayInspect, windows } = content
  const mac = platform === 'darwin'
  const of = (menu: DesktopMenuName): Group[] => groupsOf(commands, menu, actions)
  const about = own('about', words.about, actions.about)
  const menus: (Item | null)[] = [
    mac ? { label: 'Headgate', submenu: joined(macGroups(words, about)) } : null,
    { label: words.file, submenu: joined(fileGroups(words, actions, mac, of('file'))) },
    { label: words.edit, submenu: joined([...editGroups(words, mac), ...of('edit')]) },
    { label: words.view, submenu: joined([...of('view'), ...viewGroups(words, actions, mayInspect)]) },
    optional(words.go, of('go')),
    optional(words.page, of('page')),
    { role: 'window', label: words.window, submenu: joined(windowGroups(words, windows, actions, mac)) },
    { role: 'help', label: words.help, submenu: joined(helpGroups(words, actions, of('help'), mac ? [] : [about])) },
  ]
  return menus.filter((menu) => menu !== null).map((menu) => withoutDoubles(menu, commands))
}

/** Commands of one group stand together, in the order in which the page names them. Keys are shown, but left to the page. */
function groupsOf(commands: readonly DesktopMenuCommand[], menu: DesktopMenuName, actions: MenuActions): Group[] {
  const inMenu = commands.filter((command) => command.menu === menu)
  return [...Map.groupBy(inMenu, ({ group }) => group).values()].map((group) =>
    group.map(({ id, title, accelerator }) => ({
      id,
      label: title.replaceAll('&', '&&'),
      accelerator,
      registerAccelerator: false,
      click: () => actions.run(id),
    })),
  )
}

function joined(groups: readonly Group[]): Item[] {
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [{ type: 'separator' } satisfies Item, ...group]))
}

function optional(label: string, groups: Group[]): Item | null {
  return groups.length > 0 ? { label, submenu: joined(groups) } : null
}

/** Where the page has a command of its own for something, main's stands back. */
function withoutDoubles(menu: Item, commands: readonly DesktopMenuCommand[]): Item {
  const doubles = new Set(commands.map(({ id }) => `main:${id}`))
  return Array.isArray(menu.submenu)
    ? { ...menu, submenu: menu.submenu.filter(({ id }) => id === undefined || !doubles.has(id)) }
    : menu
}

/** An item of main's; its id cannot be one of a page's commands, which have no colon. */
function own(id: string, label: string, click: () => void, accelerator?: string): Item {
  return { id: `main:${id}`, label, accelerator, click: () => click() }
}

function macGroups(words: Words, about: Item): Group[] {
  return [
    [about],
    [{ role: 'services', label: words.services }],
    [
      { role: 'hide', label: words.hide },
      { role: 'hideOthers', label: words.hideOthers },
      { role: 'unhide', label: words.showAll },
    ],
    [{ role: 'quit', label: words.quit }],
  ]
}

function fileGroups(words: Words, actions: MenuActions, mac: boolean, page: Group[]): Group[] {
  return [
    [
      own('new-window', words.newWindow, actions.newWindow, 'CmdOrCtrl+Shift+N'),
      own('open-file', words.openFile, actions.openFile, 'CmdOrCtrl+O'),
    ],
    ...page,
    [own('open-data-folder', words.openDataFolder, actions.openDataFolder)],
    [{ role: 'close', label: words.closeWindow }, ...(mac ? [] : [{ role: 'quit', label: words.quit } satisfies Item])],
  ]
}

function editGroups(words: Words, mac: boolean): Group[] {
  const plain: Item = { role: 'pasteAndMatchStyle', label: words.pastePlain }
  return [
    [
      { role: 'undo', label: words.undo },
      { role: 'redo', label: words.redo },
    ],
    [
      { role: 'cut', label: words.cut },
      { role: 'copy', label: words.copy },
      { role: 'paste', label: words.paste },
      ...(mac ? [plain] : []),
      { role: 'delete', label: words.delete },
    ],
    [{ role: 'selectAll', label: words.selectAll }],
  ]
}

/** Zoom is each window's own; Electron's roles would zoom all windows of one address. */
function viewGroups(words: Words, actions: MenuActions, mayInspect: boolean): Group[] {
  return [
    [
      own('zoom-in', words.zoomIn, () => actions.zoom('in'), 'CmdOrCtrl+Plus'),
      // The same key without Shift, as on most keyboards.
      { ...own('zoom-in-plain', words.zoomIn, () => actions.zoom('in'), 'CmdOrCtrl+='), visible: false },
      own('zoom-out', words.zoomOut, () => actions.zoom('out'), 'CmdOrCtrl+-'),
      own('zoom-reset', words.zoomReset, () => actions.zoom('reset'), 'CmdOrCtrl+0'),
    ],
    [{ role: 'togglefullscreen', label: words.fullScreen }],
    [
      { role: 'reload', label: words.reload },
      ...(mayInspect ? [{ role: 'toggleDevTools', label: words.developerTools } satisfies Item] : []),
    ],
  ]
}

function windowGroups(words: Words, windows: MenuContent['windows'], actions: MenuActions, mac: boolean): Group[] {
  const minimize: Item = { role: 'minimize', label: words.minimize }
  // The Mac lists the windows by itself.
  if (mac)
    return [[minimize, { role: 'zoom', label: words.zoomWindow }], [{ role: 'front', label: words.bringToFront }]]
  return [
    [minimize],
    windows.map(({ id, title, current }) => ({
      ...own(`window-${id}`, title.replaceAll('&', '&&'), () => actions.showWindow(id)),
      type: 'radio',
      checked: current,
    })),
  ]
}

function helpGroups(words: Words, actions: MenuActions, page: Group[], about: Group): Group[] {
  return [
    ...page,
    [own('reference', words.reference, actions.openReference), own('show-log', words.showLog, actions.showLog)],
    [own('check-for-updates', words.checkForUpdates, actions.checkForUpdates)],
    about,
  ]
}
