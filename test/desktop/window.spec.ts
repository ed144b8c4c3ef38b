import { expect, test } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, get, untilSignedIn } from './app-page.ts'
import { launchApp, type Launched } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

test('the window opens, signed in without a password', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  expect((await get(page, '/api/auth/me')).body).toMatchObject({ user: { username: 'ada', role: 'superadmin' } })
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page).toHaveTitle(/Headgate/)
  await page.screenshot({ path: 'test-results/desktop/window.png' })
})

test('without an account the window asks for the first one', async () => {
  launched = await launchApp()
  const page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  expect((await get(page, '/api/auth/status')).body).toMatchObject({ needs_bootstrap: true })
  await expect(page.locator('input[type=password]').first()).toBeVisible()
})

test('with signing in from the desktop turned off, the window asks for name and password', async () => {
  launched = await launchApp({ env: ADMIN, settings: 'auth:\n  desktop_sign_in: false\n' })
  const page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  await expect(page.locator('input[type=password]').first()).toBeVisible()
  const refused = page.evaluate(() => window.headgate!.launchToken())
  await expect(refused).rejects.toThrow(/auth\.desktop_sign_in/)
  expect((await get(page, '/api/auth/me')).status).toBe(401)
})

test('the window comes back with the size it had', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-profile-'))
  try {
    launched = await launchApp({ folder })
    await launched.app.firstWindow()
    await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.setSize(1001, 701))
    await launched.end()
    launched = await launchApp({ folder })
    await launched.app.firstWindow()
    const size = await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getSize())
    expect(size).toEqual([1001, 701])
  } finally {
    await launched.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

test('the page chooses the theme of the window', async () => {
  launched = await launchApp()
  const page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  await page.evaluate(() => window.headgate!.setTheme('dark'))
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  await page.evaluate(() => window.headgate!.setTheme('light'))
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(false)
})
