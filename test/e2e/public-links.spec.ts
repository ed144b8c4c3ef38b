/** Dashboards for everyone who has the link: read without an account, on a phone, and without anything that a link may not give. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare, deleteDashboardShare } from '../../src/contract/dashboards.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { type FilledDashboard, fillDashboard } from '../support/dashboard-store.ts'
import { type Api, apiOf, expect, expectAccessible, test } from '../support/e2e.ts'

const markup = '<img src=x onerror="globalThis.hacked=1">'
const hostileYaml = `etl: 1
kind: dashboard
name: sales.hostile
description: '${markup}'
job_template: sales
filters:
  kind: {type: select, label: '${markup}', options: [{value: a, label: '${markup}'}], default: a}
data:
  marks:
    connector: dw
    query: |
      SELECT day, '${markup}' AS series, total, orders AS "${markup.replaceAll('"', '')}" FROM sales
      WHERE region = 'eu' AND :kind <> '' ORDER BY day LIMIT 5
    params: {kind: "\${{ filters.kind }}"}
widgets:
  - id: words
    type: text
    at: [0, 0, 12, 2]
    text: |
      # ${markup}
      [one](javascript:globalThis.hacked=1), [two](data:text/html,<script>globalThis.hacked=1</script>), ![three](//evil.example/x.png), [four](//evil.example), <script>globalThis.hacked=1</script>
  - {id: number, type: kpi, title: '${markup}', data: marks, value: total, unit: '<i>€</i>', at: [0, 2, 4, 2]}
  - {id: lines, type: chart, title: Lines, chart: line, data: marks, x: day, y: [total], series: series, at: [4, 2, 8, 4]}
  - {id: cells, type: table, title: Cells, data: marks, at: [0, 6, 12, 4]}
`
const chartYaml = `etl: 1
kind: dashboard
name: sales.chart
job_template: sales
data:
  daily: {connector: dw, query: "SELECT day, sum(total) AS total FROM sales GROUP BY day ORDER BY day"}
widgets:
  - {id: trend, type: chart, title: Revenue, chart: line, data: daily, x: day, y: [total], at: [0, 0, 12, 4]}
`

let filled: FilledDashboard
let shared: { hostile: number; chart: number }
test.beforeAll(async ({ server, cookie }) => {
  const api = apiOf(server, cookie)
  filled = await fillDashboard(api, server.filesDir)
  await api(createDashboardTemplate, { body: { yaml_content: hostileYaml } })
  await api(createDashboardTemplate, { body: { yaml_content: chartYaml } })
  shared = { hostile: await filled.another('sales.hostile'), chart: await filled.another('sales.chart') }
})

type Context = NonNullable<Parameters<Browser['newContext']>[0]>

/** A browser without an account, and what went wrong in it. */
async function strangerIn(browser: Browser, baseURL: string | undefined, options: Context = {}) {
  const context: BrowserContext = await browser.newContext({
    ...options,
    storageState: { cookies: [], origins: [] },
    ...(baseURL === undefined ? {} : { baseURL }),
  })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (line) => line.type() === 'error' && wrong.push(line.text()))
  await page.addInitScript(() => {
    const blocked: string[] = []
    Object.assign(globalThis, { blocked })
    document.addEventListener('securitypolicyviolation', (event) =>
      blocked.push(`${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  const blocked = () => page.evaluate(() => (globalThis as unknown as { blocked: string[] }).blocked)
  return { page, wrong, blocked, close: () => context.close() }
}

const share = async (api: Api, id: number, body: BodyOf<typeof createDashboardShare> = {}) =>
  await api(createDashboardShare, { params: { id }, body })

const widget = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

test('a link shows its dashboard without an account, and nothing that leads into the window', async ({
  api,
  browser,
  baseURL,
}) => {
  const { path } = await share(api, filled.id)
  const { page, wrong, blocked, close } = await strangerIn(browser, baseURL, {
    viewport: { width: 1280, height: 2400 },
  })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const answer = await page.goto(path)
  expect(answer?.headers()).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
  expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  await expect(page).toHaveTitle('sales.overview')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('sales.overview')
  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  await expect(widget(page, 'Last job run')).toContainText('Succeeded')
  for (const name of ['Revenue by day', 'Revenue by region', 'Areas', 'Stacks', 'Parts', 'Points', 'Heat'])
    await expect(widget(page, name).locator('canvas').last()).toBeVisible()
  await expect(widget(page, 'Rows').getByRole('grid')).toContainText('1699.25')
  const runs = widget(page, 'Job runs')
  await expect(runs.getByRole('row')).toHaveCount(2)
  await expect(runs).not.toContainText('#')
  // One fails, without a reason, and the others stay.
  await expect(widget(page, 'Broken').getByRole('alert')).toContainText('Temporarily unavailable', { timeout: 15_000 })
  await expect(page.getByText('not_there')).toHaveCount(0)
  // Locked filters are told, not offered.
  await expect(page.getByRole('region', { name: 'Filters of this link' })).toContainText('Last 30 days')
  await expect(widget(page, 'area')).toContainText('Europe, United States, and Asia-Pacific')
  await expect(page.getByRole('combobox', { name: 'Region' })).toHaveCount(0)
  await expect(page.getByText('Load now')).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Load', exact: true })).toHaveCount(0)
  const links = await page.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual(['https://example.org'])
  expect(asked.filter((one) => one.startsWith('/api/')).every((one) => one.startsWith('/api/public/dashboards/'))).toBe(
    true,
  )
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  expect(await blocked()).toEqual([])
  // What the browser itself says of the widget that fails.
  expect(wrong.filter((line) => !line.includes('503'))).toEqual([])
  await close()
})

test('what draws a page loads while its dashboard and rows are on their way', async ({ api, browser, baseURL }) => {
  const { path } = await share(api, filled.id)
  const { page, close } = await strangerIn(browser, baseURL, { viewport: { width: 1280, height: 2400 } })
  const asked = (part: RegExp) => page.waitForRequest((request) => part.test(request.url()))
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route(/\/data$/, async (route) => {
    await held
    await route.continue()
  })
  const [words, dashboard, drawing, table] = [
    asked(/\/assets\/public-/),
    asked(/\/api\/public\/dashboards\/[^/]+$/),
    asked(/\/assets\/engine-/),
    asked(/\/assets\/PublicTable-/),
  ]
  await page.route(/\/assets\/public-/, async (route) => {
    await dashboard
    await route.continue()
  })
  await page.goto(path)
  await Promise.all([words, drawing, table])
  release()
  await expect(widget(page, 'Revenue by day').locator('[data-drawn="true"] canvas').last()).toBeVisible()
  await expect(widget(page, 'Rows').getByRole('grid')).toBeVisible()
  await close()
})

test('the key of the browser prints a page once every widget is there', async ({ api, browser, baseURL }) => {
  const { path } = await share(api, filled.id)
  const { page, close } = await strangerIn(browser, baseURL, { viewport: { width: 1280, height: 600 } })
  await page.addInitScript(() => {
    globalThis.print = () => {
      Object.assign(globalThis, {
        printed: {
          waiting: document.querySelectorAll('[data-waiting], [data-drawn="false"], .mantine-Skeleton-root').length,
          drawn: document.querySelectorAll('[data-drawn="true"]').length,
          rows: document.querySelectorAll('table tbody tr').length,
        },
      })
    }
  })
  await page.goto(path)
  await expect(widget(page, 'Revenue of the last day')).toContainText('3,583.75')
  await page.keyboard.press('Control+p')
  await page.waitForFunction(() => 'printed' in globalThis)
  const printed = await page.evaluate(() => (globalThis as unknown as { printed: Record<string, number> }).printed)
  expect(printed).toMatchObject({ waiting: 0, drawn: 7 })
  expect(printed['rows']).toBeGreaterThan(180)
  await close()
})

test('viewers of a free link choose, by keyboard, and the address keeps it', async ({ api, browser, baseURL }) => {
  const { path } = await share(api, filled.id, { filters: 'free', filter_values: { region: ['eu', 'us'] } })
  const { page, blocked, close } = await strangerIn(browser, baseURL, { viewport: { width: 1280, height: 2400 } })
  await page.goto(path)
  const rows = widget(page, 'Rows').getByRole('grid')
  await expect(rows).toContainText('us')
  await expect(rows).not.toContainText('apac')
  await widget(page, 'area').getByRole('combobox', { name: 'Region' }).press('Backspace')
  await expect(page).toHaveURL(/f\.region=/)
  await expect(rows).not.toContainText('us')
  await page.reload()
  await expect(rows).toContainText('eu')
  await expect(rows).not.toContainText('us')
  await page.getByLabel('Time window').selectOption({ label: 'Last 7 days' })
  await expect(page).toHaveURL(/window=604800000/)
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(rows).toContainText('us')
  // Options of this one come from a query.
  await expect(page.getByRole('combobox', { name: 'Day' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show as table: Revenue by region' }).press('Enter')
  await expect(widget(page, 'Revenue by region').getByRole('grid')).toContainText('eu')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV: Rows' }).press('Enter')
  expect((await saved).suggestedFilename()).toBe('Rows.csv')
  await expectAccessible(page)
  await page.goto(`${path}?f.from=nonsense`)
  await expect(page.getByRole('alert').first()).toContainText('Invalid filters')
  expect(await blocked()).toEqual([])
  await close()
})

test('names, labels, texts, and links of a dashboard never become markup', async ({ api, browser, baseURL }) => {
  const { path } = await share(api, shared.hostile, { filters: 'free' })
  const { page, wrong, blocked, close } = await strangerIn(browser, baseURL)
  const others: string[] = []
  page.on('request', (request) => !request.url().startsWith(baseURL ?? '') && others.push(request.url()))
  await page.goto(path)
  await expect(page.getByText(markup).first()).toBeVisible()
  await expect(widget(page, 'Lines').locator('canvas').last()).toBeVisible()
  await widget(page, 'Lines').locator('canvas').last().hover()
  await expect(widget(page, 'Cells').getByRole('grid')).toContainText(markup)
  await page.getByRole('combobox', { name: markup }).click()
  await expect(page.getByRole('option', { name: markup })).toBeVisible()
  await expect(page.locator('main img, main script')).toHaveCount(0)
  const links = await page.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
  expect(links).toEqual([])
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
  expect(others).toEqual([])
  expect(await blocked()).toEqual([])
  expect(wrong).toEqual([])
  await close()
})

test('a wrong link, and one that was revoked while it was open, say so', async ({ api, browser, baseURL }) => {
  const { path, id } = await share(api, shared.chart)
  const { page, close } = await strangerIn(browser, baseURL)
  await page.goto(path)
  await expect(widget(page, 'Revenue').locator('canvas').last()).toBeVisible()
  await api(deleteDashboardShare, { params: { id: shared.chart, shareId: id } })
  for (const address of [path, '/public/dashboards/AAAA']) {
    await page.goto(address)
    await expect(page.getByRole('alert')).toContainText('This link doesn’t work')
    await expect(page).toHaveTitle('This link doesn’t work')
    await expectAccessible(page)
  }
  await close()
})

test('on a phone, in German, one widget stands below the other', async ({ api, browser, baseURL }) => {
  const { path } = await share(api, filled.id, { filters: 'free' })
  const { page, wrong, close } = await strangerIn(browser, baseURL, {
    viewport: { width: 390, height: 844 },
    locale: 'de-DE',
    hasTouch: true,
    isMobile: true,
  })
  await page.goto(path)
  await expect(page.getByText(/^Dieser Link funktioniert bis/)).toBeAttached()
  await expect(widget(page, 'Revenue of the last day')).toContainText('3.583,75')
  await expect(page.getByLabel('Zeitfenster')).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  expect(wrong).toEqual([])
  await close()
})

test('a page with one chart loads at most 300 kB, compressed, until it is drawn, and then one file of letters', async ({
  api,
  browser,
  baseURL,
}) => {
  const { path } = await share(api, shared.chart)
  const { page, close } = await strangerIn(browser, baseURL)
  const sizes: { path: string; bytes: number }[] = []
  const reading: Promise<void>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/api/')) return
    reading.push(
      response.body().then((body) => void sizes.push({ path: pathname, bytes: gzipSync(body, { level: 6 }).length })),
    )
  })
  await page.goto(path)
  await expect(widget(page, 'Revenue').locator('canvas').last()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await Promise.all(reading)
  await page.waitForFunction(() => [...document.fonts].some(({ status }) => status === 'loaded'))
  await Promise.all(reading)
  // Another file of styles names the letters.
  const [letters, before] = [true, false].map((late) =>
    sizes.filter((one) => /wght.*\.(woff2|css)$/.test(one.path) === late),
  ) as [typeof sizes, typeof sizes]
  expect(letters.filter((one) => one.path.endsWith('.woff2'))).toHaveLength(1)
  expect(sizes.indexOf(letters[0]!)).toBeGreaterThan(sizes.findIndex((one) => /chart/.test(one.path)))
  expect(letters.reduce((all, { bytes }) => all + bytes, 0)).toBeLessThanOrEqual(52_000)
  const sum = before.reduce((all, { bytes }) => all + bytes, 0)
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 8)
  console.log(`public page with one chart: ${sum} bytes in ${before.length} files`)
  expect(sum, JSON.stringify(largest)).toBeLessThanOrEqual(300_000)
  expect(sizes.length).toBeGreaterThan(5)
  await close()
})

test('only a site that the link allows may show it in a frame, even where storage is refused', async ({
  api,
  browser,
  baseURL,
}) => {
  let address = ''
  const site = createServer((_, answer) =>
    answer
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>Site</title><iframe width="800" height="500" src="${address}"></iframe>`),
  )
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo // it listens on TCP
  const { path } = await share(api, shared.chart, { allowed_origins: [`http://127.0.0.1:${port}`] })
  address = `${baseURL}${path}`
  const { page, close } = await strangerIn(browser, baseURL)
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get: () => {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    })
  })
  const heading = page.frameLocator('iframe').getByRole('heading', { name: 'sales.chart' })
  await page.goto(`http://127.0.0.1:${port}/`)
  await expect(heading).toBeVisible()
  await expect(page.frameLocator('iframe').locator('canvas').last()).toBeVisible()
  const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'))
  await page.goto(`http://localhost:${port}/`)
  await refused
  await expect(heading).toHaveCount(0)
  await close()
  site.close()
})

