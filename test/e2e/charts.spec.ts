import { type Page, expect, test as base } from '@playwright/test'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type ChartsPage, startChartsPage } from '../support/charts-page.ts'
import { expectAccessible } from '../support/walk.ts'
import type { Shown } from './charts/main.tsx'

/** The page of charts, served with the headers of the server. */
const test = base.extend<object, { charts: ChartsPage }>({
  charts: [
    // Playwright reads which fixtures are wanted from the pattern.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const page = await startChartsPage()
      await use(page)
      await page.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const days = (count: number) =>
  Array.from({ length: count }, (_, at) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10))
const field = (name: string, type: 'date' | 'text' | 'bigint' | 'decimal' | 'double' | 'integer') => ({
  name,
  type,
  native: type,
})
const revenue = (count: number): Shown['data'] => ({
  fields: [field('day', 'date'), field('region', 'text'), field('total', 'decimal'), field('orders', 'bigint')],
  rows: days(count).flatMap((day, at) =>
    ['eu', 'us', 'apac'].map((region, n) => [
      day,
      region,
      String(900 + 300 * n + Math.round(200 * Math.sin(at / 3 + n)) + 0.25),
      String(9_007_199_254_740_993n + BigInt(at)),
    ]),
  ),
})
const of = (label: string, spec: Shown['spec'], data: Shown['data'], more: Partial<Shown> = {}): Shown => ({
  label,
  spec,
  data,
  ...more,
})

const hostile = '<img src=x onerror="window.hacked=1">'
const gallery: Shown[] = [
  of('Line by region', { chart: 'line', x: 'day', y: ['total'], series: 'region' }, revenue(30)),
  of(
    'Area',
    { chart: 'area', x: 'day', y: ['total'] },
    { ...revenue(30), rows: revenue(30).rows.filter((row) => row[1] === 'eu') },
  ),
  of('Bars', { chart: 'bar', x: 'day', y: ['total'], series: 'region' }, revenue(6)),
  of('Stacked', { chart: 'stacked', x: 'day', y: ['total'], series: 'region' }, revenue(8)),
  of('Pie', { chart: 'pie', x: 'region', y: ['total'] }, revenue(1)),
  of('Scatter', { chart: 'scatter', x: 'orders', y: ['total'], series: 'region' }, revenue(40)),
  of('Heatmap', { chart: 'heatmap', x: 'day', y: ['total'], series: 'region' }, revenue(12)),
  of('One point', { chart: 'line', x: 'day', y: ['total'] }, { ...revenue(1), rows: revenue(1).rows.slice(0, 1) }),
  of('Empty', { chart: 'line', x: 'day', y: ['total'] }, { ...revenue(1), rows: [] }),
  of('A column that is missing', { chart: 'line', x: 'month', y: ['total'] }, revenue(1)),
  of(
    `Hostile ${hostile}`,
    { chart: 'bar', x: 'name', y: ['n'], series: 'series' },
    {
      fields: [field('name', 'text'), field('series', 'text'), field('n', 'integer')],
      rows: [
        [hostile, '</script><script>window.hacked=2</script>', 3],
        ['{a|b}\u202e{@c}', 'javascript:window.hacked=3', 5],
      ],
    },
  ),
]

const drawn = (page: Page, count: number) => expect(page.locator('[data-drawn="true"]')).toHaveCount(count)

test.beforeEach(async ({ page, charts }) => {
  await page.addInitScript(() => {
    Object.assign(window, { reports: [] })
    document.addEventListener('securitypolicyviolation', (event) => {
      ;(window as unknown as { reports: string[] }).reports.push(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  await page.goto(charts.url)
  await page.waitForFunction(() => 'charts' in window)
})

test('every kind is drawn, reads exact values, and runs no text of the data', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  await page.evaluate((shown) => window.charts.show(shown), gallery)
  await drawn(page, 9)
  await expect(page.getByText('No rows')).toBeVisible()
  await expect(page.getByText('No column month')).toBeVisible()
  if (process.env['SHOTS']) {
    for (const [name, media] of [
      ['light', { colorScheme: 'light' }],
      ['dark', { colorScheme: 'dark' }],
      ['high', { colorScheme: 'light', contrast: 'more' }],
    ] as const) {
      await page.emulateMedia(media)
      await page.waitForTimeout(500)
      await page.screenshot({ path: `${process.env['SHOTS']}/charts-${name}.png`, fullPage: true })
    }
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
  }
  const bars = page.getByRole('slider', { name: 'Hostile' })
  await bars.focus()
  await page.keyboard.press('ArrowRight')
  await expect(bars).toHaveAttribute('aria-valuetext', `${hostile} · </script><script>window.hacked=2</script>: 3`)
  await expect(bars.getByText(hostile)).toBeVisible()
  const line = page.getByRole('slider', { name: 'Line by region' })
  await line.hover()
  await expect(line).toHaveAttribute('aria-valuetext', /^2026-01-1\d · eu: \d+\.25 · us: \d+\.25 · apac: \d+\.25$/)
  await expectAccessible(page)
  expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined()
  expect(await page.evaluate(() => (window as unknown as { reports: string[] }).reports)).toEqual([])
  expect(errors).toEqual([])
})

test('numbers are written anew when the language changes', async ({ page }) => {
  const thousands: Shown['data'] = {
    fields: [field('n', 'integer'), field('m', 'integer')],
    rows: [
      [1000, 2000],
      [4000, 8000],
    ],
  }
  const show = () =>
    page.evaluate(
      (shown) => window.charts.show(shown),
      [of('Thousands', { chart: 'scatter', x: 'n', y: ['m'] }, thousands)],
    )
  const picture = async () => {
    await drawn(page, 1)
    return page.evaluate(() => window.charts.png())
  }
  await show()
  const english = await picture()
  await page.evaluate(() => {
    localStorage.setItem('headgate.language', 'de')
    dispatchEvent(new StorageEvent('storage', { key: 'headgate.language' }))
  })
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  const changed = await picture()
  expect(changed).not.toEqual(english)
  await page.reload()
  await page.waitForFunction(() => 'charts' in window)
  await show()
  expect(await picture()).toEqual(changed)
})

test('keys read marks and choose them, and whole numbers keep every digit', async ({ page }) => {
  await page.evaluate(
    (shown) => window.charts.show(shown),
    [of('Orders', { chart: 'bar', x: 'region', y: ['orders'] }, revenue(2))],
  )
  const chart = page.getByRole('slider', { name: 'Orders' })
  await drawn(page, 1)
  await page.keyboard.press('Tab')
  await expect(chart).toBeFocused()
  await page.keyboard.press('End')
  // Two rows of the region: each has its own bar.
  await expect(chart).toHaveAttribute('aria-valuetext', 'apac · orders: 9007199254740994')
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', 'eu · orders: 9007199254740993')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => window.charts.picks.map(({ row }) => row))).toEqual([0])
  await chart.click({ position: { x: 500, y: 200 } })
  expect(await page.evaluate(() => window.charts.picks.map(({ row }) => row))).toEqual([0, 4])
})

const reads = (page: Page, name: string) => ({
  chart: page.getByRole('slider', { name }),
  reset: page.getByRole('button', { name: 'Reset zoom' }),
})

test('a drag zooms, a click still chooses, and new rows keep the part', async ({ page }) => {
  const show = (count: number) =>
    page.evaluate(
      (shown) => window.charts.show(shown),
      [
        of(
          'Days',
          { chart: 'bar', x: 'day', y: ['orders'] },
          {
            ...revenue(count),
            rows: revenue(count).rows.filter((row) => row[1] === 'eu'),
          },
        ),
      ],
    )
  await show(20)
  await drawn(page, 1)
  const { chart, reset } = reads(page, 'Days')
  const box = (await chart.boundingBox())!
  const at = (part: number) => box.x + 60 + (box.width - 80) * part
  const drag = async (from: number, to: number) => {
    await page.mouse.move(at(from), box.y + 80)
    await page.mouse.down()
    await page.mouse.move(at((from + to) / 2), box.y + 90, { steps: 3 })
    await page.mouse.move(at(to), box.y + 85)
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/chart-range.png` })
    await page.mouse.up()
  }
  await drag(0.75, 0.25)
  await expect(reset).toBeVisible()
  const part = await page.getByRole('status').innerText()
  expect(part).toMatch(/^2026-01-0\d – 2026-01-1\d$/)
  expect(await page.evaluate(() => window.charts.picks)).toEqual([])
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/chart-zoomed.png` })
  // The row of the mark, not of its place in the part.
  const last = Number(part.slice(-2)) - 1
  await chart.click({ position: { x: box.width - 30, y: 150 } })
  expect(await page.evaluate(() => window.charts.picks.map(({ row }) => row))).toEqual([last])
  await show(40)
  await expect(page.getByRole('status')).toHaveText(part)
  await expectAccessible(page)
  await chart.dblclick({ position: { x: 200, y: 100 } })
  await expect(reset).toHaveCount(0)
  await drag(0.5, 0.9)
  await reset.press('Enter')
  await expect(reset).toHaveCount(0)
})

test('a chart is zoomed without a mouse, and printed whole', async ({ page }) => {
  await page.evaluate((shown) => window.charts.show(shown), gallery.slice(0, 1))
  await drawn(page, 1)
  const { chart, reset } = reads(page, 'Line by region')
  await chart.focus()
  await expect(chart).toHaveAttribute('aria-valuetext', /Shift with an arrow key marks a range/)
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuetext', /^2026-01-01 – 2026-01-04 · 2026-01-04 · eu/)
  await page.keyboard.press('Enter')
  const part = page.getByRole('status')
  await expect(part).toHaveText('2026-01-01 – 2026-01-04')
  await expect(chart).toHaveAttribute('aria-valuemax', '4')
  await page.keyboard.press('-')
  await expect(part).toHaveText('2026-01-01 – 2026-01-08')
  await page.keyboard.press('End')
  await page.keyboard.press('+')
  await expect(part).toHaveText('2026-01-05 – 2026-01-08')
  await page.emulateMedia({ media: 'print' })
  await expect(chart).toHaveAttribute('aria-valuemax', '30')
  await page.emulateMedia({ media: 'screen' })
  await expect(chart).toHaveAttribute('aria-valuemax', '4')
  await chart.focus()
  await page.keyboard.press('Escape')
  await expect(reset).toHaveCount(0)
  await expect(chart).toHaveAttribute('aria-valuemax', '30')
})

test('the picture as a file has the size of the chart twice over', async ({ page }) => {
  await page.evaluate((shown) => window.charts.show(shown), gallery.slice(0, 1))
  await drawn(page, 1)
  const bytes = Buffer.from(await page.evaluate(() => window.charts.png()))
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(bytes.readUInt32BE(16)).toBeGreaterThan(1000)
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/chart-one.png` })
})

test('a hundred thousand points are drawn, with every extreme, and read one by one', async ({ page }) => {
  await page.evaluate((shown) => window.charts.show(shown), gallery.slice(0, 1))
  await drawn(page, 1)
  const ms = await page.evaluate(async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => [
      new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      at === 54_321 ? 1_000_000 : Math.round(1000 + 100 * Math.sin(at / 500)),
    ])
    const fields = [
      { name: 'at', type: 'datetime_tz' as const, native: '' },
      { name: 'n', type: 'integer' as const, native: '' },
    ]
    const since = performance.now()
    window.charts.show([{ label: 'Many', spec: { chart: 'line', x: 'at', y: ['n'] }, data: { fields, rows } }])
    await new Promise<void>((done) => {
      const look = () =>
        document.querySelector('[aria-label="Many"][data-drawn="true"] canvas')
          ? requestAnimationFrame(() => done())
          : requestAnimationFrame(look)
      look()
    })
    return performance.now() - since
  })
  test.info().annotations.push({ type: 'milliseconds', description: String(Math.round(ms)) })
  console.log(`100,000 points: ${Math.round(ms)} ms`)
  const chart = page.getByRole('slider', { name: 'Many' })
  await chart.focus()
  await page.keyboard.press('End')
  await expect(chart).toHaveAttribute('aria-valuetext', '2026-03-11T10:39:00.000Z · n: 913')
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/chart-many.png` })
})

test('drawing is below 200 kB for all kinds of charts together, and loaded with the first chart', async ({
  charts,
}) => {
  const assets = join(charts.out, 'assets')
  const names = readdirSync(assets).filter((name) => name.endsWith('.js'))
  /** A file and what it needs before it can run. */
  const needed = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    const text = readFileSync(join(assets, name), 'utf8')
    for (const [, other] of text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g)) needed(other!, seen)
    return seen
  }
  const atStart = names
    .filter((name) => name.startsWith('index-'))
    .reduce((seen, name) => needed(name, seen), new Set<string>())
  const engine = names.filter((name) => name.startsWith('engine-'))
  expect(engine).toHaveLength(6)
  expect(engine.filter((name) => atStart.has(name))).toEqual([])
  const drawing = [...engine.reduce((seen, name) => needed(name, seen), new Set<string>())].filter(
    (name) => !atStart.has(name),
  )
  const sizeOf = (name: string) =>
    brotliCompressSync(readFileSync(join(assets, name)), { params: { 0: 0, 1: 5 } }).length
  const size = drawing.reduce((sum, name) => sum + sizeOf(name), 0)
  console.log(`drawing: ${Math.round(size / 1000)} kB in ${drawing.length} files`)
  expect(size).toBeGreaterThan(100_000)
  expect(size).toBeLessThan(200_000)
})
