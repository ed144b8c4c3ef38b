import { expect, test } from '@playwright/test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHeadless, type Headless } from './headless.ts'
import { launchApp, type Launched } from './launch.ts'

let folder: string
let launched: Launched | null = null
let other: Headless | null = null

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-failure-'))
})
test.afterEach(async () => {
  await launched?.end()
  await other?.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  launched = other = null
})

test('a data folder in use is named in the window, which comes up when tried again', async () => {
  other = await startHeadless(folder)
  launched = await launchApp({ dataDir: folder })
  const page = await launched.app.firstWindow()
  await expect(page.getByRole('alert')).toContainText(folder)
  await expect(page.getByRole('heading')).toHaveText('Headgate couldn’t start')
  await page.screenshot({ path: 'test-results/desktop/failure.png' })
  // The page after the second refusal looks the same; its title tells that it is another.
  await page.evaluate(() => void (document.title = 'the first refusal'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveTitle('Headgate')
  await expect(page.getByRole('alert')).toContainText(folder)
  await other.stop()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL(/^http:/)
})

test('a mistake in config.yaml is shown with file and line, and the log can be opened', async () => {
  launched = await launchApp({ settings: 'auth:\n  totp_required: perhaps\n' })
  const page = await launched.app.firstWindow()
  await expect(page.getByRole('alert')).toContainText('config.yaml')
  await expect(page.getByRole('alert')).toContainText(/\b2\b/)
  await launched.app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => Object.assign(globalThis, { shown: path })
  })
  await page.getByRole('button', { name: 'Show log' }).click()
  const shown = () => launched!.app.evaluate(() => (globalThis as { shown?: string }).shown)
  await expect.poll(shown).toMatch(/headgate\.log$/)
})

test('the status page cannot reach the bridge', async () => {
  launched = await launchApp({ settings: 'nonsense: true\n' })
  const page = await launched.app.firstWindow()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await page.evaluate(() => window.headgate === undefined)).toBe(true)
})

test('a port that is taken is no failure: the window takes a free one', async () => {
  other = await startHeadless(folder)
  const port = new URL(other.url).port
  launched = await launchApp({ args: ['--port', port] })
  const page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  expect(new URL(page.url()).port).not.toBe(port)
})
