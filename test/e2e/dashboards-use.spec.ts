/** What people do with a dashboard: choose marks, see the rows behind them, print it, and show it on a screen. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { listDashboards, updateDashboard } from '../../src/contract/dashboards.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, apiOf, expect, expectAccessible, test } from '../support/e2e.ts'
import { type FilledDashboard, fillDashboard } from '../support/dashboard-store.ts'

test.use({ viewport: { width: 1280, height: 1400 } })

const actYaml = `etl: 1
kind: dashboard
name: sales.act
job_template: sales
filters:
  region: {type: multiselect, label: Region, options: [eu, us, apac], default: [eu, us, apac]}
  product: {type: text, label: Product}
data:
  by_region: {connector: dw, query: "SELECT region, sum(total) AS total FROM sales GROUP BY region ORDER BY region"}
  by_product: {connector: dw, query: "SELECT product, count(*) AS sold, min(region) AS region FROM sales GROUP BY product ORDER BY product"}
  rows: {connector: dw, query: "SELECT day, region, product, total FROM sales WHERE region IN (:region) ORDER BY day", params: {region: "\${{ filters.region }}"}}
  profit: {connector: dw, query: "SELECT day, sum(orders) - 60 AS profit FROM sales GROUP BY day ORDER BY day"}
  regions: {connector: dw, query: "SELECT DISTINCT region AS value, upper(region) AS label FROM sales WHERE region > coalesce(:cursor, '') AND upper(region) LIKE '%' || upper(:search) || '%' ORDER BY region LIMIT :limit"}
  goods: {connector: dw, query: "SELECT DISTINCT product AS value, upper(product) || ' in ' || region AS label FROM sales WHERE region = :area AND total > 1400 ORDER BY product"}
widgets:
  - {id: profit, type: kpi, title: Profit, data: profit, value: profit, compare: previous, good: down, at: [0, 0, 3, 2]}
  - {id: choose, type: chart, title: Choose a region, chart: bar, data: by_region, x: region, y: [total], cross_filter: {filter: region}, at: [3, 0, 4, 4]}
  - {id: behind, type: chart, title: Rows of a region, chart: bar, data: by_region, x: region, y: [total], drill: rows, at: [7, 0, 5, 4]}
  - {id: goods, type: table, title: Products, data: by_product, columns: [product, sold], drill: rows, at: [0, 4, 6, 4]}
  - {id: chosen, type: table, title: Regions of products, data: by_product, columns: [product], cross_filter: {filter: region, column: region}, at: [6, 4, 6, 4]}
  - {id: rows, type: table, title: Rows, data: rows, at: [0, 8, 12, 4]}
  - {id: setup, type: form, title: Order, at: [0, 12, 6, 4], fields: [{key: area, param: note, label: Area, widget: select, options_source: {data: regions, page_size: 1}}, {key: goods, param: regions, label: Goods, widget: multiselect, options_source: {data: goods}}]}
  - {id: go, type: run_button, form: setup, label: Order now, at: [6, 12, 6, 1]}
  - {id: past, type: run_list, title: Loads, task: load, at: [6, 13, 6, 3]}
  - {id: log, type: log, title: Log, at: [0, 16, 12, 2]}
`

/** A job whose run has failed, with a dashboard of its runs. */
async function failingDashboard(api: Api): Promise<{ job: number }> {
  await api(createTask, {
    body: {
      yaml_content: "etl: 1\nkind: script\nname: closed.load\nscript: |\n  throw new Error('The depot is closed')\n",
    },
  })
  const template = await api(createJobTemplate, {
    body: { yaml_content: 'etl: 1\nkind: job\nname: closed\ntasks:\n  load: {task: closed.load}\n' },
  })
  await api(createDashboardTemplate, {
    body: {
      yaml_content: `etl: 1
kind: dashboard
name: closed.runs
job_template: closed
data: {}
widgets:
  - {id: past, type: run_list, title: Job runs, at: [0, 0, 6, 3]}
  - {id: loads, type: run_list, title: Loads, task: load, at: [6, 0, 6, 3]}
`,
    },
  })
  const job = await api(createJob, { params: { id: template.id }, body: { name: 'closed' } })
  const run = await api(runJob, { params: { id: job.id }, body: {} })
  await expect
    .poll(async () => (await api(getJobRun, { params: { id: run.id } })).status, { timeout: 60_000 })
    .toBe('failed')
  return { job: job.id }
}

