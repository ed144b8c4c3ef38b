// What a viewer waits for: a dashboard of twelve widgets whose rows are in the cache, from its address to the last picture; and a
// chart of a hundred thousand points, from its rows to its picture.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Browser, type Page, chromium } from 'playwright'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createDashboardShare, listDashboards } from '../../src/contract/dashboards.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { startChartsPage } from '../support/charts-page.ts'
import type { BenchResult } from './result.ts'
import { percentile, round } from './support/fake-fleet.ts'
import { type Installation, startInstallation } from './support/installation.ts'

const times = 7
const points = 100_000
const systemChromium = '/usr/bin/chromium'

const charts = ['line', 'area', 'bar', 'stacked', 'line', 'scatter']
const widgets = [
  ...charts.map(
    (chart, at) =>
      `{id: chart${at}, type: chart, chart: ${chart}, data: daily, x: day, y: [total], at: [${(at % 3) * 4}, ${Math.floor(at / 3) * 3}, 4, 3]}`,
  ),
  ...[0, 1, 2, 3].map((at) => `{id: kpi${at}, type: kpi, data: daily, value: total, at: [${at * 3}, 6, 3, 2]}`),
  ...[0, 1].map((at) => `{id: table${at}, type: table, data: rows, at: [${at * 6}, 8, 6, 4]}`),
]
const dashboardYaml = `etl: 1
kind: dashboard
name: bench.board
job_template: bench
data:
  daily: {connector: dw, query: "SELECT day, sum(total) AS total FROM sales GROUP BY day ORDER BY day", ttl: 1h}
  rows: {connector: dw, query: "SELECT day, region, total FROM sales ORDER BY day LIMIT 1000", ttl: 1h}
widgets:
${widgets.map((widget) => `  - ${widget}`).join('\n')}
`

/** The path of a link to it: a page that needs no sign-in. */
async function makeDashboard({ call, filesDir }: Installation): Promise<string> {
  const path = join(filesDir, 'sales.db')
  const sales = new Database(path)
  sales.exec(`CREATE TABLE sales (day TEXT, region TEXT, total REAL);
    WITH RECURSIVE n (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 3000)
    INSERT INTO sales SELECT date('2025-01-01', v % 365 || ' days'), 'region ' || v % 7, v * 12.25 FROM n`)
  sales.close()
  const dw = await call(createConnector, { body: { name: 'sales', type: 'sqlite', config: { path } } })
  await call(createTask, {
    body: { yaml_content: 'etl: 1\nkind: script\nname: bench.load\nscript: |\n  return {}\n' },
  })
  const template = await call(createJobTemplate, {
    body: {
      yaml_content:
        'etl: 1\nkind: job\nname: bench\nconnectors:\n  dw: {type: sqlite}\ntasks:\n  load: {task: bench.load}\n',
    },
  })
  await call(createDashboardTemplate, { body: { yaml_content: dashboardYaml } })
  const job = await call(createJob, {
    params: { id: template.id },
    body: { name: 'bench', connector_mapping: { dw: dw.id } },
  })
  const { result } = await call(listDashboards, { query: { job_id: job.id } })
  return (await call(createDashboardShare, { params: { id: result[0]!.id }, body: {} })).path
}

/** From the beginning of the navigation to the frame after everything is there, in the page's own time. */
async function opened(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate(
    ([drawn, grids]) =>
      new Promise<number>((done) => {
        const look = (): void => {
          const count = (selector: string) => document.querySelectorAll(selector).length
          const complete =
            count('[data-drawn="true"]') === drawn && count('[role=grid]') === grids && count('[data-waiting]') === 0
          if (complete) requestAnimationFrame(() => done(performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    [charts.length, 2] as const,
  )
}

async function dashboard(browser: Browser): Promise<BenchResult> {
  const installation = await startInstallation()
  try {
    const path = await makeDashboard(installation)
    const page = await browser.newPage({ viewport: { width: 1280, height: 1400 }, locale: 'en-GB' })
    const all: number[] = []
    for (let at = -2; at < times; at++) {
      const ms = await opened(page, `${installation.url}${path}`)
      if (at >= 0) all.push(ms)
    }
    await page.close()
    const p50 = percentile(all, 0.5)
    return {
      name: 'dashboard of 12 cached widgets, complete',
      value: round(p50, 0),
      unit: 'ms',
      bar: '≤ 500 ms',
      passed: p50 <= 500,
      note: `page of a link, with its navigation and ${charts.length} charts; slowest ${round(Math.max(...all), 0)} ms of ${times}`,
    }
  } finally {
    await installation.close()
  }
}

async function chart(browser: Browser): Promise<BenchResult> {
  const served = await startChartsPage()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(served.url)
    await page.waitForFunction(() => 'charts' in window)
    const all: number[] = []
    for (let at = -1; at < times; at++) {
      const ms = await page.evaluate(
        async ([count, name]) => {
          const rows = Array.from({ length: count }, (_, n) => [
            new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
            Math.round(1000 + 100 * Math.sin(n / 500)),
          ])
          const fields = [
            { name: 'at', type: 'datetime_tz' as const, native: '' },
            { name: 'n', type: 'integer' as const, native: '' },
          ]
          const since = performance.now()
          window.charts.show([{ label: name, spec: { chart: 'line', x: 'at', y: ['n'] }, data: { fields, rows } }])
          await new Promise<void>((done) => {
            const look = (): void => {
              const there = document.querySelector(`[aria-label="${name}"][data-drawn="true"] canvas`)
              requestAnimationFrame(there ? () => done() : look)
            }
            look()
          })
          return performance.now() - since
        },
        [points, `Many ${at}`] as const,
      )
      if (at >= 0) all.push(ms)
    }
    await page.close()
    const p50 = percentile(all, 0.5)
    return {
      name: `chart of ${points.toLocaleString('en')} points`,
      value: round(p50, 0),
      unit: 'ms',
      bar: '≤ 300 ms',
      passed: p50 <= 300,
      note: `from its rows to the frame with its picture; slowest ${round(Math.max(...all), 0)} ms of ${times}`,
    }
  } finally {
    await served.close()
  }
}

export async function run(): Promise<BenchResult[]> {
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
  })
  try {
    return [await dashboard(browser), await chart(browser)]
  } finally {
    await browser.close()
  }
}
