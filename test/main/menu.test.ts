import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import type { DesktopMenuCommand } from '../../src/contract/desktop-bridge.ts'
import { menuTemplate, type MenuActions } from '../../src/main/windows/menu.ts'
import { words } from '../../src/main/words.ts'

const COMMANDS: DesktopMenuCommand[] = [
  { id: 'new-task', title: 'Create task', menu: 'file', group: 'new' },
  { id: 'save', title: 'Save & run', menu: 'page', group: 'Task', accelerator: 'CmdOrCtrl+S' },
  { id: 'format', title: 'Format', menu: 'page', group: 'Text' },
  { id: 'validate', title: 'Validate', menu: 'page', group: 'Task' },
]

function built(platform: NodeJS.Platform, commands = COMMANDS, language = 'en', mayInspect = true) {
  const done: string[] = []
  const note = (what: string) => () => void done.push(what)
  const actions: MenuActions = {
    run: (id) => done.push(`run ${id}`),
    newWindow: note('new window'),
    openFile: note('open file'),
    zoom: (change) => done.push(`zoom ${change}`),
    showWindow: (id) => done.push(`window ${id}`),
    openReference: note('reference'),
    openDataFolder: note('data folder'),
    showLog: note('log'),
    checkForUpdates: note('updates'),
    about: note('about'),
  }
  const windows = [
    { id: 4, title: 'Runs – Headgate', current: false },
    { id: 7, title: 'Q&A – Headgate', current: true },
  ]
  const menus = menuTemplate({ platform, words: words(language), commands, mayInspect, windows }, actions)
  const itemsOf = (label: string) => submenu(menus.find((menu) => menu.label === label))
  return { menus, items: menus.flatMap(submenu), itemsOf, done }
}

const submenu = (menu: MenuItemConstructorOptions | undefined): MenuItemConstructorOptions[] =>
  Array.isArray(menu?.submenu) ? menu.submenu : []

const click = (item: MenuItemConstructorOptions): void => {
  const handler = item.click as (() => void) | undefined
  handler?.()
}

test('every item of ours does something of its own', () => {
  const { items, done } = built('linux')
  const ours = items.filter(({ id, visible }) => id !== undefined && visible !== false)
  for (const item of ours) click(item)
  expect(done).toHaveLength(ours.length)
  expect(new Set(done).size).toBe(ours.length)
  expect(done).toContain('run validate')
})

test('groups stand together in the order of the page, and no separator stands first, last or twice', () => {
  const { menus, itemsOf } = built('linux')
  expect(itemsOf('&Page').map(({ id, type }) => id ?? type)).toEqual(['save', 'validate', 'separator', 'format'])
  for (const menu of menus) {
    const types = submenu(menu).map(({ type }) => type)
    expect([types[0], types.at(-1)]).not.toContain('separator')
    expect(types.some((type, at) => type === 'separator' && types[at + 1] === 'separator')).toBe(false)
  }
})

test('keys of the page’s own commands are shown but left to the page, and an ampersand stays one', () => {
  const { items } = built('win32')
  const save = items.find(({ id }) => id === 'save')
  expect(save).toMatchObject({ label: 'Save && run', accelerator: 'CmdOrCtrl+S', registerAccelerator: false })
  const accelerators = items.map(({ accelerator }) => accelerator).filter((one) => one !== undefined)
  expect(new Set(accelerators).size).toBe(accelerators.length)
})

test('where the page has a command for the same, main’s stands back', () => {
  const open: DesktopMenuCommand = { id: 'open-file', title: 'Open …', menu: 'file', group: 'new' }
  const { items } = built('linux', [open])
  expect(items.filter(({ id }) => id?.endsWith('open-file')).map(({ label }) => label)).toEqual(['Open …'])
})

test('without a page there are main’s own items, and no empty menu', () => {
  const { menus, itemsOf } = built('linux', [])
  expect(menus.map(({ label }) => label)).toEqual(['&File', '&Edit', '&View', '&Window', '&Help'])
  expect(itemsOf('&File').map(({ id, role }) => id ?? role)).toContain('main:open-file')
  expect(menus.map((menu) => submenu(menu).length).every((count) => count > 0)).toBe(true)
})

test('the windows can be chosen by their titles; the Mac lists them by itself', () => {
  const { itemsOf } = built('linux')
  const windows = itemsOf('&Window').filter(({ type }) => type === 'radio')
  expect(windows.map(({ label, checked }) => [label, checked])).toEqual([
    ['Runs – Headgate', false],
    ['Q&&A – Headgate', true],
  ])
  expect(built('darwin').items.some(({ type }) => type === 'radio')).toBe(false)
})

test('the Mac has its app menu, which quits and tells about the app; elsewhere file and help do', () => {
  const mac = built('darwin')
  expect(submenu(mac.menus[0]).map(({ id, role }) => id ?? role)).toEqual(
    expect.arrayContaining(['main:about', 'quit']),
  )
  expect(mac.itemsOf('&File').some(({ role }) => role === 'quit')).toBe(false)
  expect(mac.itemsOf('&Help').some(({ id }) => id === 'main:about')).toBe(false)
  const linux = built('linux')
  expect(linux.itemsOf('&File').at(-1)).toMatchObject({ role: 'quit' })
  expect(linux.itemsOf('&Help').at(-1)).toMatchObject({ id: 'main:about' })
})

test('a window that is locked offers no developer tools, and by that no key for them', () => {
  const offered = (mayInspect: boolean) =>
    built('linux', [], 'en', mayInspect).items.some(({ role }) => role === 'toggleDevTools')
  expect([true, false].map(offered)).toEqual([true, false])
})

test('menus speak the language of the page', () => {
  const { menus } = built('linux', COMMANDS, 'de-AT')
  expect(menus.map(({ label }) => label)).toEqual(['&Datei', '&Bearbeiten', '&Ansicht', '&Seite', '&Fenster', '&Hilfe'])
  expect(built('linux', COMMANDS, 'fr').menus[0]).toMatchObject({ label: '&File' })
})
