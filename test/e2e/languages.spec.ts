import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'

const addresses = [
  '/',
  '/tasks',
  '/tasks/new',
  '/job-templates',
  '/job-templates/new',
  '/jobs',
  '/job-runs',
  '/runs',
  '/triggers?view=list',
  '/connectors',
  '/connectors/new?type=postgres',
  '/executors',
  '/users',
  '/exchange/export',
  '/audit',
  '/profile',
  '/docs',
  '/settings/appearance',
  '/settings/desktop',
  '/settings/api-keys',
  '/settings/notifications',
  '/settings/pools',
  '/settings/ai-references',
  '/settings/ai-usage',
  '/settings/server',
  '/settings/configuration',
  '/settings/branding',
  '/settings/backups',
  '/settings/store',
  '/settings/secrets',
]

/** What the navigation and the settings are called in English and not in German. */
const english =
  /^(Home|Tasks|Job templates|Job runs|Runs|Triggers|Connectors|Users|Settings|Appearance|Backups|Secrets)$/

/** As a link of the page does: without loading the window anew. */
async function goWithin(page: Page, address: string): Promise<void> {
  const before = await page.evaluate(() => document.title)
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
  // Each page names itself.
  await expect.poll(() => page.evaluate(() => document.title)).not.toBe(before)
}

// The page tells of a key without words by an error, and an error in the page fails the test.
test('the language changes at once without losing input; every page is there in German', async ({ page }) => {
  await page.goto('/settings/appearance')
  const search = page.getByRole('searchbox', { name: 'Search all settings' })
  await search.fill('Language')
  await page.getByText('Deutsch', { exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Darstellung' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Einstellungen suchen' })).toHaveValue('Language')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  for (const address of addresses) {
    await goWithin(page, address)
    await expect(page.locator('html:has(h1)')).toHaveAttribute('lang', 'de')
    const links = await page.getByRole('navigation').getByRole('link').allInnerTexts()
    expect(
      links.filter((text) => address !== '/docs' && english.test(text)),
      address,
    ).toEqual([])
  }
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Befehl oder Namen').fill('English')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test.describe('a browser that speaks German', () => {
  test.use({ locale: 'de-DE', storageState: { cookies: [], origins: [] } })

  test('the sign-in page follows the browser, and only its language is loaded', async ({ page }) => {
    const loaded: string[] = []
    page.on('response', async (response) => {
      if (response.url().endsWith('.js')) loaded.push(await response.text().catch(() => ''))
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
    await expect.poll(() => loaded.some((text) => text.includes('Job-Läufe'))).toBe(true)
    expect(loaded.filter((text) => text.includes('Import and export'))).toEqual([])
  })
})
