import type { Locator, Page } from '@playwright/test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnector, getConnector, listConnectors, updateConnector } from '../../src/contract/connectors.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'
import { startODataServer } from '../support/odata-service.ts'
import { startSshd } from '../support/sshd.ts'

let folder = ''
let counter = 0
/** A name that no other spec of this server uses. */
const unique = (name: string) => `${name} ${(counter += 1)}`
const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const stage = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Connection test' }).getByRole('listitem').filter({ hasText: name })

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-e2e-files-'))
  mkdirSync(join(folder, 'sales'))
  writeFileSync(
    join(folder, 'people.csv'),
    'id,name,email\n1,Ada,ada@example.org\n2,Grace,\n3," Edsger ",e@example.org\n',
  )
  writeFileSync(join(folder, 'sales', 'orders.csv'), 'id,total\n1,9.50\n2,11.25\n')
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a folder is connected: chosen type, tested before it is saved, then browsed', async ({ page }) => {
  const name = unique('Sample files')
  await page.goto('/connectors')
  await page.getByRole('link', { name: 'Create connector' }).first().click()
  await page.getByRole('link', { name: /Files in a folder/ }).click()
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(page.getByRole('alert')).toHaveText('Fix the highlighted fields.')
  await nameField(page).fill(name)
  await page.getByLabel('Folder').fill(folder)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(stage(page, 'Read file')).toHaveAttribute('data-state', 'ok', { timeout: 30_000 })
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  await page.getByRole('link', { name: 'Data' }).click()
  const names = page.getByRole('grid', { name: 'Tables and files' })
  await names.getByText('people.csv').click()
  await expect(page).toHaveURL(/resource=people\.csv/)
  const sample = page.getByRole('grid', { name: 'Sample' })
  await expect(sample.getByText('ada@example.org')).toBeVisible()
  await page.getByText(/^Columns/).click()
  await expect(page.getByRole('grid', { name: 'Columns' }).getByText('email')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search names' }).fill('orders')
  await expect(names.getByText('sales/orders.csv')).toBeVisible()
  await expect(names.getByText('people.csv')).toBeHidden()
  await expectAccessible(page)
})

test('a test that fails names the stage, the fix and the raw error, and what was not run', async ({ page }) => {
  await page.goto('/connectors/new?type=file')
  await page.getByLabel('Folder').fill(join(folder, 'not-there'))
  await page.getByRole('button', { name: 'Test connection' }).click()
  const failed = stage(page, 'Find folder')
  await expect(failed).toHaveAttribute('data-state', 'failed', { timeout: 30_000 })
  await expect(failed).toContainText('not-there')
  await failed.getByText('Raw error').click()
  await expect(failed.locator('pre')).toContainText('ENOENT')
  await expect(stage(page, 'Read file')).toContainText('Not run')
  await expectAccessible(page)
})

/** As the keyboard does; the clipboard of the machine is not touched. */
const paste = (field: Locator, text: string) =>
  field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('a pasted URL chooses the type and fills the form, its password as a secret; a failed test marks the field', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 900, height: 700 })
  const name = unique('Pasted')
  await page.goto('/connectors/new')
  await paste(page.getByLabel('Paste a URL or DSN'), 'postgres://etl:canary-4712@127.0.0.1:1/sales?sslmode=require')
  await expect(page).toHaveURL(/type=postgres$/)
  const host = page.getByRole('textbox', { name: 'Host', exact: true })
  await expect(host).toHaveValue('127.0.0.1')
  await expect(page.getByRole('textbox', { name: 'Port' })).toHaveValue('1')
  await expect(page.getByRole('textbox', { name: 'User', exact: true })).toHaveValue('etl')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('canary-4712')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password')

  const test = page.getByRole('button', { name: 'Test connection' })
  await expect(test).toBeInViewport({ ratio: 1 })
  await test.click()
  await expect(stage(page, 'Connect')).toHaveAttribute('data-state', 'failed', { timeout: 30_000 })
  await expect(stage(page, 'Connect')).toBeInViewport({ ratio: 1 })
  await expect(host).toHaveAttribute('aria-invalid', 'true')
  await expectAccessible(page)
  // Into a plain field, too: the password does not stay there.
  await paste(host, 'postgres://other:canary-4713@db.example/w')
  await expect(host).toHaveValue('db.example')
  await expect(host).not.toHaveAttribute('aria-invalid', 'true')
  await paste(host, 'mysql://u:canary-4714@h/d')
  await expect(page.getByRole('alert').filter({ hasText: 'MySQL or MariaDB' })).toBeVisible()
  await expect(host).toHaveValue('db.example')
  await paste(page.getByLabel('Paste a URL or DSN'), 'mysql://u:p@h/d')
  await expect(page.getByText('This is an address of MySQL or MariaDB.').first()).toBeVisible()
  await nameField(page).fill(name)
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const made = (await api(listConnectors, { query: { q: name } })).result[0]
  expect(made).toMatchObject({
    config: { host: 'db.example', port: 1, database: 'w', user: 'other', ssl: 'require' },
    secrets: { password: { set: true } },
  })
  expect(JSON.stringify(made)).not.toContain('canary')
})

