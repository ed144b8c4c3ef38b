import type { Locator } from '@playwright/test'
import { createConnector } from '../../src/contract/connectors.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { triggerRun } from '../../src/contract/runs.ts'
import { getRun } from '../../src/contract/runs.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

let counter = 0
/** raw.csv → orders → totals, by two tasks; the first has run. */
async function chain(api: Api, filesDir: string) {
  const at = `${Date.now()}_${(counter += 1)}`
  const connector = async (type: 'sqlite' | 'file', config: Record<string, unknown>) =>
    (await api(createConnector, { body: { name: `${type} ${at}`, type, config } })).id
  const db = await connector('sqlite', { path: `${filesDir}/shop_${at}.db` })
  const task = async (name: string, source: string, table: string, steps = '') =>
    await api(createTask, {
      body: {
        yaml_content: `etl: 1\nkind: pipeline\nname: ${name}\nconnectors:\n  src: {type: sqlite, access: read}\n  out: {type: sqlite, access: write}\nsource: ${source}\n${steps}target: {connector: out, table: ${table}}\n`,
      },
    })
  const load = await task(`load_${at}`, '{inline: {rows: [{id: 1, price: 2}, {id: 2, price: 3}]}}', `orders_${at}`)
  const sum = await task(
    `sum_${at}`,
    `{connector: src, sql: {table: orders_${at}, columns: [id, price]}}`,
    `totals_${at}`,
    "steps:\n  - derive: {twice: 'price * 2'}\n",
  )
  for (const { id } of [load, sum]) {
    const run = await api(triggerRun, { params: { taskId: id }, body: { connector_mapping: { src: db, out: db } } })
    const ended = await api(getRun, { params: { id: run.id }, query: { wait: '30s' } })
    expect(ended.status).toBe('success')
  }
  return { at, db, load, sum }
}

test('while the lineage of many tasks is read, the page says what it waits for', async ({ page }) => {
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/lineage?**', async (route) => {
    await asked
    await route.continue()
  })
  await page.route('**/api/lineage', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/lineage')
  const reading = page.getByText('Reading lineage…')
  await expect(reading).toBeVisible()
  await expectAccessible(page)
  answer()
  await expect(reading).toBeHidden()
})

test('from a table to what fills it and who reads it, by search, keys, and links', async ({ page, api, server }) => {
  const { at, sum } = await chain(api, server.filesDir)
  await page.goto('/lineage')
  const graph = page.getByRole('application')
  await page.getByRole('searchbox').fill(`orders_${at}`)
  await expect(page.getByText('1 match', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: `Table orders_${at}` }).click()
  const details = page.getByRole('region', { name: `Details of orders_${at}` })
  await expect(details.getByText('2', { exact: true })).toBeVisible()
  await expect(details.getByRole('button', { name: `load_${at}` })).toBeVisible()
  await expectAccessible(page)

  await details.getByRole('button', { name: `sum_${at}` }).click()
  const ofTask = page.getByRole('region', { name: `Details of sum_${at}` })
  await expect(ofTask.getByRole('row', { name: 'twice price · computed' })).toBeVisible()
  await ofTask.getByRole('button', { name: 'Show only its lineage' }).click()
  await expect(page.getByText('2 datasets · 2 tasks')).toBeVisible()
  await page.getByText('Downstream', { exact: true }).click()
  await expect(page.getByText('1 dataset · 1 task')).toBeVisible()
  await expect(graph).toBeVisible()
  await page.reload()
  await expect(page.getByText('1 dataset · 1 task')).toBeVisible()
  await page.keyboard.press('Tab')

  await page.goto(`/tasks/${sum.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show lineage' }).click()
  await expect(page.getByText('2 datasets · 2 tasks')).toBeVisible()
})

test('a connector leads to its datasets', async ({ page, api, server }) => {
  const { db } = await chain(api, server.filesDir)
  await page.goto(`/connectors/${db}`)
  await page.getByRole('link', { name: 'Show lineage' }).click()
  await expect(page.getByText('2 datasets · 2 tasks')).toBeVisible()
})

test('beside the details of a task its node is seen, in words that can be read', async ({ page, api, server }) => {
  const { at, db, sum } = await chain(api, server.filesDir)
  const publish = await api(createTask, {
    body: {
      yaml_content: `etl: 1\nkind: pipeline\nname: publish_${at}\nconnectors:\n  src: {type: sqlite, access: read}\n  out: {type: sqlite, access: write}\nsource: {connector: src, sql: {table: totals_${at}, columns: [id]}}\ntarget: {connector: out, table: published_${at}}\n`,
    },
  })
  const run = await api(triggerRun, {
    params: { taskId: publish.id },
    body: { connector_mapping: { src: db, out: db } },
  })
  await api(getRun, { params: { id: run.id }, query: { wait: '30s' } })
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto(`/tasks/${sum.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show lineage' }).click()
  const node = (name: string) => page.getByRole('application').getByRole('button', { name })
  await node(`publish_${at}`).click()
  const details = page.getByRole('region', { name: `Details of publish_${at}` })
  await expect(details).toBeVisible()
  const pane = async () => (await details.boundingBox())?.x ?? 0
  const box = async () => (await node(`publish_${at}`).boundingBox()) ?? { x: Number.NaN, width: 0, height: 0 }
  await expect
    .poll(async () => {
      const { x, width } = await box()
      return x + width <= (await pane())
    })
    .toBe(true)
  // Of 44 pixels in which the smallest words have 12.
  expect(((await box()).height * 12) / 44).toBeGreaterThanOrEqual(10.95)
})

test('beside the details that open, a graph keeps its size, and what was chosen is in sight', async ({
  page,
  api,
  server,
}) => {
  const { at, load } = await chain(api, server.filesDir)
  await page.setViewportSize({ width: 1160, height: 800 })
  await page.goto(`/tasks/${load.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show lineage' }).click()
  const graph = page.getByRole('application')
  const totals = graph.getByRole('button', { name: `totals_${at}` })
  await expect(totals).toBeInViewport({ ratio: 0.99 })
  const width = async () => Math.round((await totals.boundingBox())?.width ?? 0)
  const before = await width()
  await totals.click()
  const details = page.getByRole('region', { name: `Details of totals_${at}` })
  await expect(details).toBeVisible()
  const right = async (of: Locator) => ((await of.boundingBox())?.x ?? 0) + ((await of.boundingBox())?.width ?? 0)
  await expect.poll(async () => (await right(totals)) <= ((await details.boundingBox())?.x ?? 0)).toBe(true)
  expect(await width()).toBe(before)
})
