import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { desktopSettings } from '../../src/main/desktop/desktop-settings.ts'
import { words } from '../../src/main/words.ts'

function world(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-desktop-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'desktop.json')
  if (text !== undefined) writeFileSync(file, text)
  const logged: string[] = []
  let login = false
  const loginItem = { isOn: () => login, set: (on: boolean) => void (login = on) }
  const abilities = { tray: true, open_at_login: true, updates: false }
  const open = () =>
    desktopSettings({
      file,
      loginItem,
      abilities: () => abilities,
      words: () => words('en'),
      log: (line) => logged.push(line),
    })
  return { file, folder, logged, loginItem, open, kept: () => JSON.parse(readFileSync(file, 'utf8')) as object }
}

test('begin with running in the background, about which nobody has been asked', () => {
  const { open } = world()
  const settings = open()
  expect(settings.read()).toEqual({
    settings: {
      open_at_login: false,
      run_in_background: true,
      keep_awake: false,
      notify_failures: true,
      update_feed_url: '',
    },
    abilities: { tray: true, open_at_login: true, updates: false },
  })
  expect(settings.backgroundAsked).toBe(false)
})

test('what was changed holds, is told, and is there after a start', async () => {
  const { open } = world()
  const settings = open()
  const heard: boolean[] = []
  settings.onChange(({ keep_awake }) => heard.push(keep_awake))
  expect(await settings.change({ keep_awake: true })).toMatchObject({ keep_awake: true, run_in_background: true })
  expect(heard).toEqual([true])
  expect(open().now).toMatchObject({ keep_awake: true })
  // Whoever sets it himself need not be asked.
  await settings.change({ run_in_background: false })
  expect(open()).toMatchObject({ backgroundAsked: true, now: { run_in_background: false } })
})

test('keys of other releases stay, values of another type are as good as none', async () => {
  const { open, kept, logged } = world('{"later": [1], "keep_awake": "yes", "notify_failures": false}')
  const settings = open()
  expect(settings.now).toMatchObject({ keep_awake: false, notify_failures: false })
  await settings.change({ keep_awake: true })
  expect(kept()).toMatchObject({ later: [1], keep_awake: true, notify_failures: false })
  expect(logged).toEqual([])
})

test.each(['{"keep_awake"', '[]', 'null', ''])('a damaged file (%s) begins anew, and the log says so', (text) => {
  const { open, logged } = world(text)
  expect(open().now.run_in_background).toBe(true)
  expect(logged).toHaveLength(1)
})

test('the start with the login is what the system says of it, and stays as it was where nothing can be kept', async () => {
  const { open, file, loginItem } = world()
  const settings = open()
  await settings.change({ open_at_login: true })
  expect(loginItem.isOn()).toBe(true)
  loginItem.set(false)
  expect(settings.read().settings.open_at_login).toBe(false)
  rmSync(file)
  mkdirSync(file)
  expect(() => settings.change({ open_at_login: true })).toThrow(`Can’t save the settings to ${file}`)
  expect(loginItem.isOn()).toBe(false)
})

test('a system that refuses changes nothing', () => {
  const { open, loginItem } = world()
  const settings = open()
  loginItem.set = () => {
    throw new Error('The system refused.')
  }
  expect(() => settings.change({ open_at_login: true, keep_awake: true })).toThrow('The system refused.')
  expect(settings.now.keep_awake).toBe(false)
})
