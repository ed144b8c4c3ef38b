import type { Page } from '@playwright/test'
import {
  archiveDashboardTemplate,
  createDashboardTemplate,
  getDashboardTemplate,
} from '../../src/contract/dashboard-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { listJobTemplates } from '../../src/contract/job-templates.ts'
import { fillDashboard } from '../support/dashboard-store.ts'
import { apiOf, expect, expectAccessible, test } from '../support/e2e.ts'

const boardYaml = (name: string) => `etl: 1
kind: dashboard
name: ${name}
job_template: sales
data:
  daily: {connector: dw, query: "SELECT day, sum(total) AS total FROM sales GROUP BY day ORDER BY day"}
widgets:
  # what people look at first
  - {id: total, type: kpi, title: Revenue, data: daily, value: total, at: [0, 0, 3, 2]}   # the figure
  - {id: trend, type: chart, title: By day, chart: line, data: daily, x: day, y: [total], at: [3, 0, 6, 3]}
  - {id: runs, type: run_list, title: Runs, at: [0, 3, 12, 2]}
`

let job = 0
test.beforeAll(async ({ server, cookie }) => {
  job = (await fillDashboard(apiOf(server, cookie), server.filesDir)).job
})

const lineWith = (page: Page, text: string) => page.locator('.cm-line', { hasText: text })
const board = (page: Page) => page.getByRole('group', { name: 'Widgets of the dashboard' })
const widget = (page: Page, name: string) => board(page).getByRole('button', { name: new RegExp(`^${name}, `) })
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('examples say that the job templates couldn’t be loaded, and load them again', async ({ page }) => {
  await page.route(/\/api\/job-templates\?/, (route) => route.fulfill({ status: 500, json: { code: 'internal' } }))
  await page.goto('/dashboard-templates/new')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load job templates' })
  await expect(failed).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Each dashboard shows one job.')).toBeHidden()
  await page.unroute(/\/api\/job-templates\?/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
})

test('the preview of an example shows the complete dashboard, above its text', async ({ page }) => {
  await page.goto('/dashboard-templates/new')
  const last = page
    .getByRole('heading', { name: 'Latest log' })
    .or(page.getByText('Latest log', { exact: true }))
    .first()
  await expect(last).toBeVisible({ timeout: 30_000 })
  const cut = await last.evaluate((element) => {
    const code = document.querySelector('.cm-editor')?.getBoundingClientRect()
    return !code || element.getBoundingClientRect().bottom > code.top
  })
  expect(cut).toBe(false)
  await expect(last).toBeInViewport({ ratio: 1 })
})

test('a dashboard is made from an example, broken, mended, arranged, saved, and opened in a job, without a mouse', async ({
  page,
  api,
}) => {
  await page.goto('/dashboard-templates')
  await expect(page.getByRole('grid', { name: 'Dashboard templates' })).toContainText('sales.overview')
  await expectAccessible(page)
  await page.keyboard.press('c')
  const examples = page.getByRole('listbox', { name: 'Example dashboard templates' })
  await examples.getByRole('option', { name: /Job health/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('heading', { name: 'Database metrics with filters' })).toBeVisible()
  // Its tables may not be there.
  await expect(page.getByText('Layout only, without data.')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  // It is for the job template that is there, and shows what its job has.
  await expect(board(page)).toContainText('Succeeded')
  await expect(page.getByText('job_template: sales')).toBeVisible()
  await expect(widget(page, 'Task success rate')).toBeVisible()
  await expect(widget(page, 'Latest log')).toBeVisible()
  // What it is for and its time window share a row; what it is about stands in the list alone.
  await expect(page.getByRole('search').filter({ hasText: 'For job template' })).toContainText('Time window')
  await expect(page.getByLabel('Time window')).toBeEnabled()
  await expectAccessible(page)
  await page.keyboard.press('ControlOrMeta+Enter')

  const editor = page.getByRole('textbox', { name: /Dashboard template YAML/ })
  await expect(editor).toContainText('name: sales.health')
  await expect(widget(page, 'Last job run')).toBeVisible()
  await expect(board(page)).toContainText('Succeeded')

  await page.keyboard.press('e')
  await expect(editor).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('oops: 1')
  await expect(page.getByText('The YAML has errors. This is how the dashboard looked before them.')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+s')
  const problems = page.getByRole('list', { name: 'Problems' })
  await expect(problems).toContainText('oops')
  await expect(problems).toContainText('column 1')
  for (let letter = 0; letter < 'oops: 1'.length; letter += 1) await page.keyboard.press('Backspace')
  await expect(page.getByText('No problems', { exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Dashboard' }).focus()
  await page.keyboard.press('Enter')

  // Widgets stay where they are until the YAML without errors was read.
  await expect(widget(page, 'Latest log')).not.toHaveAttribute('data-fixed')
  await widget(page, 'Latest log').focus()
  await page.keyboard.press('ArrowDown')
  await expect(lineWith(page, 'id: log')).toContainText('at: [0, 7, 12, 3]')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page).toHaveURL(/\/dashboard-templates\/\d+$/)
  await expect(page.getByText('Dashboard template created')).toBeVisible()

  await widget(page, 'Latest log').focus()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(lineWith(page, 'id: log')).toContainText('at: [0, 7, 12, 4]')
  await page.keyboard.press('ControlOrMeta+s')
  const saving = page.getByRole('dialog', { name: /Save sales\.health/ })
  await expect(saving).toBeVisible()
  await expectAccessible(page)
  await saving.getByRole('textbox', { name: 'Change summary' }).fill('A taller log')
  await saving.getByRole('button', { name: 'Save as version 2' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Saved as version 2')).toBeVisible()

  // A job that is made now gets it.
  const template = (await api(listJobTemplates, { query: { q: 'sales' } })).result[0]?.id ?? 0
  const first = await api(createJob, {
    params: { id: template },
    body: { name: 'sales weekly', connector_mapping: { dw: 1 } },
  })
  await page.goto(`${new URL(page.url()).pathname}/dashboards`)
  const made = page.getByRole('grid', { name: 'Dashboards from this template' })
  await expect(made.getByRole('row', { name: /sales\.health/ })).toContainText('sales weekly')
  await expectAccessible(page)
  await page.goto(`/jobs/${first.id}`)
  await page.getByLabel('Job details').getByRole('link', { name: 'sales.health' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('sales.health')
  await expect(page.getByRole('group', { name: 'Latest log', exact: true })).toBeVisible()
})

test('the caret marks the widget, the widget selects its text, and both move together', async ({ page, api }) => {
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: boardYaml('sales.both') } })
  await page.goto(`/dashboard-templates/${id}`)
  await expect(board(page)).toContainText('3,583.75')
  await expect(page.getByRole('link', { name: 'Create job…' })).toHaveAttribute('href', /new=yes/)
  await expect(page.getByText('Select a widget to move')).toBeVisible()
  await lineWith(page, 'id: trend').click()
  await expect(page.getByText('Delete: remove')).toBeVisible()
  await expect(widget(page, 'By day')).toHaveAttribute('aria-pressed', 'true')
  await widget(page, 'Revenue').click()
  await expect(widget(page, 'Revenue')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('.cm-activeLine')).toContainText('id: total')
  await expect(said(page, 'total: column 1, row 1, 3 × 2')).toBeVisible()
  // Enter goes where the text is.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /Dashboard template YAML/ })).toBeFocused()
  await page.goto(`/dashboard-templates/${id}?widget=runs`)
  await expect(widget(page, 'Runs')).toHaveAttribute('aria-pressed', 'true')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('widgets are moved and resized by keys and by mouse, never onto each other, and the rest of the text stays', async ({
  page,
  api,
}) => {
  const yaml = boardYaml('sales.moved')
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: yaml } })
  await page.goto(`/dashboard-templates/${id}`)
  const total = widget(page, 'Revenue')
  await total.focus()
  // Past the chart, whatever its width.
  await page.keyboard.press('ArrowRight')
  await expect(lineWith(page, 'id: total')).toContainText('at: [9, 0, 3, 2]}   # the figure')
  await expect(total).toHaveAccessibleName('Revenue, KPI: column 10, row 1, 3 × 2')
  await page.keyboard.press('ArrowRight')
  await expect(said(page, 'The grid ends here.')).toBeVisible()
  await widget(page, 'By day').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await expect(said(page, 'trend can’t overlap total.')).toBeVisible()
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(lineWith(page, 'id: trend')).toContainText('at: [3, 0, 4, 3]')
  // Undo takes back one step at a time.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(lineWith(page, 'id: trend')).toContainText('at: [3, 0, 5, 3]')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(lineWith(page, 'id: trend')).toContainText('at: [3, 0, 6, 3]')

  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
    await page.mouse.move(to.x, to.y)
    await page.mouse.up()
  }
  const boxOf = async (name: string) => (await widget(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const chart = await boxOf('By day')
  const column = chart.width / 6
  const middle = { x: chart.x + chart.width / 2, y: chart.y + 20 }
  await drag(middle, { x: middle.x - 3 * column, y: middle.y })
  await expect(lineWith(page, 'id: trend')).toContainText('at: [0, 0, 6, 3]')
  // Onto the list of runs: it stays.
  await drag({ x: chart.x, y: middle.y }, { x: chart.x, y: middle.y + chart.height })
  await expect(said(page, 'trend can’t overlap runs.')).toBeVisible()
  await expect(lineWith(page, 'id: trend')).toContainText('at: [0, 0, 6, 3]')
  const now = await boxOf('By day')
  const corner = { x: now.x + now.width - 5, y: now.y + now.height - 5 }
  await drag(corner, { x: corner.x - 2 * column, y: corner.y - now.height / 3 })
  await expect(lineWith(page, 'id: trend')).toContainText('at: [0, 0, 4, 2]')

  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('dialog').getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2')).toBeVisible()
  const saved = await api(getDashboardTemplate, { params: { id } })
  expect(saved.yaml_content).toBe(yaml.replace('[0, 0, 3, 2]', '[9, 0, 3, 2]').replace('[3, 0, 6, 3]', '[0, 0, 4, 2]'))
})

test('rows come from the chosen job, and without one each widget says what it will be', async ({ page, api }) => {
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: boardYaml('sales.rows') } })
  await page.goto(`/dashboard-templates/${id}?job=${job}`)
  await expect(board(page)).toContainText('3,583.75')
  const picker = page.getByRole('combobox', { name: 'Preview with' })
  await expect(picker).toHaveValue('sales daily')
  await picker.click()
  await page.getByRole('option', { name: 'No data' }).click()
  await expect(board(page)).toContainText('Line chart')
  await expect(board(page)).not.toContainText('3,583.75')
  await api(archiveDashboardTemplate, { params: { id } })
  await expect(page.getByText('This dashboard template is archived.', { exact: false })).toBeVisible()
})

test('a dashboard template is found by its name', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+p')
  await page.keyboard.type('sales.over')
  const palette = page.getByRole('dialog', { name: 'Open anything' })
  await palette.getByRole('button').filter({ hasText: 'Dashboard template' }).click()
  await expect(page).toHaveURL(/\/dashboard-templates\/\d+$/)
})

test('an upgrade of a job shows what its dashboards become, and the job then has them', async ({ page, api }) => {
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: boardYaml('sales.added') } })
  await page.goto(`/jobs/${job}`)
  const facts = page.getByLabel('Job details')
  await expect(facts.getByRole('link', { name: 'sales.overview' })).toBeVisible()
  await expect(facts.getByRole('link', { name: 'sales.added' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Upgrade…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: 'Dashboards' })).toBeVisible()
  const added = dialog.getByRole('button', { name: /sales\.added.*new/i })
  if ((await added.getAttribute('aria-expanded')) === 'false') await added.click()
  await expect(dialog).toContainText('what people look at first')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Upgrade job', exact: true }).click()
  await expect(page.getByText('Job upgraded')).toBeVisible()
  await expect(facts.getByRole('link', { name: 'sales.added' })).toBeVisible()
  await api(archiveDashboardTemplate, { params: { id } })
})