let filled: FilledDashboard
let id = 0
test.beforeAll(async ({ server, cookie }) => {
  const api = apiOf(server, cookie)
  filled = await fillDashboard(api, server.filesDir)
  await api(createDashboardTemplate, { body: { yaml_content: actYaml } })
  id = await filled.another('sales.act')
})

const widget = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const chart = (page: Page, name: string) => page.getByRole('slider', { name, exact: true })
const cells = (page: Page, name: string, text: string) =>
  widget(page, name).getByRole('grid').getByText(text, { exact: true })

/** Opens it, and waits until the charts in sight are drawn. */
async function open(page: Page, path = `/dashboards/${id}`): Promise<void> {
  await page.goto(path)
  await expect(chart(page, 'Choose a region')).toHaveAttribute('data-drawn', 'true')
  await expect(widget(page, 'Rows').getByRole('grid')).toContainText('apac')
}

test('a click on a mark sets a filter, and the same click takes it back', async ({ page }) => {
  await open(page)
  const bars = chart(page, 'Choose a region')
  const box = (await bars.boundingBox())!
  // Three bars: apac, eu, us. The last one is at the right.
  await bars.click({ position: { x: box.width * 0.85, y: box.height * 0.7 } })
  await expect(page).toHaveURL(/f\.region=%5B%22us%22%5D/)
  await expect(widget(page, 'Rows').getByRole('grid')).not.toContainText('apac')
  await bars.click({ position: { x: box.width * 0.85, y: box.height * 0.7 } })
  await expect(page).not.toHaveURL(/f\.region/)
  await expect(widget(page, 'Rows').getByRole('grid')).toContainText('apac')
  // By keys, too: to the first bar, and choose it.
  await bars.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/f\.region=%5B%22apac%22%5D/)
  await expect(widget(page, 'Rows').getByRole('grid')).not.toContainText('eu')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  // A row of a table sets it to a column that isn’t shown.
  await cells(page, 'Regions of products', 'cocoa').dblclick()
  await expect(page).toHaveURL(/f\.region=%5B%22apac%22%5D/)
  await cells(page, 'Regions of products', 'cocoa').dblclick()
  await expect(page).not.toHaveURL(/f\.region/)
  // Its menu says so, and what is chosen is marked.
  await cells(page, 'Regions of products', 'cocoa').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Filter by apac' }).click()
  await expect(page).toHaveURL(/f\.region=%5B%22apac%22%5D/)
  await expect(widget(page, 'Regions of products').locator('[data-match]').first()).toBeVisible()
  await cells(page, 'Regions of products', 'cocoa').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Clear filter apac' }).click()
  await expect(page).not.toHaveURL(/f\.region/)
})

test('a bar and a row lead to the rows behind them, and from there to all', async ({ page }) => {
  await open(page)
  const bars = chart(page, 'Rows of a region')
  await bars.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rows of Rows of a region' })
  await expect(dialog.getByText('region: us')).toBeVisible()
  await expect(dialog.getByRole('grid')).toHaveAttribute('aria-rowcount', '61')
  await expect(dialog.getByRole('grid')).not.toContainText('apac')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Show all rows' }).click()
  await expect(dialog.getByRole('grid')).toHaveAttribute('aria-rowcount', '181')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await cells(page, 'Products', 'tea').dblclick()
  const behind = page.getByRole('dialog', { name: 'Rows of Products' })
  await expect(behind.getByText('product: tea')).toBeVisible()
  await expect(behind.getByRole('grid')).not.toContainText('cocoa')
})

