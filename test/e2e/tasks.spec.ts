import type { Page } from '@playwright/test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector, listConnectors } from '../../src/contract/connectors.ts'
import { archiveTask, createTask, getTask, listTasks, updateTask } from '../../src/contract/tasks.ts'
import { listUploads } from '../../src/contract/uploads.ts'
import { type Api, type BuiltServer, expect, expectAccessible, test } from '../support/e2e.ts'

const yamlOf = (name: string) => `etl: 1
kind: pipeline
name: ${name}
description: Cities that are large
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite], access: write}
args:
  smallest: {type: integer, default: 100000, description: Inhabitants at least}
source:
  connector: files
  files: {glob: "cities.csv"}
steps:
  - cast: {inhabitants: integer}
  - filter: inhabitants >= :smallest
  - derive:
      millions: inhabitants / 1000000.0
target:
  connector: db
  table: cities
  mode: replace
`

async function connectors(api: Api, server: Pick<BuiltServer, 'filesDir'>, suffix: string) {
  const root = join(server.filesDir, `files-${suffix}`)
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'cities.csv'), 'city,inhabitants\nBerlin,3677472\nBonn,331885\nSylt,18189\n')
  const files = await api(createConnector, { body: { name: `Files ${suffix}`, type: 'file', config: { root } } })
  const db = await api(createConnector, {
    body: { name: `Database ${suffix}`, type: 'sqlite', config: { path: join(root, 'cities.db') } },
  })
  return { files, db }
}

const editor = (page: Page) => page.getByRole('textbox', { name: /YAML of the task/ })
const lineWith = (page: Page, text: string) => page.locator('.cm-line', { hasText: text })

/** Puts the caret at the end of a line and types. */
async function typeBehind(page: Page, line: string, text: string) {
  await lineWith(page, line).click()
  await page.keyboard.press('End')
  await page.keyboard.type(text)
}

/** They open by themselves where something is missing, and that only once the connectors are known. */
async function openInputs(page: Page) {
  const first = page.getByRole('combobox', { name: 'files' })
  await expect(async () => {
    if (!(await first.isVisible())) await page.getByRole('button', { name: 'Connectors and arguments' }).click()
    await expect(first).toBeVisible({ timeout: 1000 })
  }).toPass()
}

test.describe('the list of tasks', () => {
  test('is searched, narrowed by tag, and keeps both in the address', async ({ page, api }) => {
    await api(createTask, { body: { yaml_content: yamlOf('list.north'), tags: ['winter'] } })
    await api(createTask, { body: { yaml_content: yamlOf('list.south'), tags: ['summer'] } })
    await page.goto('/tasks')
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('list.')
    await expect(page.getByRole('grid', { name: 'Tasks' }).getByText('list.north')).toBeVisible()
    await page.getByRole('button', { name: 'winter' }).click()
    await expect(page.getByText('list.south')).toBeHidden()
    await expect(page).toHaveURL(/q=list\.&tag=winter|tag=winter&q=list\./)
    await page.reload()
    await expect(page.getByText('list.north')).toBeVisible()
    await expect(page.getByText('list.south')).toBeHidden()
    await expectAccessible(page)
  })

  test('shows archived tasks apart', async ({ page, api }) => {
    const task = await api(createTask, { body: { yaml_content: yamlOf('list.archived') } })
    await api(archiveTask, { params: { id: task.id } })
    await page.goto('/tasks?q=list.archived')
    await expect(page.getByText('No tasks match')).toBeVisible()
    await page.getByRole('radiogroup', { name: 'Active or archived' }).getByText('Archived').click()
    await page.getByText('list.archived', { exact: true }).click()
    await expect(page.getByText('This task is archived')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  })
})

test.describe('a new task', () => {
  test('starts from the gallery, is checked while it is typed, and is created', async ({ page }) => {
    await page.goto('/tasks/new')
    const gallery = page.getByRole('listbox', { name: 'Example tasks' })
    await gallery.getByRole('option', { name: /Inline rows/ }).click()
    await expect(page.getByRole('textbox', { name: 'YAML of “Inline rows”' })).toContainText('try.inline')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use this example' }).click()
    await expect(editor(page)).toContainText('try.inline')
    await typeBehind(page, 'mode: replace', '\nunknown_key: 1')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+s')
    const problems = page.getByRole('list', { name: 'Problems' })
    await expect(problems).toContainText('unknown_key')
    await problems.getByRole('button').first().click()
    // Typed slowly, it is taken back in more than one step.
    await expect(async () => {
      await page.keyboard.press('Control+z')
      // Nothing of it, not even its first letter on its own line.
      await expect(editor(page)).not.toContainText(/mode: replace\s*u/, { timeout: 200 })
    }).toPass()
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+$/)
    await expect(page.getByRole('heading', { level: 1, name: 'try.inline' })).toBeVisible()
  })

  test('under a taken name is refused with the reason, and the text stays', async ({ page, api }) => {
    await api(createTask, { body: { yaml_content: yamlOf('crm.contacts') } })
    await page.goto('/tasks/new?sample=web-http-cursor')
    await expect(editor(page)).toContainText('crm.contacts')
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page.getByText(/A task named "crm.contacts" already exists/)).toBeVisible()
    await expect(editor(page)).toContainText('crm.contacts')
  })
})

