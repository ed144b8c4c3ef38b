import { expect, test, type Page } from '@playwright/test'
import type Electron from 'electron'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { words } from '../../src/main/words.ts'
import { launchApp, type Launched } from './launch.ts'

let launched: Launched
let page: Page

test.beforeEach(async () => {
  launched = await launchApp()
  page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
})
test.afterEach(() => launched.end())

test('the bridge tells the platform and the versions, and nothing of Node', async () => {
  const told = await page.evaluate(() => ({ platform: window.headgate!.platform, versions: window.headgate!.versions }))
  expect(told.platform).toBe(process.platform)
  expect(told.versions.app).toMatch(/^\d+\.\d+\.\d+/)
  expect(told.versions.electron).toMatch(/^45\./)
  const leaked = await page.evaluate(() =>
    ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in window),
  )
  expect(leaked).toEqual([])
})

test('file dialogs give paths, or nothing when cancelled', async () => {
  await launched.app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: ['/data/orders.csv'] })
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' })
  })
  expect(await page.evaluate(() => window.headgate!.openFile({ kind: 'file' }))).toEqual(['/data/orders.csv'])
  expect(await page.evaluate(() => window.headgate!.saveFile({ start_path: 'orders.csv' }))).toBeNull()
})

test('show in folder opens what exists and refuses the rest with a clear message', async () => {
  await launched.app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => Object.assign(globalThis, { shown: path })
  })
  const file = join(launched.dataDir, 'endpoint.json')
  await page.evaluate((path) => window.headgate!.showItemInFolder(path), file)
  expect(await launched.app.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(file)
  const missing = page.evaluate(() => window.headgate!.showItemInFolder('/no/such/file'))
  await expect(missing).rejects.toThrow('/no/such/file doesn’t exist')
  const relative = page.evaluate(() => window.headgate!.showItemInFolder('../etc'))
  await expect(relative).rejects.toThrow('absolute')
})

test('a command that the page has put into the menu comes back to it', async () => {
  await page.evaluate(async () => {
    window.headgate!.onCommand((command) => Object.assign(window, { heard: command }))
    const command = {
      id: 'sow',
      title: 'Sow & reap',
      menu: 'page',
      group: 'field',
      accelerator: 'CmdOrCtrl+J',
    } as const
    await window.headgate!.setMenu({ language: 'de-AT', commands: [command] })
  })
  const shown = () =>
    launched.app.evaluate(({ Menu }) => {
      const item = Menu.getApplicationMenu()!.getMenuItemById('sow')
      return item && [item.label, item.accelerator, item.registerAccelerator]
    })
  await expect.poll(shown).toEqual(['Sow && reap', 'CmdOrCtrl+J', false])
  const titles = await launched.app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.items.map(({ label }) => label))
  expect(titles).toEqual(['&Datei', '&Bearbeiten', '&Ansicht', '&Seite', '&Fenster', '&Hilfe'])
  // From now on everything that main says is in the language of the page.
  const missing = page.evaluate(() => window.headgate!.showItemInFolder('/no/such/file'))
  await expect(missing).rejects.toThrow(words('de').nothingAt('/no/such/file'))
  await launched.app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('sow')!.click())
  await expect
    .poll(() => page.evaluate(() => (window as { heard?: unknown }).heard))
    .toEqual({ name: 'run', id: 'sow' })
})

test('a page from elsewhere gets no answer, even in our own window', async () => {
  const elsewhere = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<h1>Elsewhere</h1>')
  })
  elsewhere.listen(0, '127.0.0.1')
  await once(elsewhere, 'listening')
  try {
    const { port } = elsewhere.address() as AddressInfo
    const load = ({ BrowserWindow }: typeof Electron, url: string) => BrowserWindow.getAllWindows()[0]!.loadURL(url)
    await launched.app.evaluate(load, `http://127.0.0.1:${port}/`)
    await expect(page.getByRole('heading')).toHaveText('Elsewhere')
    await expect(page.evaluate(() => window.headgate!.launchToken())).rejects.toThrow('Refused')
    await expect(page.evaluate(() => window.headgate!.openFile())).rejects.toThrow('Refused')
    await expect.poll(launched.output).toContain('refused headgate:launch-token')
  } finally {
    elsewhere.closeAllConnections()
    elsewhere.close()
  }
})

test('a click on a notification brings the window to the front and leads to its place', async () => {
  await launched.app.evaluate(({ BrowserWindow, Notification }) => {
    Notification.prototype.show = function (this: Electron.Notification) {
      Object.assign(globalThis, { shown: this })
    }
    BrowserWindow.getAllWindows()[0]!.minimize()
  })
  await page.evaluate(() => {
    window.headgate!.onCommand((command) => Object.assign(window, { heard: command }))
    return window.headgate!.notify({ title: 'Run failed', body: 'orders', path: '/runs/17' })
  })
  const shown = await launched.app.evaluate(({ BrowserWindow }) => {
    const { shown } = globalThis as unknown as { shown: Electron.Notification }
    const { title, body } = shown
    shown.emit('click')
    return { title, body, minimized: BrowserWindow.getAllWindows()[0]!.isMinimized() }
  })
  expect(shown).toEqual({ title: 'Run failed', body: 'orders', minimized: false })
  const heard = () => page.evaluate(() => (window as { heard?: unknown }).heard)
  await expect.poll(heard).toEqual({ name: 'navigate', path: '/runs/17' })
})

test('no page says alone where new versions of the app come from: the user is asked in a box of the system', async () => {
  const answer = (response: number) =>
    launched.app.evaluate(({ dialog }, response) => {
      dialog.showMessageBox = (async (_window: unknown, { message }: Electron.MessageBoxOptions) => {
        Object.assign(globalThis, { asked: message })
        return { response, checkboxChecked: false }
      }) as typeof dialog.showMessageBox
      Object.assign(globalThis, { asked: null })
    }, response)
  const asked = () => launched.app.evaluate(() => (globalThis as { asked?: string | null }).asked)
  const change = (update_feed_url: string) =>
    page.evaluate((url) => window.headgate!.setSettings({ update_feed_url: url }), update_feed_url)
  const feed = () => page.evaluate(async () => (await window.headgate!.settings()).settings.update_feed_url)

  await answer(0)
  await expect(change('https://evil.example/x/')).rejects.toThrow('wasn’t changed')
  expect(await asked()).toBe('Install updates from evil.example?')
  expect(await feed()).toBe('')
  await answer(1)
  await change('https://downloads.example/headgate/')
  expect(await feed()).toBe('https://downloads.example/headgate/')
  // The same again, and none at all, bring nothing into the app.
  await answer(0)
  await change('https://downloads.example/headgate/')
  await change('')
  expect(await feed()).toBe('')
  expect(await asked()).toBeNull()
})
