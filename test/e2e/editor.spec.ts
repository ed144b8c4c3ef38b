import type { Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { previewTask } from '../../src/contract/task-preview.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, type BuiltServer, expect, expectAccessible, test } from '../support/e2e.ts'

/** Slots are called like the connectors, which are thereby chosen. */
const yamlOf = (name: string, slot: string) => `etl: 1
kind: pipeline
name: ${name}
connectors:
  ${slot}: {type: file, access: read}
  db: {types: [sqlite], access: write}
source:
  connector: ${slot}
  files: {glob: "cities.csv"}
steps:
  - filter: inhabitants >= 100000
  - derive:
      millions: inhabitants / 1000000.0
target:
  connector: db
  table: cities
  mode: replace
`

async function cities(api: Api, server: Pick<BuiltServer, 'filesDir'>, name: string, environment = 'development') {
  const root = join(server.filesDir, name)
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'cities.csv'), 'city,inhabitants\nBerlin,3677472\nBonn,331885\nSylt,18189\n')
  const body = { name, type: 'file', config: { root }, environment: environment as 'development' } as const
  return api(createConnector, { body })
}

const editor = (page: Page) => page.getByRole('textbox', { name: /YAML of the task/ })
const lineWith = (page: Page, text: string) => page.locator('.cm-line', { hasText: text })
const stage = (page: Page, name: RegExp) => page.getByRole('tablist', { name: 'Stages' }).getByRole('tab', { name })
const rows = (page: Page) => page.getByRole('grid', { name: /Rows after/ })

async function erase(page: Page, letters: number) {
  for (let left = letters; left > 0; left -= 1) await page.keyboard.press('Backspace')
}

/** Puts the caret at the end of a line. */
async function caretBehind(page: Page, line: string) {
  await lineWith(page, line).click()
  await page.keyboard.press('End')
}

