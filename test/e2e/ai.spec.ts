// Asking a model for a change of a task: what is sent is shown, changes are accepted and rejected one by one, by keyboard,
// and a provider that fails is told.
import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { updateServerConfig } from '../../src/contract/server-config.ts'
import { triggerRun } from '../../src/contract/runs.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { configureAi, fenced, picture, speak, yamlOf } from '../support/ai-page.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'
import { type FakeAi, startFakeAi } from '../support/fake-ai.ts'

let fake: FakeAi
test.beforeAll(async () => {
  fake = await startFakeAi()
})
test.afterAll(() => fake.close())

const changed = (yaml: string) =>
  yaml.replace('inline: {rows: [{a: 1}]}', 'inline: {rows: [{a: 1}, {a: 2}]}').replace('out.csv', 'other.csv')

test('the panel says what is missing, and is set up and tested in the configuration', async ({ page, api }) => {
  const task = await api(createTask, { body: { yaml_content: yamlOf('ai.off') } })
  await page.goto(`/tasks/${task.id}?side=ai`)
  await expect(page.getByText('AI isn’t configured')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'panel-off')
  await configureAi(api, fake)
  fake.reply({ status: 401 })
  await page.getByRole('link', { name: 'Open configuration' }).click()
  await page.getByRole('button', { name: 'Test AI provider' }).click()
  await expect(page.getByText('The AI provider refused the key (401).')).toBeVisible()
  fake.reply({ text: 'OK' })
  await page.getByRole('button', { name: 'Test AI provider' }).click()
  await expect(page.getByText(`${fake.host} answered with model-1`)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'configuration')
})

