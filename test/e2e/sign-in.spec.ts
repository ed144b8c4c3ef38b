import { admin, expect, expectAccessible, startBuiltServer, test } from '../support/e2e.ts'

const signedOut = { cookies: [], origins: [] }

test('a window that was opened while the server is away shows the page once it is back, without being asked', async ({
  page,
}) => {
  let away = true
  await page.route('**/api/auth/me', (route) => (away ? route.abort() : route.continue()))
  await page.goto('/connectors')
  await expect(page.getByRole('alert')).toBeVisible()
  away = false
  await expect(page.getByRole('heading', { name: 'Connectors' })).toBeVisible()
})

test.describe('signing in', () => {
  test.use({ storageState: signedOut })

  test('the first visit welcomes, creates the first account and signs it in', async ({ browser }) => {
    const server = await startBuiltServer({ withAdmin: false, withExecutor: false })
    try {
      const context = await browser.newContext({ storageState: signedOut })
      const page = await context.newPage()
      await page.goto(server.url)
      await expect(page.getByRole('heading', { name: 'Welcome to Headgate' })).toBeVisible()
      await expectAccessible(page)
      await page.getByLabel('Username').fill('grace')
      await page.getByLabel('Password', { exact: true }).fill('short')
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
      await page.getByLabel('Password', { exact: true }).fill('password')
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByText('is on the list of common passwords')).toBeVisible()
      await page.getByLabel('Password', { exact: true }).fill('long enough to keep')
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByRole('heading', { name: 'Your account is ready, grace' })).toBeVisible()
      await expect(page.getByTestId('data-folder')).toHaveText(server.dataDir)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Start empty' }).click()
      await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
      await expect(page.getByText('Set up your first scheduled job')).toBeVisible()
      await context.close()
    } finally {
      await server.stop()
    }
  })

  test('a wrong password says so and keeps the username', async ({ page }) => {
    await page.goto('/')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
    await expect(page.getByLabel('Username')).toHaveValue(admin.username)
  })

  test('signing in shows the page of the address, and signing out leaves it', async ({ page }) => {
    await page.goto('/connectors?q=nothing')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Connectors' })).toBeVisible()
    await expect(page.getByRole('searchbox', { name: 'Search connectors' })).toHaveValue('nothing')
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in to Headgate' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Sign in to Headgate' })).toBeVisible()
  })

  test('a session that ends asks for the password over the page and keeps what was typed', async ({
    page,
    context,
  }) => {
    await page.goto('/connectors/new?type=file')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half written')
    await page.getByLabel('Folder').fill('/tmp')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Create connector' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Your session has ended')
    // Nothing of what the session showed is seen until there is one again.
    await expect(dialog).toHaveCSS('background-color', /^(rgb\(|color\(srgb [^/]*\)$)/)
    const [room, window] = [await dialog.boundingBox(), page.viewportSize()]
    expect(room).toMatchObject({ x: 0, y: 0, ...window })
    await dialog.getByLabel('Password', { exact: true }).fill(admin.password)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Half written')
    await expect(page.getByRole('button', { name: 'Create connector' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Half written' })).toBeVisible()
  })
})
