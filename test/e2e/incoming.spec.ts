import type { Page } from '@playwright/test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const dialog = page.getByRole('dialog', { name: 'A task for these rows' })
  await dialog.getByRole('button', { name: 'Name its path instead' }).click()
  const path = dialog.getByLabel('Path on the executor’s machine')
  await path.fill(join(folder, 'gone.csv'))
  await expect(dialog.getByRole('alert')).toContainText('No file matches', { timeout: 30_000 })
  await path.fill(join(folder, 'people.csv'))
  await expect(dialog.getByText('Zoë')).toBeVisible()
  await expect(dialog.getByRole('combobox', { name: 'Between values' })).toHaveValue('Semicolon ;')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(dialog).toBeHidden()

  await choose(page, { name: 'letter.txt', text: 'Dear Sir\nthis is a letter\n' })
  await expect(page.getByRole('alert')).toHaveText(/nothing that Headgate knows/)
  await page.keyboard.press('Escape')
  await choose(page, { name: 'people.csv', text }, { name: 'more.csv', text })
  await page.getByRole('button', { name: 'Read all 2 as one' }).click()
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