test('secrets are set, kept, replaced and removed, and never shown', async ({ page, api }) => {
  const config = { host: '127.0.0.1', database: 'x', user: 'etl' }
  const made = await api(createConnector, {
    body: { name: unique('Secretive'), type: 'postgres', config, secrets: { password: 'canary-4711' } },
  })
  await page.goto(`/connectors/${made.id}`)
  const secrets = page.getByRole('group', { name: 'Sign-in' })
  await expect(secrets.getByText('Stored', { exact: true })).toBeVisible()
  expect(await page.content()).not.toContain('canary-4711')
  await page.getByLabel('Description').fill('Only the description changes')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Connector saved')).toBeVisible()
  expect((await api(getConnector, { params: { id: made.id } })).secrets.password).toEqual({ set: true })
  await secrets.getByRole('button', { name: 'Replace Password' }).click()
  await secrets.getByLabel('Password', { exact: true }).fill('another')
  await secrets.getByRole('button', { name: 'Keep stored secret' }).click()
  await secrets.getByRole('button', { name: 'Remove Password' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(secrets.getByPlaceholder('Not set')).toBeVisible()
  const after = await api(getConnector, { params: { id: made.id } })
  expect(after.secrets.password?.set ?? false).toBe(false)
})

test('leaving with unsaved input asks first; help is looked at beside it', async ({ page }) => {
  await page.goto('/connectors/new?type=sqlite')
  await nameField(page).fill('Half written')
  const [help] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('F1')])
  await expect(help).toHaveURL(/\/docs\/connectors/)
  await help.close()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(nameField(page)).toHaveValue('Half written')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Leave without saving?')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(nameField(page)).toHaveValue('Half written')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs', exact: true }).click()
  await dialog.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page).toHaveURL(/\/runs$/)
})

test('saving over somebody else’s change is noticed, and nothing that was typed is lost', async ({ page, api }) => {
  const body = { name: unique('Contested'), type: 'file', config: { root: folder } } as const
  const made = await api(createConnector, { body })
  await page.goto(`/connectors/${made.id}`)
  await page.getByLabel('Description').fill('Mine')
  await api(updateConnector, { params: { id: made.id }, body: { ...body, environment: 'staging' } })
  await page.getByRole('button', { name: 'Save' }).click()
  const notice = page.getByRole('alert')
  await expect(notice).toContainText('Someone else saved this connector while you were editing.')
  await expect(notice).toContainText('environment')
  await expect(page.getByLabel('Description')).toHaveValue('Mine')
  await notice.getByRole('button', { name: 'Overwrite with mine' }).click()
  await expect(notice).toBeHidden()
  await expect
    .poll(() => api(getConnector, { params: { id: made.id } }))
    .toMatchObject({ description: 'Mine', environment: 'development' })
})

