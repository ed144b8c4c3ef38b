// Rejected rows, from the list of rejects over their repair to the run that adds them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createConnector } from '../../src/contract/connectors.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, type BuiltServer, expect, test } from '../support/e2e.ts'

const yaml = (name: string, { mode = 'append', steps = '[]' } = {}) => `
etl: 1
kind: pipeline
name: ${name}
connectors: {files: {type: file, access: read}, app: {type: sqlite, access: write}}
source: {connector: files, files: {glob: ${name}.csv, columns: {day: date}, on_error: quarantine}}
steps: ${steps}
target: {connector: app, table: ${name}, mode: ${mode}}
`

/** A run that has written 100 orders and rejected those with a bad day. */
async function rejecting(server: BuiltServer, api: Api, name: string, options: Parameters<typeof yaml>[1] = {}) {
  const bad = new Set([5, 40, 41])
  const lines = Array.from({ length: 100 }, (_, at) =>
    [at + 1, `Customer ${at + 1}`, bad.has(at) ? '2026-02-30' : '2026-02-28', (at * 7.25).toFixed(2)].join(','),
  )
  writeFileSync(join(server.filesDir, `${name}.csv`), `id,customer,day,amount\n${lines.join('\n')}\n`)
  const path = join(server.filesDir, `${name}.db`)
  const files = await api(createConnector, {
    body: { name: `${name}_files`, type: 'file', config: { root: server.filesDir } },
  })
  const app = await api(createConnector, { body: { name: `${name}_app`, type: 'sqlite', config: { path } } })
  const task = await api(createTask, { body: { yaml_content: yaml(name, options) } })
  const body = { connector_mapping: { files: files.id, app: app.id } }
  const { id } = await api(triggerRun, { params: { taskId: task.id }, body })
  await expect.poll(async () => (await api(getRun, { params: { id } })).status).toBe('completed')
  const rows = (sql: string) => {
    const db = new Database(path, { readonly: true })
    try {
      return db.prepare(sql).raw().all()
    } finally {
      db.close()
    }
  }
  return { id, rows }
}

test('rejected rows are edited, kept over a reload, and rerun', async ({ page, api, server }) => {
  const { id, rows } = await rejecting(server, api, 'orders')
  await page.goto(`/runs/${id}?tab=rejects`)
  await page.getByRole('link', { name: 'Fix and rerun…' }).click()
  await expect(page.getByRole('heading', { name: 'Fix and rerun rejects' })).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Rejected rows' })
  await expect(grid.getByText('2026-02-30', { exact: true })).toHaveCount(3)

  await test.step('the value that each row was rejected for is marked, and the cursor is on the first', async () => {
    const marked = grid.locator('[aria-invalid=true]')
    await expect(marked).toHaveText(['2026-02-30', '2026-02-30', '2026-02-30'])
    await expect(marked.first()).toHaveAttribute('aria-selected', 'true')
    await expect(grid).toBeFocused()
  })
  await test.step('all of the reason of the row where the keyboard stands', async () => {
    await expect(grid.getByRole('columnheader').last()).toHaveText('Reason')
    await expect(page.getByText(/^Row 1: .*2026-02-30/)).toBeVisible()
    await grid.getByText('Customer 42', { exact: true }).click()
    await expect(page.getByText(/^Row 3: .*2026-02-30/)).toBeVisible()
  })
  await test.step('a cell by its dialog', async () => {
    await grid.getByText('2026-02-30', { exact: true }).first().dblclick()
    await page.getByLabel('Value (DATE)').fill('2026-02-27')
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(grid.getByText('2026-02-27', { exact: true })).toHaveCount(1)
  })
  await test.step('a column at once', async () => {
    const bar = page.getByRole('form', { name: 'Replace in a column' })
    await bar.getByLabel('Column').click()
    await page.getByRole('option', { name: 'day' }).click()
    await bar.getByLabel('Find').fill('-30')
    await bar.getByLabel('Replace with').fill('-01')
    await bar.getByRole('button', { name: 'Replace all' }).click()
    await expect(grid.getByText('2026-02-01', { exact: true })).toHaveCount(2)
  })
  await test.step('a row is skipped', async () => {
    await grid.getByText('2026-02-01', { exact: true }).last().click()
    await page.keyboard.press('Delete')
    await expect(page.getByText('3 rows · 3 edited · 1 skipped')).toBeVisible()
    const skip = page.getByRole('button', { name: 'Skip row' })
    await skip.click()
    await expect(page.getByText('3 rows · 3 edited · 0 skipped')).toBeVisible()
    await skip.click()
    await expect(page.getByText('3 rows · 3 edited · 1 skipped')).toBeVisible()
  })
  await page.reload()
  await expect(page.getByText('3 rows · 3 edited · 1 skipped')).toBeVisible()
  await page.getByRole('button', { name: 'Rerun 2 rows' }).click()
  await expect(page.getByRole('link', { name: `#${id}`, exact: true })).toBeVisible()
  const written = () => rows("SELECT count(*), sum(day = '2026-02-27'), sum(day = '2026-02-01') FROM orders")
  await expect.poll(written).toEqual([[99, 1, 1]])

  await page.goto(`/runs/${id}?tab=rejects`)
  await expect(page.getByRole('link', { name: /^2 rows rerun by run #/ })).toBeVisible()
  await page.getByRole('link', { name: 'Fix and rerun…' }).click()
  await expect(page.getByText('1 row · 0 edited · 0 skipped')).toBeVisible()
})

test('the page says why rejected rows can’t be rerun', async ({ page, api, server }) => {
  const { id } = await rejecting(server, api, 'replaced', { mode: 'replace' })
  await page.goto(`/runs/${id}?tab=rejects`)
  await expect(page.getByText(/The target uses .*mode: replace/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'Fix and rerun…' })).toBeHidden()
  await page.goto(`/runs/${id}/fix-rejects`)
  await expect(page.getByText('Rejected rows can’t be rerun')).toBeVisible()
  await expect(page.getByText(/The target uses .*mode: replace/)).toBeVisible()
})
