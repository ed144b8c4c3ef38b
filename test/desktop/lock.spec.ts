import { expect, test } from '@playwright/test'
import { ADMIN, get, untilSignedIn } from './app-page.ts'
import { type Launched, launchApp } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

test('the window is locked, keeps what was typed, and only the password opens it', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByLabel('Your name').fill('Ada L.')
  await page.getByRole('button', { name: /^Account of/ }).click()
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
  await expect(page.getByText('Only a password opens it again.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open without a password' })).toHaveCount(0)
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
  await page.clock.fastForward('01:10')
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
})
