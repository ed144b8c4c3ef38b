import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import type { TaskPreview } from '../../src/contract/task-preview.ts'
import { createTask, updateTask } from '../../src/contract/tasks.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

const yamlOf = (steps: string) => `etl: 1
kind: pipeline
name: cities
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite], access: read_write}
args:
  least: {type: integer, default: 0}
source:
  connector: files
  files: {glob: "cities.csv"}
steps:
${steps}
target:
  connector: db
  table: cities
  mode: replace
  schema: {types: recreate}
`

test('a changed task shows how its table differs in the preview and in the run, and its two runs are compared', async ({
  page,
  api,
  server,
}) => {
  test.setTimeout(240_000)
  const root = join(server.filesDir, 'cities')
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'cities.csv'), 'city,inhabitants\nBerlin,3677472\nBonn,331885\nSylt,18189\n')
  const files = await api(createConnector, { body: { name: 'files', type: 'file', config: { root } } })
  const db = await api(createConnector, {
    body: { name: 'db', type: 'sqlite', config: { path: join(root, 'cities.db') } },
  })
  const { id } = await api(createTask, { body: { yaml_content: yamlOf('  - cast: {inhabitants: integer}') } })
  const run = async (given: object) => {
    const body = { connector_mapping: { files: files.id, db: db.id }, arguments: { ...given } }
    const started = await api(triggerRun, { params: { taskId: id }, body })
    await expect
      .poll(async () => (await api(getRun, { params: { id: started.id } })).status, { timeout: 60_000 })
      .not.toMatch(/pending|running/)
    return api(getRun, { params: { id: started.id } })
  }
  const before = await run({})
  expect(before).toMatchObject({ status: 'success', item_count: 3 })
  const changed = yamlOf(
    '  - cast: {inhabitants: number}\n  - filter: inhabitants > :least\n  - derive: {country: "\'DE\'"}',
  )
  await api(updateTask, { params: { id }, body: { yaml_content: changed } })

  // Before it runs, the preview says what would become of the table.
  await page.goto(`/tasks/${id}`)
  await page.getByRole('tab', { name: 'Preview' }).click()
  const differing = page.getByRole('table', { name: 'Table cities differs' })
  const rows = [
    ['inhabitants', 'integer → real', 'recreated'],
    ['country', 'missing → text', 'added'],
  ]
  const expectRows = async (table: typeof differing) => {
    await expect(table.getByRole('row')).toHaveCount(rows.length)
    for (const [column = '', types = '', outcome = ''] of rows) {
      const row = table.getByRole('row', { name: column })
      await expect(row).toContainText(types, { ignoreCase: true })
      await expect(row).toContainText(outcome, { ignoreCase: true })
    }
  }
  await expectRows(differing)
  await expectAccessible(page)

  // A value that the table refuses is named next to what differs.
  await page.route('**/api/tasks/preview', async (route) => {
    const response = await route.fetch()
    const preview = (await response.json()) as TaskPreview // by its own server
    const message = 'Column `span` is interval, which cannot hold “0.3 years” (table cities, city = Bonn)'
    const error = { code: 'VALUE_INVALID', message }
    await route.fulfill({ response, json: { ...preview, target: { ...preview.target, error } } })
  })
  await page.reload()
  await expect(page.getByRole('note').filter({ hasText: 'Table cities refuses a value' })).toContainText('0.3 years')
  await expectRows(differing)
  await expectAccessible(page)
  await page.unroute('**/api/tasks/preview')

  const after = await run({ least: 100_000 })
  expect(after).toMatchObject({ status: 'success', item_count: 2 })
  await page.goto(`/runs/${after.id}`)
  const target = page.getByRole('listbox', { name: 'Run steps' }).getByRole('option').last()
  await expect(target.getByRole('img', { name: 'Columns that differ from the table' })).toBeVisible()
  await target.click()
  await expectRows(page.getByRole('table', { name: 'Columns that differ from the table' }))
  await expectAccessible(page)

  // From the run to the one before it.
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('menuitem', { name: 'With previous run of this task' }).click()
  await expect(page).toHaveURL(new RegExp(`a=${before.id}&b=${after.id}`))
  const facts = page.getByRole('table').filter({ hasText: 'Rows written' })
  await expect(facts.getByRole('row', { name: 'Version' })).toContainText(/v1.*v2/)
  await expect(facts.getByRole('row', { name: 'Rows written' })).toContainText(/3.*2.*−1/)
  await expect(facts.getByRole('row', { name: 'Rejected' })).toContainText(/0$/)
  await expect(page.getByRole('row', { name: /^least/ })).toContainText(/0.*default.*100000/)
  const steps = page.getByRole('grid', { name: 'Steps' })
  await expect(steps.getByRole('row', { name: /csv files/ })).toBeHidden()
  await page.getByRole('switch', { name: 'Differences only' }).click()
  await expect(steps.getByRole('row', { name: /csv files/ })).toBeVisible()
  await expect(steps.getByRole('row', { name: /replace table cities/ })).toContainText('3 → 2')
  const colorOf = (row: RegExp, part: string) =>
    steps
      .getByRole('row', { name: row })
      .locator(part)
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  // A link and a status have one color, whether or not anything in their row differs.
  expect(await colorOf(/csv files/, 'a')).toBe(await colorOf(/replace table cities/, 'a'))
  expect(await colorOf(/csv files/, '[data-status]')).toBe(await colorOf(/replace table cities/, '[data-status]'))
  await page.getByRole('tab', { name: 'Values and columns' }).click()
  await expect(page.getByRole('grid', { name: 'Changed values' }).getByRole('row', { name: /country/ })).toContainText(
    'added',
    { ignoreCase: true },
  )
  await page.getByRole('tab', { name: 'YAML' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('filter: inhabitants > :least')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Swap sides' }).click()
  await expect(page).toHaveURL(new RegExp(`a=${after.id}&b=${before.id}`))

  // Any other one is chosen in a dialog, which lists all but this one.
  await page.goto(`/runs/${after.id}`)
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('menuitem', { name: 'With another run of this task…' }).click()
  const others = page.getByRole('dialog', { name: `Compare run #${after.id} with` })
  await expect(others.getByRole('row', { name: `#${after.id} ` })).toBeHidden()
  await others.getByRole('row', { name: `#${before.id} ` }).click()
  await expect(page).toHaveURL(new RegExp(`a=${before.id}&b=${after.id}`))

  // From the list: two selected rows.
  await page.goto('/runs')
  const listed = page.getByRole('grid', { name: 'Runs' })
  await listed
    .getByRole('row', { name: `#${after.id} ` })
    .getByRole('checkbox')
    .click()
  const selected = page.getByRole('toolbar', { name: 'Selected rows' })
  await expect(selected.getByRole('button', { name: 'Compare' })).toBeHidden()
  await listed
    .getByRole('row', { name: `#${before.id} ` })
    .getByRole('checkbox')
    .click()
  await selected.getByRole('button', { name: 'Compare' }).click()
  await expect(page).toHaveURL(new RegExp(`a=${before.id}&b=${after.id}`))
})
