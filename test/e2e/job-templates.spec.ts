import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { createJobTemplate, getJobTemplate } from '../../src/contract/job-templates.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, type BuiltServer, expect, expectAccessible, test } from '../support/e2e.ts'

const taskYaml = (name: string) => `etl: 1
kind: pipeline
name: ${name}
description: Loads ${name}
connectors:
  files: {type: file}
  db: {types: [sqlite, duckdb], access: write}
args:
  day: {type: date, required: true}
source:
  connector: files
  files: {glob: "*.csv"}
steps: []
target: {connector: db, table: t, mode: replace}
`
const node = (key: string, task: string, ...after: string[]) => `  ${key}:
    task: ${task}
${after.length > 0 ? `    depends_on: [${after.join(', ')}]\n` : ''}    connectors: {files: files, db: dw}
    args: {day: "\${{ parameters.day }}"}
`
const head = (name: string) => `etl: 1
kind: job
name: ${name}
parameters:
  day: {type: date, default: "\${{ run.logical_date }}"}
connectors:
  files: {type: file}
  dw: {type: sqlite}
tasks:
`

/** Tasks `<prefix>.orders` and `<prefix>.daily`, and a template in which daily waits for orders. */
async function nightly(api: Api, prefix: string) {
  for (const name of ['orders', 'daily', 'extra']) {
    await api(createTask, { body: { yaml_content: taskYaml(`${prefix}.${name}`) } })
  }
  const yaml = `${head(`${prefix}.nightly`)}${node('orders', `${prefix}.orders`)}${node('daily', `${prefix}.daily`, 'orders')}`
  return api(createJobTemplate, { body: { yaml_content: yaml } })
}

async function connectors(api: Api, server: Pick<BuiltServer, 'filesDir'>, prefix: string) {
  const root = join(server.filesDir, prefix)
  mkdirSync(root, { recursive: true })
  await api(createConnector, { body: { name: 'files', type: 'file', config: { root } } })
  await api(createConnector, { body: { name: 'dw', type: 'sqlite', config: { path: join(root, 'dw.db') } } })
}

const editor = (page: Page) => page.getByRole('textbox', { name: /Job template YAML/ })
const lineWith = (page: Page, text: string) => page.locator('.cm-line', { hasText: text })
const graph = (page: Page) => page.getByRole('application')
const inGraph = (page: Page, key: string) => page.locator(`[data-node="${key}"]`)
const palette = (page: Page) => page.getByRole('region', { name: 'Add tasks' })

async function caretAtEnd(page: Page, line: string) {
  await lineWith(page, line).click()
  await page.keyboard.press('End')
}

test('the caret chooses the task in the graph, the graph shows it in the text, by mouse and by keys', async ({
  page,
  api,
}) => {
  const template = await nightly(api, 'both')
  await page.goto(`/job-templates/${template.id}`)
  await lineWith(page, 'task: both.daily').click()
  await expect(inGraph(page, 'daily')).toHaveAttribute('aria-pressed', 'true')
  await inGraph(page, 'orders').click()
  await expect(inGraph(page, 'orders')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('.cm-activeLine')).toContainText('orders:')
  // Down along the arrow, and taken by Enter.
  await graph(page).press('ArrowDown')
  await expect(inGraph(page, 'orders')).toHaveAttribute('aria-pressed', 'true')
  await graph(page).press('Enter')
  await expect(inGraph(page, 'daily')).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('.cm-activeLine')).toContainText('daily:')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('what only the server knows is underlined, marks the task, and is mended by one click', async ({ page, api }) => {
  const template = await nightly(api, 'wrong')
  await page.goto(`/job-templates/${template.id}`)
  await caretAtEnd(page, 'task: wrong.daily')
  await page.keyboard.type('x')
  await expect(inGraph(page, 'daily')).toContainText('There is no task wrong.dailyx')
  await expect(page.locator('.cm-lintRange-error')).toContainText('wrong.dailyx')
  // Saving leads to what is to be mended.
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByRole('button', { name: 'Replace with wrong.daily' }).click()
  await expect(page.getByText('No problems')).toBeVisible()
  await page.getByRole('tab', { name: 'Graph' }).click()
  await expect(inGraph(page, 'daily')).toContainText('wrong.daily')
})

test('a task is added by a click, or dropped on the one that it waits for', async ({ page, api }) => {
  const template = await nightly(api, 'add')
  await page.goto(`/job-templates/${template.id}`)
  await page.getByRole('button', { name: 'Add task' }).click()
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('add.extra')
  const extra = palette(page).getByRole('button', { name: /add\.extra/ })
  await extra.click()
  await expect(inGraph(page, 'extra')).toHaveAttribute('aria-pressed', 'true')
  await expect(editor(page)).toContainText('args: {day: "${{ parameters.day }}"}')
  await extra.dragTo(inGraph(page, 'daily'))
  await expect(inGraph(page, 'extra_2')).toBeVisible()
  await expect(editor(page)).toContainText('depends_on: [daily]')
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('gate')
  await palette(page).getByRole('button', { name: /Gate/ }).dragTo(inGraph(page, 'extra_2'))
  await expect(inGraph(page, 'gate')).toContainText('Continue?')
  // What was added is right as it stands: it can be saved at once.
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Change summary').fill('Two more and a gate')
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByText('Saved as version 2')).toBeVisible()
  const saved = await api(getJobTemplate, { params: { id: template.id } })
  expect(saved.task_count).toBe(5)
  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('row', { name: /v1/ }).click()
  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click()
  await expect(page.getByText('Version 1 restored as version 3')).toBeVisible()
})