test('a name that is taken is said beside the field', async ({ page, api }) => {
  const name = unique('Taken')
  await api(createConnector, { body: { name, type: 'file', config: { root: folder } } })
  await page.goto('/connectors/new?type=file')
  await nameField(page).fill(name)
  await page.getByLabel('Folder').fill(folder)
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(nameField(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(nameField(page)).toHaveValue(name)
})

test('the list searches, filters by address, marks production, archives and restores', async ({ page, api }) => {
  const name = unique('Precious')
  const config = { path: join(folder, 'precious.db') }
  const made = await api(createConnector, { body: { name, type: 'sqlite', config, environment: 'production' } })
  await page.goto('/connectors')
  await page.getByRole('searchbox', { name: 'Search connectors' }).fill(name)
  await expect(page).toHaveURL(/q=Precious/)
  const grid = page.getByRole('grid', { name: 'Connectors' })
  // The one that is looked for alone: the row that is chosen stays.
  await expect(grid.locator('[data-row]')).toHaveCount(1)
  await grid.focus()
  await page.keyboard.press('ArrowDown')
  await expect(grid.locator('[data-row][data-active]')).toContainText('Production')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/connectors/${made.id}$`))
  await page.getByRole('button', { name: 'Archive…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive connector' }).click()
  await expect(page).toHaveURL(/\/connectors$/)
  await page.goto(`/connectors?q=${encodeURIComponent(name)}`)
  await expect(page.getByText('No connectors match')).toBeVisible()
  await page.goto(`/connectors?archived=true&q=${encodeURIComponent(name)}`)
  await grid.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('button', { name: 'Archive…' })).toBeVisible()
})

test('a connector that another client makes appears in the list by itself', async ({ page, api }) => {
  await page.goto('/connectors')
  const grid = page.getByRole('grid', { name: 'Connectors' })
  await expect(grid).not.toHaveAttribute('aria-busy', 'true')
  const name = unique('From elsewhere')
  await api(createConnector, { body: { name, type: 'file', config: { root: folder } } })
  await expect(grid.getByText(name)).toBeVisible()
  const { result } = await api(listConnectors, { query: { q: name } })
  expect(result).toHaveLength(1)
})

test('a form asks only for what the way of signing in needs, and headers are lines', async ({ page, api }) => {
  const name = unique('Web API')
  await page.goto('/connectors/new')
  await page.getByRole('link', { name: /HTTP API/ }).click()
  const signIn = page.getByRole('group', { name: 'Sign-in' })
  await expect(signIn.getByLabel('Sign in with')).toHaveValue('none')
  await expect(signIn.getByLabel('User')).toBeHidden()
  await signIn.getByLabel('Sign in with').selectOption('basic')
  await expect(signIn.getByLabel('User')).toBeVisible()
  await expect(signIn.getByLabel('Password', { exact: true })).toBeVisible()
  await nameField(page).fill(name)
  await page.getByLabel('Base URL').fill('ftp://example.com')
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(page.getByText(/Must be an http/)).toBeVisible()
  await expect(signIn.getByText('Required')).toBeVisible()
  await signIn.getByLabel('Sign in with').selectOption('api_key')
  await signIn.getByLabel('Key', { exact: true }).fill('canary-0815')
  await page.getByLabel('Base URL').fill('https://api.example.com/v1')
  const headers = page.getByRole('group', { name: 'Headers' })
  await headers.getByRole('button', { name: 'Add row' }).click()
  await expect(headers.getByLabel('Headers: name 1')).toBeFocused()
  await page.keyboard.type('X-Tenant')
  await headers.getByLabel('Headers: value 1').fill('7')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create connector' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const { result } = await api(listConnectors, { query: { q: name } })
  expect(result[0]?.config).toMatchObject({ auth: 'api_key', headers: { 'X-Tenant': '7' } })
  expect(result[0]?.config).not.toHaveProperty('user')
  expect(result[0]?.secrets.api_key).toEqual({ set: true })
  await page.reload()
  await expect(headers.getByLabel('Headers: value 1')).toHaveValue('7')
  expect(await page.content()).not.toContain('canary-0815')
})

test('a private key has many lines and is hidden', async ({ page }) => {
  await page.goto('/connectors/new?type=sftp')
  const key = page.getByLabel('Private key')
  await key.fill('-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----')
  await expect(key).toHaveCSS('-webkit-text-security', 'disc')
  await page.getByRole('button', { name: 'Show or hide secret' }).first().click()
  await expectAccessible(page)
})

test('the key of an SSH server is told by the test, trusted by a click, and noticed when it changes', async ({
  page,
}) => {
  const sshd = await startSshd()
  try {
    await page.goto('/connectors/new?type=sftp')
    await page.getByRole('textbox', { name: 'Host', exact: true }).fill('127.0.0.1')
    await page.getByLabel('Port', { exact: true }).fill(String(sshd.port))
    await page.getByLabel('Folder').fill(sshd.folder)
    await page.getByRole('textbox', { name: 'User', exact: true }).fill(sshd.user)
    await page.getByLabel('Private key').fill(sshd.privateKey)
    await page.getByRole('button', { name: 'Test connection' }).click()
    const trust = page.getByRole('group', { name: 'Server key fingerprint' })
    await expect(trust).toContainText(sshd.fingerprint, { timeout: 30_000 })
    await expectAccessible(page)
    await trust.getByRole('button', { name: 'Trust key' }).click()
    await expect(page.getByLabel('Host key')).toHaveValue(sshd.fingerprint)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(stage(page, 'Write file')).toHaveAttribute('data-state', 'ok', { timeout: 30_000 })
    await expect(trust).toBeHidden()
    await page.getByLabel('Host key').fill(`SHA256:${'B'.repeat(43)}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('The host key has changed')).toBeVisible({ timeout: 30_000 })
  } finally {
    await sshd.stop()
  }
})

test('an OData service is tested stage by stage, and its entity sets are browsed', async ({ page, api }) => {
  const shop = await startODataServer()
  try {
    const name = unique('Shop')
    const body = { name, type: 'odata', config: { base_url: shop.url, allow_private: true } } as const
    const made = await api(createConnector, { body })
    await page.goto(`/connectors/${made.id}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(stage(page, 'Read metadata')).toHaveAttribute('data-state', 'ok', { timeout: 30_000 })
    await page.getByRole('link', { name: 'Data' }).click()
    const names = page.getByRole('grid', { name: 'Tables and files' })
    await expect(names.getByLabel('Entity set').first()).toBeVisible()
    await names.getByRole('row').nth(1).click()
    await expect(page.getByRole('grid', { name: 'Sample' })).toBeVisible()
    await expectAccessible(page)
  } finally {
    await shop.stop()
  }
})