test('a figure is compared with the one before, and has a line even below zero', async ({ page }) => {
  await open(page)
  const profit = widget(page, 'Profit')
  await expect(profit).toContainText(/-?\d+%? from -?\d+/)
  const path = await profit.locator('svg path').last().getAttribute('d')
  const heights = [...(path ?? '').matchAll(/[ML][\d.]+ (-?[\d.]+)/g)].map(([, y]) => Number(y))
  expect(heights).toHaveLength(60)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...heights)).toBeLessThanOrEqual(100)
})

test('a table is sorted both ways by its digits, with the keyboard', async ({ page }) => {
  await open(page)
  const rows = widget(page, 'Rows')
  const first = rows.getByRole('grid').getByRole('row').nth(1)
  await rows.getByRole('combobox', { name: 'Sort Rows' }).selectOption('total')
  await expect(first).toContainText('700.25')
  await rows.getByRole('button', { name: 'Sort descending' }).press('Enter')
  await expect(first).toContainText('1699.25')
  await expect(rows.getByRole('button', { name: 'Sort ascending' })).toBeFocused()
})

test('a chart is saved as a picture of its own', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Actions for Choose a region' }).press('Enter')
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as PNG' }).press('Enter')
  const file = await saved
  expect(file.suggestedFilename()).toBe('Choose_a_region.png')
  const png = readFileSync(await file.path())
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  const box = (await chart(page, 'Choose a region').boundingBox())!
  expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(Math.floor(box.width * 2))
})

test('all rows of a table are downloaded, beyond the 10,000 that it can show, and none of them is a formula', async ({
  page,
  api,
}) => {
  // Without the dialog of the system, which nothing here can answer.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  await api(createDashboardTemplate, {
    body: {
      yaml_content: `etl: 1
kind: dashboard
name: sales.many
job_template: sales
data:
  many: {connector: dw, query: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) SELECT i, '=' || i AS text FROM n", max_rows: 10000}
widgets:
  - {id: many, type: table, title: Many, data: many, at: [0, 0, 12, 6]}
`,
    },
  })
  await page.goto(`/dashboards/${await filled.another('sales.many')}`)
  await expect(page.getByText('Truncated: only the first 10,000 rows are shown.')).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Many' }).press('Enter')
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export all rows as CSV' }).press('Enter')
  const file = await saved
  expect(file.suggestedFilename()).toBe('Many.csv')
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect([lines.length, lines[0], lines[1], lines[25_000]]).toEqual([25_002, 'i,text', "1,'=1", "25000,'=25000"])
  await expect(page.getByText('Saved Many.csv')).toBeVisible()
})

