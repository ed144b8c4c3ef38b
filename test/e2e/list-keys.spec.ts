/** Every list, worked in by the keyboard alone: sorted, filtered, a range selected, its menu opened, several rows changed, and that undone. */
import { createApiKey } from '../../src/contract/api-keys.ts'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { createEventTrigger } from '../../src/contract/event-triggers.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import { createUser } from '../../src/contract/users.ts'
import { type Api, expect, tabTo, test } from '../support/e2e.ts'

/** Runs on a loaded machine. */
const patience = 90_000

interface List {
  address: string
  grid: string
  /** A column that sorts; without it the order is the server's. */
  sort?: string
  /** A filter, and what is chosen of it. */
  filter: [name: string, option: string]
  /** What is done with two rows; `ask` presses the button of its question. */
  act?: { item: string; ask?: boolean; undo?: boolean; said?: RegExp }
}

const lists: Record<string, List> = {
  tasks: {
    address: '/tasks?q=keys.',
    grid: 'Tasks',
    sort: 'Name',
    filter: ['Tag', 'keyed'],
    act: { item: 'Archive', undo: true },
  },
  'job templates': {
    address: '/job-templates?q=keys.',
    grid: 'Job templates',
    sort: 'Name',
    filter: ['Tag', 'keyed'],
    act: { item: 'Archive', undo: true },
  },
  'dashboard templates': {
    address: '/dashboard-templates?q=keys.',
    grid: 'Dashboard templates',
    sort: 'Name',
    filter: ['Tag', 'keyed'],
    act: { item: 'Archive', undo: true },
  },
  dashboards: { address: '/dashboards?q=keys.', grid: 'Dashboards', sort: 'Name', filter: ['Job', 'keys.one'] },
  jobs: {
    address: '/jobs?q=keys.',
    grid: 'Jobs',
    sort: 'Name',
    filter: ['Template', 'keys.one'],
    act: { item: 'Archive', undo: true },
  },
  runs: {
    address: '/runs?sort=created&order=asc',
    grid: 'Runs',
    // Turned: the newest first, which are of no job run.
    sort: 'Created',
    filter: ['Status', 'Failed'],
    act: { item: 'Rerun', ask: true, said: /runs? started/ },
  },
  'job runs': {
    address: '/job-runs',
    grid: 'Job runs',
    sort: 'Duration',
    filter: ['Status', 'Failed'],
    act: { item: 'Rerun', ask: true, said: /started/ },
  },
  schedules: {
    address: '/triggers?view=list',
    grid: 'Schedules',
    sort: 'Next run',
    filter: ['Status', 'Enabled'],
    act: { item: 'Disable', undo: true },
  },
  events: {
    address: '/triggers?view=events',
    grid: 'Events',
    sort: 'Name',
    filter: ['Status', 'Enabled'],
    act: { item: 'Disable', undo: true },
  },
  connectors: {
    address: '/connectors?q=keys.',
    grid: 'Connectors',
    sort: 'Name',
    filter: ['Type', 'SQLite'],
    act: { item: 'Archive', undo: true },
  },
  executors: { address: '/executors', grid: 'Executors', sort: 'Busy', filter: ['Status', 'Online'] },
  users: {
    address: '/users?q=keys.',
    grid: 'Users',
    sort: 'Username',
    filter: ['Role', 'Viewer'],
    act: { item: 'Disable', ask: true, undo: true },
  },
  'API keys': {
    address: '/settings/api-keys?q=keys.',
    grid: 'API keys',
    sort: 'Name',
    filter: ['Role', 'Viewer'],
    act: { item: 'Revoke', ask: true, said: /revoked/i },
  },
  audit: { address: '/audit', grid: 'Audit', filter: ['Outcome', 'Succeeded'] },
}

async function fill(api: Api, folder: string): Promise<void> {
  const tasks: number[] = []
  for (const name of ['keys.one', 'keys.two']) {
    const yaml_content = `etl: 1\nkind: script\nname: ${name}\nscript: |\n  throw new Error('no')\n`
    const task = await api(createTask, { body: { yaml_content, tags: ['keyed'] } })
    tasks.push(task.id)
    const template = await api(createJobTemplate, {
      body: { yaml_content: `etl: 1\nkind: job\nname: ${name}\ntasks:\n  load: {task: ${name}}\n`, tags: ['keyed'] },
    })
    await api(createDashboardTemplate, {
      body: {
        yaml_content: `etl: 1\nkind: dashboard\nname: ${name}\njob_template: ${name}\ndata: {}\nwidgets:\n  - {id: past, type: run_list, title: Job runs, at: [0, 0, 6, 3]}\n`,
        tags: ['keyed'],
      },
    })
    const job = await api(createJob, { params: { id: template.id }, body: { name } })
    const run = await api(runJob, { params: { id: job.id }, body: {} })
    await expect
      .poll(async () => (await api(getJobRun, { params: { id: run.id } })).completed_at, { timeout: patience })
      .not.toBeNull()
    await api(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: '0 3 1 1 *' } })
    await api(createEventTrigger, { body: { job_id: job.id, type: 'webhook', name } })
    await api(createConnector, { body: { name, type: 'sqlite', config: { path: `${folder}/${name}.db` } } })
    await api(createApiKey, { body: { name, role: 'viewer' } })
    await api(createUser, {
      body: { username: name, role: 'viewer', password: `${name} has a long password` },
    })
  }
  // Behind those of the jobs: a run of a job run is run again by that alone.
  for (const taskId of tasks) {
    const { id } = await api(triggerRun, { params: { taskId } })
    await expect
      .poll(async () => (await api(getRun, { params: { id } })).completed_at, { timeout: patience })
      .not.toBeNull()
  }
}

