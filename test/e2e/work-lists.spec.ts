import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTrigger, listTriggers } from '../../src/contract/triggers.ts'
import { createTask, getTask, listTasks } from '../../src/contract/tasks.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

const yamlOf = (name: string, code: string) => `etl: 1
kind: script
name: ${name}
script: |
  ${code}
`

async function taskWithRuns(api: Api, name: string, code: string, runs: number) {
  const task = await api(createTask, { body: { yaml_content: yamlOf(name, code), tags: ['lists', name.slice(-1)] } })
  for (let n = 0; n < runs; n += 1) {
    const run = await api(triggerRun, { params: { taskId: task.id } })
    await expect.poll(async () => (await api(getRun, { params: { id: run.id } })).status).not.toMatch(/pending|running/)
  }
  return task
}

async function jobNamed(api: Api, name: string) {
  await api(createTask, { body: { yaml_content: yamlOf(`${name}.read`, 'return {}') } })
  const yaml_content = `etl: 1\nkind: job\nname: ${name}\ntasks:\n  read: {task: ${name}.read}\n`
  const template = await api(createJobTemplate, { body: { yaml_content } })
  return await api(createJob, { params: { id: template.id }, body: { name } })
}

const grid = (page: Page, name: string) => page.getByRole('grid', { name })
const selectedBar = (page: Page) => page.getByRole('toolbar', { name: 'Selected rows' })

test('tasks are worked on by keys alone: selected as a range, archived by the menu, and brought back', async ({
  page,
  api,
}) => {
  const made = []
  for (const name of ['lists.a', 'lists.b', 'lists.c'])
    made.push(await taskWithRuns(api, name, name === 'lists.b' ? 'throw new Error("no")' : 'return {}', 2))
  await page.goto('/tasks?q=lists.&sort=name&order=asc')
  const tasks = grid(page, 'Tasks')
  await expect(tasks.getByRole('row')).toHaveCount(4)
  // The bars say how the task did lately, and the one under the pointer says more.
  const failing = tasks.getByRole('row', { name: /lists\.b/ })
  await expect(failing).toContainText('Last 2 runs, Failed, 0 of 2 succeeded')
  // The newest is there in words, too.
  await expect(failing.getByText('Failed', { exact: true })).toBeVisible()
  await failing.locator('a[href^="/runs/"][aria-hidden]').last().hover()
  await expect(page.getByText(/Last failure/).last()).toBeVisible()
  await expectAccessible(page)

  await tasks.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+End')
  await expect(selectedBar(page)).toContainText('3 selected')
  await expectAccessible(page)
  await page.keyboard.press('Shift+F10')
  const archive = page.getByRole('menuitem', { name: 'Archive' })
  await expect(archive).toBeVisible()
  for (let n = 0; n < 6 && !(await archive.evaluate((item) => item === document.activeElement)); n += 1)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tasks.getByRole('row')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tasks.getByRole('row')).toHaveCount(4)

  // What is refused for some is told of each, and asked for again for these alone.
  const refused = new RegExp(`/api/tasks/${made[1]?.id}/archive$`)
  await page.route(refused, (route) => route.abort())
  await tasks.focus()
  await page.keyboard.press('Control+a')
  await selectedBar(page).getByRole('button', { name: 'Archive' }).click()
  const report = page.getByRole('dialog', { name: 'Archive: 2 of 3 done' })
  await expect(report.getByRole('listitem')).toHaveText(/lists\.b.*reach the Headgate server/)
  await expectAccessible(page)
  await page.unroute(refused)
  await report.getByRole('button', { name: 'Retry 1' }).click()
  await expect(tasks.getByRole('row')).toHaveCount(1)
  await page.getByRole('radiogroup', { name: 'Active or archived' }).getByText('Archived').click()
  await expect(tasks.getByRole('row')).toHaveCount(4)
})