test('printing waits for every widget, in the light, and cuts none', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.emulateMedia({ colorScheme: 'dark' })
  // What the page is like at the moment that the browser prints it.
  await page.addInitScript(() => {
    globalThis.print = () => {
      Object.assign(globalThis, {
        printed: {
          waiting: document.querySelectorAll('[data-waiting], [data-drawn="false"], .mantine-Skeleton-root').length,
          drawn: document.querySelectorAll('[data-drawn="true"]').length,
          rows: document.querySelectorAll('table tbody tr').length,
          scheme: document.documentElement.dataset.mantineColorScheme,
        },
      })
    }
  })
  await page.goto(`/dashboards/${filled.id}`)
  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.waitForFunction(() => 'printed' in globalThis)
  const printed = await page.evaluate(() => (globalThis as unknown as { printed: Record<string, unknown> }).printed)
  // All rows of the table, those of the output, and the list of runs.
  expect(printed).toEqual({ waiting: 0, drawn: 7, rows: 180 + 2 + 1, scheme: 'light' })
  // And as it was afterwards.
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('the browser’s own menu prints every widget, in full and in the light, because those out of sight are loaded before', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const asked = new Set<string>()
  page.on('request', (request) => {
    const [, widgetId] = /widgets\/(\w+)\/data$/.exec(request.url()) ?? []
    if (widgetId) asked.add(widgetId)
  })
  await page.goto(`/dashboards/${filled.id}`)
  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  expect([...asked]).not.toContain('output')
  await expect.poll(() => [...asked]).toContain('output')
  await expect(page.locator('[data-drawn="true"]')).toHaveCount(7)
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await page.evaluate(() => {
    addEventListener('beforeprint', () => {
      Object.assign(globalThis, {
        printed: {
          waiting: document.querySelectorAll('[data-waiting], [data-drawn="false"], .mantine-Skeleton-root').length,
          rows: document.querySelectorAll('table tbody tr').length,
          scheme: document.documentElement.dataset.mantineColorScheme,
        },
      })
    })
  })
  await page.pdf({ format: 'A4', landscape: true })
  const printed = await page.evaluate(() => (globalThis as unknown as { printed?: object }).printed)
  expect(printed).toEqual({ waiting: 0, rows: 180 + 2 + 1, scheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expect(widget(page, 'Output of the load').getByRole('grid')).toBeVisible()
})

test('paper has the whole dashboard, sheet after sheet, and nothing around it', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 600 })
  await page.goto(`/dashboards/${filled.id}`)
  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  const pdf = await page.pdf({ format: 'A4', landscape: true })
  if (process.env['SHOTS'])
    await page.pdf({ path: join(process.env['SHOTS'], 'dashboard.pdf'), format: 'A4', landscape: true })
  const sheets = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  expect(sheets).toBeGreaterThan(2)
  // Nothing on it scrolls, or is cut at the edge of its widget.
  const cut = await page.getByRole('group', { name: 'Widgets', exact: true }).evaluate((grid) =>
    [...grid.querySelectorAll<HTMLElement>(':scope > *')].flatMap((place) => {
      const { bottom } = place.getBoundingClientRect()
      const lowest = Math.max(
        ...[...place.querySelectorAll('p, td, li, label, canvas')].map((one) => one.getBoundingClientRect().bottom),
      )
      return lowest > bottom + 1 ? [place.getAttribute('aria-label')] : []
    }),
  )
  expect(cut).toEqual([])
  // A message is at the beginning of its widget, beside a table of many sheets.
  const failed = widget(page, 'Broken')
  const [place, message] = await Promise.all([failed.boundingBox(), failed.getByRole('alert').boundingBox()])
  expect((message?.y ?? 0) - (place?.y ?? 0)).toBeLessThan(60)
  await expect(failed.getByRole('alert')).toHaveCSS('break-inside', 'avoid')
})

test('charts fit on paper that is narrower than the window, with the colors of their series', async ({ page }) => {
  // As when a browser prints: the page has another size, and nothing is drawn again.
  await page.addInitScript(() => {
    globalThis.ResizeObserver = class {
      observe() {}
      unobserve() {}
      disconnect() {}
    }
  })
  await page.goto(`/dashboards/${filled.id}`)
  await expect(widget(page, 'Revenue by day').locator('[data-drawn="true"]')).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 718, height: 1000 })
  const wide = await page.locator('canvas').evaluateAll((all) =>
    all.flatMap((canvas) => {
      const place = canvas.closest('[role=group]')!.getBoundingClientRect()
      const { right, bottom } = canvas.getBoundingClientRect()
      return right > place.right || bottom > place.bottom + 1 ? [canvas.closest('[role=group]')!.ariaLabel] : []
    }),
  )
  expect(wide).toEqual([])
  await expect(page.locator('canvas').first()).toHaveCSS('object-fit', 'contain')
  const key = widget(page, 'Revenue by day').getByRole('button', { name: 'apac' }).locator('i')
  await expect(key).toHaveCSS('print-color-adjust', 'exact')
})

