// Several windows: each with its place, path and zoom, one menu for the one in front, and one question before all close.
import { expect, test, type Page } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, serverPid, untilSignedIn } from './app-page.ts'
import { launchApp, type Launched } from './launch.ts'

let launched: Launched
let folder: string
test.beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'headgate-windows-'))))
test.afterEach(async () => {
  await launched.end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const choose = (id: string): Promise<void> =>
  launched.app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id)!.click(), id)
const inMenu = (id: string): Promise<boolean> =>
  launched.app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()!.getMenuItemById(id) !== null, id)
const zoomOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('zoom'))

async function openSecond(): Promise<Page> {
  const opening = launched.app.waitForEvent('window')
  await choose('main:new-window')
  const second = await opening
  await untilSignedIn(second)
  return second
}

test('the menu has what the page in front can do, and does it there', async () => {
  launched = await launchApp({ env: ADMIN })
  const first = await launched.app.firstWindow()
  await untilSignedIn(first)
  await expect.poll(() => inMenu('go-runs')).toBe(true)
  const second = await openSecond()
  await expect.poll(() => inMenu('go-runs')).toBe(true)
  await choose('go-runs')
  await second.waitForURL('**/runs')
  expect(new URL(first.url()).pathname).toBe('/')
  await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.focus())
  await choose('go-connectors')
  await first.waitForURL('**/connectors')
  expect(new URL(second.url()).pathname).toBe('/runs')

  // A page whose scripts did not come, as the server went meanwhile, is loaded again by itself.
  let missed = 0
  await first.route(
    '**/assets/start-*.js',
    (route) => {
      missed++
      return route.abort()
    },
    { times: 1 },
  )
  await first.evaluate(() => {
    document.body.dataset.before = 'yes'
    location.reload()
  })
  await expect(first.locator('body:not([data-before]) nav').first()).toBeVisible()
  expect(missed).toBe(1)
})

test('two windows outlive the server, and come back after a quit that one of them had to allow', async () => {
  launched = await launchApp({ folder, env: ADMIN })
  const first = await launched.app.firstWindow()
  await untilSignedIn(first)
  await first.evaluate(() => Object.assign(window, { unsaved: 'kept' }))
  const second = await openSecond()
  const places = await launched.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => String(window.getBounds().x)),
  )
  expect(new Set(places).size).toBe(2)

  const before = await serverPid(first)
  process.kill(before, 'SIGKILL')
  for (const page of [first, second]) await expect.poll(() => serverPid(page).catch(() => before)).not.toBe(before)
  expect(await first.evaluate(() => (window as unknown as { unsaved: string }).unsaved)).toBe('kept')

  await expect.poll(() => inMenu('go-tasks')).toBe(true)
  await choose('go-tasks')
  await second.waitForURL('**/tasks')
  await choose('main:zoom-in')
  await choose('main:zoom-in')
  await expect.poll(() => zoomOf(second)).toBe('1.25')
  expect(await zoomOf(first)).toBe('1')

  await first.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
  await launched.app.evaluate(({ dialog, app }) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (async (_window: unknown, options: unknown) => {
      asked.push(options)
      // The first time the user stays.
      return { response: asked.length === 1 ? 0 : 1, checkboxChecked: false }
    }) as typeof dialog.showMessageBox
    app.quit()
  })
  const asked = () => launched.app.evaluate(() => (globalThis as unknown as { asked: unknown[] }).asked.length)
  await expect.poll(asked).toBe(1)
  expect(await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(2)
  await launched.app.evaluate(({ app }) => app.quit())
  expect(await launched.exitCode).toBe(0)

  launched = await launchApp({ folder, env: ADMIN })
  await launched.app.firstWindow()
  await expect
    .poll(() =>
      launched.app
        .windows()
        .map((page) => pathOf(page))
        .toSorted(),
    )
    .toEqual(['/', '/tasks'])
  const tasks = launched.app.windows().find((page) => pathOf(page) === '/tasks')!
  await expect.poll(() => zoomOf(tasks)).toBe('1.25')
  const placesNow = await launched.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => String(window.getBounds().x)),
  )
  expect(placesNow.toSorted()).toEqual(places.toSorted())
})

function pathOf(page: Page): string {
  return URL.canParse(page.url()) && page.url().startsWith('http') ? new URL(page.url()).pathname : ''
}