test('each list is sorted, filtered, selected in and changed by the keyboard alone, and changes are undone by it', async ({
  page,
  api,
  server,
}) => {
  test.setTimeout(600_000)
  await fill(api, server.filesDir)
  for (const [name, { address, grid: label, sort, filter, act }] of Object.entries(lists)) {
    await test.step(name, async () => {
      await page.goto(address)
      const grid = page.getByRole('grid', { name: label, exact: true })
      const rows = grid.getByRole('row').filter({ has: page.getByRole('gridcell') })
      const least = name === 'executors' ? 1 : 2
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least)
      // Its order has an arrow before anyone chooses one.
      await expect(grid.locator('[aria-sort]')).toHaveCount(1)

      const [filterName, option] = filter
      await tabTo(page, page.getByRole('button', { name: filterName, exact: true }))
      await page.keyboard.press('Enter')
      const choice = page.getByRole('option', { name: option, exact: true })
      await expect(choice).toBeVisible()
      for (let n = 0; n < 40 && (await choice.getAttribute('data-combobox-selected')) === null; n += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect(page.getByRole('button', { name: `${filterName}: ${option}` })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('option')).toHaveCount(0)
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(1)
      await page.keyboard.press('Shift+F')
      await expect(page.getByRole('button', { name: `${filterName}: ${option}` })).toBeHidden()
      await page.goto(address)
      await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least)

      // Rows of the order before stay until those of the new one come, and the cursor follows its row to another place.
      const renewed = () => expect(grid).not.toHaveAttribute('aria-busy', 'true')
      if (sort !== undefined) {
        const header = grid.getByRole('columnheader', { name: sort, exact: true })
        const before = await header.getAttribute('aria-sort')
        await tabTo(page, header.getByRole('button', { name: /^Sort/ }))
        await page.keyboard.press('Enter')
        await expect(header).toHaveAttribute('aria-sort', before === 'ascending' ? 'descending' : /./)
        await renewed()
        await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least)
      }

      await tabTo(page, grid, sort === undefined ? 'Tab' : 'Shift+Tab')
      await page.keyboard.press('Home')
      await page.keyboard.press(least === 1 ? ' ' : 'Shift+ArrowDown')
      const bar = page.getByRole('toolbar', { name: 'Selected rows' })
      await expect(bar).toContainText(`${least} selected`)
      await page.keyboard.press('Shift+F10')
      const menu = page.getByRole('menu')
      await expect(menu.getByRole('menuitem').first()).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(menu).toHaveCount(0)
      if (!act) return
      const item = menu.getByRole('menuitem', { name: act.item })
      await page.keyboard.press('Shift+F10')
      await expect(menu.getByRole('menuitem').first()).toBeFocused()
      for (let n = 0; n < 12 && !(await item.evaluate((one) => one === document.activeElement)); n += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      if (act.ask === true) {
        const question = page.getByRole('dialog')
        await tabTo(page, question.getByRole('button', { name: act.item }))
        await page.keyboard.press('Enter')
      }
      if (act.said) await expect(page.getByText(act.said).first()).toBeVisible()
      if (act.undo === true) {
        await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
        await page.keyboard.press('Control+z')
        await expect(page.getByText('Undone')).toBeVisible()
        await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(least)
      }
    })
  }
})

test('Ctrl+Z in a field takes back what was typed, not what was done in the list', async ({ page, api }) => {
  const yaml_content = 'etl: 1\nkind: script\nname: typed.undo\nscript: |\n  return {}\n'
  await api(createTask, { body: { yaml_content } })
  await page.goto('/tasks?q=typed.')
  const grid = page.getByRole('grid', { name: 'Tasks' })
  await expect(grid.getByRole('row')).toHaveCount(2)
  await grid.focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('x')
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Undone')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Undo/ })).toBeVisible()
})

test('a list is busy while it shows the rows of the sort before', async ({ page, api }) => {
  for (const name of ['busy.one', 'busy.two'])
    await api(createTask, { body: { yaml_content: `etl: 1\nkind: script\nname: ${name}\nscript: |\n  return {}\n` } })
  await page.goto('/tasks?q=busy.')
  const grid = page.getByRole('grid', { name: 'Tasks' })
  await expect(grid.getByRole('row')).toHaveCount(3)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/api\/tasks\?.*order=desc/, async (route) => {
    await promise
    await route.continue()
  })
  await grid.getByRole('button', { name: /^Sort by Name/ }).click()
  await expect(grid).toHaveAttribute('aria-busy', 'true')
  await expect(grid.getByRole('row')).toHaveCount(3)
  resolve()
  await expect(grid).not.toHaveAttribute('aria-busy', 'true')
  await expect(grid.getByRole('row').nth(1)).toContainText('busy.two')
})
