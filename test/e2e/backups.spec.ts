import type { Page } from '@playwright/test'
import { statSync } from 'node:fs'
import { createTask } from '../../src/contract/tasks.ts'
import { admin, apiOf, expect, expectAccessible, signInCookie, startBuiltServer, test } from '../support/e2e.ts'

const yaml = (name: string) => `etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file}
  db: {type: sqlite, access: write}
source: {connector: files, files: {glob: "*.csv"}}
steps: []
target: {connector: db, table: t, mode: replace}
`

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
}

test('a backup is made, checked, downloaded, gone back to, and the window comes back by itself', async ({
  browser,
}) => {
  test.slow()
  const server = await startBuiltServer({ withExecutor: false })
  try {
    const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    const page = await context.newPage()
    await page.goto('/settings/backups')
    await signIn(page)
    await expect(page.getByText('No backups yet')).toBeVisible()
    const api = apiOf(server, await signInCookie(server))
    await api(createTask, { body: { yaml_content: yaml('before.backup') } })
    await page.getByRole('button', { name: 'Back up now' }).first().click()
    const row = page.getByRole('grid', { name: 'Backups' }).getByRole('row').filter({ hasText: 'Manual' })
    await expect(row).toContainText('Verified')
    await expect(page.getByRole('heading', { name: 'Available backups' })).toBeVisible()
    await expect(page.getByRole('note')).toContainText('don’t contain the encryption key')
    await expect(page.getByRole('region', { name: 'Schedule' }).getByText('Never', { exact: true })).toBeVisible()
    const folder = page.locator('[data-key="backup.folder"]')
    await expect(folder.getByText('Default', { exact: true })).toBeVisible()
    await page.setViewportSize({ width: 1280, height: 800 })
    const isCut = () =>
      row
        .locator('[data-column="name"] [title]')
        .last()
        .evaluate((name) => name.scrollWidth > name.clientWidth)
    await expect.poll(isCut, { message: 'reason and status give the file name what they do not need' }).toBe(false)
    const menu = row.getByRole('button', { name: 'Row actions' })
    await menu.click()
    await page.getByRole('menuitem', { name: /^Verify / }).click()
    await expect(page.getByText('Verified and compatible with this version')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await menu.click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^Download / }).click(),
    ])
    expect(statSync(await file.path()).size).toBeGreaterThan(10_000)
    await expectAccessible(page)

    await api(createTask, { body: { yaml_content: yaml('after.backup') } })
    await menu.click()
    await page.getByRole('menuitem', { name: /^Restore / }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('The current store is backed up first')
    await dialog.getByRole('button', { name: 'Restore and restart' }).click()
    await expect(page.getByText('Before a restore')).toBeVisible({ timeout: 30_000 })
    await page.goto('/tasks')
    await expect(page.getByText('before.backup').first()).toBeVisible()
    await expect(page.getByText('after.backup')).toHaveCount(0)
    await context.close()
  } finally {
    await server.stop()
  }
})

test('a backup is deleted only after a question', async ({ page }) => {
  await page.goto('/settings/backups')
  await page.getByRole('button', { name: 'Back up now' }).first().click()
  const grid = page.getByRole('grid', { name: 'Backups' })
  await grid.getByRole('button', { name: 'Row actions' }).first().click()
  await page.getByRole('menuitem', { name: /^Delete / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }).click()
  await expect(page.getByText('No backups yet')).toBeVisible()
})
