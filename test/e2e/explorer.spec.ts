import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { MongoClient, ObjectId } from 'mongodb'
import pg from 'pg'
import { createConnector } from '../../src/contract/connectors.ts'
import { createExplorerPreset, listExplorerPresets } from '../../src/contract/explorer-presets.ts'
import { hasMongo, startMongo } from '../support/ferretdb.ts'
import { type Api, expect, expectAccessible, tabTo, test } from '../support/e2e.ts'
import { postgresPrograms, startPostgres } from '../support/postgres.ts'

let folder = ''
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-e2e-explorer-'))
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'people.csv'), 'id,name\n1,Ada\n2,Grace\n')
  const db = new Database(join(folder, 'shop.db'))
  db.exec(
    `CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT, total NUMERIC, note TEXT, raw BLOB);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
     INSERT INTO orders SELECT i, 'customer ' || i, i * 1.25, CASE i % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE ' x ' END, X'00FF' FROM n;
     INSERT INTO orders VALUES (9007199254740993, 'exact', 1, 'long ' || hex(randomblob(500000)), NULL);`,
  )
  db.close()
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

let counter = 0
async function connectShop(api: Api, environment: 'development' | 'production' = 'development') {
  const name = `shop ${(counter += 1)}`
  const config = { path: join(folder, 'shop.db') }
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', environment, config } })
  return { name, id }
}

test('while connectors can’t be loaded, the text of an open query stays', async ({ page, api }) => {
  const { id } = await connectShop(api)
  await page.goto(`/explorer?connector=${id}&resource=orders`)
  await expect(page.getByRole('grid', { name: 'Result' })).toBeVisible({ timeout: 30_000 })
  await page.route('**/api/connectors?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t load connectors' })).toBeVisible()
  await expect(page.getByText('SELECT * FROM orders')).toBeVisible()
})

