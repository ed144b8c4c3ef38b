/** The page of public links as it looks: on a phone, in high contrast, empty, and failing. `SHOTS=folder` keeps the pictures. */
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare } from '../../src/contract/dashboards.ts'
import { type FilledDashboard, fillDashboard } from '../support/dashboard-store.ts'
import { type Api, apiOf, expect, expectAccessible, test } from '../support/e2e.ts'

const figuresYaml = `etl: 1
kind: dashboard
name: sales.figures
description: Sales by day and region
job_template: sales
time_window: {default: 30d, max: 365d}
filters:
  region: {type: multiselect, label: Region, options: [{value: eu, label: Europe}, {value: us, label: United States}], default: [eu, us]}
  totals: {type: range, of: number, label: Total, default: {from: 100}}
  until: {type: range, label: Days, default: {to: "2026-02-01"}}
data:
  daily: {connector: dw, query: "SELECT day, sum(total) AS total FROM sales WHERE region IN (:region) AND total >= :least GROUP BY day ORDER BY day", params: {region: "\${{ filters.region }}", least: "\${{ filters.totals.from }}"}}
  none: {connector: dw, query: "SELECT day, total FROM sales WHERE day > :until", params: {until: "2030"}}
  broken: {connector: dw, query: "SELECT * FROM not_there"}
widgets:
  - {id: total, type: kpi, title: Revenue, data: daily, value: total, compare: previous, unit: €, at: [0, 0, 3, 2]}
  - {id: pick, type: filter, filter: region, at: [3, 0, 5, 1]}
  - {id: low, type: table, title: Low, data: none, at: [3, 1, 5, 1]}
  - {id: failing, type: table, title: Failing, data: broken, at: [8, 0, 4, 2]}
  - {id: trend, type: chart, title: By day, chart: line, data: daily, x: day, y: [total], at: [0, 2, 8, 4]}
  - {id: rows, type: table, title: Rows, data: daily, at: [8, 2, 4, 4]}
`
const emptyYaml = `etl: 1
kind: dashboard
name: sales.empty
job_template: sales
widgets:
  - {id: go, type: run_button, at: [0, 0, 3, 1]}
`

let filled: FilledDashboard
let paths: { locked: string; free: string; empty: string }
test.beforeAll(async ({ server, cookie }) => {
  const api = apiOf(server, cookie)
  filled = await fillDashboard(api, server.filesDir)
  await api(createDashboardTemplate, { body: { yaml_content: figuresYaml } })
  await api(createDashboardTemplate, { body: { yaml_content: emptyYaml } })
  const share = async (api_: Api, id: number, filters: 'locked' | 'free') =>
    (await api_(createDashboardShare, { params: { id }, body: { filters } })).path
  const figures = await filled.another('sales.figures')
  paths = {
    locked: await share(api, figures, 'locked'),
    free: await share(api, figures, 'free'),
    empty: await share(api, await filled.another('sales.empty'), 'locked'),
  }
})

const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  high: { colorScheme: 'light', contrast: 'more' },
  'high-dark': { colorScheme: 'dark', contrast: 'more' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
} as const
const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } } as const

async function strangersPage(
  browser: Browser,
  baseURL: string | undefined,
  look: keyof typeof looks,
  size: keyof typeof sizes,
): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: sizes[size], locale: 'en-GB', ...looks[look] })
  return context.newPage()
}

test('values that fill the line of a filter have no empty line below them on a phone', async ({ browser, baseURL }) => {
  const page = await strangersPage(browser, baseURL, 'light', 'phone')
  await page.goto(paths.free)
  const field = page.locator('.mantine-MultiSelect-input').first()
  await expect(field.locator('.mantine-MultiSelect-pill')).toHaveCount(2)
  const below = () =>
    field.evaluate((box) => {
      const pills = [...box.querySelectorAll('.mantine-MultiSelect-pill')].map(
        (pill) => pill.getBoundingClientRect().bottom,
      )
      return box.getBoundingClientRect().bottom - Math.max(...pills)
    })
  expect(await below()).toBeLessThan(12)
  // What is typed still has room.
  await field.locator('input').focus()
  expect((await field.locator('input').boundingBox())?.width).toBeGreaterThan(40)
  await page.context().close()
})

for (const look of Object.keys(looks) as (keyof typeof looks)[]) {
  for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
    test(`${look}, ${size}: filters are said in words, low and failing widgets too, and nothing is wider than the page`, async ({
      browser,
      baseURL,
    }) => {
      const page = await strangersPage(browser, baseURL, look, size)
      const shot = async (name: string) => {
        const folder = process.env['SHOTS']
        if (folder) await page.screenshot({ path: join(folder, `${name}-${look}-${size}.png`), fullPage: false })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sizes[size].width)
        await expectAccessible(page)
      }
      await page.goto(paths.locked)
      await expect(page.getByText('100 or more')).toBeVisible()
      await expect(page.getByText('up to 1 Feb 2026')).toBeVisible()
      // A filter with a place of its own isn’t said twice.
      await expect(page.getByText('Europe and United States')).toHaveCount(1)
      const low = page.getByRole('group', { name: 'Low', exact: true })
      const words = low.getByText('No rows')
      await expect(words).toBeVisible()
      const [inner, outer] = [await words.boundingBox(), await low.boundingBox()]
      expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height)
      await expect(page.getByRole('alert')).toContainText('Temporarily unavailable')
      await expect(page.locator('[data-drawn="true"]').first()).toBeVisible()
      await shot('locked')
      await page.goto(paths.free)
      await expect(page.getByLabel('Time window')).toBeVisible()
      await shot('free')
      await page.goto(paths.empty)
      await expect(page.getByText('No widgets')).toBeVisible()
      await shot('empty')
      await page.goto(`${paths.empty.slice(0, -3)}abc`)
      await expect(page.getByText('This link doesn’t work')).toBeVisible()
      await shot('gone')
      await page.context().close()
    })
  }
}