test('dashboards chosen in their list follow each other on the whole screen', async ({ page }) => {
  await page.goto('/dashboards')
  const list = page.getByRole('grid', { name: 'Dashboards' })
  await list
    .getByRole('row', { name: /row sales\.act sales for sales\.act/ })
    .getByRole('checkbox')
    .check()
  await list
    .getByRole('row', { name: /row sales\.overview sales daily/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Show full screen' }).click()
  await expect(page).toHaveURL(/\/kiosk\?dashboards=\d+%2C\d+&seconds=30/)
  expect(await page.evaluate(() => document.fullscreenElement === document.documentElement)).toBe(true)
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByText('Dashboard 1 of 2')).toBeVisible()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('sales.act')
  await expect(widget(page, 'Profit')).toContainText('from')
  await expectAccessible(page)
  await page.keyboard.press('n')
  await expect(heading).toHaveText('sales.overview')
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.keyboard.press('p')
  await expect(heading).toHaveText('sales.act')
  // Menus are above the full screen, not behind it.
  await page.getByRole('button', { name: 'Actions for Choose a region' }).click()
  await expect(page.getByRole('menuitem', { name: 'Show as table' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Exit kiosk' }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboards/${id}$`))
  expect(await page.evaluate(() => document.fullscreenElement)).toBe(null)
})

test('a screen goes from one dashboard to the next by itself, also past one that is gone', async ({ page }) => {
  await page.clock.install()
  await page.goto(`/kiosk?dashboards=${id},99999,${filled.id}&seconds=20`)
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('sales.act')
  await page.clock.runFor(20_000)
  await expect(page.getByText('2 of 3')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('not found', { ignoreCase: true })
  await page.clock.runFor(20_000)
  await expect(heading).toHaveText('sales.overview')
  await page.clock.runFor(20_000)
  await expect(heading).toHaveText('sales.act')
})

test('a screen that shows dashboards stays on, until they are left', async ({ page }) => {
  await page.addInitScript(() => {
    const held: WakeLockSentinel[] = []
    Object.assign(window, {
      held: () => held.filter(({ released }) => !released).length,
      hide: () => held.at(-1)?.release(),
    })
    navigator.wakeLock.request = () => {
      const lock = Object.assign(new EventTarget(), {
        released: false,
        type: 'screen' as const,
        onrelease: null,
        release: () => Promise.resolve(void (lock.released = true)),
      })
      held.push(lock)
      return Promise.resolve(lock)
    }
  })
  const held = () => page.evaluate(() => (window as unknown as { held(): number }).held())
  await open(page, `/kiosk?dashboards=${id}`)
  await expect.poll(held).toBe(1)
  // What a browser does with a page that is out of sight.
  await page.evaluate(() => (window as unknown as { hide(): Promise<void> }).hide())
  expect(await held()).toBe(0)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(held).toBe(1)
  await page.getByRole('button', { name: 'Exit kiosk' }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboards/${id}`))
  await expect.poll(held).toBe(0)
})

test('a dashboard leads to its template', async ({ page }) => {
  await open(page, `/dashboards/${id}`)
  await page
    .getByRole('link', { name: 'Edit template' })
    .or(page.getByRole('button', { name: 'Edit template' }))
    .click()
  await expect(page).toHaveURL(/\/dashboard-templates\/\d+$/)
})

test('full screen of one dashboard keeps its filters, there and back', async ({ page }) => {
  await open(page, `/dashboards/${id}?f.region=%5B%22us%22%2C%22apac%22%5D`)
  await page.keyboard.press('f')
  await expect(page).toHaveURL(/\/kiosk\?/)
  await expect(widget(page, 'Rows').getByRole('grid')).toContainText('apac')
  await expect(widget(page, 'Rows').getByRole('grid')).not.toContainText('eu')
  await expect(page.getByRole('button', { name: 'Next dashboard' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Exit kiosk' }).click()
  await expect(page).toHaveURL(new RegExp(`/dashboards/${id}\\?f\\.region=`))
})

test('options follow the other field, and what was chosen keeps its label when they no longer have it', async ({
  page,
}) => {
  await open(page)
  const form = widget(page, 'Order')
  const area = form.getByRole('combobox', { name: 'Area' })
  const goods = form.getByRole('combobox', { name: 'Goods' })
  await goods.click()
  await expect(page.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await area.click()
  await expect(page.getByRole('option', { name: 'APAC' })).toBeVisible()
  await page.getByRole('option', { name: 'Load more…' }).click()
  await expect(page.getByRole('option', { name: 'EU', exact: true })).toBeVisible()
  await page.getByRole('option', { name: 'Load more…' }).click()
  await page.getByRole('option', { name: 'US' }).click()
  await expect(area).toHaveValue('US')
  await area.click()
  await area.fill('apa')
  await page.getByRole('option', { name: 'APAC' }).click()
  await expect(area).toHaveValue('APAC')
  await goods.click()
  await page.getByRole('option', { name: 'TEA in apac' }).click()
  await page.keyboard.press('Escape')
  await expect(form).toContainText('TEA in apac')
  // Tea of this area isn’t offered.
  await area.click()
  await area.fill('eu')
  await page.getByRole('option', { name: 'EU', exact: true }).click()
  await expect(form).toContainText('TEA in apac')
  await page.reload()
  await expect(area).toHaveValue('EU')
  await expect(form).toContainText('TEA in apac')
})

test('a run that was started is followed where it was started, and leads to its log', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Order now' }).click()
  const started = page.getByRole('status').filter({ hasText: 'Job run #' })
  await expect(started).toContainText('Succeeded', { timeout: 60_000 })
  const link = started.getByRole('link')
  await expect(link).toHaveAttribute('href', /^\/job-runs\/\d+$/)
  await widget(page, 'Loads')
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/runs\/\d+$/)
  await expect(page.getByText('Loaded 180 rows of sales')).toBeVisible()
})

test('a failed run leads to the log that says why', async ({ page, api }) => {
  const { job } = await failingDashboard(api)
  const { result } = await api(listDashboards, { query: { job_id: job } })
  await page.goto(`/dashboards/${result[0]!.id}`)
  const runs = widget(page, 'Job runs')
  await expect(runs.getByRole('row', { name: /Failed/ })).toBeVisible()
  await runs.getByRole('link', { name: /^#\d+$/ }).click()
  await expect(page).toHaveURL(/\/job-runs\/\d+$/)
  await expect(page.getByText('The depot is closed').first()).toBeVisible()
  await page.goBack()
  await widget(page, 'Loads')
    .getByRole('link', { name: /^#\d+$/ })
    .click()
  await expect(page).toHaveURL(/\/runs\/\d+$/)
  await expect(page.getByText('The depot is closed').first()).toBeVisible()
})

test('values for forms and fields that the dashboard doesn’t have are refused', async ({ api }) => {
  const save = (state: object) => api(updateDashboard, { params: { id }, body: { state } })
  await expect(save({ forms: { nothing: { area: 'eu' } } })).rejects.toThrow('The dashboard has no form `nothing`')
  await expect(save({ forms: { setup: { other: 1 } } })).rejects.toThrow('body.state.forms.setup.other')
})

test('a dashboard is larger on a wall, and its message is not where it can’t be loaded', async ({ page }) => {
  await page.setViewportSize({ width: 2400, height: 1350 })
  const scale = () => page.getByRole('main').evaluate((main) => Number(getComputedStyle(main).zoom))
  await page.goto(`/kiosk?dashboards=${id}`)
  await expect(chart(page, 'Choose a region')).toHaveAttribute('data-drawn', 'true')
  await expect.poll(scale).toBeGreaterThan(1.3)
  const number = widget(page, 'Profit').locator('[style*="--digits"]')
  const fontSize = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)
  expect(await number.evaluate(fontSize)).toBeGreaterThan(26)
  expect(await number.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  await page.goto('/kiosk?dashboards=99999')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await scale()).toBe(1)
})

test('what a wall can’t show at once comes page by page, and nothing on it is to be filled in', async ({ page }) => {
  await page.clock.install()
  await page.goto(`/kiosk?dashboards=${id}&f.region=%5B%22us%22%5D`)
  await expect(page.getByText('Page 1 of 2')).toBeVisible()
  await expect(widget(page, 'Profit')).toBeVisible()
  await expect(widget(page, 'Log')).toHaveCount(0)
  await expect(page.getByRole('search')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('definition').filter({ hasText: /^us$/ })).toBeVisible()
  const widgets = page.getByRole('group', { name: 'Widgets' })
  const [all, main] = await Promise.all([widgets.boundingBox(), page.getByRole('main').boundingBox()])
  expect(all!.y + all!.height).toBeLessThanOrEqual(main!.y + main!.height + 1)
  await page.clock.runFor(20_000)
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  await expect(widget(page, 'Log')).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.clock.runFor(60_000)
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
})