test('runs are sorted by status and duration, in the address and in saved views', async ({ page, api }) => {
  const good = await taskWithRuns(api, 'sorted.good', 'return {}', 2)
  const bad = await taskWithRuns(api, 'sorted.bad', 'throw new Error("no")', 2)
  await page.goto(`/runs?task_id=${good.id},${bad.id}`)
  const runs = grid(page, 'Runs')
  const header = (name: string) => runs.getByRole('columnheader', { name, exact: true })
  const states = () =>
    runs
      .getByRole('row')
      .filter({ hasText: /sorted/ })
      .allInnerTexts()
  await header('Status').getByRole('button', { name: /Sort/ }).click()
  await expect(header('Status')).toHaveAttribute('aria-sort', 'ascending')
  await expect
    .poll(async () => (await states()).map((text) => /Failed|Succeeded/.exec(text)?.[0]))
    .toEqual(['Failed', 'Failed', 'Succeeded', 'Succeeded'])
  await header('Duration').getByRole('button', { name: /Sort/ }).click()
  await expect(header('Duration')).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/sort=duration&order=desc/)
  await header('Duration').getByRole('button', { name: /Sort/ }).click()
  await expect(page).toHaveURL(/sort=duration&order=asc/)
  await page.reload()
  await expect(header('Duration')).toHaveAttribute('aria-sort', 'ascending')
  await expectAccessible(page)
  await page.goto('/job-runs?sort=status&order=desc')
  await expect(page.getByRole('columnheader', { name: 'Status', exact: true })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
})

test('runs are filtered by several states and by days, and run again several at once', async ({ page, api }) => {
  const good = await taskWithRuns(api, 'filtered.g', 'return {}', 2)
  const bad = await taskWithRuns(api, 'filtered.b', 'throw new Error("no")', 2)
  await page.goto(`/runs?task_id=${good.id},${bad.id}`)
  const runs = grid(page, 'Runs')
  await expect(runs.getByRole('row')).toHaveCount(5)
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('option', { name: 'Failed' }).click()
  await expect(runs.getByRole('row')).toHaveCount(3)
  await page.getByRole('option', { name: 'Succeeded' }).click()
  await expect(page).toHaveURL(/status=failed%2Csuccess/)
  await expect(runs.getByRole('row')).toHaveCount(5)
  await page.getByRole('option', { name: 'Succeeded' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Status: Failed' })).toBeFocused()

  // The picker of days: yesterday holds none, today and the days before it hold all.
  await page.getByRole('button', { name: 'Created', exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Yesterday' }).click()
  await expect(page.getByText('No runs match')).toBeVisible()
  await page.getByRole('button', { name: /^Created: / }).click()
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(runs.getByRole('row')).toHaveCount(3)

  // The last column is one that is hidden unless it is chosen; the choice stays.
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Executor' }).click()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(runs.getByRole('columnheader', { name: 'Executor' })).toBeVisible()

  await runs.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await selectedBar(page).getByRole('button', { name: 'Rerun' }).click()
  await page.getByRole('dialog', { name: 'Rerun 2 runs?' }).getByRole('button', { name: 'Rerun' }).click()
  await expect(page.getByText('2 runs started')).toBeVisible()
  await expect(runs.getByRole('row')).toHaveCount(5)
  await page.keyboard.press('Shift+F')
  await expect(page).toHaveURL(/\/runs$/)
})

test('triggers are disabled together by keys alone, enabled again by undo, and deleted after a question', async ({
  page,
  api,
}) => {
  const job = await jobNamed(api, 'keyed')
  for (const hour of [3, 4, 5])
    await api(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: `0 ${hour} * * *` } })
  const enabled = async () =>
    (await api(listTriggers, { query: { job_id: job.id } })).result.map((trigger) => trigger.enabled).join('')
  await page.goto(`/triggers?view=list&job_id=${job.id}`)
  const triggers = grid(page, 'Schedules')
  await expect(triggers.getByRole('row')).toHaveCount(4)
  const soonest = await api(listTriggers, { query: { job_id: job.id, sort: 'next_fire_at' } })
  await expect(triggers.locator('code')).toHaveText(soonest.result.map((trigger) => trigger.cron_expression ?? ''))
  await expect(triggers.getByRole('columnheader', { name: 'Next run' })).toHaveAttribute('aria-sort', 'ascending')
  await triggers.focus()
  await page.keyboard.press('Home')
  // What became of the first one’s times is shown below, and the keys stay where they are.
  await expect(page.getByRole('grid', { name: 'History' })).toBeVisible()
  await page.keyboard.press('Shift+End')
  await expect(selectedBar(page)).toContainText('3 selected')
  await expectAccessible(page)
  await page.keyboard.press('Shift+F10')
  const disable = page.getByRole('menuitem', { name: 'Disable' })
  await expect(disable).toBeVisible()
  for (let n = 0; n < 6 && !(await disable.evaluate((item) => item === document.activeElement)); n += 1)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(enabled).toBe('000')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(enabled).toBe('111')
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('option', { name: 'Disabled' }).click()
  await expect(page.getByText('No triggers match')).toBeVisible()
  await page.keyboard.press('Shift+F')
  await page.goto(`/triggers?view=list&q=keyed`)
  await expect(triggers.getByRole('row')).toHaveCount(4)
  await triggers.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  const question = page.getByRole('dialog', { name: 'Delete 3 triggers?' })
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(enabled).toBe('')
})

test('API keys are revoked several at once, and records of the audit log are exported as selected', async ({
  page,
  api,
}) => {
  for (const name of ['bulk.a', 'bulk.b']) await api(createApiKey, { body: { name } })
  await page.goto('/settings/api-keys?q=bulk.')
  const keys = grid(page, 'API keys')
  await expect(keys.getByRole('row')).toHaveCount(3)
  await keys.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.getByRole('dialog', { name: 'Revoke 2 keys?' }).getByRole('button', { name: 'Revoke' }).click()
  await expect(keys.getByText('Revoked')).toHaveCount(2)
  await expectAccessible(page)

  await page.goto('/audit?operation=revokeApiKey,createApiKey')
  const audit = grid(page, 'Audit')
  await expect(audit.getByRole('row')).toHaveCount(5)
  await audit.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+ArrowDown')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    selectedBar(page).getByRole('button', { name: 'Export selected' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { operation: 'revokeApiKey' },
    { operation: 'revokeApiKey' },
  ])
  await expectAccessible(page)
})

