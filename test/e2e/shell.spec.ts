import { listExecutors } from '../../src/contract/executors.ts'
import { admin, expect, startBuiltServer, test } from '../support/e2e.ts'

test.describe('the shell', () => {
  test('the navigation leads everywhere and nowhere is a dead link', async ({ page }) => {
    await page.goto('/')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Tasks', 'Runs', 'Connectors', 'Executors', 'Settings', 'Home']) {
      await navigation.getByRole('link', { name, exact: true }).click()
      // The settings are titled by the section that is open.
      const title = name === 'Settings' ? 'Appearance' : name
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect(navigation.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    }
  })

  test('g and a letter go, ? lists, Ctrl-K finds commands, Ctrl-P opens anything', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await expect(page.getByRole('heading', { level: 1, name: 'Executors' })).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toContainText('Connectors')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Type a command').fill('settings api keys')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/settings\/api-keys$/)
  })

  test('letters typed into a field are text, not commands', async ({ page }) => {
    await page.goto('/connectors')
    const search = page.getByRole('searchbox', { name: 'Search connectors' })
    await search.focus()
    await page.keyboard.type('gt?')
    await expect(search).toHaveValue('gt?')
    await expect(page).toHaveURL(/q=gt/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('the theme is chosen, kept, and there before the first paint', async ({ page }) => {
    await page.goto('/settings/appearance')
    await page.getByText('Dark', { exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(21, 25, 29)')
  })

  test('the navigation collapses and remembers', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Collapse' }).click()
    await page.reload()
    await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs', exact: true }),
    ).toBeVisible()
  })

  test('a group of the navigation closes, keeps the current page in sight, and stays closed', async ({ page }) => {
    await page.goto('/jobs')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    const work = navigation.getByRole('button', { name: 'Work' })
    await work.click()
    for (const reloaded of [false, true]) {
      if (reloaded) await page.reload()
      await expect(work).toHaveAttribute('aria-expanded', 'false')
      await expect(navigation.getByRole('list', { name: 'Work' }).getByRole('link')).toHaveText(['Jobs'])
    }
    await work.click()
    await expect(navigation.getByRole('link', { name: 'Tasks', exact: true })).toBeVisible()
  })

  test('an unknown address says so and leads home', async ({ page }) => {
    await page.goto('/no/such/page')
    await expect(page.getByText('/no/such/page doesn’t exist')).toBeVisible()
    await page.getByRole('link', { name: 'Go to Home' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  })

  test('the executor that came with the server is shown online, without a reload', async ({ page, api }) => {
    await page.goto('/executors')
    const grid = page.getByRole('grid', { name: 'Executors' })
    await expect(grid.getByText('local')).toBeVisible()
    await expect(grid.getByText('Online')).toBeVisible()
    const [executor] = await api(listExecutors)
    expect(executor?.name).toBe('local')
  })
})

test('a server that dies shows a banner and disables what needs it, and the page heals when it is back', async ({
  browser,
}) => {
  const server = await startBuiltServer({ withExecutor: false })
  try {
    const page = await browser.newPage({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    await page.goto('/settings/api-keys')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText('You have no API keys')).toBeVisible()
    await page.goto('/settings/backups')
    const create = page.getByRole('button', { name: 'Back up now' }).first()
    await expect(create).toBeEnabled()
    await create.click()
    const grid = page.getByRole('grid', { name: 'Backups' })
    await expect(grid).toContainText('Verified')
    // The pointer comes to the button later.
    await page.mouse.move(0, 0)
    await server.kill()
    await expect(page.getByText('Disconnected.')).toBeVisible({ timeout: 30_000 })
    await expect(create).toBeDisabled()
    await create.hover({ force: true })
    await expect(page.getByRole('tooltip')).toHaveText('Can’t reach the server')
    // What a menu offers needs it as well, and the palette doesn't offer it.
    await grid.getByRole('button', { name: 'Row actions' }).click()
    await expect(page.getByRole('menuitem')).toHaveCount(4)
    await expect(page.getByRole('menuitem', { disabled: true })).toHaveCount(4)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Type a command').fill('sign out')
    await expect(page.getByText('Sign out', { exact: true })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await server.restart()
    await expect(page.getByText('Disconnected.')).toBeHidden({ timeout: 30_000 })
    await expect(create).toBeEnabled()
    await page.close()
  } finally {
    await server.stop()
  }
})

test('an API key is shown once, works, and stops working when it is revoked', async ({ page, server }) => {
  await page.goto('/settings/api-keys')
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('nightly script')
  const read = page.getByLabel('Read: view everything')
  const create = page.getByRole('button', { name: 'Create API key', exact: true })
  await read.uncheck()
  await create.click()
  await expect(page.getByText('Select at least one scope.')).toBeVisible()
  await page.getByLabel('Everything the role allows').check()
  await expect(read).toBeHidden()
  await page.getByLabel('Only selected scopes').check()
  await read.check()
  await create.click()
  const key = await page.getByTestId('api-key').textContent()
  expect(key).toMatch(/^svc_[0-9a-f]+$/)
  const asKey = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
  expect((await asKey('/api/tasks')).status).toBe(200)
  await page.getByRole('button', { name: 'I’ve copied the key' }).click()
  await expect(page.getByRole('grid').getByText('nightly script')).toBeVisible()
  await expect(page.getByText(key ?? '')).toHaveCount(0)
  await page
    .getByRole('row', { name: /nightly script/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('grid').getByText('Revoked')).toBeVisible()
  expect((await asKey('/api/tasks')).status).toBe(401)
})