test('names of tasks, and the arguments of the one that is named, are offered while typing', async ({ page, api }) => {
  await nightly(api, 'offer')
  await page.goto('/job-templates/new?sample=blank')
  // Untouched: there is nothing that could be lost, and what is missing is neither counted nor marked until it is asked for.
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await expect(page.getByText('No tasks yet')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Problems' })).toHaveText('Problems')
  await expect(page.locator('.cm-lintRange')).toHaveCount(0)
  await page.getByRole('tab', { name: 'Problems' }).click()
  await expect(page.getByRole('tab', { name: 'Problems' })).toContainText('2')
  await expect(page.locator('.cm-lintRange')).not.toHaveCount(0)
  await page.getByRole('tab', { name: 'Graph' }).click()
  await expect(page.getByRole('tab', { name: 'Problems' })).toContainText('2')
  await caretAtEnd(page, 'name:')
  const offers = page.locator('.cm-tooltip-autocomplete')
  await page.keyboard.type('offered')
  await page.keyboard.press('Escape')
  // What it starts with holds the tasks; each line keeps the indent of the one before.
  await caretAtEnd(page, 'tasks:')
  await page.keyboard.press('Enter')
  await page.keyboard.type('  a:')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await page.keyboard.type('  task: offer.')
  await expect(offers).toContainText('offer.daily')
  await page.keyboard.type('ex')
  await expect(offers).not.toContainText('offer.daily')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(offers).toContainText('offer.daily')
  await offers.getByText('offer.extra', { exact: true }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.type('args: {')
  await page.keyboard.press('ControlOrMeta+Space')
  await expect(offers).toContainText('day')
})

test('a job is made from the template: connectors by type, parameters, and what is wrong said beside it', async ({
  page,
  api,
  server,
}) => {
  await connectors(api, server, 'make')
  const template = await nightly(api, 'make')
  await page.goto(`/job-templates/${template.id}`)
  await page.getByRole('button', { name: 'Create job…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('SQLite · writes')).toBeVisible()
  await dialog.getByLabel('day').fill('yesterday')
  await dialog.getByLabel('Job name').fill('')
  await dialog.getByRole('button', { name: 'Create job' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Job name').fill('make.nightly')
  await dialog.getByLabel('day').fill('2026-03-01')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create job' }).click()
  await expect(page).toHaveURL(/\/jobs\/\d+/)
  await page.goto(`/job-templates/${template.id}/jobs`)
  await expect(page.getByRole('grid', { name: 'Jobs from this template' })).toContainText('make.nightly')
  // A second of the same name is refused, and the name says so.
  await page.getByRole('button', { name: 'Create job…' }).click()
  await dialog.getByLabel('Job name').fill('make.nightly')
  await dialog.getByRole('button', { name: 'Create job' }).click()
  await expect(dialog.getByRole('alert').or(dialog.locator('.mantine-InputWrapper-error')).first()).toContainText(
    'make.nightly',
  )
})

test('a ready template brings the tasks that it ties together', async ({ page }) => {
  await page.goto('/job-templates')
  await page
    .getByRole('link', { name: 'Create job template' })
    .or(page.getByRole('button', { name: 'Create job template' }))
    .first()
    .click()
  await expect(page.getByRole('list', { name: 'Tasks' })).toContainText('Will be created from an example')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use this example' }).click()
  await expect(page.getByText(/\d tasks created from examples/)).toBeVisible()
  await expect(page.locator('[data-node]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Create job template' }).click()
  await expect(page).toHaveURL(/\/job-templates\/\d+$/)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive job template' }).click()
  await expect(page.getByText('Restore it to create jobs from it').first()).toBeVisible()
})

test('five hundred tasks: only those in view are drawn, and one is found by its address', async ({ page, api }) => {
  await api(createTask, { body: { yaml_content: taskYaml('many.one') } })
  const tasks = Array.from({ length: 500 }, (_, at) =>
    node(`t${at}`, 'many.one', ...(at === 0 ? [] : [`t${Math.floor((at - 1) / 3)}`])),
  )
  const template = await api(createJobTemplate, { body: { yaml_content: head('many.nightly') + tasks.join('') } })
  await page.goto(`/job-templates/${template.id}?node=t222`)
  await expect(inGraph(page, 't222')).toBeInViewport({ timeout: 30_000 })
  await expect(inGraph(page, 't222')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => page.locator('[data-node]').count()).toBeLessThan(60)

  // A node that was pressed and is then out of sight is still where the keys are.
  const pane = await graph(page).boundingBox()
  if (!pane) throw new Error('The graph is not to be seen')
  await inGraph(page, 't222').hover()
  await page.mouse.down()
  await page.mouse.move(pane.x - 200, pane.y + pane.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(inGraph(page, 't222')).not.toBeInViewport()
  await expect(graph(page)).toBeFocused()
  const id = await inGraph(page, 't222').getAttribute('id')
  await expect(graph(page)).toHaveAttribute('aria-activedescendant', id ?? '')
  await page.keyboard.press('ArrowUp')
  await expect(inGraph(page, 't73')).toBeInViewport()
  await expect(inGraph(page, 't73')).toHaveAttribute('data-active', 'true')

  await page.getByRole('button', { name: 'Fit to view' }).click()
  await expect(page.locator('[data-node]')).toHaveCount(500)
})
