import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConnector, listConnectors } from '../../src/contract/connectors.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask, updateTask } from '../../src/contract/tasks.ts'
import { type Api, type BuiltServer, expect, expectAccessible, startBuiltServer, test } from '../support/e2e.ts'
import { apiOf, signInCookie } from '../support/e2e.ts'

const yamlOf = (name: string, more: { filter?: string; expect?: string } = {}) => `etl: 1
kind: pipeline
name: ${name}
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite], access: write}
source:
  connector: files
  files: {glob: "cities.csv"}
steps:
  - cast: {inhabitants: integer}
  - filter: ${more.filter ?? 'inhabitants > 0'}
  - expect:
      - {name: enough, check: "${more.expect ?? 'inhabitants > 0'}", on_fail: quarantine}
target:
  connector: db
  table: cities
  mode: replace
outputs: {rows: "\${{ run.item_count }}"}
`

/** A task with its connectors; starting it gives the run's id. */
async function prepare(
  api: Api,
  server: Pick<BuiltServer, 'filesDir'>,
  name: string,
  more?: Parameters<typeof yamlOf>[1],
) {
  const root = join(server.filesDir, name)
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, 'cities.csv'), 'city,inhabitants\nBerlin,3677472\nBonn,331885\nSylt,18189\n')
  const files = await api(createConnector, { body: { name: `${name} files`, type: 'file', config: { root } } })
  const db = await api(createConnector, {
    body: { name: `${name} db`, type: 'sqlite', config: { path: join(root, 'cities.db') } },
  })
  const task = await api(createTask, { body: { yaml_content: yamlOf(name, more) } })
  const start = async () => {
    const body = { connector_mapping: { files: files.id, db: db.id } }
    return (await api(triggerRun, { params: { taskId: task.id }, body })).id
  }
  return { task, start }
}

/** Waits until the server says that the run is over. */
async function ended(api: Api, id: number) {
  await expect
    .poll(async () => (await api(getRun, { params: { id } })).status, { timeout: 30_000 })
    .not.toMatch(/pending|running/)
}

test.describe('the list of runs', () => {
  test('shows a run as it happens and keeps its filters in the address', async ({ page, api, server }) => {
    const { start, task } = await prepare(api, server, 'list.live')
    // Of this task alone: other specs of the same server cancel runs of theirs.
    await page.goto(`/runs?task_id=${task.id}`)
    const grid = page.getByRole('grid', { name: 'Runs' })
    await expect(grid).toBeVisible()
    const id = await start()
    const row = grid.getByRole('row', { name: new RegExp(`\\b${id} `) })
    await expect(row).toContainText('list.live')
    await expect(row).toContainText('Succeeded', { timeout: 30_000 })
    await page.getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByRole('option', { name: 'Canceled' }).click()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/status=cancelled/)
    await expect(page.getByText('No runs match')).toBeVisible()
    const none = page.locator('[data-state]')
    await expect(none).toContainText('No runs match these filters')
    await expect(page.getByRole('button', { name: 'Clear filters' })).toHaveCount(1)
    await none.getByRole('button', { name: 'Clear filters' }).click()
    await expect(row).toBeVisible()
    await expectAccessible(page)
    await row.click()
    await expect(page).toHaveURL(new RegExp(`/runs/${id}$`))
  })

  test('is narrowed to one task by its name', async ({ page, api, server }) => {
    const one = await prepare(api, server, 'list.one')
    const other = await prepare(api, server, 'list.other')
    await ended(api, await one.start())
    await ended(api, await other.start())
    await page.goto('/runs')
    await page.getByRole('button', { name: 'Task', exact: true }).click()
    await page.getByRole('textbox', { name: 'Search Task' }).fill('list.oth')
    await page.getByRole('option', { name: 'list.other' }).click()
    const grid = page.getByRole('grid', { name: 'Runs' })
    await expect(grid.getByText('list.other')).toBeVisible()
    await expect(grid.getByText('list.one')).toBeHidden()
    await expect(page).toHaveURL(new RegExp(`task_id=${other.task.id}`))
  })
})