test('executors say what they run and how busy they were, and are found by their state', async ({ page }) => {
  await page.goto('/executors')
  const executors = grid(page, 'Executors')
  await expect(executors.getByRole('row')).toHaveCount(2)
  await expect(executors.getByRole('columnheader', { name: 'Last hour' })).toBeVisible()
  await expect(executors.getByRole('row').last()).toContainText('%')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('option', { name: 'Draining' }).click()
  await expect(page.getByText('No executors match')).toBeVisible()
})

test('the bar above a list stays on one line: first its views become an icon, then its count and its search field give way', async ({
  page,
}) => {
  const heightAt = async (width: number) => {
    await page.setViewportSize({ width, height: 700 })
    return await page
      .getByRole('toolbar')
      .first()
      .evaluate((bar) => bar.getBoundingClientRect().height)
  }
  const views = page.getByRole('button', { name: 'Views', exact: true })
  await page.goto('/audit')
  await expect(page.getByRole('status').filter({ hasText: /record/ })).toBeVisible()
  await expect.poll(() => heightAt(1280)).toBeLessThan(34)
  await expect(views).toHaveText('Views')
  expect((await views.boundingBox())?.width).toBeGreaterThan(60)
  await expect.poll(() => heightAt(880)).toBeLessThan(34)
  expect((await views.boundingBox())?.width).toBeLessThan(40)
  await views.click()
  await expect(page.getByRole('menuitem', { name: 'Save view…' })).toBeVisible()
})

test('a view is saved under a name, found again, told when it was changed, and its address is enough for others', async ({
  page,
}) => {
  await page.goto('/runs?status=failed')
  const views = page.getByRole('button', { name: 'Views', exact: true })
  await views.click()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Broken')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Broken', exact: true })).toBeVisible()

  await page.keyboard.press('Shift+F')
  const changed = page.getByRole('button', { name: 'Broken (changed)' })
  await changed.click()
  await page.getByRole('menuitemradio', { name: 'Broken' }).click()
  await expect(page).toHaveURL(/status=failed/)
  await page.getByRole('button', { name: 'Status: Failed' }).click()
  await page.getByRole('option', { name: 'Succeeded' }).click()
  await page.keyboard.press('Escape')
  await changed.click()
  await page.getByRole('menuitem', { name: 'Update Broken' }).click()
  await expect(page.getByRole('button', { name: 'Broken', exact: true })).toBeVisible()

  // By the palette, too.
  await page.goto('/runs')
  await expect(grid(page, 'Runs').getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Show view Broken')
  await expect(page.locator('[data-action][data-selected]')).toContainText('Broken')
  await expect(page.locator('[data-action][data-selected]')).toContainText('Show view')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/status=failed%2Csuccess/)
  await page.getByRole('button', { name: 'Broken', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete view' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
  await expect(views).toBeVisible()
})

