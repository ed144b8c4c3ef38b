// The lineage of 5,000 tasks in 250 jobs: how long until it is drawn, and until what was typed is found. Needs a build.
// `node test/bench/lineage-page.ts [pictures]`
import { chromium } from 'playwright'
import { createConnector } from '../../src/contract/connectors.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { apiOf, sessionOf, signInCookie, startBuiltServer } from '../support/e2e.ts'

const jobs = 250
const tasksPerJob = 20
const [, , pictures] = process.argv

const taskYaml = (job: number, at: number) => `etl: 1
kind: pipeline
name: shop${job}.task${at}
connectors:
  src: {type: postgres, access: read}
  out: {type: postgres, access: write}
source: {connector: src, sql: {query: "SELECT * FROM shop${job}.t${at} JOIN shop${job}.t${Math.floor(at / 2)} USING (id)"}}
steps:
  - derive: {total: 'quantity * price'}
target: {connector: out, table: shop${job}.t${at + 1}, mode: replace}
`
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const server = await startBuiltServer({ withExecutor: false })
try {
  const cookie = await signInCookie(server)
  const api = apiOf(server, cookie)
  const config = { host: 'db.example', database: 'shop', user: 'etl' }
  const db = await api(createConnector, { body: { name: 'warehouse', type: 'postgres', config } })
  for (let job = 0; job < jobs; job++) {
    const names = Array.from({ length: tasksPerJob }, (_, at) => at)
    await Promise.all(names.map((at) => api(createTask, { body: { yaml_content: taskYaml(job, at) } })))
    const yaml_content = `etl: 1
kind: job
name: shop${job}
connectors: {db: {type: postgres, access: read_write}}
tasks:
${names.map((at) => `  t${at}: {task: shop${job}.task${at}, connectors: {src: db, out: db}}\n`).join('')}`
    const { id } = await api(createJobTemplate, { body: { yaml_content } })
    await api(createJob, { params: { id }, body: { name: `shop${job}`, connector_mapping: { db: db.id } } })
  }
  const headers = { cookie, origin: server.url }
  for (const time of ['first', 'second', 'third']) {
    const begun = performance.now()
    const answer = await (await fetch(`${server.url}/api/lineage`, { headers })).text()
    console.log(`answer, ${time} time: ${Math.round(performance.now() - begun)} ms, ${answer.length} characters`)
  }
  const context = await browser.newContext({
    storageState: sessionOf(server, cookie),
    viewport: { width: 1280, height: 800 },
  })
  const page = await context.newPage()
  await page.goto(`${server.url}/tasks`)
  await page.getByRole('grid').waitFor()
  for (const time of ['first', 'second', 'third']) {
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('grid').waitFor()
    const drawn = await page.evaluate(async () => {
      const begun = performance.now()
      document.querySelector<HTMLElement>('a[href="/lineage"]')?.click()
      while (!document.querySelector('[data-laid-out] svg path, [data-laid-out] [data-node]'))
        await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      return performance.now() - begun
    })
    console.log(`page drawn, ${time} time: ${Math.round(drawn)} ms`)
  }
  if (pictures) await page.screenshot({ path: `${pictures}/lineage-5000.png` })
  const typed = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('input[type=search]')
    if (!input) throw new Error('There is no search')
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const times: number[] = []
    for (const text of ['s', 'sh', 'shop12', 'shop123', 'shop123.task7']) {
      set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
      let [longest, last] = [0, performance.now()]
      // Also those after the delay of the field and after the layout.
      for (const end = last + 1_000; last < end;) {
        await new Promise(requestAnimationFrame)
        const now = performance.now()
        longest = Math.max(longest, now - last)
        last = now
      }
      times.push(longest)
    }
    return times
  })
  console.log(`longest frame after a key: ${typed.map((ms) => `${Math.round(ms)} ms`).join(', ')}`)
  await page.getByText(/\d+ match/).waitFor()
  if (pictures) await page.screenshot({ path: `${pictures}/lineage-search.png` })
} finally {
  await browser.close()
  await server.stop()
}