test('a proposal is shown as changes, each accepted or rejected, and comments stay', async ({ page, api }) => {
  test.slow()
  await configureAi(api, fake)
  const yaml = yamlOf('ai.changes')
  const task = await api(createTask, { body: { yaml_content: yaml } })
  fake.reply({ text: fenced(changed(yaml)) })
  await page.goto(`/tasks/${task.id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Write two rows to other.csv')
  await page.getByRole('button', { name: 'Show what is sent' }).click()
  const body = page.getByRole('region', { name: 'Request body' })
  await expect(body).toContainText('Write two rows to other.csv')
  const shown = await body.textContent()
  await expectAccessible(page)
  await picture(page, 'sent')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const accept = page.getByRole('button', { name: 'Accept', exact: true })
  await expect(accept).toHaveCount(2)
  // What a deleted line goes on with stands behind its beginning, as that of any other line.
  for (const line of await page.locator('.hunks .cm-deletedLine').all())
    await expect(line).toHaveCSS('text-indent', /^-/)
  expect(fake.asked[0]?.body).toBe(shown)
  await expectAccessible(page)
  const rows = page.getByRole('region', { name: 'Rows after each step' })
  await expect(rows.getByRole('tab')).toHaveCount(5)
  await expect(rows.getByRole('tabpanel')).toContainText('2')
  await picture(page, 'proposal')
  await accept.first().focus()
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: /YAML of the task/ })
  await expect(editor).toContainText('{a: 2}')
  await expect(editor).toContainText('# Kept')
  await expect(editor).not.toContainText('other.csv')
  // What is decided stays so in another language.
  await speak(page, 'de')
  await speak(page, 'en')
  await expect(accept).toHaveCount(1)
  await page.getByRole('button', { name: 'Reject', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('All changes decided.')).toBeVisible()
  await speak(page, 'de')
  await speak(page, 'en')
  await expect(page.getByText('All changes decided.')).toBeVisible()
  await expect(accept).toHaveCount(0)
  await expect(editor).not.toContainText('other.csv')
})

test('the step at the caret alone is changed by a key, and rows are sent after they were seen', async ({
  page,
  api,
  server,
}) => {
  test.slow()
  await configureAi(api, fake)
  const path = join(server.filesDir, 'ai-rows.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada')`)
  database.close()
  await api(createConnector, { body: { name: 'AI rows', type: 'sqlite', config: { path } } })
  const yaml = yamlOf('ai.part')
  const task = await api(createTask, { body: { yaml_content: yaml } })
  // The answer has lost the comment, which stays.
  fake.reply({ text: fenced(yaml.replace('# Kept\n', '').replace('b > 0', 'b > 7')) })
  await page.goto(`/tasks/${task.id}`)
  const editor = page.getByRole('textbox', { name: /YAML of the task/ })
  const inline = page.getByRole('textbox', { name: 'What should change in steps[3]?' })
  await editor.getByText('b > 0').click()
  await page.keyboard.press('ControlOrMeta+i')
  await expect(inline).toBeFocused()
  // Escape closes it; the text is as it was, and the keyboard is where it was.
  await page.keyboard.press('Escape')
  await expect(inline).toHaveCount(0)
  await expect(editor).toBeFocused()
  await page.keyboard.press('ControlOrMeta+i')
  await expect(inline).toBeFocused()
  await page.keyboard.type('Only above seven')
  await expect(page.getByText(`model-1 at ${fake.host}. Rows are not sent.`)).toBeVisible()
  // In another language the prompt, what was typed, and the keyboard stay where they are.
  await speak(page, 'de')
  await expect(page.getByRole('textbox', { name: 'Was soll sich in steps[3] ändern?' })).toHaveValue('Only above seven')
  await speak(page, 'en')
  await expect(inline).toHaveValue('Only above seven')
  await expect(inline).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'part')
  await page.keyboard.press('Enter')
  // The changes come beside the text, and the keyboard with them.
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toBeFocused()
  await expect(page.getByText('Only steps[3] can change')).toBeVisible()
  expect(fake.asked).toHaveLength(1)
  expect(fake.asked[0]?.body).toContain('Only above seven')
  await picture(page, 'part-proposal')
  await page.getByRole('button', { name: 'Accept', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(editor).toContainText('b > 7')
  await expect(editor).toContainText('# Kept')
  await expect(page.getByText('All changes decided.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().click()
  const prompt = page.getByRole('textbox', { name: 'Prompt' })

  fake.reply({
    text: fenced(yaml.replace('b > 0', 'b > 7').replace('name: ai.part\n', 'name: ai.part\ndescription: Two\n')),
  })
  await page.getByRole('button', { name: 'Describe this task' }).click()
  await expect(page.getByRole('button', { name: 'Accept all' })).toBeVisible()
  await picture(page, 'describe')
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expect(editor).toContainText('description: Two')

  await expect(page.getByRole('checkbox', { name: 'Include sample rows' })).toHaveCount(0)
  await api(updateServerConfig, { body: { values: { 'ai.rows': 'ask' } } })
  await page.reload()
  await page.getByRole('combobox', { name: 'Connectors' }).click()
  await page.getByRole('option', { name: 'AI rows' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Include sample rows' }).check()
  await prompt.fill('Load people')
  fake.reply({ text: fenced(yaml) })
  await page.getByRole('button', { name: 'Generate' }).click()
  const body = page.getByRole('region', { name: 'Request body' })
  await expect(body).toContainText('Ada')
  const rows = page.getByRole('region', { name: '1 row of people (ai_rows)' })
  await expect(rows.getByRole('columnheader', { name: 'name' })).toBeVisible()
  await expect(rows.getByRole('cell', { name: 'Ada' })).toBeVisible()
  await expectAccessible(page)
  expect(fake.asked).toHaveLength(0)
  await picture(page, 'rows')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(
    page
      .getByText('Proposed changes')
      .or(page.getByText('Valid', { exact: true }))
      .first(),
  ).toBeVisible()
  expect(fake.asked[0]?.body).toContain('Ada')
  await api(updateServerConfig, { body: { values: { 'ai.rows': 'never' } } })
})

test('all changes are accepted at once, a text that changed is compared again, and a failure is told', async ({
  page,
  api,
}) => {
  test.slow()
  await configureAi(api, fake)
  const yaml = yamlOf('ai.all')
  const task = await api(createTask, { body: { yaml_content: yaml } })
  fake.reply({ text: fenced(changed(yaml)) })
  await page.goto(`/tasks/${task.id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Write two rows')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('button', { name: 'Accept all' })).toBeVisible()
  const editor = page.getByRole('textbox', { name: /YAML of the task/ })
  await editor.press('ControlOrMeta+Home')
  await page.keyboard.type('# Mine\n')
  await page.getByRole('button', { name: 'Compare again' }).click()
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expect(editor).toContainText('other.csv')
  await page.getByRole('button', { name: 'Close' }).last().click()
  fake.reply({ status: 429, headers: { 'retry-after': '600' } })
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Again')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText('The AI provider is busy. Try again in 600 seconds.')).toBeVisible()
  await picture(page, 'failure')
})

test('a failed run is explained, and the change that repairs it is reviewed in the editor', async ({ page, api }) => {
  test.slow()
  await configureAi(api, fake)
  const yaml = 'etl: 1\nkind: script\nname: ai.failed\nscript: |\n  throw new Error("no")\n'
  const task = await api(createTask, { body: { yaml_content: yaml } })
  const run = await api(triggerRun, { params: { taskId: task.id }, body: {} })
  await page.goto(`/runs/${run.id}`)
  fake.reply({ text: `The script threw an error.\n\n${fenced(yaml.replace('throw new Error("no")', 'return {}'))}` })
  await page.getByRole('button', { name: 'Explain…' }).click()
  const dialog = page.getByRole('dialog', { name: `Why ai.failed #${run.id} failed` })
  await expectAccessible(page)
  await picture(page, 'explain')
  await dialog.getByRole('button', { name: 'Show what is sent' }).click()
  await expect(page.getByRole('region', { name: 'Request body' })).toContainText('ai.failed')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('The script threw an error.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'explained')
  await dialog.getByRole('button', { name: 'Review in the editor' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  await expect(page.getByRole('textbox', { name: /YAML of the task/ })).toContainText('return {}')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: 'Accept', exact: true })).toHaveCount(0)
})

test('a correction of a failed run shows its rows after each step, from the connectors of the run', async ({
  page,
  api,
  server,
}) => {
  test.slow()
  await configureAi(api, fake)
  writeFileSync(join(server.filesDir, 'ages.csv'), 'name,age\nAda,36\nGrace,old\nLinus,54\n')
  const files = await api(createConnector, {
    body: { name: 'AI ages', type: 'file', config: { root: server.filesDir } },
  })
  const yaml = `etl: 1
kind: pipeline
name: ai.ages
connectors: {files: {type: file, access: read_write}}
args: {least: {type: integer}}
source: {connector: files, files: {glob: ages.csv, format: csv}}
steps:
  - cast: {age: integer}
  - filter: "age >= :least"
target: {connector: files, file: {path: ages.jsonl, format: jsonl}}
`
  const task = await api(createTask, { body: { yaml_content: yaml } })
  const run = await api(triggerRun, {
    params: { taskId: task.id },
    body: { connector_mapping: { files: files.id }, arguments: { least: 40 } },
  })
  await page.goto(`/runs/${run.id}`)
  const repaired = yaml.replace('  - cast', `  - filter: "age SIMILAR TO '[0-9]+'"\n  - cast`)
  fake.reply({ text: `One age is no number.\n\n${fenced(repaired)}` })
  await page.getByRole('button', { name: 'Explain…' }).click()
  const dialog = page.getByRole('dialog', { name: `Why ai.ages #${run.id} failed` })
  await dialog.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(dialog.getByText('A change of the task is proposed.')).toBeVisible()
  await picture(page, 'explained-rows')
  await dialog.getByRole('button', { name: 'Review in the editor' }).click()
  const rows = page.getByRole('region', { name: 'Rows after each step' })
  await expect(rows.getByRole('tab')).toHaveCount(4)
  await expect(rows.getByRole('tabpanel')).toContainText('Linus')
  await expect(rows.getByRole('tabpanel')).not.toContainText('Ada')
  await expectAccessible(page)
  await picture(page, 'explained-rows-review')
  expect(fake.asked[0]?.body).not.toContain('Linus')
})

test('a job template and a dashboard template are changed in the same way, over what was chosen for them', async ({
  page,
  api,
}) => {
  test.slow()
  await configureAi(api, fake)
  for (const name of ['ai.load', 'ai.export'])
    // One after the other: they are made by name.
    await api(createTask, { body: { yaml_content: yamlOf(name) } })
  const job = `etl: 1
kind: job
name: ai.nightly
connectors: {out: {type: file}}
tasks:
  load: {task: ai.load, connectors: {out: out}}
`
  const template = await api(createJobTemplate, { body: { yaml_content: job } })
  fake.reply({ text: fenced(`${job}  export: {task: ai.export, depends_on: [load], connectors: {out: out}}\n`) })
  await page.goto(`/job-templates/${template.id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Then export')
  await page.getByRole('combobox', { name: 'Tasks' }).click()
  await page.getByRole('combobox', { name: 'Tasks' }).fill('ai.exp')
  await page.getByRole('option', { name: 'ai.export' }).click()
  await page.keyboard.press('Escape')
  await picture(page, 'job-template')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText('Valid', { exact: true })).toBeVisible()
  expect(fake.asked[0]?.body).toContain('ai.export')
  await expectAccessible(page)
  await picture(page, 'job-template-proposal')
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expect(page.getByRole('textbox', { name: /Job template YAML/ })).toContainText('task: ai.export')

  const dashboard = `etl: 1
kind: dashboard
name: ai.view
job_template: ai.nightly
data: {rows: {metric: rows, last: 30}}
widgets:
  - {id: rows, type: kpi, data: rows, at: [0, 0, 3, 2]}
`
  const view = await api(createDashboardTemplate, { body: { yaml_content: dashboard } })
  fake.reply({ text: fenced(`${dashboard}  - {id: last, type: run_status, at: [3, 0, 3, 2]}\n`) })
  await page.goto(`/dashboard-templates/${view.id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Show the last run')
  await expectAccessible(page)
  await picture(page, 'dashboard-template')
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByRole('button', { name: 'Accept all' }).click()
  await expect(page.getByRole('textbox', { name: /Dashboard template YAML/ })).toContainText('run_status')
  await picture(page, 'dashboard-template-done')
})

test('a question in the Explorer becomes a query that is shown, and runs only when someone runs it', async ({
  page,
  api,
}, info) => {
  test.slow()
  await configureAi(api, fake)
  const path = info.outputPath('shop.db')
  const database = new Database(path)
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 5), (2, 7)')
  database.close()
  await api(createConnector, { body: { name: 'AI shop', type: 'sqlite', config: { path } } })
  fake.reply(
    { text: '```sql\nDELETE FROM orders\n```' },
    { text: '```sql\nSELECT sum(total) AS takings FROM orders\n```' },
  )
  await page.goto('/explorer')
  const tree = page.getByRole('tree')
  await tree.getByRole('treeitem').getByRole('button', { name: 'Expand AI shop' }).click()
  await tree.getByRole('treeitem').filter({ hasText: 'orders' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Ask AI…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask about AI shop' })
  await page.keyboard.type('How much did we take?')
  await picture(page, 'question')
  await dialog.getByRole('button', { name: 'Show what is sent' }).click()
  await expect(page.getByRole('region', { name: 'Request body' })).toContainText('How much did we take?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(dialog.getByText('Only reads')).toBeVisible()
  expect(fake.asked).toHaveLength(2)
  await expectAccessible(page)
  await picture(page, 'question-answered')
  await dialog.getByRole('button', { name: 'Use query' }).click()
  await expect(page.getByText('takings').first()).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('12', { exact: true })).toBeVisible()
  await picture(page, 'question-run')
})

test('a question becomes conditions of the builder, with their statement, in a tab that runs them only when told', async ({
  page,
  api,
}, info) => {
  test.slow()
  await configureAi(api, fake)
  const path = info.outputPath('store.db')
  const database = new Database(path)
  database.exec(
    'CREATE TABLE sales (id INTEGER PRIMARY KEY, total REAL); INSERT INTO sales VALUES (1, 5), (2, 70), (3, 90)',
  )
  database.close()
  await api(createConnector, { body: { name: 'AI store', type: 'sqlite', config: { path } } })
  const answer = (value: string, columns: string[]) => ({
    text: `\`\`\`json\n${JSON.stringify({
      builder: 'sales',
      filters: [{ field: 'total', operator: '>=', value, valueType: 'number' }],
      columns,
      sort: 'total',
      order: 'desc',
      limit: '10',
    })}\n\`\`\`\n`,
  })
  fake.reply(answer('50', ['id', 'total']))
  await page.goto('/explorer')
  const tree = page.getByRole('tree')
  await tree.getByRole('treeitem').getByRole('button', { name: 'Expand AI store' }).click()
  await tree.getByRole('treeitem').filter({ hasText: 'sales' }).getByRole('button').click()
  const ask = page.getByRole('button', { name: 'Ask AI…' })
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Ask about AI store' })
  await page.keyboard.type('Sales from 50 on, largest first')
  await page.keyboard.press('ControlOrMeta+Enter')
  const proposed = dialog.getByRole('region', { name: 'Proposed query' })
  await expect(proposed).toContainText('ORDER BY "total" DESC')
  await expect(proposed).toContainText(':total')
  await expectAccessible(page)
  await picture(page, 'question-builder')
  await dialog.getByRole('button', { name: 'Open in builder' }).click()
  const builder = page.getByRole('form', { name: 'Conditions of the query' })
  await expect(builder.getByRole('combobox', { name: 'Column', exact: true })).toHaveValue('total')
  await expect(builder.getByRole('textbox', { name: 'Value', exact: true })).toHaveValue('50')
  await expect(builder.getByRole('textbox', { name: 'Limit' })).toHaveValue('10')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('90', { exact: true })).toBeVisible()
  await expect(page.getByText('5', { exact: true })).toHaveCount(0)
  await picture(page, 'question-builder-run')

  // What stands in the builder is changed only if that was chosen, and stays in its tab.
  fake.reply(answer('60', ['id']), answer('60', ['nothing']), answer('60', ['nothing']))
  await ask.click()
  await dialog.getByRole('checkbox', { name: /Change the current query/ }).check()
  await dialog.getByRole('textbox', { name: 'Question' }).fill('From 60 on')
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByRole('button', { name: 'Open in builder' }).click()
  expect(fake.asked[0]?.body).toContain('current_query')
  await expect(
    page.getByRole('toolbar', { name: 'Queries' }).getByRole('button', { name: /^sales( 2)?$/ }),
  ).toHaveCount(2)
  await ask.click()
  await dialog.getByRole('textbox', { name: 'Question' }).fill('Something else')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(dialog.getByText('has no column')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'question-builder-findings')
})
