import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createConnector } from '../../src/contract/connectors.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { rebuildMetrics } from '../../src/server/features/metrics/rebuild-metrics.ts'
import { insertRuns } from '../bench/support/million-runs.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

/** The store of a server that had much to do, among it a task that became slow. */
test.beforeAll(async ({ server }) => {
  await server.kill()
  const sqlite = new Database(join(server.dataDir, 'headgate.db'))
  insertRuns(sqlite, 40_000)
  const week = new Date(Date.now() - 6 * 86_400_000).toISOString()
  sqlite.exec(`
    DELETE FROM runs WHERE status = 'pending' OR task_id = 400;
    UPDATE tasks SET name = 'orders.' || substr(name, 7);
    UPDATE runs SET started_at = strftime('%Y-%m-%dT%H:%M:%fZ', started_at, '+' || (id % 7) || ' seconds');
    UPDATE runs SET reject_count = 12 WHERE status = 'completed';
    UPDATE runs SET duration_ms = duration_ms * 4 WHERE task_id = 1 AND created_at > '${week}';
  `)
  sqlite.close()
  // Beside its other work, a busy server would take minutes.
  rebuildMetrics(server.dataDir)
  await server.restart()
})

test('figures are compared with the time before, and lead to their runs', async ({ page }) => {
  await page.goto('/metrics')
  const figures = page.getByRole('region', { name: 'Compared with the previous period' })
  await expect(figures.getByRole('link', { name: /^Runs/ })).toContainText(/previously/i)
  await expectAccessible(page)
  await page.getByText('30 days', { exact: true }).click()
  await expect(page).toHaveURL(/time=30d/)
  await expect(page.getByRole('region', { name: 'Slower than usual' })).toContainText('orders.1')
  await figures.getByRole('link', { name: /^Failed runs/ }).click()
  await expect(page).toHaveURL(/\/runs\?.*status=failed/)
})

test('a chart is read and opened by keyboard', async ({ page }) => {
  await page.goto('/metrics?time=30d')
  const chart = page.getByRole('slider', { name: 'Runs by status' })
  await chart.focus()
  await chart.press('End')
  const last = await chart.getAttribute('aria-valuetext')
  await chart.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', /Succeeded: \d/)
  expect(await chart.getAttribute('aria-valuetext')).not.toBe(last)
  await chart.press('Enter')
  await expect(page).toHaveURL(/\/runs\?completed_from=.*completed_to=/)
  await expect(page.getByRole('button', { name: /^Ended: / })).toBeVisible()
})

test('metrics of one task, and of a time without runs', async ({ page }) => {
  await page.goto('/metrics?task_id=1&time=90d')
  await expect(page.getByRole('region', { name: /^Slowest tasks/ }).getByRole('listitem')).toHaveCount(1)
  await page.goto('/metrics?task_id=400&time=24h')
  await expect(page.getByText('No runs in this period')).toBeVisible()
  await expectAccessible(page)
})

test('the page of a task says so if its figures can’t be loaded, and tries again', async ({ page, api }) => {
  const task = await api(createTask, {
    body: { yaml_content: 'etl: 1\nkind: script\nname: figures\nscript: |\n  return {}\n' },
  })
  let isAway = true
  await page.route('**/api/metrics/query', (route) =>
    isAway
      ? route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Internal error', request_id: 'r-22' } })
      : route.continue(),
  )
  await page.goto(`/tasks/${task.id}/runs`)
  const figures = page.getByRole('region', { name: 'Last 7 days' })
  await expect(figures.getByRole('alert')).toContainText('r-22', { timeout: 30_000 })
  await expectAccessible(page)
  isAway = false
  await figures.getByRole('button', { name: 'Try again' }).click()
  // It has not run: there are none.
  await expect(figures).toBeHidden()
})

test('a metric of a query is tried and saved, violates its threshold, and is changed', async ({
  page,
  server,
  api,
}) => {
  const file = join(server.filesDir, 'shop.db')
  const shop = new Database(file)
  shop.exec('CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2), (3)')
  shop.close()
  await api(createConnector, { body: { name: 'shop', type: 'sqlite', config: { path: file } } })
  await page.goto('/metrics/custom')
  await expect(page.getByText('No custom metrics yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create metric' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create metric' })
  await dialog.getByText('Query', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create metric' }).click()
  await expect(dialog.getByText('Required').first()).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('open_orders')
  await dialog.getByRole('combobox', { name: 'Connector' }).click()
  await page.getByRole('option', { name: 'shop' }).click()
  const query = dialog.getByRole('textbox', { name: 'Query' })
  await query.fill('SELECT id FROM orders')
  await dialog.getByRole('button', { name: 'Run query' }).click()
  await expect(dialog.getByText(/more than one row/)).toBeVisible({ timeout: 30_000 })
  await query.fill('SELECT count(*) FROM orders')
  await dialog.getByRole('button', { name: 'Run query' }).click()
  await expect(dialog.getByText(/^3 orders? \(in|^3 \(in/)).toBeVisible({ timeout: 30_000 })
  await dialog.getByRole('textbox', { name: 'Upper limit' }).fill('2')
  await dialog.getByRole('textbox', { name: 'Unit' }).fill('orders')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create metric' }).click()
  await expect(dialog).toBeHidden()
  const details = page.getByRole('region', { name: 'Details of open_orders' })
  await expect(details).toContainText('Violated since', { timeout: 40_000 })
  await expect(details).toContainText('Value3 ordersThe value 3 is above 2')
  await expect(page.getByRole('button', { name: 'Edit…', exact: true })).toBeVisible()
  // Beside the details the list leaves out what they show, too.
  const list = page.getByRole('grid', { name: 'Custom metrics' })
  await expect(list.getByRole('columnheader', { name: 'Status' })).toBeInViewport({ ratio: 1 })
  await expect(list.getByRole('columnheader', { name: 'Value' })).toBeInViewport({ ratio: 1 })
  expect(await list.evaluate(({ parentElement: scroller }) => scroller!.scrollWidth - scroller!.clientWidth)).toBe(0)
  await expect(details).toContainText(/Upper limit2 orders/)
  // The limit is told with the chart, also to a screen reader.
  await expect(details.getByRole('slider')).toHaveAttribute('aria-valuetext', /Upper limit: 2 orders/)
  await expectAccessible(page)
  await page.goto('/')
  await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('open_orders')
  await page.goto('/metrics/custom?metric=open_orders')
  await page.getByRole('row', { name: /open_orders/ }).click()
  await page.keyboard.press('e')
  const edit = page.getByRole('dialog', { name: 'Metric open_orders' })
  await edit.getByRole('textbox', { name: 'Upper limit' }).fill('5')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /open_orders/ })).toContainText('OK')
})