test('a link is created, copied once, and revoked in the window, without a mouse', async ({
  page,
  browser,
  baseURL,
}) => {
  await page.goto(`/dashboards/${shared.chart}`)
  await page.getByRole('button', { name: 'Share…', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('the link works on this machine only')
  await expect(dialog.getByLabel('Expires after')).toHaveValue('30')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Board')
  await dialog.getByRole('combobox', { name: 'Sites that may embed it' }).fill('nonsense')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  await expect(dialog.getByText('must be an origin', { exact: false })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('combobox', { name: 'Sites that may embed it' }).press('Backspace')
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter')
  const made = page.getByTestId('public-link')
  const url = await made.innerText()
  expect(url).toMatch(/\/public\/dashboards\/[\w-]{43}$/)
  // It is shown once, so Escape doesn't take it away.
  await page.keyboard.press('Escape')
  await expect(made).toBeVisible()
  await expectAccessible(page)
  const stranger = await strangerIn(browser, baseURL)
  await stranger.page.goto(url)
  await expect(widget(stranger.page, 'Revenue').locator('canvas').last()).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(made).toHaveCount(0)
  await expect(dialog.getByRole('row', { name: /^Board Locked/ })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Revoke Board' }).press('Enter')
  await expect(page.getByText('This can’t be undone', { exact: false })).toBeVisible()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().press('Enter')
  await expect(dialog.getByRole('row', { name: /^Board Locked/ })).toHaveCount(0)
  await stranger.page.reload()
  await expect(stranger.page.getByRole('alert')).toContainText('This link doesn’t work')
  await stranger.close()

  await page.goto('/settings/public-links')
  const list = page.getByRole('grid', { name: 'Public links' })
  await expect(list.getByRole('row', { name: /Board.*Revoked/ })).toBeVisible()
  await expectAccessible(page)
})
