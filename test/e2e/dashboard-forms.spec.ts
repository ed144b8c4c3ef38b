/** Forms of dashboards: what they start with, and their options before and after the template is saved. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { listDashboards } from '../../src/contract/dashboards.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { apiOf, expect, expectAccessible, test } from '../support/e2e.ts'
import { type FilledDashboard, fillDashboard } from '../support/dashboard-store.ts'

const yaml = (name: string) => `etl: 1
kind: dashboard
name: ${name}
job_template: sales
data:
  regions: {connector: dw, query: "SELECT DISTINCT region AS value, upper(region) AS label FROM sales ORDER BY region"}
  goods: {connector: dw, query: "SELECT DISTINCT product AS value, upper(product) || ' in ' || region AS label FROM sales WHERE region = :area ORDER BY product"}
widgets:
  - {id: setup, type: form, title: Order, at: [0, 0, 6, 6], fields: [{key: area, param: note, label: Area, widget: select, options_source: {data: regions}, default: eu}, {key: goods, param: regions, label: Goods, widget: multiselect, options_source: {data: goods}, default: [tea]}, {key: full, param: full, label: Load all, widget: switch, default: true}, {key: limit, param: limit, label: Limit, widget: number, default: 25}]}
  - {id: map, type: field_mapping, title: Fields, at: [6, 0, 6, 5], param: mapping, source: {options_source: {data: regions}}, target: {options_source: {data: regions}}, required: [us]}
  - {id: go, type: run_button, form: setup, label: Order now, at: [6, 5, 6, 1]}
`

let filled: FilledDashboard
test.beforeAll(async ({ server, cookie }) => {
  filled = await fillDashboard(apiOf(server, cookie), server.filesDir)
})

const fieldsOf = (page: Page) => ({
  area: page.getByRole('combobox', { name: 'Area' }),
  goods: page.getByRole('combobox', { name: 'Goods' }),
  limit: page.getByRole('textbox', { name: 'Limit' }),
  full: page.getByRole('switch', { name: 'Load all' }),
  reset: page.getByRole('button', { name: 'Reset', exact: true }),
})

test('a form starts with its defaults, keeps what is entered over a reload, and goes back to them', async ({
  page,
  api,
}) => {
  await api(createDashboardTemplate, { body: { yaml_content: yaml('sales.defaults') } })
  await page.goto(`/dashboards/${await filled.another('sales.defaults')}`)
  const form = page.getByRole('group', { name: 'Order', exact: true })
  const { area, limit, full, reset } = fieldsOf(page)
  await expect(area).toHaveValue('EU')
  await expect(form).toContainText('TEA in eu')
  await expect(limit).toHaveValue('25')
  await expect(full).toBeChecked()
  await expect(reset).toBeDisabled()
  await expectAccessible(page)

  await area.click()
  await page.getByRole('option', { name: 'US' }).click()
  await limit.fill('')
  await full.uncheck()
  await page.reload()
  await expect(area).toHaveValue('US')
  await expect(limit).toHaveValue('')
  await expect(full).not.toBeChecked()
  await expect(form).toContainText('TEA in us')

  await reset.press('Enter')
  await expect(area).toHaveValue('EU')
  await expect(limit).toHaveValue('25')
  await expect(full).toBeChecked()
  await expect(reset).toBeDisabled()
  await page.getByRole('combobox', { name: 'US' }).click()
  await page.getByRole('option', { name: 'EU' }).click()
  await page.getByRole('button', { name: 'Order now' }).click()
  const started = page.getByRole('status').filter({ hasText: 'Job run #' })
  await expect(started).toBeVisible()
  const run = Number(/\d+/.exec((await started.getByRole('link').textContent()) ?? '')?.[0])
  const given = (await api(getJobRun, { params: { id: run } })).arguments
  expect(JSON.parse(given ?? '{}')).toEqual({
    note: 'eu',
    regions: ['tea'],
    full: true,
    limit: 25,
    mapping: { us: 'eu' },
  })
})

test('forms and field mappings are used with their options before the template is saved', async ({ page, api }) => {
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: yaml('sales.tried') } })
  await page.goto(`/dashboard-templates/${id}?job=${filled.job}`)
  const board = page.getByRole('group', { name: 'Widgets of the dashboard' })
  const { area, goods } = fieldsOf(page)
  // Labels of the defaults, and all targets, before anything is chosen.
  await expect(board.locator('input[value="EU"]')).toBeVisible()
  await expect(board).toContainText('TEA in eu')
  await expect(board).toContainText('APAC')

  await board.getByRole('button', { name: /^Order, / }).focus()
  await page.getByRole('button', { name: 'Try widget' }).press('Enter')
  await expect(area).toBeFocused()
  await expectAccessible(page)
  await area.click()
  await page.getByRole('option', { name: 'US' }).click()
  await expect(board).toContainText('TEA in us')
  await goods.click()
  await expect(page.getByRole('option', { name: 'COCOA in us' })).toBeVisible()
  // The list closes first, then the widget is arranged again.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: 'COCOA in us' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(board.getByRole('button', { name: /^Order, / })).toBeFocused()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)

  // A field that is written now has its options a moment later.
  const line = page.locator('.cm-line', { hasText: 'id: map' })
  await line.click()
  // The first one goes to where the line wraps.
  for (const key of ['End', 'End', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type(
    '- {id: more, type: form, at: [0, 6, 6, 2], fields: [{key: near, param: note, label: Near, widget: select, options_source: {data: regions}, default: apac}]}',
  )
  await expect(board.locator('input[value="APAC"]')).toBeVisible()
  await expect(board.getByRole('alert')).toHaveCount(0)
})

test('a file is chosen by its name from the folder of a connector, and the job gets it', async ({
  page,
  api,
  server,
}) => {
  const root = join(server.filesDir, 'inbox')
  mkdirSync(join(root, 'june'), { recursive: true })
  for (const name of ['orders.csv', 'june/müller.csv', 'june/orders.csv']) writeFileSync(join(root, name), 'a\n1\n')
  const lake = await api(createConnector, { body: { name: 'lake', type: 'file', config: { root } } })
  const template = await api(createJobTemplate, {
    body: {
      yaml_content:
        'etl: 1\nkind: job\nname: intake\nparameters:\n  file: {type: string, default: ""}\nconnectors:\n  lake: {type: file}\ntasks:\n  load: {task: sales.load}\n',
    },
  })
  await api(createDashboardTemplate, {
    body: {
      yaml_content:
        'etl: 1\nkind: dashboard\nname: intake\njob_template: intake\ndata: {}\nwidgets:\n  - {id: setup, type: form, title: Intake, at: [0, 0, 6, 3], fields: [{key: file, param: file, label: File, widget: file, connector: lake, required: true}]}\n  - {id: go, type: run_button, form: setup, label: Take in, at: [0, 3, 6, 1]}\n',
    },
  })
  const job = await api(createJob, {
    params: { id: template.id },
    body: { name: 'intake', connector_mapping: { lake: lake.id } },
  })
  const [dashboard] = await api(listDashboards, { query: { job_id: job.id } }).then(({ result }) => result)
  await page.goto(`/dashboards/${dashboard?.id}`)
  const file = page.getByRole('combobox', { name: 'File' })
  await file.click()
  await expect(page.getByRole('option')).toHaveText(['june/müller.csv', 'june/orders.csv', 'orders.csv'])
  await file.pressSequentially('MÜL')
  await expect(page.getByRole('option')).toHaveText(['june/müller.csv'])
  await page.getByRole('option').click()
  await expect(file).toHaveValue('june/müller.csv')
  await page.getByRole('button', { name: 'Take in' }).click()
  const started = page.getByRole('status').filter({ hasText: 'Job run #' })
  await expect(started).toBeVisible()
  const run = Number(/\d+/.exec((await started.getByRole('link').textContent()) ?? '')?.[0])
  const given = (await api(getJobRun, { params: { id: run } })).arguments
  expect(JSON.parse(given ?? '{}')).toEqual({ file: 'june/müller.csv' })
})
