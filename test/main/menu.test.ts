import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import { menuTemplate, type MenuActions } from '../../src/main/menu.ts'

function built(platform: NodeJS.Platform) {
  const done: string[] = []
  const actions: MenuActions = {
    command: (name) => done.push(name),
    newWindow: () => done.push('(new window)'),
    openReference: () => done.push('(reference)'),
    openDataFolder: () => done.push('(data folder)'),
    showLog: () => done.push('(log)'),
  }
  const menus = menuTemplate(platform, actions)
  const items = menus.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
  return { menus, items, done }
}

const click = (item: MenuItemConstructorOptions): void => {
  const handler = item.click as (() => void) | undefined
  handler?.()
}

test('every item of ours does something of its own', () => {
  const { items, done } = built('linux')
  const ours = items.filter(({ id }) => id !== undefined)
  for (const item of ours) click(item)
  expect(done).toHaveLength(ours.length)
  expect(new Set(done).size).toBe(ours.length)
})

test('keys of the page’s own commands are shown but left to the page', () => {
  const { items } = built('win32')
  const palette = items.find(({ id }) => id === 'show-commands')
  expect(palette).toMatchObject({ accelerator: 'CmdOrCtrl+K', registerAccelerator: false })
  const accelerators = items.map(({ accelerator }) => accelerator).filter((one) => one !== undefined)
  expect(new Set(accelerators).size).toBe(accelerators.length)
})

test('the Mac has its app menu, which quits; elsewhere the file menu does', () => {
  expect(built('darwin').menus[0]).toEqual({ role: 'appMenu' })
  expect(built('darwin').items.some(({ role }) => role === 'quit')).toBe(false)
  expect(built('linux').menus).toHaveLength(5)
  expect(built('linux').items.some(({ role }) => role === 'quit')).toBe(true)
})