test.describe('a run', () => {
  test('has its steps, its log and its outputs', async ({ page, api, server }) => {
    const { start } = await prepare(api, server, 'run.whole')
    const id = await start()
    await page.goto(`/runs/${id}`)
    const steps = page.getByRole('listbox', { name: 'Run steps' })
    await expect(steps.getByRole('option')).toHaveCount(5)
    await expect(page.getByRole('banner').or(page.locator('header')).getByText('Succeeded')).toBeVisible({
      timeout: 30_000,
    })
    const log = page.getByRole('region', { name: `Log of run #${id}` })
    await expect(log.locator('[data-line="1"]')).toBeVisible()
    // Long lines wrap, so that their end is in sight.
    await page.setViewportSize({ width: 400, height: 800 })
    await expect.poll(() => log.evaluate((view) => view.scrollWidth - view.clientWidth)).toBe(0)
    expect(
      await log.evaluate((view) => [...view.querySelectorAll('[data-line]')].some((row) => row.clientHeight > 18)),
    ).toBe(true)
    await page.setViewportSize({ width: 1280, height: 800 })
    await steps.getByRole('option', { name: /filter/ }).click()
    await expect(page).toHaveURL(/step=2/)
    await expect(page.getByRole('region', { name: /filter/ })).toContainText('inhabitants')
    await expectAccessible(page)
    await page.getByRole('tab', { name: 'Outputs' }).click()
    await expect(page.getByRole('tabpanel')).toContainText('rows: 3')
    await page.getByRole('tab', { name: 'Details' }).click()
    await expect(page.getByRole('link', { name: 'run.whole files' })).toBeVisible()
  })

  test('has a permalink for each line of its log, and a range by shift-click', async ({ page, api, server }) => {
    const { start } = await prepare(api, server, 'run.lines')
    const id = await start()
    await ended(api, id)
    await page.goto(`/runs/${id}?line=2`)
    await expect(page.locator('[data-line="2"]')).toHaveAttribute('data-chosen', 'true')
    await page.locator('[data-line="1"] a').click()
    await page.locator('[data-line="3"] a').click({ modifiers: ['Shift'] })
    await expect(page).toHaveURL(/line=1-3/)
    await expect(page.getByText('Lines 1–3')).toBeVisible()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy 3 lines' }).click()
    await expect(page.getByText('3 lines copied')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.trim().split('\n')).toHaveLength(3)
  })

  test('is searched as a whole, marked, and narrowed to the matches', async ({ page, api, server }) => {
    const { start } = await prepare(api, server, 'run.search')
    const id = await start()
    await ended(api, id)
    await page.goto(`/runs/${id}`)
    const search = page.getByRole('searchbox', { name: 'Search log' })
    await search.fill('cities')
    await search.press('Enter')
    await expect(page.locator('mark').first()).toHaveText(/cities/i)
    await expect(page).toHaveURL(/q=cities/)
    await expect(page).toHaveURL(/line=\d+/)
    await page.getByRole('checkbox', { name: 'Matches only' }).check()
    await expect(page.getByText(/\d+ match/)).toBeVisible()
    await search.fill('no line says this')
    await search.press('Enter')
    await expect(page.getByText('No lines match')).toBeVisible()
    await page.getByRole('button', { name: 'Clear search and level' }).click()
    await expect(page.locator('[data-line="1"]')).toBeVisible()
  })

  test('that failed says why and opens at the error', async ({ page, api, server }) => {
    const { start } = await prepare(api, server, 'run.failed', { filter: "error('too ' || city)" })
    const id = await start()
    await ended(api, id)
    await page.goto(`/runs/${id}`)
    const failure = page.getByRole('status', { name: 'Run failed' })
    await expect(failure.getByRole('button', { name: /^filter/ })).toBeVisible()
    await expect(failure).toContainText('too ')
    await expect(page.locator('[data-level="error"]').first()).toBeVisible()
    await expect(page.getByRole('option', { name: /Failed/ })).toBeVisible()
    await expectAccessible(page)
    // Keys alone lead from the failure to the line that is about it, and back.
    await failure.getByRole('link', { name: 'Edit task at line 12' }).press('Enter')
    await expect(page.locator('.cm-activeLine')).toContainText('filter')
    await page.goBack()
    await page.getByRole('button', { name: 'Rerun' }).click()
    await expect(page).not.toHaveURL(new RegExp(`/runs/${id}$`))
    await expect(page.getByText('Rerun of')).toBeVisible()
  })

  test('keeps its rejected rows, each with the reason', async ({ page, api, server }) => {
    const { start } = await prepare(api, server, 'run.rejects', { expect: 'inhabitants > 100000' })
    const id = await start()
    await ended(api, id)
    await page.goto(`/runs/${id}?tab=rejects`)
    const grid = page.getByRole('grid', { name: 'Rejected rows' })
    await expect(grid).toContainText('Sylt')
    // One reason is said once, above the rows.
    await expect(page.getByRole('list', { name: 'Reasons' })).toContainText('enough')
    await expect(grid.getByRole('columnheader', { name: 'Reason' })).toHaveCount(0)
    await expect(page.getByRole('tab', { name: /Rejects 1/ })).toBeVisible()
    await grid.getByText('Sylt').click()
    const row = page.getByRole('region', { name: 'Rejected row', exact: true })
    await expect(row).toContainText('18189')
    await row.getByRole('button', { name: 'Close' }).click()
    await expect(row).toBeHidden()
    // The reason filters the rows, and the file holds what is listed.
    const reasons = page.getByRole('list', { name: 'Reasons' })
    await reasons.getByRole('button', { name: /1 .*enough/ }).press('Enter')
    await expect(reasons.getByRole('button', { pressed: true })).toContainText('enough')
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'JSON Lines' }).press('Enter'),
    ])
    expect(file.suggestedFilename()).toBe(`run-${id}-rejects.jsonl`)
    expect(JSON.parse(readFileSync(await file.path(), 'utf8'))).toMatchObject({
      step: 'expect',
      reason: expect.stringContaining('enough'),
      row: { city: 'Sylt' },
    })
    await expectAccessible(page)
  })

  test('that broke an expectation shows what was expected, what came, and a row; nothing is cut off in a small window', async ({
    page,
    api,
    server,
  }) => {
    const { task } = await prepare(api, server, 'run.expectation')
    const yaml_content = yamlOf('run.expectation', { expect: 'inhabitants > 100000' }).replace('quarantine', 'fail')
    await api(updateTask, { params: { id: task.id }, body: { yaml_content } })
    const { result } = await api(listConnectors, { query: { q: 'run.expectation' } })
    const idOf = (slot: string) => result.find(({ name }) => name.endsWith(slot))?.id ?? 0
    const body = { connector_mapping: { files: idOf('files'), db: idOf('db') } }
    const { id } = await api(triggerRun, { params: { taskId: task.id }, body })
    await ended(api, id)
    await page.setViewportSize({ width: 900, height: 700 })
    await page.goto(`/runs/${id}`)
    const failure = page.getByRole('status', { name: 'Run failed' })
    await expect(failure).toContainText('inhabitants > 100000 in every row')
    await expect(failure).toContainText('1 of 3 rows don’t meet it')
    await expect(failure.getByRole('cell', { name: 'Sylt' })).toBeVisible()
    await expect(failure.getByRole('link', { name: 'Edit task at line 14' })).toBeInViewport({ ratio: 1 })
    const beyond = await failure.evaluate((block) => block.scrollWidth - block.clientWidth)
    expect(beyond).toBe(0)
    await expectAccessible(page)

    // The list has its error and its menu in sight, too: columns that say less have made room.
    await page.goto('/runs')
    const row = page.getByRole('row').filter({ hasText: `#${id}` })
    await expect(row.getByRole('button', { name: 'Row actions' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('columnheader', { name: 'Error' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('columnheader', { name: 'Started by' })).toBeHidden()
    await expectAccessible(page)
  })

  test('that is not there is said to be missing', async ({ page }) => {
    await page.goto('/runs/999999')
    await expect(page.getByRole('alert')).toContainText('Run #999999 not found')
    await page.getByRole('link', { name: 'View all runs' }).click()
    await expect(page).toHaveURL('/runs')
  })
})

test.describe('without an executor', () => {
  test('a queued run shows its plan, why it waits, and can be cancelled', async ({ browser }) => {
    const server = await startBuiltServer({ withExecutor: false })
    try {
      const cookie = await signInCookie(server)
      const { start } = await prepare(apiOf(server, cookie), server, 'run.queued')
      const id = await start()
      const [name = '', value = ''] = cookie.split('=', 2)
      const context = await browser.newContext()
      await context.addCookies([{ name, value, url: server.url }])
      const page = await context.newPage()
      await page.goto(`${server.url}/runs/${id}`)
      await expect(page.getByText('No executors online')).toBeVisible()
      await expect(page.getByRole('option')).toHaveCount(5)
      await expect(page.getByText('Plan for version 1')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Cancel run' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
      await expect(page.locator('header').getByText('Canceled')).toBeVisible()
      await context.close()
    } finally {
      await server.stop()
    }
  })
})