test.describe('the editor', () => {
  test('completes keys from the language and says what they mean', async ({ page, api }) => {
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.complete') } })
    await page.goto(`/tasks/${task.id}`)
    await typeBehind(page, '- cast', '\n')
    // The new line is indented as part of the step; one level back begins another.
    await page.keyboard.press('Backspace')
    await page.keyboard.type('- ex')
    await expect(page.locator('.cm-tooltip-autocomplete')).toContainText('expect')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Help' }).click()
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('source.files.glob')
    await expect(page.getByRole('region', { name: 'Key reference' })).toContainText('source.files.glob')
  })

  test('previews the rows after every step and follows the caret', async ({ page, api, server }) => {
    await connectors(api, server, 'preview')
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.preview') } })
    await page.goto(`/tasks/${task.id}`)
    await expect(editor(page)).toBeVisible()
    await openInputs(page)
    await page.getByRole('combobox', { name: 'files' }).click()
    await page.getByRole('option', { name: 'Files preview' }).click()
    await page.keyboard.press('Control+Shift+Enter')
    const stages = page.getByRole('tablist', { name: 'Stages' })
    await expect(stages.getByRole('tab', { name: /source/ })).toContainText('3 rows')
    await expect(stages.getByRole('tab', { name: /2 filter/ })).toContainText('2 rows')
    await stages.getByRole('tab', { name: /3 derive/ }).click()
    await expect(page.getByRole('note', { name: 'Column changes in this step' })).toContainText('millions')
    await expect(page.getByRole('grid', { name: /Rows after/ })).toContainText('3.677472')
    await lineWith(page, '- filter').click()
    await expect(stages.getByRole('tab', { name: /2 filter/ })).toHaveAttribute('aria-selected', 'true')
    // All rows of the source are fewer than were asked for.
    await expect(page.getByText('All 3 source rows in')).toBeVisible()
    await expect(page.getByText('Based on the first')).toBeHidden()
    await expectAccessible(page)
  })

  test('previews columns whatever they are called', async ({ page, api }) => {
    const yaml = `etl: 1
kind: pipeline
name: edit.names
connectors: {db: {types: [sqlite], access: write}}
source: {inline: {rows: [{"in millions": 3.7, "a,b": left, id: 1}]}}
target: {connector: db, table: names}
`
    const task = await api(createTask, { body: { yaml_content: yaml } })
    await page.goto(`/tasks/${task.id}`)
    await expect(editor(page)).toBeVisible()
    await page.keyboard.press('Control+Shift+Enter')
    const rows = page.getByRole('grid', { name: /Rows after/ })
    for (const name of ['in millions', 'a,b', 'id'])
      await expect(rows.getByRole('columnheader', { name, exact: true })).toBeVisible()
    await expect(rows.getByRole('gridcell', { name: '3.7' })).toBeVisible()
  })

  test('shows a step’s error at the step, with the way to its line', async ({ page, api, server }) => {
    await connectors(api, server, 'failing')
    const yaml = yamlOf('edit.failing').replace('inhabitants / 1000000.0', 'inhabitnts / 1000000.0')
    const task = await api(createTask, { body: { yaml_content: yaml } })
    await page.goto(`/tasks/${task.id}`)
    await expect(editor(page)).toBeVisible()
    await openInputs(page)
    await page.getByRole('combobox', { name: 'files' }).click()
    await page.getByRole('option', { name: 'Files failing' }).click()
    await expect(page.getByRole('alert')).toContainText('inhabitnts', { timeout: 30_000 })
    await page.getByRole('button', { name: 'Show in editor' }).click()
    await expect(editor(page)).toBeFocused()
  })

  test('saves by way of the difference, with a summary', async ({ page, api }) => {
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.save') } })
    await page.goto(`/tasks/${task.id}`)
    await typeBehind(page, 'mode: replace', ' # at once')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('.cm-merge-b .cm-changedText')).toHaveText(' # at once')
    await expectAccessible(page)
    await dialog.getByLabel('Change summary').fill('Say how')
    await page.keyboard.press('Control+s')
    await expect(page.getByText('Saved as version 2')).toBeVisible()
    await page.getByRole('link', { name: 'Versions' }).click()
    const versions = page.getByRole('grid', { name: 'Versions' })
    await expect(versions).toContainText('Say how')
    await versions.getByText('v1', { exact: true }).click()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click()
    await expect(versions.getByText('v3')).toBeVisible()
    expect((await api(getTask, { params: { id: task.id } })).yaml_content).toBe(yamlOf('edit.save'))
    await expectAccessible(page)
  })

  test('keeps unsaved text through a reload', async ({ page, api }) => {
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.draft') } })
    await page.goto(`/tasks/${task.id}`)
    await typeBehind(page, 'mode: replace', ' # unsaved')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
    await expect(editor(page)).toContainText('# unsaved')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(editor(page)).not.toContainText('# unsaved')
  })

  test('asks before unsaved text goes out of sight', async ({ page, api }) => {
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.leave') } })
    await page.goto(`/tasks/${task.id}`)
    await typeBehind(page, 'mode: replace', ' # unsaved')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await page.getByRole('link', { name: 'Versions' }).click()
    await expect(page.getByRole('grid', { name: 'Versions' })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs', exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('Leave with unsaved changes?')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+\/versions/)
  })

  test('loses neither text when two people save', async ({ page, api }) => {
    const before = yamlOf('edit.conflict')
    const task = await api(createTask, { body: { yaml_content: before } })
    await page.goto(`/tasks/${task.id}`)
    await typeBehind(page, 'table: cities', ' # mine')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await api(updateTask, {
      params: { id: task.id },
      body: { yaml_content: before.replace('large', 'very large'), change_summary: 'Larger' },
    })
    await expect(page.getByText('Version 2 was saved while you were editing.')).toBeVisible()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('.cm-merge-b')).toBeVisible()
    await page.keyboard.press('Control+s')
    await expect(dialog).toContainText('Version 2 was saved while you were editing')
    await expect(dialog).toContainText('Larger')
    await dialog.getByRole('button', { name: 'Copy this change' }).first().click()
    await dialog.getByRole('button', { name: 'Save mine as version 3' }).click()
    await expect(page.getByText('Saved as version 3')).toBeVisible()
    const saved = await api(getTask, { params: { id: task.id } })
    expect(saved.yaml_content).toContain('very large')
    expect(saved.yaml_content).toContain('# mine')
  })

  test('runs with connectors and arguments, and offers the same ones next time', async ({ page, api, server }) => {
    await connectors(api, server, 'run')
    const task = await api(createTask, { body: { yaml_content: yamlOf('edit.run') } })
    await page.goto(`/tasks/${task.id}`)
    await expect(editor(page)).toBeVisible()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'files' }).click()
    await page.getByRole('option', { name: 'Files run' }).click()
    await dialog.getByRole('combobox', { name: 'db' }).click()
    await page.getByRole('option', { name: 'Database run' }).click()
    await dialog.getByLabel('smallest').fill('many')
    await expect(dialog).toContainText('Enter a whole number')
    await dialog.getByLabel('smallest').fill('1000000')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/runs\/\d+$/)
    await expect(page.locator('[data-status="success"]').first()).toBeVisible()
    await page.goto(`/tasks/${task.id}`)
    await page.getByRole('button', { name: 'Run: more' }).click()
    await page.getByRole('menuitem', { name: 'Run with…' }).click()
    await expect(dialog.getByLabel('smallest')).toHaveValue('1000000')
    await expect(dialog.getByRole('combobox', { name: 'db' })).toHaveValue('Database run')
  })
})

