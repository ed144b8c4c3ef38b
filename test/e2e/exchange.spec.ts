import type { Page } from '@playwright/test'
import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTask, listTasks, updateTask } from '../../src/contract/tasks.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

const yamlOf = (name: string, glob = '*.csv') => `etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file}
  db: {types: [sqlite, duckdb], access: write}
source:
  connector: files
  files: {glob: "${glob}"}
steps: []
target: {connector: db, table: t, mode: replace}
`
const header = '{"kind":"bundle","format":1}'
const lineOf = (name: string, ...texts: string[]) =>
  JSON.stringify({
    kind: 'task',
    name,
    current_version: texts.length,
    versions: texts.map((yaml_content, at) => ({ version: at + 1, yaml_content })),
  })
const bundle = (...lines: string[]) => ({
  name: 'bundle.ndjson',
  mimeType: 'application/x-ndjson',
  buffer: Buffer.from(`${[header, ...lines].join('\n')}\n`),
})

const dryRun = (page: Page) => page.getByRole('button', { name: 'Dry run' }).click()
const results = (page: Page) => page.getByRole('grid', { name: 'Results' })

async function names(api: Api, q: string): Promise<string[]> {
  const { result } = await api(listTasks, { query: { q, limit: 200 } })
  return result.map(({ name }) => name).toSorted()
}

test('a bundle is dropped, shown record by record with its difference, and then imported', async ({ page, api }) => {
  await api(createTask, { body: { yaml_content: yamlOf('drop.same') } })
  await api(createTask, { body: { yaml_content: yamlOf('drop.changed') } })
  await page.goto('/exchange/import')
  const { buffer, name } = bundle(
    lineOf('drop.same', yamlOf('drop.same')),
    lineOf('drop.changed', yamlOf('drop.changed', `${'in/'.repeat(60)}*.csv`)),
    lineOf('drop.new', yamlOf('drop.new')),
    lineOf('drop.broken', yamlOf('drop.broken').replace('pipeline', 'pipelinne')),
  )
  await expect(page.getByText('Drop a bundle here')).toBeVisible()
  // Dropped on the page, wherever that is.
  const transfer = await page.evaluateHandle(
    ([text, file]) => {
      const data = new DataTransfer()
      data.items.add(new File([text ?? ''], file ?? ''))
      return data
    },
    [buffer.toString(), name],
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
  await expect(page.getByText(/ · 4 records$/)).toBeVisible()
  await expect(page.getByText('Dry run complete with errors: nothing was changed')).toBeVisible()
  for (const name of ['Create 1', 'Update 1', 'Unchanged 1', 'Error 1'])
    await expect(page.getByRole('tab', { name })).toBeVisible()
  expect(await names(api, 'drop.')).toEqual(['drop.changed', 'drop.same'])

  await results(page).getByText('drop.changed').click()
  await expect(page.getByText('Current: version 1')).toBeVisible()
  // List and panel mean the same line: that of the file.
  await expect(results(page).getByRole('row', { name: /drop\.changed/ })).toContainText(/^3/)
  await expect(page.getByText('Line 3', { exact: true })).toBeVisible()
  await expect(page.getByLabel('In bundle')).toContainText('in/*.csv')
  // Its second line stands behind the indent of the first.
  const lefts = await page
    .getByLabel('In bundle')
    .locator('.cm-line', { hasText: 'in/*.csv' })
    .evaluate((line) => {
      const range = document.createRange()
      range.selectNodeContents(line)
      const boxes = [...range.getClientRects()].map(({ left, bottom }) => ({ left, bottom }))
      const below = boxes.filter(({ bottom }) => bottom > (boxes[0]?.bottom ?? 0) + 10)
      return { first: boxes[0]?.left ?? 0, below: Math.min(...below.map(({ left }) => left)) }
    })
  expect(Number.isFinite(lefts.below)).toBe(true)
  expect(lefts.below).toBeGreaterThan(lefts.first)
  await page.getByRole('tab', { name: /^Error/ }).click()
  await results(page).getByText('drop.broken').click()
  await expect(page.getByText(/line 2, column 7: Unknown kind of task/).last()).toBeVisible()
  await expectAccessible(page)
  const download = page.getByRole('button', { name: 'Download errors' })
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(download).toBeInViewport({ ratio: 1 })
  await expect(results(page).getByRole('columnheader', { name: 'Message' })).toBeInViewport({ ratio: 1 })
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({ result: { name: 'drop.broken' } })

  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('Imported with errors')).toBeVisible()
  expect(await names(api, 'drop.')).toEqual(['drop.changed', 'drop.new', 'drop.same'])
})

