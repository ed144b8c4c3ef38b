import { readFileSync } from 'node:fs'
import { createConnector } from '../../src/contract/connectors.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

const yaml = (name: string) => `etl: 1
kind: pipeline
name: ${name}
source: {connector: files, files: {glob: "*.csv"}}
steps: []
target: {connector: db, table: t, mode: replace}
connectors:
  files: {type: file}
  db: {type: sqlite, access: write}
`

test('the audit log is filtered by the address, read record by record, verified and exported', async ({
  page,
  api,
}) => {
  const task = await api(createTask, { body: { yaml_content: yaml('audited.task') } })
  await page.goto('/audit?operation=createTask')
  const grid = page.getByRole('grid', { name: 'Audit' })
  await grid.getByText('audited.task').click()
  const detail = page.getByRole('region', { name: 'Record details' })
  await expect(detail).toContainText('POST /api/tasks')
  await detail.getByRole('button', { name: 'Close details' }).click()
  await expect(detail).toHaveCount(0)
  await grid.getByText('audited.task').click()
  await expect(detail).toContainText('ada (Super administrator)')
  await expect(detail.getByRole('definition').filter({ hasText: /^(Session|API key #)/ })).toBeVisible()
  await expect(detail.getByText('After', { exact: true })).toBeVisible()
  await expect(detail.getByText('Before', { exact: true })).toHaveCount(0)
  await detail.getByRole('button', { name: 'Show all for this record' }).click()
  await expect(page).toHaveURL(new RegExp(`entity=task&entity_id=${task.id}`))
  await expect(page.getByText('1 record', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Verify log' }).click()
  await expect(page.getByText(/Log verified: .* intact and complete/)).toBeVisible()
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export filtered records' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { operation: 'createTask', entity_id: task.id },
  ])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page).toHaveURL(/\/audit(\?record=\d+)?$/)
})

test('the audit log is read from its beginning, and its address keeps the order', async ({ page, api }) => {
  for (const name of ['ordered.first', 'ordered.second']) await api(createTask, { body: { yaml_content: yaml(name) } })
  await page.goto('/audit?operation=createTask&q=ordered')
  const names = page.getByRole('grid', { name: 'Audit' }).getByText(/^ordered\./)
  await expect(names).toHaveText(['ordered.second', 'ordered.first'])
  await page.getByRole('button', { name: 'Sort by Time' }).click()
  await expect(names).toHaveText(['ordered.first', 'ordered.second'])
  await expect(page).toHaveURL(/sort=at&order=asc/)
  await page.reload()
  await expect(names).toHaveText(['ordered.first', 'ordered.second'])
})

test('a sign-in that failed is there with the name that was given', async ({ page, server }) => {
  await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { origin: server.url, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'mallory', password: 'not the password' }),
  })
  await page.goto('/audit?operation=login&outcome=refused')
  await expect(page.getByRole('grid', { name: 'Audit' }).getByText('mallory').first()).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search audit log' }).fill('nobody of that name')
  await expect(
    page.getByText('No records match “nobody of that name” and these filters', { exact: true }),
  ).toBeVisible()
})

test('the end of a cut name is moved to its ellipsis, however wide the letter that had no room', async ({
  page,
  api,
}) => {
  const name = 'Daily flights of every carrier in the year of 2026, with delays by airport and by month'
  await api(createConnector, { body: { name, type: 'sqlite', config: { path: '/tmp/never.db' } } })
  await page.goto('/audit')
  const cut = page.getByRole('grid').getByText(name, { exact: true }).first().locator('..')
  const moved = () =>
    cut.evaluate((element) => {
      const [, head, tail] = [...element.children]
      if (!head || !tail || head.scrollWidth <= head.clientWidth) return Number.NaN
      return head.getBoundingClientRect().right - tail.getBoundingClientRect().left
    })
  const seen = new Set<number>()
  for (const width of [1200, 1205, 1210]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(moved).toBeGreaterThanOrEqual(0)
    seen.add(await moved())
  }
  expect(Math.max(...seen)).toBeGreaterThan(0)
  expect(Math.max(...seen)).toBeLessThan(16)
})

test('the end of a path in fixed-width type covers nothing of its ellipsis', async ({ page, api }) => {
  const path = '/srv/headgate/reports/every-airline-and-airport-of-the-year-of-2026/by-month-and-carrier/flights.db'
  await api(createConnector, { body: { name: 'far', type: 'sqlite', config: { path } } })
  await page.goto('/connectors')
  const cut = page.getByRole('grid').getByText(path, { exact: true }).first().locator('..')
  const moved = () =>
    cut.evaluate((element) => {
      const [, head, tail] = [...element.children]
      if (!head || !tail || head.scrollWidth <= head.clientWidth) return Number.NaN
      return head.getBoundingClientRect().right - tail.getBoundingClientRect().left
    })
  // As many letters as fit, so that none is cut.
  await expect.poll(moved).toBeLessThan(1.1)
})