test('tags of several tasks are added and removed together, reported for each, and brought back', async ({
  page,
  api,
}) => {
  const made: { id: number }[] = []
  for (const name of ['tagged.a', 'tagged.b', 'tagged.c'])
    made.push(
      await api(createTask, { body: { yaml_content: yamlOf(name, 'return {}'), tags: ['old', name.slice(-1)] } }),
    )
  const tags = async () =>
    (await Promise.all(made.map(({ id }) => api(getTask, { params: { id } })))).map((task) => task.tags.join(' '))
  await page.goto('/tasks?q=tagged.&sort=name&order=asc')
  const tasks = grid(page, 'Tasks')
  await expect(tasks.getByRole('row')).toHaveCount(4)
  await tasks.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Change tags of 3 records' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change tags' }).click()
  await expect(dialog.getByText('Add or remove at least one tag')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Add' }).fill('nightly')
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox', { name: 'Remove' }).click()
  await expect(page.getByRole('option')).toHaveText(['a (1)', 'b (1)', 'c (1)', 'old'])
  await page.getByRole('option', { name: 'old' }).click()
  await page.keyboard.press('Tab')
  const refused = new RegExp(`/api/tasks/${made[1]?.id}/tags$`)
  await page.route(refused, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Change tags' }).click()
  const report = page.getByRole('dialog', { name: 'Tag…: 2 of 3 done' })
  await expect(report.getByRole('listitem')).toHaveText(/tagged\.b.*reach the Headgate server/)
  await page.unroute(refused)
  await report.getByRole('button', { name: 'Retry 1' }).click()
  await expect.poll(tags).toEqual(['a nightly', 'b nightly', 'c nightly'])
  await expect(tasks.getByRole('button', { name: 'nightly' })).toHaveCount(3)
  // Undo takes back the last deed.
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(tags).toEqual(['a nightly', 'b old', 'c nightly'])
})

test('all that match are selected beyond what is loaded, and acted on one by one', async ({ page, api }) => {
  test.slow()
  const count = 230
  for (let n = 0; n < count; n += 1)
    await api(createTask, { body: { yaml_content: yamlOf(`many.${String(n).padStart(3, '0')}`, 'return {}') } })
  await page.goto('/tasks?q=many.&sort=name&order=asc')
  const tasks = grid(page, 'Tasks')
  await expect(tasks.getByRole('row', { name: /many\.000/ })).toBeVisible()
  await tasks.focus()
  await page.keyboard.press('Control+a')
  await expect(selectedBar(page)).toContainText('100 selected')
  await selectedBar(page).getByRole('button', { name: 'Select all 230' }).click()
  await expect(selectedBar(page)).toContainText('230 selected')
  await expectAccessible(page)
  // One of them is left out, and what the filter hides isn't acted on.
  await tasks
    .getByRole('row', { name: /many\.000/ })
    .getByRole('checkbox')
    .uncheck()
  await expect(selectedBar(page)).toContainText('229 selected')
  await selectedBar(page).getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('229 archived')).toBeVisible({ timeout: 30_000 })
  await expect(tasks.getByRole('row')).toHaveCount(2)
  expect((await api(listTasks, { query: { q: 'many.', archived: true, limit: 1 } })).total).toBe(229)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible({ timeout: 30_000 })
  await expect.poll(async () => (await api(listTasks, { query: { q: 'many.', limit: 1 } })).total).toBe(count)

  await tasks.focus()
  await page.keyboard.press('Control+a')
  await selectedBar(page).getByRole('button', { name: 'Select all 230' }).click()
  await expect(selectedBar(page)).toContainText('230 selected')
  await page.getByRole('searchbox', { name: 'Search tasks' }).fill('many.00')
  await expect(tasks.getByRole('row')).toHaveCount(11)
  await expect(selectedBar(page)).toContainText('10 selected')
})