test('the rows are in view when a task is opened, and follow what is typed and where the caret is', async ({
  page,
  api,
  server,
}) => {
  await cities(api, server, 'live_files')
  const task = await api(createTask, { body: { yaml_content: yamlOf('live.rows', 'live_files') } })
  await page.goto(`/tasks/${task.id}`)
  await expect(stage(page, /source/)).toContainText('3 rows')
  await caretBehind(page, '- filter')
  await expect(stage(page, /1 filter/)).toHaveAttribute('aria-selected', 'true')
  await expect(rows(page)).not.toContainText('Sylt')
  // Nobody presses anything: the smaller bound lets a row more through.
  await erase(page, 5)
  await expect(stage(page, /1 filter/)).toContainText('3 rows')
  await expect(rows(page)).toContainText('Sylt')
  await caretBehind(page, 'mode: replace')
  await expect(stage(page, /2 derive/)).toHaveAttribute('aria-selected', 'true')
  const changes = page.getByRole('note', { name: 'Column changes in this step' })
  await expect(changes).toContainText(/\+\s*1 column added: millions \(/)
  await expect(page.getByTitle('Added by this step')).toContainText('millions')
  await expectAccessible(page)
})

test('a comment or another target asks for no new rows', async ({ page, api, server }) => {
  await cities(api, server, 'quiet_files')
  const task = await api(createTask, { body: { yaml_content: yamlOf('live.quiet', 'quiet_files') } })
  let asked = 0
  page.on('request', (request) => (asked += request.url().endsWith(previewTask.path) ? 1 : 0))
  await page.goto(`/tasks/${task.id}`)
  await expect(stage(page, /source/)).toContainText('3 rows')
  await caretBehind(page, 'table: cities')
  await page.keyboard.type('_new # soon')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  // The next change does ask, so all that came before it has had its time.
  await caretBehind(page, '- filter')
  await page.keyboard.press('Backspace')
  await expect(stage(page, /1 filter/)).toContainText('3 rows')
  expect(asked).toBe(2)
})

test('an error of a step is underlined in the text and mended by one click', async ({ page, api, server }) => {
  await cities(api, server, 'error_files')
  const yaml = yamlOf('live.error', 'error_files').replace('inhabitants / 1', 'inhabitnts / 1')
  const task = await api(createTask, { body: { yaml_content: yaml } })
  await page.goto(`/tasks/${task.id}`)
  await expect(stage(page, /2 derive/)).toContainText('Error')
  await expect(page.locator('.cm-lintRange-error')).toHaveText('inhabitnts')
  await page.locator('.cm-lintRange-error').hover()
  const tooltip = page.locator('.cm-tooltip-lint')
  await expect(tooltip).toContainText('Did you mean inhabitants?')
  await tooltip.getByRole('button', { name: /Replace with inhabitants/ }).click()
  await expect(stage(page, /2 derive/)).toContainText('2 rows')
  await expect(page.locator('.cm-lintRange-error')).toHaveCount(0)
})

test('a misspelt key is mended from the list of problems and from the keyboard', async ({ page, api, server }) => {
  await cities(api, server, 'key_files')
  const task = await api(createTask, { body: { yaml_content: yamlOf('live.key', 'key_files') } })
  await page.goto(`/tasks/${task.id}`)
  await expect(stage(page, /source/)).toContainText('3 rows')
  await caretBehind(page, 'mode: replace')
  await erase(page, 7)
  await page.keyboard.type('replac')
  await page.keyboard.press('Escape')
  // Rows from before stay in sight while the text is broken.
  await expect(page.getByText('Last valid preview')).toBeVisible()
  await expect(page.getByRole('button', { name: '1 problem to fix' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run version 1', exact: true })).toBeVisible()
  await expect(rows(page)).toBeVisible()
  await expect(page.locator('.cm-lintRange-error')).toHaveText('replac')
  await page.keyboard.press('Control+.')
  await expect(lineWith(page, 'mode:')).toHaveText(/mode: replace$/)
  await page.keyboard.press('Control+z')
  await page.getByRole('tab', { name: /Problems/ }).click()
  await expect(page.locator('.cm-lintRange-error')).toHaveText('replac')
  // Its line is deleted and brought back before the text is checked: the same problem stands in the list, and has its mark.
  await lineWith(page, 'mode:').click()
  await page.keyboard.press('Control+Shift+k')
  await page.keyboard.press('Control+z')
  await expect(lineWith(page, 'mode:')).toHaveText(/mode: replac$/)
  await expect(page.locator('.cm-lintRange-error')).toHaveText('replac')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Replace with replace' }).click()
  await expect(page.getByText('No problems')).toBeVisible()
})

test('completion knows the columns of the step before and the files behind the connector', async ({
  page,
  api,
  server,
}) => {
  await cities(api, server, 'known_files')
  const task = await api(createTask, { body: { yaml_content: yamlOf('live.known', 'known_files') } })
  await page.goto(`/tasks/${task.id}`)
  await expect(stage(page, /2 derive/)).toContainText('2 rows')
  const offered = page.locator('.cm-tooltip-autocomplete')
  await caretBehind(page, '- filter')
  await page.keyboard.type(' AND inh')
  await expect(offered).toContainText('inhabitants')
  await expect(offered).toContainText('integer')
  await page.keyboard.press('Escape')
  await page.keyboard.type(' AND date_tr')
  await expect(offered).toContainText('date_trunc')
  await page.keyboard.press('Escape')
  await erase(page, ' AND inh AND date_tr'.length)
  await caretBehind(page, 'glob:')
  await page.keyboard.press('ArrowLeft')
  await erase(page, 5)
  await page.keyboard.press('Control+ ')
  await expect(offered).toContainText('cities.csv')
})

test('production is read only when somebody says so; live can be turned off', async ({ page, api, server }) => {
  await cities(api, server, 'precious_files', 'production')
  const task = await api(createTask, { body: { yaml_content: yamlOf('live.precious', 'precious_files') } })
  await page.goto(`/tasks/${task.id}`)
  await expect(page.getByText('This task reads from production. Select Preview to run it.')).toBeVisible()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(stage(page, /1 filter/)).toContainText('2 rows')
  await page.getByRole('switch', { name: 'Live' }).press('Space')
  await caretBehind(page, '- filter')
  await page.keyboard.press('Backspace')
  await expect(page.getByText('The YAML has changed since this preview.')).toBeVisible()
  await page.getByRole('button', { name: 'Refresh preview' }).click()
  await expect(stage(page, /1 filter/)).toContainText('3 rows')
})

test('a task that shows no rows says why', async ({ page, api }) => {
  const yaml = 'etl: 1\nkind: script\nname: live.script\nscript: return 1\n'
  const task = await api(createTask, { body: { yaml_content: yaml } })
  await page.goto(`/tasks/${task.id}`)
  await expect(editor(page)).toBeVisible()
  await expect(page.getByText('No preview for tasks of kind script').first()).toBeVisible()
  await expectAccessible(page)
})

test('the gallery is searched, looked at and taken from the keyboard', async ({ page }) => {
  await page.goto('/tasks/new')
  await page.getByRole('searchbox', { name: 'Search examples' }).fill('lookup')
  const gallery = page.getByRole('listbox', { name: 'Example tasks' })
  await expect(gallery.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('textbox', { name: /YAML of “Look up columns in another source”/ })).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search examples' }).fill('')
  await expect(gallery.getByRole('option', { name: /CSV files to a table/ })).toBeVisible()
  await gallery.getByRole('option').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(gallery.getByRole('option').last()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(editor(page)).toContainText('kind:')
})

test('a text of half a million letters is read beside the window, which lives on', async ({ page, api }) => {
  test.slow()
  const rest = 'mising: 1\n'
  const remarks = '# What the next lines are for.\n'.repeat(16_000)
  const yaml = yamlOf('edit.long', 'live_files').replace('steps:\n', `${remarks}steps:\n`)
  const task = await api(createTask, { body: { yaml_content: yaml } })
  // Whatever the reading takes: until it is let go, only the window's own thread is at work.
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route(/read-task\.worker/, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`/tasks/${task.id}?side=problems`)
  await expect(page.getByText('Checking the YAML…')).toBeVisible()
  await editor(page).focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(rest)
  await expect(lineWith(page, 'mising: 1')).toBeVisible()
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  letGo()
  await expect(page.getByRole('list', { name: 'Problems' })).toContainText('mising', { timeout: 60_000 })
})
