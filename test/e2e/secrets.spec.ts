import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { admin, apiOf, expect, expectAccessible, signInCookie, startBuiltServer, test } from '../support/e2e.ts'

test('secrets whose key is lost are told, listed, entered again, and are no longer told', async ({ browser }) => {
  test.slow()
  const server = await startBuiltServer({ withExecutor: false })
  try {
    const api = apiOf(server, await signInCookie(server))
    await api(createConnector, {
      body: {
        name: 'warehouse',
        type: 'postgres',
        config: { host: 'db.example.com', port: 5432, database: 'sales', user: 'etl' },
        secrets: { password: 'canary-of-the-warehouse' },
      },
    })
    await server.kill()
    rmSync(join(server.dataDir, 'secret.key'))
    await server.restart()

    const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    const page = await context.newPage()
    await page.goto('/tasks')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    const banner = page.getByText('A secret can’t be decrypted.')
    await expect(banner).toBeVisible()
    await page.getByRole('link', { name: 'View details' }).click()
    await expect(page.getByText('1 record has secrets that can’t be decrypted')).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Connector warehouse' }).click()
    await page.getByLabel('Password', { exact: true }).fill('another password')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(banner).toBeHidden()
    await page.goto('/settings/secrets')
    await expect(page.getByText('Stored secrets', { exact: true })).toBeVisible()
    await expect(page.getByText(/cannot be opened|can’t be decrypted/)).toHaveCount(0)
    await context.close()
  } finally {
    await server.stop()
  }
})
