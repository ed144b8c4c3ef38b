import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createConnector } from '../../src/contract/connectors.ts'
import { getRun } from '../../src/contract/runs.ts'
import { createTask, listTaskStates } from '../../src/contract/tasks.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

const yaml = `etl: 1
kind: pipeline
name: state.orders
connectors:
  shop: {type: sqlite, access: read_write}
state:
  cursor: {field: id, type: integer, initial: 0}
source:
  connector: shop
  sql:
    query: SELECT id, total FROM orders WHERE id >= :from
    params: {from: "\${{ state.cursor }}"}
target:
  connector: shop
  table: orders_copy
  mode: upsert
  key: [id]
`

test('a run saves how far it has read; a full refresh leaves that aside; it can be forgotten', async ({
  page,
  api,
  server,
}) => {
  const root = join(server.filesDir, 'state')
  mkdirSync(root)
  const path = join(root, 'shop.db')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 9.5), (2, 3)')
  database.close()
  await api(createConnector, { body: { name: 'shop', type: 'sqlite', config: { path } } })
  const task = await api(createTask, { body: { yaml_content: yaml } })
  const run = async (fullRefresh: boolean) => {
    await page.goto(`/tasks/${task.id}`)
    await page.getByRole('button', { name: 'Run: more' }).click()
    await page.getByRole('menuitem', { name: 'Run with…' }).click()
    const dialog = page.getByRole('dialog')
    if (fullRefresh) await dialog.getByRole('switch', { name: 'Full refresh' }).check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/runs\/\d+$/)
    await expect(page.locator('[data-status="success"]').first()).toBeVisible()
    return api(getRun, { params: { id: Number(page.url().split('/').at(-1)) } })
  }
  await page.goto(`/tasks/${task.id}`)
  await page.getByRole('link', { name: 'State' }).click()
  await expect(page.getByText('No saved state yet')).toBeVisible()
  await expectAccessible(page)

  expect((await run(false)).full_refresh).toBe(false)
  await expect(page.getByText('full refresh')).toBeHidden()
  await page.getByRole('tab', { name: 'Details' }).click()
  const facts = page.getByRole('definition').filter({ hasText: /^(By row|By column|In the database)$/ })
  await expect(facts).toBeVisible()
  await page.goto(`/tasks/${task.id}/state`)
  const states = page.getByRole('grid', { name: 'Saved state' })
  await expect(states.getByText('2', { exact: true })).toBeVisible()
  await expect(states.getByRole('link', { name: 'shop' })).toBeVisible()
  await expectAccessible(page)

  expect((await run(true)).full_refresh).toBe(true)
  await expect(page.getByText('full refresh')).toBeVisible()
  await page.goto(`/tasks/${task.id}/state`)
  await states.getByRole('button', { name: 'Reset shop' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('The next run reads from the start')
  await dialog.getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('No saved state yet')).toBeVisible()
  expect(await api(listTaskStates, { params: { id: task.id } })).toEqual([])
})