test('widgets are added and removed beside the YAML, by mouse and by keys, and undone', async ({ page, api }) => {
  const yaml = boardYaml('sales.widgets')
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: yaml } })
  await page.goto(`/dashboard-templates/${id}`)
  await page.getByRole('button', { name: 'Add widget' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Table' }).press('Enter')
  await expect(lineWith(page, 'id: table')).toContainText('{id: table, type: table, data: daily, at: [0, 5, 6, 4]}')
  await expect(widget(page, 'table')).toHaveAttribute('aria-pressed', 'true')
  await expect(said(page, 'table: column 1, row 6, 6 × 4')).toBeVisible()
  await page.getByRole('button', { name: 'Add widget' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  await expect(widget(page, 'text')).toBeVisible()
  await page.getByRole('button', { name: 'Remove widget' }).click()
  await expect(widget(page, 'text')).toHaveCount(0)
  await widget(page, 'table').focus()
  await page.keyboard.press('Delete')
  await expect(widget(page, 'table')).toHaveCount(0)
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await widget(page, 'Runs').focus()
  await page.keyboard.press('Delete')
  await expect(lineWith(page, 'id: runs')).toHaveCount(0)
  await widget(page, 'Revenue').focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(lineWith(page, 'id: runs')).toHaveCount(1)
  await expectAccessible(page)
})

test('keys and names are offered while typing, keys are explained, and unsaved text survives a reload', async ({
  page,
  api,
}) => {
  const { id } = await api(createDashboardTemplate, { body: { yaml_content: boardYaml('sales.typed') } })
  await page.goto(`/dashboard-templates/${id}`)
  const offers = page.locator('.cm-tooltip-autocomplete')
  await lineWith(page, 'id: runs').click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('- {id: more, type: ')
  await expect(offers).toContainText('field_mapping')
  await page.keyboard.type('table, data: ')
  await page.keyboard.press('ControlOrMeta+Space')
  await expect(offers).toContainText('daily')
  await page.keyboard.press('Escape')
  await page.keyboard.type('daily, at: [0, 5, 6, 4]}')
  await expect(widget(page, 'more')).toBeVisible()
  await lineWith(page, 'job_template').getByText('job_template').hover()
  await expect(page.locator('.cm-tooltip-hover')).toContainText('job template', { ignoreCase: true })
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await expect(lineWith(page, 'id: more')).toHaveCount(1)
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(lineWith(page, 'id: more')).toHaveCount(0)
})
