import { expect, test } from '@playwright/test'
import { ADMIN, post, untilSignedIn } from './app-page.ts'
import { type Launched, launchApp } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

test('what a desktop channel tells is a notification of the desktop, whose click leads to its page', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await launched.app.evaluate(({ Notification }) => {
    Notification.prototype.show = function remember(this: Electron.Notification) {
      Object.assign(globalThis, { news: this })
    }
  })
  const channel = await post(page, '/api/notifications', { name: 'desk', type: 'desktop' })
  const told = () =>
    launched.app.evaluate(() => (globalThis as unknown as { news?: Electron.Notification }).news?.title ?? null)
  // Sent again until the page hears events: what was sent before is not told to it.
  await expect(async () => {
    await page.evaluate((id) => fetch(`/api/notifications/${id}/test`, { method: 'POST' }), channel.id)
    await expect.poll(told, { timeout: 2000 }).toBe('Test message of Headgate')
  }).toPass()
  await launched.app.evaluate(() => {
    ;(globalThis as unknown as { news: Electron.Notification }).news.emit('click')
  })
  await expect(page).toHaveURL(/\/settings\/notifications/)
})
