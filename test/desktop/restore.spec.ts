import { expect, test } from '@playwright/test'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHeadless } from './headless.ts'
import { launchApp, type Launched } from './launch.ts'

let folder: string
let launched: Launched | null = null

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-damaged-'))
})
test.afterEach(async () => {
  await launched?.end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  launched = null
})

test('a damaged store is replaced by its newest good backup with one click, and the damaged file stays', async () => {
  const server = await startHeadless(folder)
  await server.stop()
  const store = join(folder, 'headgate.db')
  mkdirSync(join(folder, 'backups'))
  copyFileSync(store, join(folder, 'backups', 'good.db'))
  writeFileSync(store, 'no longer a database'.repeat(1_000))

  launched = await launchApp({ dataDir: folder })
  const page = await launched.app.firstWindow()
  await expect(page.getByRole('alert')).toContainText('is damaged')
  await expect(page.getByRole('alert')).toContainText('good.db')
  await page.screenshot({ path: 'test-results/desktop/damaged-store.png' })
  await launched.app.evaluate(({ shell }) => {
    shell.openPath = (path) => {
      Object.assign(globalThis, { opened: path })
      return Promise.resolve('')
    }
  })
  await page.getByRole('button', { name: 'Show data folder' }).click()
  const opened = () => launched!.app.evaluate(() => (globalThis as { opened?: string }).opened)
  await expect.poll(opened).toBe(folder)
  await page.getByRole('button', { name: /^Restore backup of / }).click()
  await page.waitForURL(/^http:/)
  const kept = readdirSync(folder).find((name) => name.startsWith('damaged-'))
  expect(readFileSync(join(folder, kept!), 'utf8')).toMatch(/^no longer a database/)
})