test('a table is found in the tree, read to its last row, and its values are exact', async ({ page, api }) => {
  const { name } = await connectShop(api)
  await page.goto('/explorer')
  const tree = page.getByRole('tree', { name: 'Connectors' })
  await tree
    .getByRole('treeitem')
    .filter({ hasText: name })
    .getByRole('button', { name: `Expand ${name}` })
    .click()
  await tree.getByRole('treeitem').filter({ hasText: 'orders' }).getByRole('button').click()
  const grid = page.getByRole('grid', { name: 'Result' })
  await expect(grid.getByText('customer 1', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('SELECT * FROM orders')).toBeVisible()
  await expectAccessible(page)
  // Lines go through both panes: below their tabs, and below the search and the buttons of the query.
  const edgeOf = async (part: Locator, height: 0 | 1) => {
    const box = await part.boundingBox()
    return box && box.y + height * box.height
  }
  const queries = page.getByRole('toolbar', { name: 'Queries' })
  expect(await edgeOf(queries, 1)).toBe(await edgeOf(page.getByRole('tablist', { name: 'Explorer' }), 1))
  expect(await edgeOf(page.locator('.cm-editor'), 0)).toBe(await edgeOf(tree, 0))
  await page.getByRole('textbox', { name: 'Go to row' }).fill('120001')
  await page.keyboard.press('Enter')
  await expect(grid.getByText('9007199254740993')).toBeVisible()
  await expect(page.getByText('120,001 rows')).toBeVisible()

  // A search looks into connectors that are folded, too.
  await connectShop(api)
  await page.reload()
  await page.getByRole('searchbox', { name: 'Search names' }).fill('rder')
  await expect(tree.getByRole('treeitem').filter({ hasText: 'orders' })).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Search names' }).fill('')
  await expect(tree.getByRole('treeitem').filter({ hasText: 'orders' })).toHaveCount(0)
  await tree.getByRole('button', { name: `Expand ${name}` }).click()

  // Opened again, it is the tab that is there.
  await tree.getByRole('treeitem').filter({ hasText: 'orders' }).getByRole('button').click()
  await expect(page.getByRole('button', { name: 'Close orders' })).toHaveCount(1)
})

test('edits are staged, reviewed, confirmed by name on production, and a conflict sends nothing', async ({
  page,
  api,
}) => {
  const path = join(folder, `edited ${Date.now()}.db`)
  const db = new Database(path)
  db.exec(
    "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace'), (3, 'Alan')",
  )
  const name = `people ${(counter += 1)}`
  const { id } = await api(createConnector, {
    body: { name, type: 'sqlite', environment: 'production', config: { path } },
  })
  await page.goto(`/explorer?connector=${id}&resource=people`)
  const grid = page.getByRole('grid', { name: 'Result' })
  await grid.getByText('Ada', { exact: true }).click({ timeout: 30_000 })
  await page.keyboard.press('F2')
  const editing = page.getByRole('dialog', { name: 'Edit name' })
  await editing.getByRole('textbox').fill('Lady Ada')
  await page.keyboard.press('Enter')
  await expect(grid.getByText('Lady Ada')).toBeVisible()
  const discard = page.getByRole('dialog', { name: 'Discard staged changes?' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(discard.getByText('1 staged change hasn’t been sent')).toBeVisible()
  await discard.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Close people', exact: true }).click()
  await discard.getByRole('button', { name: 'Cancel' }).click()
  await expect(grid.getByText('Lady Ada')).toBeVisible()
  const reloading = page.waitForEvent('dialog')
  // Answered below: the page stays.
  void page.evaluate(() => location.reload()).catch(() => undefined)
  const question = await reloading
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(grid.getByText('Lady Ada')).toBeVisible()
  await grid.getByText('Grace', { exact: true }).click()
  await page.keyboard.press('Delete')
  await expect(grid.getByRole('img', { name: 'Deleted row' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(grid.getByRole('img', { name: 'Deleted row' })).toBeHidden()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Add row' }).click()
  await grid.getByRole('img', { name: 'New row' }).click()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await page.getByRole('dialog', { name: /^Edit/ }).getByRole('textbox').fill('Edsger')
  await page.keyboard.press('Enter')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Review changes (3)' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await expect(review.getByText('3 rows will be changed.')).toBeVisible({ timeout: 30_000 })
  await expect(review.getByText('UPDATE "people" SET "name" = ? WHERE "id" = ?')).toBeVisible()
  await expectAccessible(page)
  const send = review.getByRole('button', { name: 'Send 3 statements' })
  await expect(send).toBeDisabled()
  db.exec("UPDATE people SET name = 'Amazing Grace' WHERE id = 2")
  await review.getByRole('textbox').fill(name)
  await send.click()
  await expect(review.getByText('Someone else changed this row: name')).toBeVisible({ timeout: 30_000 })
  // Of the three, the one that it is about.
  await expect(review.getByText('DELETE FROM "people" WHERE "id" = ?')).toBeVisible()
  await expect(review.getByText('UPDATE "people" SET "name" = ? WHERE "id" = ?')).toBeHidden()
  expect(db.prepare('SELECT name FROM people ORDER BY id').pluck().all()).toEqual(['Ada', 'Amazing Grace', 'Alan'])
  db.exec("UPDATE people SET name = 'Grace' WHERE id = 2")
  // The confirmation is used up: until the new review is here, nothing can be sent.
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/changes', async (route) => {
    await held
    await route.continue()
  })
  await review.getByRole('button', { name: 'Review again' }).click()
  await expect(review.getByText('Counting rows…')).toBeVisible()
  await expect(send).toBeDisabled()
  answer()
  await expect(send).toBeEnabled({ timeout: 30_000 })
  await page.unroute('**/changes')
  await send.click()
  await expect(page.getByText('3 rows written')).toBeVisible({ timeout: 30_000 })
  expect(db.prepare('SELECT name FROM people ORDER BY id').pluck().all()).toEqual(['Lady Ada', 'Alan', 'Edsger'])
  await expect(grid.getByText('Edsger')).toBeVisible()

  const editor = page.getByRole('textbox', { name: 'Query of people' })
  await editor.fill('DELETE FROM people WHERE id > 1')
  await page.keyboard.press('Control+Enter')
  await expect(review.getByText('2 rows will be changed.')).toBeVisible({ timeout: 30_000 })
  await review.getByRole('button', { name: 'Cancel' }).click()
  expect(db.prepare('SELECT count(*) FROM people').pluck().get()).toBe(3)
  db.close()
})

test('a row with a value too long for a page is edited, and too many rows are not marked', async ({ page, api }) => {
  const path = join(folder, `long ${Date.now()}.db`)
  const db = new Database(path)
  const long = 'é"\n'.repeat(400_000)
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT, note TEXT)')
  db.prepare("INSERT INTO notes VALUES (1, 'old', ?)").run(long)
  db.exec(
    "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) INSERT INTO notes SELECT i, 'n' || i, NULL FROM n",
  )
  const name = `notes ${(counter += 1)}`
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  await page.goto(`/explorer?connector=${id}&resource=notes`)
  const grid = page.getByRole('grid', { name: 'Result' })
  await grid.getByText('old', { exact: true }).click({ timeout: 30_000 })
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(page.getByText('Up to 1,000 rows can be deleted at a time; 1,500 are selected')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Review changes/ })).toBeHidden()
  await grid.getByText('old', { exact: true }).click()
  await page.keyboard.press('F2')
  await page.getByRole('dialog', { name: 'Edit name' }).getByRole('textbox').fill('new')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Review changes (1)' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await review.getByRole('button', { name: 'Send 1 statement' }).click({ timeout: 30_000 })
  await expect(page.getByText('1 row written')).toBeVisible({ timeout: 30_000 })
  expect(db.prepare('SELECT name, note = ? FROM notes WHERE id = 1').raw().get(long)).toEqual(['new', 1])
  db.close()
})

test('a query is written, run with a value, canceled, and its failure is said beside it', async ({ page, api }) => {
  const { name } = await connectShop(api, 'production')
  await page.goto('/explorer')
  await page.getByRole('button', { name: 'New query' }).click()
  await page.getByRole('menuitem', { name }).click()
  const panel = page.getByRole('region', { name: 'Query', exact: true })
  await expect(panel.getByText('Production')).toBeVisible()
  const editor = page.getByRole('textbox', { name: 'Query of Query' })
  await expect(editor).toBeFocused()
  await page.keyboard.insertText('SELECT id, total FROM orders WHERE id <= :most ORDER BY id')
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Values for this query' })
  await dialog.getByRole('textbox', { name: 'most', exact: true }).fill('3')
  await dialog.getByRole('combobox', { name: 'Type of most' }).click()
  await page.getByRole('option', { name: 'Number' }).click()
  await dialog.getByRole('button', { name: 'Run' }).click()
  await expect(panel.getByText('3 rows', { exact: true })).toBeVisible({ timeout: 30_000 })

  await editor.fill('SELECT * FROM ordres')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByRole('alert')).toContainText('ordres')
  await expect(panel.locator('.cm-lintRange-error')).toHaveText('ordres')
  // Nor does a list of names cover what came.
  await expect(page.locator('.cm-tooltip-autocomplete')).toHaveCount(0)
  await expectAccessible(page)

  await editor.fill('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText(/Running for/)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(panel.getByText('Canceled')).toBeVisible()
})

test('cells are selected by keys, copied as a statement, and a long value is shown in full', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { name } = await connectShop(api)
  await page.goto('/explorer')
  await page.getByRole('button', { name: 'New query' }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.keyboard.insertText('SELECT * FROM orders WHERE id IN (1, 2, 9007199254740993)')
  await page.keyboard.press('Control+Enter')
  const grid = page.getByRole('grid', { name: 'Result' })
  await expect(grid.getByText('customer 1', { exact: true })).toBeVisible({ timeout: 30_000 })
  await grid.focus()
  // The first key shows where the keyboard stands.
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowLeft', 'Shift+Control+ArrowDown'])
    await page.keyboard.press(key)
  await page.keyboard.press('Control+c')
  await expect(page.getByText('3 rows copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '1\tcustomer 1\n2\tcustomer 2\n9007199254740993\texact',
  )
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy as INSERT' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("(9007199254740993, 'exact')")
  await grid.focus()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const value = page.getByRole('dialog')
  await expect(value.getByText('1,000,005 characters')).toBeVisible()
  await expectAccessible(page)
})

test('a result is exported, a query becomes a preset, and tabs come back after a reload', async ({ page, api }) => {
  const { name } = await connectShop(api)
  // The browser's own dialog for files cannot be pressed here: without it, the file is a download.
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'showSaveFilePicker'))
  await page.goto('/explorer')
  await page.getByRole('button', { name: 'New query' }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.keyboard.insertText("SELECT id, '=1+1' AS formula, -5 AS less FROM orders WHERE id < 3 ORDER BY id")
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('2 rows', { exact: true })).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Export…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export result' })
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  expect(readFileSync(await (await download).path(), 'utf8')).toBe("id,formula,less\r\n1,'=1+1,-5\r\n2,'=1+1,-5\r\n")

  await page.getByRole('button', { name: 'Save as preset' }).click()
  const saving = page.getByRole('dialog', { name: 'Save as preset' })
  await saving.getByRole('textbox', { name: 'Name' }).fill(`Two orders of ${name}`)
  await saving.getByRole('button', { name: 'Save preset' }).click()
  await expect(saving).toBeHidden()
  const presets = await api(listExplorerPresets, { query: { q: name } })
  expect(presets.result.map(({ definition }) => definition.rawQuery)).toEqual([expect.stringContaining('=1+1')])

  await page.reload()
  await expect(page.getByText('Not run yet')).toBeVisible()
  await expect(page.getByRole('button', { name: `Two orders of ${name}`, exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Presets' }).click()
  await page
    .getByRole('button', { name: new RegExp(`^Two orders of ${name}`) })
    .last()
    .click()
  await expectAccessible(page)
})

test('a table of a connector is opened in the Explorer, once', async ({ page, api }) => {
  const { id } = await connectShop(api)
  await page.goto(`/connectors/${id}/resources?resource=orders`)
  await page.getByRole('link', { name: 'Query', exact: true }).click()
  await expect(page.getByRole('grid', { name: 'Result' }).getByText('customer 1', { exact: true })).toBeVisible({
    timeout: 30_000,
  })
  await expect(page).toHaveURL(/\/explorer$/)
  await page.reload()
  await expect(page.getByText('Not run yet')).toBeVisible()
  await expect(
    page.getByRole('toolbar', { name: 'Queries' }).getByRole('button', { name: 'Close orders' }),
  ).toHaveCount(1)
})

test('conditions become a statement, a preset with a parameter, and text to go on with', async ({ page, api }) => {
  const { name, id } = await connectShop(api)
  await page.goto(`/explorer?connector=${id}&resource=orders`)
  const panel = page.getByRole('region', { name: 'orders' })
  await expect(panel.getByRole('grid', { name: 'Result' })).toBeVisible({ timeout: 30_000 })
  await panel.getByRole('radio', { name: 'Builder' }).press('Space')
  const form = page.getByRole('form', { name: 'Conditions of the query' })
  await form.getByRole('button', { name: 'Add condition' }).press('Enter')
  const row = form.getByRole('group', { name: 'Condition 1' })
  await row.getByRole('combobox', { name: 'Column' }).fill('total')
  await page.keyboard.press('Escape')
  await row.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: '≤' }).click()
  await row.getByRole('textbox', { name: 'Value', exact: true }).fill('2,5')
  await row.getByRole('combobox', { name: 'Type of the value' }).click()
  await page.getByRole('option', { name: 'Number' }).click()
  await expect(row.getByText('must be a number')).toBeVisible()
  await row.getByRole('textbox', { name: 'Value', exact: true }).fill('2.5')
  await expect(panel.getByText('WHERE "total" <= CAST(:total AS NUMERIC)')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText('3 rows', { exact: true })).toBeVisible({ timeout: 30_000 })

  await row.getByRole('textbox', { name: 'Value', exact: true }).fill('{{most}}')
  await page.getByRole('button', { name: 'Save as preset' }).click()
  const saving = page.getByRole('dialog', { name: 'Save as preset' })
  await saving.getByRole('textbox', { name: 'Name' }).fill(`Up to, in ${name}`)
  await saving.getByRole('button', { name: 'Save preset' }).click()
  await expect(saving).toBeHidden()
  const { result } = await api(listExplorerPresets, { query: { q: `in ${name}` } })
  expect(result[0]?.definition).toMatchObject({
    mode: 'visual',
    filters: [{ field: 'total', operator: '<=', value: '{{most}}', valueType: 'number' }],
    parameters: [{ name: 'most', label: 'most', type: 'string' }],
  })
  await page.getByRole('tab', { name: 'Presets' }).click()
  await page
    .getByRole('button', { name: `Up to, in ${name}` })
    .first()
    .click()
  await page.keyboard.press('Control+Enter')
  const asking = page.getByRole('dialog', { name: 'Values for this query' })
  await asking.getByRole('textbox', { name: 'most' }).fill('1.25')
  await page.keyboard.press('Enter')
  await expect(page.getByText('2 rows', { exact: true })).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Edit as text' }).last().click()
  await expect(page.getByRole('textbox', { name: `Query of Up to, in ${name}` })).toContainText('CAST(')
  await page.getByRole('button', { name: 'Create task' }).last().click()
  const draft = page.getByRole('textbox', { name: /^YAML of the task/ })
  await expect(draft).toContainText('WHERE "total" <= CAST(:total AS NUMERIC)')
  await expect(draft).toContainText('total: "1.25"')
})

test('a query over a file becomes a task that gives the same rows, and one over two says why not', async ({
  page,
  api,
}) => {
  const name = `inbox ${(counter += 1)}`
  await api(createConnector, { body: { name, type: 'file', config: { root: join(folder, 'in') } } })
  await page.goto('/explorer')
  await page.getByRole('button', { name: 'New query' }).click()
  await page.getByRole('menuitem', { name }).click()
  const create = page.getByRole('button', { name: 'Create task' }).last()
  await page.keyboard.insertText("SELECT 1 AS one FROM 'people.csv' JOIN 'others.csv' USING (id)")
  await create.click()
  await expect(page.getByText('A task reads one file or one pattern of files.')).toBeVisible()
  await page.getByRole('textbox', { name: /^Query of/ }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText("SELECT upper(people.name) AS called\nFROM 'people.csv'\nWHERE people.id > 1")
  await create.click()
  const draft = page.getByRole('textbox', { name: /^YAML of the task/ })
  await expect(draft).toContainText('FROM stream AS "people"')
  await expect(page.getByText('GRACE', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('ADA', { exact: true })).toBeHidden()
})

test('a preset asks for a record of a collection, searched and paged by MongoDB', async ({ page, api }) => {
  test.skip(!hasMongo, 'no MongoDB')
  const server = await startMongo({ inMemory: true })
  const client = await new MongoClient(server.uri).connect()
  try {
    const db = client.db('shop')
    const people = Array.from({ length: 120 }, (_, nr) => ({
      _id: new ObjectId(),
      name: `Person ${String(nr).padStart(3, '0')}`,
      city: nr % 2 === 0 ? 'Ulm' : 'Bonn',
    }))
    await db.collection('people').insertMany(people)
    await db.collection('orders').insertMany(people.map(({ _id }, nr) => ({ nr, who: _id })))
    const name = `mongo ${(counter += 1)}`
    const { id } = await api(createConnector, {
      body: { name, type: 'mongodb', config: { uri: server.uri, database: 'shop' } },
    })
    await page.goto(`/explorer?connector=${id}&resource=orders`)
    const panel = page.getByRole('region', { name: 'orders' })
    await expect(panel.getByText('120 rows', { exact: true })).toBeVisible({ timeout: 30_000 })
    await panel
      .getByRole('textbox', { name: 'Query of orders' })
      .fill('{"find": "orders", "filter": {"who": {"$oid": "{{who}}"}}}')
    await page.getByRole('button', { name: 'Save as preset' }).click()
    const saving = page.getByRole('dialog', { name: 'Save as preset' })
    await saving.getByRole('textbox', { name: 'Name' }).fill(`Orders of one, in ${name}`)
    const parameter = saving.getByRole('group', { name: '{{who}}' })
    await parameter.getByRole('textbox', { name: 'Label', exact: true }).fill('Customer')
    await parameter.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Record of a collection' }).click()
    await saving.getByRole('button', { name: 'Save preset' }).click()
    await expect(parameter.getByText('Required', { exact: true }).first()).toBeVisible()
    await parameter.getByRole('combobox', { name: 'Collection' }).fill('people')
    await parameter.getByRole('combobox', { name: 'Label field' }).fill('name')
    await parameter.getByRole('combobox', { name: 'Description fields' }).fill('city')
    await page.keyboard.press('Enter')
    await parameter.getByRole('textbox', { name: 'Filter (JSON)' }).fill('{"city": "Ulm"}')
    await expectAccessible(page)
    await saving.getByRole('button', { name: 'Save preset' }).click()
    await expect(saving).toBeHidden()
    const { result } = await api(listExplorerPresets, { query: { q: `in ${name}` } })
    expect(result[0]?.definition.parameters).toEqual([
      {
        name: 'who',
        label: 'Customer',
        type: 'mongoRecord',
        collection: 'people',
        labelField: 'name',
        descriptionFields: ['city'],
        filter: { city: 'Ulm' },
      },
    ])

    await page.keyboard.press('Control+Enter')
    const asking = page.getByRole('dialog', { name: 'Values for this query' })
    const customer = asking.getByRole('combobox', { name: 'Customer' })
    await customer.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'Person 000' })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('option')).toHaveCount(51)
    await page.getByRole('option', { name: 'Show more' }).click()
    await customer.press('ArrowDown')
    await expect(page.getByRole('option')).toHaveCount(60, { timeout: 30_000 })
    await customer.fill('person 04')
    await expect(page.getByRole('option')).toHaveText(
      [0, 2, 4, 6, 8].map((nr) => `Person 04${nr}city: Ulm`),
      { timeout: 30_000 },
    )
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(customer).toHaveValue(/^Person 04/)
    await expectAccessible(page)
    await asking.getByRole('button', { name: 'Run' }).click()
    await expect(page.getByText('1 row', { exact: true })).toBeVisible({ timeout: 30_000 })

    // The value of the last run keeps its label.
    await page.keyboard.press('Control+Enter')
    await expect(customer).toHaveValue(/^Person 04/, { timeout: 30_000 })
  } finally {
    await client.close()
    await server.stop()
  }
})

