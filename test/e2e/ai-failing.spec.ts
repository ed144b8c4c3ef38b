// Providers that fail, and servers that go away, wherever a model is asked; the references that a proposal names.
import Database from 'better-sqlite3'
import { createAiReference } from '../../src/contract/ai-references.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { configureAi, fenced, picture, speak, yamlOf } from '../support/ai-page.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'
import { type FakeAi, openaiDelta, startFakeAi } from '../support/fake-ai.ts'

let fake: FakeAi
test.beforeAll(async () => {
  fake = await startFakeAi()
})
test.afterAll(() => fake.close())

test('a failure is told where the model was asked, in the language of the window, and what was typed stays', async ({
  page,
  api,
}, info) => {
  test.slow()
  await configureAi(api, fake)
  const html = { bytes: ['<html>'], type: 'text/html' }
  const [english, german] = [
    'The AI provider answered with a web page. Check ai.base_url.',
    'Der KI-Anbieter antwortet mit einer Webseite. Prüfen Sie ai.base_url.',
  ]
  const told = page.getByRole('alert').filter({ hasText: english })
  const inGerman = page.getByRole('alert').filter({ hasText: german })
  const { id } = await api(createTask, { body: { yaml_content: yamlOf('ai.failing') } })
  await page.goto(`/tasks/${id}`)
  const editor = page.getByRole('textbox', { name: /YAML of the task/ })
  await editor.getByText('b > 0').click()
  await page.keyboard.press('ControlOrMeta+i')
  await page.keyboard.type('Only above seven')
  fake.reply(html)
  await page.keyboard.press('Enter')
  await expect(told).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Only above seven')
  await speak(page, 'de')
  await expect(inGerman).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'failing-part')
  await speak(page, 'en')
  await expect(editor).toContainText('b > 0')

  const script = await api(createTask, {
    body: { yaml_content: 'etl: 1\nkind: script\nname: ai.broken\nscript: |\n  throw new Error("no")\n' },
  })
  const run = await api(triggerRun, { params: { taskId: script.id }, body: {} })
  await page.goto(`/runs/${run.id}`)
  await page.getByRole('button', { name: 'Explain…' }).click()
  fake.reply(html)
  await page.getByRole('button', { name: 'Explain', exact: true }).click()
  await expect(told).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'failing-explain')

  const path = info.outputPath('shop.db')
  new Database(path).exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL)').close()
  await api(createConnector, { body: { name: 'AI failing', type: 'sqlite', config: { path } } })
  await page.goto('/explorer')
  const tree = page.getByRole('tree')
  await tree.getByRole('treeitem').getByRole('button', { name: 'Expand AI failing' }).click()
  await tree.getByRole('treeitem').filter({ hasText: 'orders' }).getByRole('button').click()
  await page.getByRole('button', { name: 'Ask AI…' }).click()
  await page.keyboard.type('How much did we take?')
  fake.reply(html)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(told).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Question' })).toHaveValue('How much did we take?')
  await picture(page, 'failing-question')

  await page.goto('/settings/configuration?find=ai.')
  fake.reply(html)
  await page.getByRole('button', { name: 'Test AI provider' }).click()
  await expect(page.getByText(english)).toBeVisible()
  await picture(page, 'failing-test')
})

test('an answer that breaks off because the server is gone says so, and what was typed stays', async ({
  page,
  api,
  server,
}) => {
  test.slow()
  await configureAi(api, fake)
  const { id } = await api(createTask, { body: { yaml_content: yamlOf('ai.lost') } })
  await page.goto(`/tasks/${id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Load it')
  fake.reply({ bytes: [openaiDelta('heard so far\n')], hang: true })
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText('heard so far')).toBeVisible()
  await server.kill()
  await expect(page.getByText('The answer broke off. Try again.')).toBeVisible()
  await expect(page.getByText('Disconnected.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue('Load it')
  await server.restart()
})

test('a proposal names the excerpts of references that it used', async ({ page, api }) => {
  test.slow()
  await configureAi(api, fake)
  const long = `# Refunds\n\n${'Refunds are negative. '.repeat(200)}\n\n# Taxes\n\nTaxes are in cents.\n`
  await api(createAiReference, { body: { title: 'Rules of orders', kind: 'markdown', content: long } })
  await api(createAiReference, { body: { title: 'Names', kind: 'text', content: 'Trim names.' } })
  // Newer ones fill the list: the two are found by their titles.
  for (let at = 0; at < 60; at++)
    await api(createAiReference, { body: { title: `Other ${at}`, kind: 'text', content: 'Other' } })
  const yaml = yamlOf('ai.references')
  const { id } = await api(createTask, { body: { yaml_content: yaml } })
  fake.reply({ text: fenced(yaml.replace('b > 0', 'b > 7')) })
  await page.goto(`/tasks/${id}?side=ai`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('Keep taxes')
  const references = page.getByRole('combobox', { name: 'References' })
  for (const title of ['Rules of orders', 'Names']) {
    await references.fill(title)
    await page.getByRole('option', { name: title }).click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Generate' }).click()
  const used = page.getByText('2 reference excerpts used')
  await used.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'Rules of orders › Taxes' })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: /^Names$/ })).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'references-used')
})
