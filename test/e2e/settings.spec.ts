import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { updateBranding } from '../../src/contract/branding.ts'
import { updateServerConfig } from '../../src/contract/server-config.ts'
import { createUser } from '../../src/contract/users.ts'
import { admin, expect, expectAccessible, startBuiltServer, test } from '../support/e2e.ts'

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('one search finds settings of the server and of this window', async ({ page }) => {
  await page.goto('/settings/appearance')
  const search = page.getByRole('searchbox', { name: 'Search all settings' })
  await search.fill('theme')
  const sections = page.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('link', { name: 'Appearance' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Backups' })).toHaveCount(0)
  await search.fill('SVC_RETENTION_LOGS_DAYS')
  await sections.getByRole('link', { name: 'Configuration' }).click()
  await expect(page.getByRole('heading', { level: 3 })).toHaveCount(1)
  await expect(page.getByText('retention.logs_days')).toBeVisible()
  await search.fill('nothing is called this')
  await expect(sections.getByText('No setting matches')).toBeVisible()
})

test('settings are changed together; a bad value is told at its field; the default comes back', async ({
  page,
  server,
}) => {
  await page.goto('/settings/configuration?find=retention')
  const days = page.locator('[data-key="retention.logs_days"]')
  const runs = page.locator('[data-key="retention.runs_days"]')
  await days.getByRole('textbox').fill('45')
  await runs.getByRole('textbox').fill('99999999')
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(runs).toContainText(/36.?500/)
  await expect(days.getByRole('textbox')).toHaveValue('45 days')
  await runs.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(days).toContainText('Set in config.yaml')
  expect(readFileSync(join(server.dataDir, 'config.yaml'), 'utf8')).toContain('45')
  await expectAccessible(page)
  await days.getByRole('button', { name: /^Use default/ }).click()
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(days.getByRole('textbox')).toHaveValue('90 days')
  await expect(days.getByText('Default', { exact: true })).toBeVisible()
})

test('a secret is set, replaced and never shown', async ({ page }) => {
  await page.goto('/settings/configuration?find=ai.api_key')
  const row = page.locator('[data-key="ai.api_key"]')
  await row.getByRole('button', { name: 'Enter…' }).click()
  await row.locator('input').fill('canary-of-the-ai-key')
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(row.getByRole('button', { name: 'Replace…' })).toBeVisible()
  await page.reload()
  await expect(row.getByText('Set', { exact: true })).toBeVisible()
  expect(await page.content()).not.toContain('canary-of-the-ai-key')
  await expectAccessible(page)
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(row.getByText('Not set')).toBeVisible()
})

test('a setting that waits for a restart says so, and the window waits until the server is back', async ({
  browser,
}) => {
  test.slow()
  const server = await startBuiltServer({ withExecutor: false })
  try {
    const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    const page = await context.newPage()
    await page.goto('/settings/configuration?find=executor+lease')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    const port = page.locator('[data-key="server.port"]')
    const lease = page.locator('[data-key="executors.lease_ms"]')
    await lease.getByRole('textbox').fill('30000')
    await page.getByRole('button', { name: 'Save 1 change' }).click()
    await expect(page.getByText('Some changes take effect after a server restart.')).toBeVisible()
    await page.getByRole('button', { name: 'Restart now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart now' }).click()
    await expect(page.getByText('Some changes take effect after a server restart.')).toBeHidden({
      timeout: 30_000,
    })
    await expect(page.getByText('Restarting the server…')).toBeHidden()
    await expect(lease).toContainText('Set in config.yaml')
    await page.goto('/settings/configuration?find=port')
    // Given as an argument: it is shown and cannot be changed.
    await expect(port).toContainText('Set by a command-line argument')
    await expect(port.getByRole('textbox')).toBeDisabled()
    await context.close()
  } finally {
    await server.stop()
  }
})

test('the branding is previewed, saved, worn by header and title, and taken off again', async ({ page, api }) => {
  await page.goto('/settings/branding')
  await page.getByLabel('Product name').fill('Sluice')
  await page.getByLabel('Color', { exact: true }).fill('#ffff00')
  await page.getByLabel('Logo', { exact: true }).setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture.split(',')[1] ?? '', 'base64'),
  })
  await expect(page.getByText('Sign in to Sluice')).toHaveCount(2)
  await page.getByRole('button', { name: 'Save' }).click()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation.getByRole('link', { name: 'Sluice' })).toBeVisible()
  await expect(page).toHaveTitle('Branding · Sluice')
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
    await expectAccessible(page)
  }
  await page.goto('/tasks')
  await expect(navigation.locator('img')).toHaveAttribute('src', picture)
  await api(updateBranding, { body: { product_name: null, primary_color: null, logo_data_url: null } })
  await expect(navigation.getByRole('link', { name: 'Headgate' })).toBeVisible()
})

test('the store is shown by table, cleaned and made smaller', async ({ page }) => {
  await page.goto('/settings/store')
  await expect(page.getByRole('rowheader', { name: 'audit_records' })).toBeVisible()
  await page.getByRole('button', { name: 'Clean up now' }).click()
  await expect(page.getByText(/^Cleaned up: /)).toBeVisible()
  await page.getByRole('button', { name: 'Reclaim space' }).click()
  await expect(page.getByText(/ reclaimed\./)).toBeVisible()
  await expectAccessible(page)
})

