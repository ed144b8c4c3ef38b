import type { Page } from '@playwright/test'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
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
  await failing.locator('a[href^="/runs/"]').last().hover()
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
