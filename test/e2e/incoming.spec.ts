import type { Page } from '@playwright/test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnector } from '../../src/contract/connectors.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-e2e-incoming-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const yamlOf = (rows: string) => `etl: 1
kind: pipeline
name: incoming.known
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [${rows}]}}
target: {connector: out, file: {path: out.csv}}
`

async function choose(page: Page, ...files: { name: string; text: string }[]): Promise<void> {
  await page
    .getByLabel('Open file…')
    .first()
    .setInputFiles(files.map(({ name, text }) => ({ name, mimeType: '', buffer: Buffer.from(text) })))
}

test('a browser takes the path of rows, shows them before anything is made, and says what it cannot open', async ({
  page,
}) => {
  const text = 'id;name\n1;Zoë\n2;Ada\n'
  writeFileSync(join(folder, 'people.csv'), text)
  await page.goto('/')
  await choose(page, { name: 'people.csv', text })
  const dialog = page.getByRole('dialog', { name: 'Create task from file' })
  await dialog.getByRole('button', { name: 'Enter a path instead' }).click()
  const path = dialog.getByLabel('Path on the executor’s machine')
  await path.fill(join(folder, 'gone.csv'))
  await expect(dialog.getByRole('alert')).toContainText('No file matches', { timeout: 30_000 })
  await path.fill(join(folder, 'people.csv'))
  await expect(dialog.getByText('Zoë')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Delimiter' })).toHaveValue('Semicolon ;')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toBeHidden()

  await choose(page, { name: 'letter.txt', text: 'Dear Sir\nthis is a letter\n' })
  await expect(page.getByRole('alert')).toHaveText(/The file type isn’t supported/)
  await page.keyboard.press('Escape')
  await choose(page, { name: 'people.csv', text }, { name: 'letter.txt', text: 'Dear Sir\n' })
  const several = page.getByRole('dialog', { name: 'Open a file' })
  await expect(several.getByRole('listitem').filter({ hasText: 'letter.txt' })).toContainText('Unsupported')
  await expect(several.getByText('isn’t supported')).toBeHidden()
  await page.keyboard.press('Escape')
  await choose(page, { name: 'people.csv', text }, { name: 'more.csv', text })
  await page.getByRole('button', { name: 'Read both in one task' }).click()
  await expect(dialog.getByText('people.csv and others (2 files)')).toBeVisible()
})

test('the text of a task that is here opens as a change of it; a new one as a draft, however broken', async ({
  page,
  api,
}) => {
  const { id } = await api(createTask, { body: { yaml_content: yamlOf('{a: 1}') } })
  await page.goto('/runs')
  await choose(page, { name: 'known.yaml', text: yamlOf('{a: 2}') })
  await expect(page).toHaveURL(new RegExp(`/tasks/${id}$`))
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Save…' }).click()
  await expect(page.getByRole('dialog').getByText('{a: 2}')).toBeVisible()
  await page.keyboard.press('Escape')

  await choose(page, { name: 'broken.yaml', text: 'etl: 1\nkind: pipeline\nname: incoming.broken\nsource: {inline\n' })
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/tasks\/new/)
  await expect(page.getByRole('textbox').filter({ hasText: 'incoming.broken' })).toBeVisible()
})

test('what the dialog chose stays chosen when the draft is created, also where several connectors fit', async ({
  page,
  api,
  server,
}) => {
  for (const name of ['first', 'second', 'third']) {
    const root = join(server.filesDir, name)
    mkdirSync(root)
    writeFileSync(join(root, 'people.csv'), `id;name\n1;${name}\n`)
    // One after the other: the last one is no more likely than the others.
    await api(createConnector, { body: { name, type: 'file', config: { root } } })
  }
  await page.goto('/')
  await choose(page, { name: 'people.csv', text: 'id;name\n1;second\n' })
  const dialog = page.getByRole('dialog', { name: 'Create task from file' })
  await dialog.getByRole('button', { name: 'Enter a path instead' }).click()
  await dialog.getByLabel('Path on the executor’s machine').fill(join(server.filesDir, 'second', 'people.csv'))
  await expect(dialog.getByRole('textbox', { name: 'Connector' })).toHaveValue('second')
  await dialog.getByRole('button', { name: 'Open draft' }).click()
  await page.getByRole('button', { name: 'Create task' }).click()
  await expect(page).toHaveURL(/\/tasks\/\d+$/)
  await page.getByRole('button', { name: /^Run/ }).first().click()
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'source_data' })).toHaveValue(/^second/)
})