test('an example runs in one click, whatever has its name, and again without a second copy', async ({ page, api }) => {
  await api(createTask, { body: { yaml_content: 'etl: 1\nkind: script\nname: weather.daily\nscript: return {}\n' } })
  const names = async () =>
    (await api(listTasks, { query: { starts_with: 'weather.' } })).result.map(({ name }) => name)
  await page.goto('/tasks/new?show=files-csv-to-table')
  const example = page.getByRole('region', { name: 'CSV files to a table' })
  const run = example.getByRole('button', { name: 'Run example' })
  await expect(run).toBeEnabled()
  await expectAccessible(page)
  await run.dblclick()
  await expect(page).toHaveURL(/\/runs\/\d+$/)
  const first = page.url()
  await expect(page.getByText('Succeeded').first()).toBeVisible({ timeout: 60_000 })
  expect((await names()).toSorted()).toEqual(['weather.daily', 'weather.daily.2'])

  await page.goto('/tasks/new?show=work-sql-create-as')
  // It reads the table of the first example, which runs before it.
  await page.getByRole('button', { name: 'Run example' }).click()
  await expect(page).toHaveURL(/\/runs\/\d+$/, { timeout: 60_000 })
  await expect(page.getByText('Succeeded').first()).toBeVisible({ timeout: 60_000 })
  expect(page.url()).not.toBe(first)
  expect((await names()).filter((name) => name.startsWith('weather.daily'))).toHaveLength(2)
  const { result } = await api(listConnectors, { query: { limit: 200 } })
  expect(result.filter(({ name }) => name.startsWith('examples'))).toHaveLength(1)
  expect((await api(listUploads, { query: {} })).result.map(({ name }) => name)).toEqual(['seattle-weather.csv'])

  await page.goto('/tasks/new?show=documents-to-mongo')
  await expect(page.getByRole('button', { name: 'Run example' })).toBeDisabled()
})
