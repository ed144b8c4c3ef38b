import { expect, test } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, get, untilSignedIn } from './app-page.ts'
import { type Launched, launchApp } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

test('the window is locked, keeps what was typed, and only the password opens it', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByLabel('Your name').fill('Ada L.')
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Lock now' }).click()
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  await expect(page.getByLabel('Your name')).toBeHidden()
  expect((await get(page, '/api/auth/me')).status).toBe(401)
  // Neither keys nor a launch token get around it.
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder('Type a command')).toBeHidden()

  const locked = page.getByRole('dialog', { name: 'Locked' })
  await locked.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
  await locked.getByRole('button', { name: 'Sign in' }).click()
  await expect(locked).toBeHidden()
  await expect(page.getByLabel('Your name')).toBeVisible()
  await expect(page.getByLabel('Your name')).toHaveValue('Ada L.')

  // Locked again and opened anew: still the password, nothing else.
  await page.keyboard.press('Control+Shift+L')
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  await expect(page.getByText('Sign in to unlock Headgate.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Continue without a password' })).toHaveCount(0)
  await page.getByLabel('Username').fill(ADMIN.SVC_ADMIN_USERNAME)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible()
})

test('a window that nobody touches locks itself', async () => {
  launched = await launchApp({ env: ADMIN, settings: 'auth:\n  desktop_lock_minutes: 5\n' })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.clock.fastForward('04:00')
  await page.mouse.move(200, 200)
  await page.clock.fastForward('04:00')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  // The server is not there at the first try.
  const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/auth/lock'))
  await page.route('**/api/auth/lock', (route) => route.abort(), { times: 1 })
  await page.clock.fastForward('01:10')
  await refused
  await page.clock.fastForward('00:20')
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
})

test('links and files that come while the window is locked wait until it is unlocked', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-locked-'))
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  // A page that listens to main by itself must not take what the whole window is to wait for.
  await page.evaluate(() => {
    history.pushState(null, '', '/settings/desktop')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page.getByRole('heading', { name: 'Desktop' }).first()).toBeVisible()
  const developerTools = () =>
    launched.app.evaluate(({ BrowserWindow, Menu }) => ({
      offered: Menu.getApplicationMenu()!.items.some((menu) =>
        menu.submenu?.items.some(({ label }) => label === 'Developer tools'),
      ),
      open: BrowserWindow.getAllWindows()[0]!.webContents.isDevToolsOpened(),
    }))
  await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.openDevTools())
  expect(await developerTools()).toEqual({ offered: true, open: true })
  await page.keyboard.press('Control+Shift+L')
  const locked = page.getByRole('dialog', { name: 'Locked' })
  await expect(locked).toBeVisible()
  await expect.poll(async () => (await developerTools()).open).toBe(false)

  const paths = ['orders.csv', 'people.csv'].map((name) => join(folder, name))
  for (const path of paths) writeFileSync(path, 'id,name\n1,a\n')
  await launched.app.evaluate(({ app }, paths) => {
    for (const url of ['headgate://runs', 'headgate://tasks?tag=new'])
      app.emit('open-url', { preventDefault() {} }, url)
    for (const path of paths) app.emit('open-file', { preventDefault() {} }, path)
  }, paths)
  // The menu has nothing of a page that is locked.
  const inMenu = () => launched.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('lock') !== null)
  await expect.poll(inMenu).toBe(false)
  // Nor anything that looks behind the lock.
  expect(await developerTools()).toEqual({ offered: false, open: false })
  const taken = await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['id\n1\n'], 'dropped.csv'))
    const events = ['dragenter', 'dragover', 'drop'].map(
      (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
    )
    for (const event of events) document.body.dispatchEvent(event)
    return [events[2]!.defaultPrevented, dataTransfer.dropEffect]
  })
  expect(taken).toEqual([true, 'none'])
  expect(new URL(page.url()).pathname).toBe('/settings/desktop')
  await expect(page.getByRole('dialog')).toHaveCount(1)

  await locked.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
  await locked.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/tasks?tag=new*')
  const choice = page.getByRole('dialog')
  await expect(choice).toContainText('orders.csv')
  await expect(choice).toContainText('people.csv')
  await expect(choice).not.toContainText('dropped.csv')
  rmSync(folder, { recursive: true, force: true })
})
