// The page of a job run with 500 tasks in Chromium: how smooth it is while somebody scrolls
// the tree, walks it by keys and drags the graph.
import { type Browser, type Page, chromium } from 'playwright'
import { existsSync } from 'node:fs'
import { admin } from '../faults/support/server-process.ts'
import type { BenchResult } from './result.ts'
import { type Fleet, round, startFleet } from './support/fake-fleet.ts'
import { type Smoothness, smoothnessRow, traced } from './support/traced.ts'

const tasks = 500
const systemChromium = '/usr/bin/chromium'

/** Each task waits for up to two of the thirty before it: as wide as it is deep. */
function template(): string {
  let seed = 1
  const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below
  const lines = Array.from({ length: tasks }, (_, n) => {
    const before = n === 0 ? [] : Array.from({ length: random(3) }, () => `t${Math.max(0, n - 1 - random(30))}`)
    const depends = before.length > 0 ? `, depends_on: [${[...new Set(before)].join(', ')}]` : ''
    return `  t${n}: {task: bench.noop${depends}, connectors: {out: out}}\n`
  })
  return `etl: 1\nkind: job\nname: bench.page\nconnectors: {out: {type: file, access: write}}\ntasks:\n${lines.join('')}`
}

async function finishedJobRun(fleet: Fleet): Promise<number> {
  const made = async (path: string, body: unknown) =>
    ((await fleet.user.send('POST', path, body)).body as { id: number }).id
  const id = await made('/api/job-templates', { yaml_content: template() })
  const job = await made(`/api/job-templates/${id}/jobs`, { name: 'page', connector_mapping: { out: fleet.out } })
  const jobRun = await made(`/api/jobs/${job}/run`, {})
  for (let done = 0; done < tasks;) {
    const plans = await fleet.claim(32, 5_000)
    await Promise.all(plans.map((plan) => fleet.complete(plan)))
    done += plans.length
  }
  return jobRun
}

async function openPage(browser: Browser, url: string, jobRun: number): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  const reply = await page.request.post(`${url}/api/auth/login`, { data: admin, headers: { origin: url } })
  if (!reply.ok()) throw new Error(`Sign-in: ${reply.status()}`)
  await page.goto(`${url}/job-runs/${jobRun}`)
  await page.getByRole('treeitem').first().waitFor()
  await page.locator('[data-node]').first().waitFor()
  return page
}

export async function run(): Promise<BenchResult[]> {
  const fleet = await startFleet()
  const browser = await chromium.launch({
    args: ['--no-sandbox'],
    ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
  })
  try {
    const jobRun = await finishedJobRun(fleet)
    const began = performance.now()
    const page = await openPage(browser, fleet.server.url, jobRun)
    const opened = performance.now() - began
    const middle = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      if (!box) throw new Error(`${selector} is not to be seen`)
      return { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 300) / 2 }
    }
    const tree = await middle('[role=tree]')
    const scrolled = await traced(browser, page, async () => {
      await page.mouse.move(tree.x, tree.y)
      for (let n = 0; n < 60; n++) {
        await page.mouse.wheel(0, n < 30 ? 240 : -240)
        await page.waitForTimeout(16)
      }
    })
    await page.getByRole('tree').focus()
    const walked = await traced(browser, page, async () => {
      for (let n = 0; n < 60; n++) await page.keyboard.press('ArrowDown')
    })
    const graph = await middle('.react-flow__pane')
    const dragged = await traced(browser, page, async () => {
      await page.mouse.move(graph.x, graph.y)
      await page.mouse.down()
      for (let n = 0; n < 60; n++) await page.mouse.move(graph.x + 4 * n, graph.y + 2 * n)
      await page.mouse.up()
    })
    const zoomed = await traced(browser, page, async () => {
      await page.mouse.move(graph.x, graph.y)
      for (let n = 0; n < 60; n++) {
        await page.mouse.wheel(0, n < 30 ? -120 : 120)
        await page.waitForTimeout(16)
      }
    })
    const row = (what: string, seen: Smoothness) => smoothnessRow(`job run of ${tasks} tasks: ${what}`, seen)
    return [
      { name: `job run of ${tasks} tasks: opened cold`, value: round(opened, 0), unit: 'ms' },
      row('scroll the tree', scrolled),
      row('walk the tree by keys', walked),
      row('drag the graph', dragged),
      row('zoom the graph', zoomed),
    ]
  } finally {
    await browser.close()
    await fleet.close()
  }
}