test('other options ask for another dry run before anything can be imported', async ({ page, api }) => {
  await api(createTask, { body: { yaml_content: yamlOf('options.one') } })
  await page.goto('/exchange/import')
  await page.getByLabel('Bundle').setInputFiles(bundle(lineOf('options.one', yamlOf('options.one', 'x.csv'))))
  await dryRun(page)
  const apply = page.getByRole('button', { name: 'Import…', exact: true })
  await expect(apply).toBeEnabled()
  await page.getByLabel('New records only').check()
  const exists = page.getByRole('radiogroup', { name: 'If a record with the same name exists' })
  await expect(exists.getByRole('radio', { name: 'Skip' })).toBeChecked()
  await expect(exists.getByText('Applies only if existing records are updated.')).toBeVisible()
  await expect(page.getByText('The options have changed.')).toBeVisible()
  await expect(apply).toBeDisabled()
  await dryRun(page)
  await expect(results(page).getByText('Skip')).toBeVisible()
  await expect(results(page).getByRole('img', { name: 'Task', exact: true })).toBeVisible()
  await expect(apply).toBeDisabled()
})

test('a bundle that cannot be read names line and column, shows the line, and changes nothing', async ({
  page,
  api,
}) => {
  await page.goto('/exchange/import')
  const good = lineOf('unread.good', yamlOf('unread.good'))
  await page.getByLabel('Bundle').setInputFiles(bundle(good, '{"kind":"task","name":"b",,"versions":[]}'))
  await dryRun(page)
  await expect(page.getByRole('alert')).toContainText('The bundle was rejected. Nothing was changed.')
  await expect(page.getByRole('alert')).toContainText('Line 3, column 27')
  await expect(page.getByText('{"kind":"task","name":"b",,"versions":[]}')).toBeVisible()
  expect(await names(api, 'unread.')).toEqual([])
})