test('a result is sorted, searched, and filtered exactly, says what was searched, and goes to the system', async ({
  page,
  api,
}) => {
  const path = join(folder, `found ${Date.now()}.db`)
  const db = new Database(path)
  db.exec(
    `CREATE TABLE few (id INTEGER PRIMARY KEY, big BIGINT, name TEXT);
     INSERT INTO few VALUES (1, 9007199254740993, 'Ada'), (2, 9007199254740992, 'Grace'), (3, -5, NULL), (4, 10, 'Adam');
     CREATE TABLE many (id INTEGER PRIMARY KEY, name TEXT);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
     INSERT INTO many SELECT i, 'name ' || i FROM n;`,
  )
  db.close()
  const name = `found ${(counter += 1)}`
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  await page.goto(`/explorer?connector=${id}&resource=few`)
  const few = page.getByRole('region', { name: 'few' })
  await expect(few.getByText('4 rows', { exact: true })).toBeVisible({ timeout: 30_000 })
  const rowsOf = (panel: typeof few) => panel.getByRole('rowheader')
  await few.getByRole('columnheader', { name: 'big' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Sort descending' }).click()
  await expect(rowsOf(few)).toHaveText(['1', '2', '4', '3'])
  await expect(few.getByRole('columnheader', { name: 'big' })).toHaveAttribute('aria-sort', 'descending')

  // Edits stay with their row.
  await few.getByText('Grace', { exact: true }).click()
  await page.keyboard.press('F2')
  await page.getByRole('dialog', { name: 'Edit name' }).getByRole('textbox').fill('Amazing Grace')
  await page.keyboard.press('Enter')
  await expect(few.getByRole('row').filter({ hasText: '9007199254740992' })).toContainText('Amazing Grace')

  await few.getByRole('button', { name: 'Find', exact: true }).click()
  const bar = few.getByRole('search', { name: 'Find in result' })
  await expect(bar.getByRole('textbox', { name: 'Find' })).toBeFocused()
  await page.keyboard.type('ada')
  await expect(bar.getByText('2 matches')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(bar.getByText('1 of 2')).toBeVisible()
  await bar.getByRole('checkbox', { name: 'Only matching rows' }).check()
  await expect(rowsOf(few)).toHaveText(['1', '4'])
  await expect(few.getByText('2 of 4 rows')).toBeVisible()
  await expectAccessible(page)
  await bar.getByRole('combobox', { name: 'Column' }).click()
  await page.getByRole('option', { name: 'big' }).click()
  await bar.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: '=', exact: true }).click()
  await expect(bar.getByText('Enter a number')).toBeVisible()
  await bar.getByRole('textbox', { name: 'Find' }).fill('9007199254740993')
  await expect(rowsOf(few)).toHaveText(['1'])
  await bar.getByRole('textbox', { name: 'Find' }).press('Escape')
  await expect(bar).toBeHidden()
  await expect(rowsOf(few)).toHaveText(['1', '~2', '4', '3'])
  await page.keyboard.press('Control+z')
  await expect(rowsOf(few)).toHaveText(['1', '2', '4', '3'])

  await page.goto(`/explorer?connector=${id}&resource=many`)
  const many = page.getByRole('region', { name: 'many' })
  await expect(many.getByText('name 1', { exact: true })).toBeVisible({ timeout: 30_000 })
  await many.getByRole('button', { name: 'Find', exact: true }).click()
  const search = many.getByRole('search')
  await search.getByRole('combobox', { name: 'Column' }).click()
  await page.getByRole('option', { name: 'name' }).click()
  await search.getByRole('textbox', { name: 'Find' }).fill('name 3999')
  await expect(many.getByText(/^Only the first 30,000 .*rows are sorted and searched/)).toBeVisible({ timeout: 30_000 })
  await expect(search.getByText('1 match', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await many.getByRole('button', { name: 'Ask the system' }).click()
  await expect(many.getByText('11 rows', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(many.getByText('instr("name", :name) > 0')).toBeVisible()
})

test('a plan is a tree of steps, measured where the system can, and the system’s own text', async ({ page, api }) => {
  test.skip(postgresPrograms === null, 'no PostgreSQL')
  const duck = join(folder, `plan ${Date.now()}.duckdb`)
  const instance = await DuckDBInstance.create(duck)
  const connection = await instance.connect()
  await connection.run(
    'CREATE TABLE people (id BIGINT, name VARCHAR); CREATE TABLE orders AS SELECT range AS id, range % 9 AS who FROM range(5000)',
  )
  connection.closeSync()
  instance.closeSync()
  const server = await startPostgres()
  const { host, port, user, password, database } = server
  const client = new pg.Client({ host, port, user, password, database })
  try {
    await client.connect()
    await client.query(
      'CREATE TABLE people (id int PRIMARY KEY, name text); CREATE TABLE orders AS SELECT i AS id, i % 9 AS who FROM generate_series(1, 5000) i',
    )
    const query =
      'SELECT p.name, count(*) FROM orders o JOIN people p ON p.id = o.who WHERE o.id > 10 GROUP BY p.name ORDER BY 2 DESC'
    const shop = join(folder, `plan ${Date.now()}.db`)
    const db = new Database(shop)
    db.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE orders (id INTEGER, who INTEGER)')
    db.close()
    const systems = [
      { type: 'postgres', config: { host, port, database, user }, secrets: { password }, says: 'orders' },
      { type: 'duckdb', config: { path: duck }, secrets: {}, says: 'orders' },
      { type: 'sqlite', config: { path: shop }, secrets: {}, says: 'SCAN' },
    ] as const
    for (const { says, ...body } of systems) {
      const name = `plan ${body.type} ${(counter += 1)}`
      await api(createConnector, { body: { name, ...body } })
      await page.goto('/explorer')
      await page.getByRole('button', { name: 'New query' }).click()
      await page.getByRole('menuitem', { name }).click()
      await page.keyboard.insertText(query)
      await page.keyboard.press('Control+Shift+Enter')
      const dialog = page.getByRole('dialog', { name: 'Query plan' })
      await expect(dialog.getByRole('columnheader', { name: 'Step' })).toBeVisible({ timeout: 30_000 })
      // Completion that was still open doesn’t cover the plan.
      await expect(page.locator('.cm-tooltip-autocomplete')).toHaveCount(0)
      await expect(dialog.getByText(says).first()).toBeVisible()
      await expectAccessible(page)
      const measure = dialog.getByRole('checkbox', { name: 'Run the query and measure' })
      await expect(measure).toHaveCount(body.type === 'sqlite' ? 0 : 1)
      if (body.type !== 'sqlite') {
        await measure.check()
        await expect(dialog.getByRole('columnheader', { name: 'Rows', exact: true })).toBeVisible({ timeout: 30_000 })
        await expectAccessible(page)
      }
      await dialog.getByRole('tab', { name: 'As the system writes it' }).click()
      await expect(dialog.locator('pre')).toContainText(says)
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
  } finally {
    await client.end()
    server.stop()
  }
})

test('the history opens a query as it was asked, runs it again, and is cleared after a question', async ({
  page,
  api,
}) => {
  const { id, name } = await connectShop(api)
  await page.goto(`/explorer?connector=${id}&resource=orders`)
  const grid = page.getByRole('grid', { name: 'Result' })
  await expect(grid.getByText('customer 1', { exact: true })).toBeVisible({ timeout: 30_000 })
  const editor = page.getByRole('textbox', { name: 'Query of orders' })
  await editor.fill('SELECT customer FROM orders WHERE id = :number')
  await page.keyboard.press('Control+Enter')
  const values = page.getByRole('dialog', { name: 'Values for this query' })
  await values.getByRole('textbox', { name: 'number' }).fill('7')
  await values.getByRole('button', { name: 'Run' }).click()
  await expect(grid.getByText('customer 7', { exact: true })).toBeVisible()
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('SELECT missing FROM orders')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('no such column: missing').first()).toBeVisible()

  await page.getByRole('tab', { name: 'History' }).click()
  const history = page.getByRole('list', { name: `History of ${name}` })
  await expect(history.getByRole('listitem')).toHaveCount(3)
  await expect(history.getByRole('listitem').first()).toContainText('no such column: missing')
  await expect(history.getByRole('listitem').first()).not.toContainText(`connector ${name}`)
  await expect(history.getByRole('listitem').nth(1)).toContainText('1 row')
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Search history' }).fill(':number')
  await expect(history.getByRole('listitem')).toHaveCount(1)
  await history.getByRole('button', { name: /^Actions for SELECT customer/ }).click()
  await page.getByRole('menuitem', { name: 'Run again' }).click()
  await expect(values.getByRole('textbox', { name: 'number' })).toHaveValue('7')
  await values.getByRole('button', { name: 'Run' }).click()
  await expect(grid.getByText('customer 7', { exact: true })).toBeVisible()
  await expect(history.getByRole('listitem')).toHaveCount(2)
  await history
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete entry' }).click()
  await expect(history.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear history…' }).click()
  const question = page.getByRole('dialog', { name: `Clear your history of ${name}?` })
  await question.getByRole('button', { name: 'Clear history' }).click()
  await page.getByRole('searchbox', { name: 'Search history' }).fill('')
  await expect(page.getByText('No history yet')).toBeVisible()
})

test('a column is profiled by the system over all rows, and over loaded rows where it can’t count', async ({
  page,
  api,
}) => {
  const { id } = await connectShop(api)
  await page.goto(`/explorer?connector=${id}&resource=orders`)
  const grid = page.getByRole('grid', { name: 'Result' })
  await expect(grid.getByText('customer 1', { exact: true })).toBeVisible({ timeout: 30_000 })
  await grid.getByRole('columnheader', { name: 'note' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Column profile' }).click()
  const profile = page.getByRole('dialog', { name: 'Profile of note' })
  await expect(profile.getByText('Counted by the system over all rows of the query, as they are now.')).toBeVisible()
  await expect(profile.locator('dl')).toContainText('120,001')
  await expect(profile.locator('dl')).toContainText('40,000 · 33%')
  await expect(profile.getByRole('table')).toContainText('40,000')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await grid.getByText('customer 1', { exact: true }).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Column profile' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Profile of customer' }).getByText('120,001 · each occurs once'),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  const editor = page.getByRole('textbox', { name: 'Query of orders' })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('EXPLAIN QUERY PLAN SELECT * FROM orders')
  await page.keyboard.press('Control+Enter')
  await grid.getByRole('columnheader', { name: 'detail' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Column profile' }).click()
  await expect(page.getByText('A query must begin with SELECT, WITH, VALUES').first()).toBeVisible()
  await page.getByRole('button', { name: 'Profile loaded rows' }).click()
  await expect(page.getByText('Counted in the window over all rows of the result.')).toBeVisible()
})

test('foreign keys are in the tree, and lead from a value to its row and back', async ({ page, api }) => {
  const path = join(folder, 'keys.db')
  const db = new Database(path)
  db.exec(
    `CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
     CREATE TABLE purchases (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), item TEXT);
     INSERT INTO customers VALUES (9007199254740993, 'Ada'), (9007199254740992, 'Grace');
     INSERT INTO purchases VALUES (1, 9007199254740993, 'first'), (2, 9007199254740992, 'second'), (3, NULL, 'third'), (4, 9007199254740993, 'fourth')`,
  )
  db.close()
  const name = `keys ${(counter += 1)}`
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  await page.goto(`/explorer?connector=${id}&resource=purchases`)
  const grid = page.getByRole('grid', { name: 'Result' })
  await expect(grid.getByText('first', { exact: true })).toBeVisible({ timeout: 30_000 })
  const follow = grid.getByRole('button', { name: 'Open referenced row' })
  await expect(follow).toHaveCount(3)
  await expectAccessible(page)
  await follow.first().click()
  await expect(page.getByRole('button', { name: 'customers', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(grid.getByText('Ada', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(grid.getByText('Grace', { exact: true })).toHaveCount(0)

  await grid.getByText('Ada', { exact: true }).click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Rows of purchases that refer to this one (customer_id)' }).click()
  await expect(grid.getByText('fourth', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(grid.getByText('second', { exact: true })).toHaveCount(0)

  const tree = page.getByRole('tree', { name: 'Connectors' })
  const entry = (text: string) => tree.getByRole('treeitem').filter({ hasText: text })
  await entry(name)
    .getByRole('button', { name: `Expand ${name}` })
    .click()
  await entry('purchases').first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(entry('INTEGER').first()).toBeVisible()
  await expectAccessible(page)
  await entry('customers').getByRole('button', { name: 'Refers to customers' }).click()
  await expect(grid.getByText('Grace', { exact: true })).toBeVisible({ timeout: 30_000 })
  await entry('INTEGER').first().focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(entry('INTEGER')).toHaveCount(0)
})

test('a result is drawn as a chart of its columns, exact values are read, and the choice stays with the tab', async ({
  page,
  api,
}) => {
  const path = join(folder, 'sales.db')
  const db = new Database(path)
  db.exec(
    `CREATE TABLE sales (id INTEGER PRIMARY KEY, day TEXT, region TEXT, total NUMERIC);
     INSERT INTO sales VALUES (1, '2026-01-01', 'eu', 9007199254740993), (2, '2026-01-01', 'us', 5), (3, '2026-01-02', 'eu', 7), (4, '2026-01-02', 'us', 6);
     CREATE TABLE many (n INTEGER, word TEXT);
     WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 30001) INSERT INTO many SELECT n, 'w' FROM i`,
  )
  db.close()
  const { id } = await api(createConnector, {
    body: { name: `sales ${(counter += 1)}`, type: 'sqlite', config: { path } },
  })
  await page.goto(`/explorer?connector=${id}&resource=sales`)
  const panel = page.getByRole('region', { name: 'sales' })
  await expect(panel.getByText('4 rows')).toBeVisible({ timeout: 30_000 })
  await panel.getByRole('radio', { name: 'Chart' }).press('Space')
  const form = panel.getByRole('form', { name: 'What the chart shows' })
  await expect(form.getByRole('combobox', { name: 'X axis' })).toHaveValue('day')
  await expect(form.getByRole('combobox', { name: 'Series' })).toHaveValue('region')
  const chart = panel.getByRole('slider', { name: 'Chart of sales' })
  await expect(chart).toHaveAttribute('data-drawn', 'true', { timeout: 30_000 })
  await chart.press('ArrowRight')
  await expect(panel.getByText('9007199254740993').first()).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('combobox', { name: 'Chart' }).click()
  await page.getByRole('option', { name: 'Stacked bar' }).click()
  await page.reload()
  await panel.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(form.getByRole('combobox', { name: 'Chart' })).toHaveValue('Stacked bar', { timeout: 30_000 })

  const editor = page.getByRole('textbox', { name: 'Query of sales' })
  await editor.fill('SELECT word FROM many')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText('No numbers to draw')).toBeVisible()
  await editor.fill('SELECT n, word FROM many')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText('The chart shows the first 30,000 of 30,001 rows.')).toBeVisible({ timeout: 60_000 })
})

test('rows are read as documents, and an expression over them gives a tree, a table, or its mistake', async ({
  page,
  api,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { id } = await connectShop(api)
  await page.goto(`/explorer?connector=${id}&resource=orders`)
  const panel = page.getByRole('region', { name: 'orders' })
  await expect(panel.getByRole('grid', { name: 'Result' })).toBeVisible({ timeout: 30_000 })
  const editor = page.getByRole('textbox', { name: 'Query of orders' })
  await editor.fill(
    'SELECT id, customer, json(\'{"n": 12345678901234567890, "list": [1, 2]}\') AS doc FROM orders ORDER BY id DESC',
  )
  await page.keyboard.press('Control+Enter')
  await panel.getByRole('radio', { name: 'JSON' }).press('Space')
  const tree = panel.getByRole('tree', { name: 'Rows as documents' })
  await expect(tree.getByRole('treeitem').first()).toContainText('id: 9007199254740993')
  await tree.focus()
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  await expect(tree.locator('[data-current]')).toContainText('id: 9007199254740993')
  await page.keyboard.press('Control+c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('9007199254740993')
  await panel.getByRole('button', { name: 'Copy path' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('$[0].id')
  await expectAccessible(page)
  await tree.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('ArrowRight')
  await expect(tree.locator('[data-current][aria-expanded=true]')).toBeVisible()

  const expression = panel.getByRole('textbox', { name: 'JSONata expression' })
  await expression.fill('$[id < 4].{"customer": customer, "double": id * 2}')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByRole('alert')).toContainText('must be of the same data type', { timeout: 30_000 })
  await expression.fill('$[$number(id) < 4].{"customer": customer, "double": id * 2}')
  await page.keyboard.press('Control+Enter')
  await expect(panel.getByText(/Evaluated over 30,000 rows/)).toBeVisible({ timeout: 30_000 })
  await expect(panel.getByText('No result')).toBeVisible()
  await expect(panel.getByText('The expression ran over the first 30,000 rows.')).toBeVisible()
  await editor.fill('SELECT id, customer FROM orders WHERE id < 10')
  await editor.press('Control+Enter')
  await expect(panel.getByText('9 rows')).toBeVisible()
  await panel.getByRole('button', { name: 'Evaluate' }).click()
  await expect(panel.getByText(/Evaluated over 9 rows/)).toBeVisible({ timeout: 30_000 })
  await expect(panel.getByRole('tree', { name: 'Result of the expression' })).toContainText('customer 3')
  await panel
    .getByRole('group', { name: 'Show the result as' })
    .or(panel.getByRole('radiogroup', { name: 'Show the result as' }))
    .getByRole('radio', { name: 'Table' })
    .press('Space')
  await expect(panel.getByRole('grid', { name: 'Result of the expression' })).toContainText('customer 2')
  await expectAccessible(page)
  await expression.fill('$[id < ')
  await panel.getByRole('button', { name: 'Evaluate' }).click()
  await expect(panel.getByRole('alert')).toContainText('Line 1, column 7.')
  await expression.fill('($f := function($n) { $f($n + 1) }; $f(1))')
  await panel.getByRole('button', { name: 'Evaluate' }).click()
  await expect(panel.getByText('Evaluating…')).toBeVisible()
  await panel.getByRole('form', { name: 'JSONata' }).getByRole('button', { name: 'Cancel' }).click()
  await panel.getByRole('button', { name: 'Evaluate' }).click()
  await expect(panel.getByRole('alert')).toContainText('was stopped', { timeout: 30_000 })
  await panel.getByRole('button', { name: 'Show rows' }).click()
  await expect(tree).toBeVisible()
})

test('a preset that changes rows asks for its values, and is reviewed before anything is sent', async ({
  page,
  api,
}) => {
  const path = join(folder, `presets ${Date.now()}.db`)
  const db = new Database(path)
  db.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace')")
  const name = `preset people ${(counter += 1)}`
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', config: { path } } })
  await api(createExplorerPreset, {
    body: {
      name: `Rename of ${name}`,
      connector_id: id,
      resource: 'people',
      definition: {
        mode: 'visual',
        action: 'update',
        filters: [{ field: 'id', operator: '=', value: '{{id}}' }],
        values: [{ field: 'name', value: '{{to}}', valueType: 'string' }],
        parameters: [
          { name: 'id', label: 'Person', type: 'string' },
          { name: 'to', label: 'New name', type: 'string' },
        ],
      },
    },
  })
  await page.goto('/explorer')
  await page.getByRole('tab', { name: 'Presets' }).click()
  const preset = page.getByRole('button', { name: new RegExp(`^Rename of ${name}`) })
  await expect(preset).toContainText('Updates rows')
  await preset.click()
  const values = page.getByRole('dialog', { name: 'Values for this query' })
  await values.getByRole('textbox', { name: 'Person' }).fill('2')
  await values.getByRole('textbox', { name: 'New name' }).fill('Hopper')
  await values.getByRole('button', { name: 'Review changes' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await expect(review.getByText('1 row will be changed.')).toBeVisible({ timeout: 30_000 })
  await expect(review.getByText('Hopper')).toBeVisible()
  expect(db.prepare('SELECT name FROM people WHERE id = 2').pluck().get()).toBe('Grace')
  await review.getByRole('button', { name: 'Send 1 statement' }).click()
  await expect(page.getByText('1 row written')).toBeVisible({ timeout: 30_000 })
  await expect(review).toBeHidden()
  expect(db.prepare('SELECT name FROM people ORDER BY id').pluck().all()).toEqual(['Ada', 'Hopper'])
  db.close()
})

test('the builder updates, inserts, and deletes after a review, and a change becomes a preset', async ({
  page,
  api,
}) => {
  const path = join(folder, `builder ${Date.now()}.db`)
  const db = new Database(path)
  db.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada'), (2, 'Grace')")
  const names = () => db.prepare('SELECT name FROM people ORDER BY id').pluck().all()
  const name = `changed people ${(counter += 1)}`
  const config = { path }
  const { id } = await api(createConnector, { body: { name, type: 'sqlite', config, environment: 'production' } })
  await page.goto(`/explorer?connector=${id}&resource=people`)
  const panel = page.getByRole('region', { name: 'people' })
  await panel.getByText('Builder', { exact: true }).click()
  const form = panel.getByRole('form', { name: 'Conditions of the query' })
  const reviewed = async (touches: string) => {
    await panel.getByRole('button', { name: 'Review changes' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    await expect(review.getByText(touches)).toBeVisible({ timeout: 30_000 })
    const send = review.getByRole('button', { name: 'Send 1 statement' })
    await expect(send).toBeDisabled()
    await review.getByRole('textbox').fill(name)
    return { review, send }
  }

  await form.getByText('Update', { exact: true }).click()
  await expect(form.getByText('Without conditions, all rows of people are updated.')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Review changes' })).toBeDisabled()
  const value = form.getByRole('group', { name: 'Value 1' })
  await value.getByRole('combobox', { name: 'Column' }).fill('name')
  await value.getByRole('textbox', { name: 'Value', exact: true }).fill('{{to}}')
  await form.getByRole('button', { name: 'Add condition' }).click()
  const condition = form.getByRole('group', { name: 'Condition 1' })
  await condition.getByRole('combobox', { name: 'Column' }).fill('id')
  await condition.getByRole('textbox', { name: 'Value', exact: true }).fill('2')
  await expect(panel.getByText('UPDATE "people"')).toBeVisible()
  await panel.getByRole('button', { name: 'Save as preset' }).click()
  const saving = page.getByRole('dialog', { name: 'Save as preset' })
  await saving.getByRole('textbox', { name: 'Name', exact: true }).fill(`Rename in ${name}`)
  await saving.getByRole('button', { name: 'Save preset' }).click()
  await expect(saving).toBeHidden()
  const renamed = page.getByRole('region', { name: `Rename in ${name}` })
  await renamed.getByRole('button', { name: 'Review changes' }).click()
  const asked = page.getByRole('dialog', { name: 'Values for this query' })
  await asked.getByRole('textbox').fill('Hopper')
  await asked.getByRole('button', { name: 'Review changes' }).click()
  const review = page.getByRole('dialog', { name: 'Review changes' })
  await expect(review.getByText('1 row will be changed.')).toBeVisible({ timeout: 30_000 })
  await expect(review.getByText('Hopper')).toBeVisible()
  await review.getByRole('textbox').fill(name)
  expect(names()).toEqual(['Ada', 'Grace'])
  await review.getByRole('button', { name: 'Send 1 statement' }).click()
  await expect(review).toBeHidden({ timeout: 30_000 })
  expect(names()).toEqual(['Ada', 'Hopper'])
  const presets = await api(listExplorerPresets, { query: { q: `Rename in ${name}` } })
  expect(presets.result.map(({ definition: { action, values, filters } }) => [action, values, filters])).toEqual([
    [
      'update',
      [{ field: 'name', value: '{{to}}', valueType: 'auto' }],
      [{ field: 'id', operator: '=', value: '2', valueType: 'auto' }],
    ],
  ])

  await page.goto(`/explorer?connector=${id}&resource=people`)
  await panel.getByText('Builder', { exact: true }).click()
  await form.getByText('Delete', { exact: true }).click()
  await expect(form.getByText('Without conditions, all rows of people are deleted.')).toBeVisible()
  const { review: last, send } = await reviewed('2 rows will be changed.')
  await last.getByRole('button', { name: 'Cancel' }).click()
  await expect(send).toBeHidden()
  await form.getByText('Insert', { exact: true }).click()
  // Every column has its field; the key is left to the table.
  await expect(form.getByRole('group')).toHaveCount(2 + 1)
  const added = form.getByRole('group', { name: 'name', exact: true }).getByRole('textbox', { name: 'Value' })
  await expect(added).toHaveAttribute('placeholder', 'Default: NULL')
  await added.fill('Alan')
  await expect(panel.getByText('INSERT INTO "people" ("name")')).toBeVisible()
  const insert = await reviewed('1 row will be changed.')
  await insert.send.click()
  await expect(insert.review).toBeHidden({ timeout: 30_000 })
  expect(names()).toEqual(['Ada', 'Hopper', 'Alan'])

  await page.getByRole('tab', { name: 'Presets' }).click()
  await page.getByRole('button', { name: `Actions for Rename in ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Open in the builder' }).click()
  await expect(renamed.last().getByRole('group', { name: 'Value 1' })).toBeVisible()
  db.close()
})

const walkWords = {
  en: {
    tree: 'Connectors',
    result: 'Result',
    query: 'Query of orders',
    rows: '3 rows',
    json: 'Copy as JSON',
    preset: 'Save as preset',
    presets: 'Presets',
    data: 'Data',
  },
  de: {
    tree: 'Konnektoren',
    result: 'Ergebnis',
    query: 'Abfrage von orders',
    rows: '3 Zeilen',
    json: 'Als JSON kopieren',
    preset: 'Als Preset speichern',
    presets: 'Presets',
    data: 'Daten',
  },
} as const
for (const [language, words] of Object.entries(walkWords)) {
  test(`from the tree to a result, its cells, a copy, and a preset without a mouse (${language})`, async ({
    page,
    api,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const { name } = await connectShop(api)
    await page.addInitScript((chosen) => {
      localStorage.setItem('headgate.language', chosen)
      addEventListener('pointerdown', () => document.documentElement.setAttribute('data-pressed', ''), true)
    }, language)
    const copy = () => page.evaluate(() => navigator.clipboard.readText())
    await page.goto('/explorer')
    const tree = page.getByRole('tree', { name: words.tree })
    const entry = (text: string) => tree.getByRole('treeitem').filter({ hasText: text }).first()
    await expect(entry(name)).toBeVisible()
    await tabTo(page, tree.getByRole('treeitem').first())
    await tabTo(page, entry(name), 'ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(entry(name)).toHaveAttribute('aria-expanded', 'true')
    await tabTo(page, entry('orders'), 'ArrowDown')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'orders' })
    const grid = panel.getByRole('grid', { name: words.result })
    await expect(grid.getByText('customer 1', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)

    await tabTo(page, panel.getByRole('textbox', { name: words.query }))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('SELECT id, customer FROM orders WHERE id IN (11, 12, 13)')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await expect(panel.getByText(words.rows, { exact: true })).toBeVisible({ timeout: 30_000 })
    await tabTo(page, grid)
    for (const key of ['ArrowDown', 'ArrowDown', 'Shift+ArrowRight', 'Control+c']) await page.keyboard.press(key)
    await expect.poll(copy).toBe('12\tcustomer 12')
    await page.keyboard.press('Shift+F10')
    await expectAccessible(page)
    await tabTo(page, page.getByRole('menuitem', { name: words.json }), 'ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(copy).toBe('[\n  {"id": 12, "customer": "customer 12"}\n]')
    await expect(grid).toBeFocused()
    await page.keyboard.press('Enter')
    const viewer = page.getByRole('dialog')
    await expect(viewer.getByText('customer 12', { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(grid).toBeFocused()

    await page.keyboard.press('Control+s')
    await expect(page.getByRole('dialog', { name: words.preset })).toBeVisible()
    const saved = `Three of ${name} ${language}`
    await page.keyboard.press('Control+a')
    await page.keyboard.type(saved)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: words.preset })).toBeHidden()
    await tabTo(page, page.getByRole('tab', { name: words.data }), 'Shift+Tab')
    await page.keyboard.press('ArrowRight')
    const presets = page.getByRole('tab', { name: words.presets })
    await expect(presets).toHaveAttribute('aria-selected', 'true')
    await tabTo(page, page.getByRole('listitem').filter({ hasText: saved }).getByRole('button').first())
    await page.keyboard.press('Enter')
    const opened = page.getByRole('region', { name: saved }).filter({ visible: true })
    await expect(opened).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(opened.getByText(words.rows, { exact: true })).toBeVisible({ timeout: 30_000 })
    await expectAccessible(page)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('html[data-pressed]')).toHaveCount(0)
  })
}
