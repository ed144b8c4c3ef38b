import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { autostartFile, desktopEntry, loginCommand } from '../../src/main/desktop/login-item.rules.ts'
import { autostartEntry, systemLoginItem } from '../../src/main/desktop/login-item.ts'
import { words } from '../../src/main/words.ts'

const said =
  (language = 'en') =>
  () =>
    words(language)

const exec = (path: string, ...args: string[]) => /^Exec=(.*)$/m.exec(desktopEntry({ path, args }))?.[1]

test('the entry lies where the desktop looks for it; a relative XDG_CONFIG_HOME counts for nothing', () => {
  expect(autostartFile({}, '/home/ada')).toBe('/home/ada/.config/autostart/headgate.desktop')
  expect(autostartFile({ XDG_CONFIG_HOME: '/cfg' }, '/home/ada')).toBe('/cfg/autostart/headgate.desktop')
  expect(autostartFile({ XDG_CONFIG_HOME: 'cfg' }, '/home/ada')).toBe('/home/ada/.config/autostart/headgate.desktop')
})

test('Exec quotes what has to be quoted, by both rules of the specification', () => {
  expect(exec('/opt/Headgate/headgate', '--hidden')).toBe('/opt/Headgate/headgate --hidden')
  expect(exec('/opt/My Apps/headgate', '--hidden')).toBe('"/opt/My Apps/headgate" --hidden')
  expect(exec('/a/$b"c`d\\e')).toBe(String.raw`"/a/\\$b\\"c\\` + '`' + String.raw`d\\\\e"`)
  expect(exec('/100%/app')).toBe('/100%%/app')
  expect(exec('/app', '')).toBe('/app ""')
  expect(() => exec('/a\nb')).toThrow('line break')
})

test('an AppImage is started by its own file, a bare Electron with the folder of the app', () => {
  const installed = { isPackaged: true, execPath: '/tmp/.mount_x/headgate', appImage: undefined, appPath: '/app' }
  expect(loginCommand(installed, [])).toEqual({ path: '/tmp/.mount_x/headgate', args: ['--hidden'] })
  expect(loginCommand({ ...installed, appImage: '/home/ada/H.AppImage' }, ['--port=1']).path).toBe(
    '/home/ada/H.AppImage',
  )
  expect(loginCommand({ ...installed, isPackaged: false }, ['--port=1']).args).toEqual(['/app', '--port=1', '--hidden'])
})

test('turned on it is there, turned off it is gone, and what the system refuses is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-login-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'autostart', 'headgate.desktop')
  const entry = autostartEntry(file, { path: '/opt/headgate', args: ['--hidden'] }, said('de'))
  expect(entry.isOn()).toBe(false)
  entry.set(true)
  expect(readFileSync(file, 'utf8')).toContain('Exec=/opt/headgate --hidden\n')
  expect(entry.isOn()).toBe(true)
  entry.set(false)
  entry.set(false)
  expect(entry.isOn()).toBe(false)
  const blocked = join(folder, 'file')
  writeFileSync(blocked, '')
  expect(() => autostartEntry(join(blocked, 'x.desktop'), { path: '/a', args: [] }, said()).set(true)).toThrow(
    /Can’t add the login item/,
  )
  mkdirSync(file)
  expect(() => entry.set(true)).toThrow(/konnte nicht erstellt werden/)
})

test('on the Mac and on Windows the list of the system counts, and a refusal is told', () => {
  let on = false
  const app = {
    getLoginItemSettings: () => ({ openAtLogin: on }),
    setLoginItemSettings: (settings: { openAtLogin: boolean }) => void (on = settings.openAtLogin),
  }
  const item = systemLoginItem(app, { path: '/a', args: ['--hidden'] }, said())
  item.set(true)
  expect(item.isOn()).toBe(true)
  app.setLoginItemSettings = () => {}
  expect(() => item.set(false)).toThrow('didn’t change')
})
