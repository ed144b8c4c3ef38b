import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { apiOf, expect, expectAccessible, test } from '../support/e2e.ts'
import { fillDashboard } from '../support/dashboard-store.ts'

test.use({ viewport: { width: 1280, height: 2600 } })

/** What the browser refused to load or run on the page. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const blocked: string[] = []
    Object.assign(globalThis, { blocked })
    document.addEventListener('securitypolicyviolation', (event) =>
      blocked.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  return () => page.evaluate(() => (globalThis as unknown as { blocked: string[] }).blocked)
}

let address = ''
test.beforeAll(async ({ server, cookie }) => {
  address = `/dashboards/${(await fillDashboard(apiOf(server, cookie), server.filesDir)).id}`
})

const widget = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

test('a dashboard shows every widget, and says of each that fails why', async ({ page }) => {
  const blocked = await watchPolicy(page)
  await page.goto('/dashboards?q=nothing-like-this')
  await expect(page.getByText('No dashboards match “nothing-like-this”', { exact: true })).toBeVisible()
  await expectAccessible(page)
  // In the field, and where nothing is shown.
  await expect(page.getByRole('button', { name: 'Clear search' })).toHaveCount(2)
  await page.locator('[data-state]').getByRole('button', { name: 'Clear search' }).click()
  await expect(page).toHaveURL(/\/dashboards$/)
  const list = page.getByRole('grid', { name: 'Dashboards' })
  await expect(list.getByRole('row', { name: /sales\.overview/ })).toContainText('sales daily')
  await expectAccessible(page)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${address}$`))

  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  await expect(widget(page, 'Revenue of the last day')).toContainText('-2.8% from 3,686.75')
  await expect(widget(page, 'Runs of the last day')).toContainText('1')
  await expect(widget(page, 'Last job run')).toContainText('Succeeded')
  const charts = ['Revenue by day', 'Revenue by region', 'Areas', 'Stacks', 'Parts', 'Points', 'Heat']
  for (const name of charts) await expect(widget(page, name).locator('canvas, svg').last()).toBeVisible()
  await expect(widget(page, 'Rows').getByRole('grid')).toContainText('1699.25')
  await expect(widget(page, 'Output of the load')).toContainText('60')
  await expect(widget(page, 'Job runs')).toContainText('#1')
  await expect(widget(page, 'Log')).toContainText('Loaded 180 rows of sales')
  await expect(widget(page, 'Fields').getByRole('combobox')).toHaveCount(3)
  // Text of a template never becomes markup or a script.
  await expect(widget(page, 'intro')).toContainText('<b>no HTML</b>')
  await expect(widget(page, 'intro').getByRole('link')).toHaveCount(1)
  // One fails, one has no rows, and the others stay.
  await expect(widget(page, 'Broken').getByRole('alert')).toContainText('no such table: not_there')
  await expect(widget(page, 'Broken')).not.toContainText('rawQuery')
  await expect(widget(page, 'Nothing')).toContainText('No rows')
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  expect(await blocked()).toEqual([])
})

test('a filter changes the address and the rows, and a reload keeps it', async ({ page }) => {
  await page.goto(address)
  const rows = widget(page, 'Rows').getByRole('grid')
  await expect(rows).toContainText('apac')
  const regions = page.getByRole('group', { name: 'area' })
  await regions.getByRole('combobox', { name: 'Region' }).press('Backspace')
  await expect(page).toHaveURL(/f\.region=/)
  await expect(rows).not.toContainText('apac')
  await page.reload()
  await expect(rows).toContainText('us')
  await expect(rows).not.toContainText('apac')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).not.toHaveURL(/f\.region=/)
  await expect(rows).toContainText('apac')
  await page.getByLabel('Time window').selectOption({ label: 'Last 7 days' })
  await expect(page).toHaveURL(/window=604800000/)
})

test('a table is searched and exported whole, and a chart is shown as a table, by keyboard', async ({ page }) => {
  await page.goto(address)
  const rows = widget(page, 'Rows')
  await rows.getByRole('searchbox', { name: 'Search Rows' }).fill('cocoa us')
  await expect(rows.getByRole('grid')).not.toContainText('apac')
  const actions = rows.getByRole('button', { name: 'Actions for Rows' })
  await actions.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Refresh' })).toBeVisible()
  await page.getByRole('menuitem', { name: 'Export as CSV' }).focus()
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const lines = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split(/\r?\n/)
  expect(lines[0]).toBe('day,region,product,total,orders')
  expect(lines).toHaveLength(181)

  await page.getByRole('button', { name: 'Actions for Revenue by region' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Show as table' }).focus()
  await page.keyboard.press('Enter')
  await expect(widget(page, 'Revenue by region')).toContainText('55350')
  await expectAccessible(page)
})

test('figures next to each other stand on one line, and a narrow list of runs cuts no status', async ({ page }) => {
  await page.goto(address)
  const figures = [
    widget(page, 'Revenue of the last day').getByText('3,583.75'),
    widget(page, 'Runs of the last day').getByText('1', { exact: true }),
  ]
  for (const figure of figures) await expect(figure).toBeVisible()
  const [changed, alone] = await Promise.all(figures.map((figure) => figure.boundingBox()))
  expect(alone?.y).toBe(changed?.y)

  const list = widget(page, 'Job runs')
  const word = list.locator('[data-status] > span').first()
  await word.evaluate((element) => (element.textContent = 'Completed with rejects'))
  for (const width of [340, 250, 200, 130]) {
    await list.getByRole('region').evaluate((element, to) => (element.style.width = `${to}px`), width)
    expect(await word.evaluate((element) => element.scrollWidth <= element.clientWidth), `${width}`).toBe(true)
    await expect(word).toBeInViewport({ ratio: 1 })
  }
  await expect(list.getByRole('link', { name: '#1' })).toBeVisible()
})

test('a form starts the job, and what was entered is still there after a reload', async ({ page }) => {
  await page.goto(address)
  const form = widget(page, 'Load')
  await form.getByLabel('Day').fill('2026-02-03')
  await form.getByLabel('Note').fill('again')
  const mapping = widget(page, 'Fields')
  await mapping.getByRole('combobox', { name: 'order_id' }).click()
  await page.getByRole('option', { name: 'customer' }).click()
  await mapping.getByRole('button', { name: 'Save mapping' }).click()
  await expect(page.getByText('Mapping saved')).toBeVisible()
  await page.getByRole('button', { name: 'Load now' }).click()
  const started = page.getByRole('status').filter({ hasText: 'Job run #' })
  await expect(started).toContainText('Succeeded', { timeout: 60_000 })
  await page.reload()
  await expect(form.getByLabel('Day')).toHaveValue('2026-02-03')
  await expect(mapping.getByRole('combobox', { name: 'order_id' })).toHaveValue('customer')
})