test('an import whose answer ends before its summary has failed, however well it ended', async ({ page }) => {
  await page.goto('/exchange/import')
  const many = Array.from({ length: 300 }, (_, at) => lineOf(`ends.${at}`, yamlOf(`ends.${at}`)))
  await page.getByLabel('Bundle').setInputFiles(bundle(...many))
  await page.route('**/api/import?*', async (route) => {
    const response = await route.fetch()
    const lines = (await response.text()).split('\n').filter((line) => !line.includes('"summary"'))
    await route.fulfill({ response, body: lines.join('\n') })
  })
  await dryRun(page)
  await expect(page.getByText('Not checked')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Connection lost')
  await expect(page.getByRole('button', { name: 'Import…', exact: true })).toBeDisabled()
  await page.unroute('**/api/import?*')
  await dryRun(page)
  await expect(page.getByRole('tab', { name: 'Create 300' })).toBeVisible()
})

test('an export that breaks off on the way is told, and no file is kept', async ({ page, api, server }) => {
  await api(createTask, { body: { yaml_content: yamlOf('zz.last') } })
  const sqlite = new Database(join(server.dataDir, 'headgate.db'))
  const current = sqlite.prepare("UPDATE tasks SET current_version = ? WHERE name = 'zz.last'")
  let downloads = 0
  page.on('download', () => downloads++)
  await page.goto('/exchange/export')
  await page.getByRole('radio', { name: 'Current versions' }).check()
  const download = page.getByRole('button', { name: 'Export', exact: true })
  await expect(download).toBeEnabled()
  try {
    // A record whose current version cannot be found: the export fails after its first lines.
    current.run(99)
    await download.click()
    await expect(page.getByText('The connection closed before the export finished.')).toBeVisible()
    expect(downloads).toBe(0)
  } finally {
    current.run(1)
    sqlite.close()
  }
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  expect(readFileSync(await file.path(), 'utf8')).toContain('"zz.last"')
})

test('an import that is stopped says where, and what was imported stays', async ({ page, api, server }) => {
  test.slow()
  await page.goto('/exchange/import')
  const many = Array.from({ length: 5000 }, (_, at) => lineOf(`stop.${at}`, yamlOf(`stop.${at}`)))
  await page.getByLabel('Bundle').setInputFiles(bundle(...many))
  await expect(page.getByText('5,000 records')).toBeVisible()
  await dryRun(page)
  await expect(page.getByRole('tab', { name: 'Create 5,000' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Dry run complete: nothing was changed')).toBeVisible({ timeout: 30_000 })
  // The last of many rows is reached, and only those in sight are drawn.
  await results(page).focus()
  await page.keyboard.press('End')
  await expect(results(page).getByText('stop.4999')).toBeVisible()
  expect(await results(page).locator('[data-row]').count()).toBeLessThan(100)

  const imported = async () => (await api(listTasks, { query: { q: 'stop.', limit: 1 } })).total
  // What the server says where it is.
  const { pid } = JSON.parse(readFileSync(join(server.dataDir, 'endpoint.json'), 'utf8')) as { pid: number }
  // It is held in the middle of its work: without that, the import might end before anybody can stop it.
  const held = expect
    .poll(imported, { intervals: [5] })
    .toBeGreaterThan(200)
    .then(() => process.kill(pid, 'SIGSTOP'))
  await page.getByRole('button', { name: 'Import…', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  await held
  try {
    await page.getByRole('button', { name: 'Stop import' }).click()
    await expect(page.getByText('Records imported so far are kept.')).toBeVisible()
    await expect(page.getByText(/The last processed record is stop\.\d+\./)).toBeVisible()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(await imported()).toBeGreaterThan(200)
  expect(await imported()).toBeLessThan(5000)
})

test('what is picked is exported, and imports again as unchanged', async ({ page, api }) => {
  const first = await api(createTask, { body: { yaml_content: yamlOf('pick.one') } })
  await api(updateTask, { params: { id: first.id }, body: { yaml_content: yamlOf('pick.one', 'y.csv') } })
  await api(createTask, { body: { yaml_content: yamlOf('pick.two') } })
  await api(createTask, { body: { yaml_content: yamlOf('pick.three') } })
  // From the list: two are ticked.
  await page.goto('/tasks?q=pick.')
  const list = page.getByRole('grid', { name: 'Tasks' })
  for (const name of ['pick.one', 'pick.two']) {
    await list.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check()
  }
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Export…' }).click()
  await expect(page.getByText('2 tasks', { exact: true })).toBeVisible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  await expect(page.getByText(/^Exported 2 records/)).toBeVisible()
  const path = await file.path()
  const records = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as unknown)
  expect(records).toMatchObject([
    { name: 'pick.one', versions: [{ version: 1 }, { version: 2 }] },
    { name: 'pick.two', versions: [{ version: 1 }] },
  ])
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByLabel('Bundle').setInputFiles(path)
  await dryRun(page)
  await expect(page.getByRole('tab', { name: 'Unchanged 2' })).toBeVisible()
  // From a task: it alone.
  await page.goto(`/tasks/${first.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await expect(page.getByText('1 task', { exact: true })).toBeVisible()
})