test('a new key encrypts every secret anew', async ({ page }) => {
  await page.goto('/settings/secrets')
  const key = page.locator('dt:has-text("Key ID") + dd')
  const before = await key.textContent()
  await page.getByRole('button', { name: 'Rotate encryption key…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click()
  await expect(page.getByText(/^Key rotated\./)).toBeVisible()
  await expect(key).not.toHaveText(before ?? '')
})

test('a viewer sees what is his and nothing of the control plane', async ({ browser, api, server }) => {
  const password = 'seven quiet herons at noon'
  await api(createUser, { body: { username: 'violet', password, role: 'viewer', password_change_required: false } })
  const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto('/settings/appearance')
  await page.getByLabel('Username').fill('violet')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  const sections = page.getByRole('navigation', { name: 'Settings' })
  await expect(sections.getByRole('link', { name: 'Appearance' })).toBeVisible()
  await expect(sections.getByRole('link', { name: 'Configuration' })).toHaveCount(0)
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect(main.getByRole('link', { name: 'Audit' })).toHaveCount(0)
  await expect(main.getByRole('link', { name: 'Import and export' })).toHaveCount(0)
  await page.goto('/audit')
  await expect(page.getByText('No permission').first()).toBeVisible()
  await context.close()
})

test('what somebody else saves meanwhile is not undone unseen: both values are shown, and one is chosen', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  for (const one of [page, other]) await one.goto('/settings/configuration?find=retention')
  const fieldOf = (one: typeof page, key: string) => one.locator(`[data-key="${key}"]`)
  const mine = fieldOf(page, 'retention.logs_mb')
  const also = fieldOf(page, 'retention.runs_max')
  await mine.getByRole('textbox').fill('700')
  await also.getByRole('textbox').fill('90000')
  await fieldOf(other, 'retention.logs_mb').getByRole('textbox').fill('600')
  await other.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(fieldOf(other, 'retention.logs_mb')).toContainText('Set in config.yaml')

  const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved other values while you were editing' })
  await expect(notice).toBeVisible()
  await expect(mine).toContainText('Saved value: 600')
  await expect(mine.getByRole('textbox')).toHaveValue(/^700/)
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await other.reload()
  await expect(fieldOf(other, 'retention.logs_mb').getByRole('textbox')).toHaveValue(/^600/)
  await expectAccessible(page)

  await notice.getByRole('button', { name: 'Use theirs' }).click()
  await expect(mine.getByRole('textbox')).toHaveValue(/^600/)
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await expect(also).toContainText('Set in config.yaml')
  for (const row of [mine, also]) await row.getByRole('button', { name: /^Use default/ }).click()
  await page.getByRole('button', { name: 'Save 2 changes' }).click()
  await expect(also.getByText('Default', { exact: true })).toBeVisible()
})

test('where the system paints with its own colours, what is on differs from what is off, and its mark from its ground', async ({
  page,
}) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await page.goto('/settings/configuration')
    const groundsOf = (name: string) =>
      page.getByRole('switch', { name }).evaluate((input) => {
        const track = input.nextElementSibling
        const thumb = track?.firstElementChild
        return [track, thumb].map((part) => (part ? getComputedStyle(part).backgroundColor : 'not drawn'))
      })
    const [off, offMark] = await groundsOf('Require two-factor authentication')
    const [on, onMark] = await groundsOf('Automatic desktop sign-in')
    expect(off).not.toBe(offMark)
    expect(on).not.toBe(onMark)
    expect(on).not.toBe(off)
  }
})

test('in a browser, the settings of the desktop lead to the desktop app', async ({ page }) => {
  await page.goto('/settings/desktop')
  await expect(page.getByRole('link', { name: 'Open desktop app' })).toHaveAttribute(
    'href',
    'headgate://settings/desktop',
  )
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Install desktop app' }).click()
  await expect(page).toHaveURL(/\/docs\/install$/)
})

test('the steps to one more executor are on their page, with the state of the key and of its connection', async ({
  page,
}) => {
  await page.goto('/executors')
  await page.getByRole('button', { name: 'Add executor…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add executor' })
  await expect(dialog).toContainText(`--url ${new URL(page.url()).origin}`)
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog.getByText(/key is set/)).toBeVisible()
  await expectAccessible(page)
})

test('a key for one more executor is generated: it is in the commands, and nothing waits before it is used', async ({
  page,
  api,
}) => {
  await page.goto('/executors')
  await page.getByRole('button', { name: 'Add executor…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add executor' })
  await expect(dialog.getByText('No key is set')).toBeVisible()
  await expect(dialog.getByText("export SVC_EXECUTOR_KEY='KEY'")).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Generate key' }).click()
  await expect(dialog.getByText('A new key takes effect after a restart')).toBeVisible()
  await expect(dialog.getByText(/^export SVC_EXECUTOR_KEY='[0-9a-f]{48}'$/)).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await api(updateServerConfig, { body: { values: { 'executors.key': null } } })
})

test('the sheet of shortcuts keeps its field and its last line in sight', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 })
  await page.goto('/tasks')
  await expect(page.getByRole('grid')).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.getByRole('searchbox')).toBeInViewport({ ratio: 1 })
  await expect(sheet.getByText(/^In tables and trees/)).toBeInViewport({ ratio: 1 })
})
