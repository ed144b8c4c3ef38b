// What pages say where there is nothing yet, where the server fails, and where a search has led.
import { expect, test } from '../support/e2e.ts'
import { expectAccessible } from '../support/walk.ts'

const listOf = (total: number) => ({ json: { result: [], total, next_cursor: null } })

test('a month without runs says so above its days, and covers none', async ({ page }) => {
  for (const list of ['triggers', 'jobs']) await page.route(`**/api/${list}?*`, (route) => route.fulfill(listOf(1)))
  await page.goto('/triggers?at=2040-02-01')
  const none = page.getByRole('status').filter({ hasText: 'No runs in February 2040' })
  await expect(none).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByRole('button', { name: 'Create trigger' })).toHaveCount(1)
  const [said, days] = await Promise.all([none.boundingBox(), page.getByRole('grid').boundingBox()])
  expect(said!.y + said!.height).toBeLessThanOrEqual(days!.y)
})

test('seven days without runs fit the window, and a month names the days of others', async ({ page }) => {
  await page.route('**/api/triggers?*', (route) => route.fulfill(listOf(1)))
  await page.goto('/triggers?view=week&at=2040-02-01')
  await expect(page.getByRole('status').filter({ hasText: 'No runs from' })).toBeVisible()
  const days = page.getByRole('grid')
  await expect(days.getByRole('rowheader', { name: '23:00' })).toBeInViewport({ ratio: 1 })
  expect(await days.evaluate((grid) => grid.scrollHeight - grid.clientHeight)).toBe(0)
  await page.goto('/triggers?at=2040-02-01')
  await expect(days.getByText('30 Jan', { exact: true })).toBeVisible()
  await expect(days.getByText('1', { exact: true })).toBeVisible()
})

test('the Explorer says that it can’t load its connectors, and loads them again', async ({ page }) => {
  await page.route('**/api/connectors?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.goto('/explorer?connector=1&resource=weather')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load connectors' })
  await expect(failed).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.getByRole('searchbox', { name: 'Search names' })).toHaveCount(0)
  await expect(page.getByRole('toolbar', { name: 'Queries' }).getByText('weather', { exact: true })).toBeVisible()
  const [pane, room] = await Promise.all([failed.boundingBox(), page.getByRole('main').boundingBox()])
  expect(pane!.width).toBeGreaterThan(room!.width / 2)
  await page.unroute('**/api/connectors?*')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
})

test('an example of a job template whose tasks can’t be checked names them in its graph alone', async ({ page }) => {
  await page.route('**/api/tasks?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.goto('/job-templates/new')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load tasks, so missing tasks aren’t marked' })
  await expect(failed).toHaveCount(1)
  const tasks = page.getByRole('list', { name: 'Tasks', exact: true })
  await expect(tasks).toHaveCount(0)
  await page.unroute('**/api/tasks?*')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(tasks).toHaveCount(1)
})

test('backups that can’t be listed are told below their heading, and the schedule stays', async ({ page }) => {
  await page.route('**/api/server/backups?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.goto('/settings/backups')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load backups' })
  await expect(failed).toHaveCount(1)
  await expect(page.getByRole('heading', { name: 'Available backups' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Schedule' }).getByLabel('Back up every')).toBeVisible()
  await page.getByRole('note').getByRole('link', { name: 'Show key location' }).click()
  await expect(page.getByText(/[/\\]secret\.key$/)).toBeVisible()
})

test('backups and their schedule that fail together say so once, and are loaded together', async ({ page }) => {
  await page.route('**/api/server/**', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.goto('/settings/backups')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load backups' })
  await expect(failed).toHaveCount(1)
  await expect(page.getByRole('alert')).toHaveCount(1)
  await page.unroute('**/api/server/**')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
  await expect(page.getByRole('region', { name: 'Schedule' }).getByLabel('Back up every')).toBeVisible()
})

test('the schedule of backups says that it can’t be loaded, and is loaded again', async ({ page }) => {
  const failure = { status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }
  await page.route('**/api/server/store', (route) => route.fulfill(failure))
  await page.goto('/settings/backups')
  const plan = page.getByRole('region', { name: 'Schedule' })
  const failed = plan.getByRole('alert').filter({ hasText: 'Couldn’t load the backup schedule' })
  await expect(failed).toHaveCount(1)
  await expectAccessible(page)
  await page.unroute('**/api/server/store')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toBeHidden()
  await expect(plan.getByText('Next backup', { exact: true })).toBeVisible()
})

test('a record that can’t be loaded is named by the page, its failure, and the window', async ({ page }) => {
  await page.route(/\/api\/(runs|job-runs|tasks)\/15\b/, (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  const titles = { runs: 'Run #15', 'job-runs': 'Job run #15', tasks: 'Task #15' }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(`/${path}/15`)
    await expect(page.getByRole('alert').filter({ hasText: `Couldn’t load ${title.toLowerCase()}` })).toBeVisible()
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(`${title} · Headgate`)
  }
})

test('the tabs of a record stay while it can’t be loaded, and there are none of one that doesn’t exist', async ({
  page,
}) => {
  const fail = { status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }
  await page.route(/\/api\/(tasks|job-templates|dashboard-templates|jobs|connectors)\/15\b/, (route) =>
    route.fulfill(fail),
  )
  const tabs = {
    'tasks/15/versions': ['Editor', 'Versions', 'Runs'],
    'job-templates/15/jobs': ['Editor', 'Versions', 'Jobs'],
    'dashboard-templates/15/dashboards': ['Editor', 'Versions', 'Dashboards'],
    'jobs/15?tab=snapshot': ['Overview', 'Settings', 'Snapshot', 'Overrides', 'Triggers'],
    'connectors/15/resources': ['Configuration', 'Data'],
  }
  for (const [path, names] of Object.entries(tabs)) {
    await page.goto(`/${path}`)
    const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load' })
    await expect(failed).toBeVisible()
    await expect(page.getByRole('navigation', { name: /#15$/ }).getByRole('link')).toHaveText(names)
  }
  await page.route(/\/api\/(runs|job-runs)\/15\b/, (route) => route.fulfill(fail))
  const panes = {
    'runs/15?tab=outputs': ['Log', 'Rejects', 'Outputs', 'Details'],
    'job-runs/15': ['Log', 'Steps', 'Rejects', 'Outputs and metrics', 'Runs', 'Details'],
  }
  for (const [path, names] of Object.entries(panes)) {
    await page.goto(`/${path}`)
    await expect(page.getByRole('tabpanel').getByRole('alert')).toBeVisible()
    await expect(page.getByRole('tab')).toHaveText(names)
  }
  for (const path of ['tasks', 'runs', 'job-runs']) {
    await page.goto(`/${path}/99999`)
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page.getByRole('navigation', { name: /#99999$/ })).toHaveCount(0)
    await expect(page.getByRole('tab')).toHaveCount(0)
  }
})

test('lineage that can’t be loaded names what was asked for', async ({ page }) => {
  await page.route('**/api/lineage*', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  const titles = {
    '': 'Couldn’t load lineage',
    'node=task%2012': 'Couldn’t load lineage of task #12',
    'job=3': 'Couldn’t load lineage of job #3',
    'node=store.orders': 'Couldn’t load lineage of store.orders',
  }
  for (const [query, title] of Object.entries(titles)) {
    await page.goto(`/lineage?${query}`)
    await expect(page.getByRole('alert').getByText(title, { exact: true })).toBeVisible()
  }
})

test('a draft that the server can’t check says so beside its problems', async ({ page }) => {
  await page.route('**/api/job-templates/validate', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Something went wrong.' } }),
  )
  await page.goto('/job-templates/new?sample=blank')
  const problems = page.getByRole('tab', { name: 'Problems' })
  await expect(problems).toHaveText('Problems!')
  await problems.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t check the YAML' })).toBeVisible()
})

test('a draft without tasks has one main action: to add one', async ({ page }) => {
  await page.goto('/job-templates/new?sample=blank')
  const add = page.getByRole('button', { name: 'Add task' })
  const ground = (button: typeof add) => button.evaluate((one) => getComputedStyle(one).backgroundColor)
  await expect(add).toBeVisible()
  expect(await ground(add)).not.toBe(await ground(page.getByRole('button', { name: 'Create job template' })))
})

test('a list that can’t be loaded names itself, the request to look for, and offers no selection', async ({ page }) => {
  const failure = { error: 'INTERNAL_ERROR', message: 'Internal error.', request_id: 'r-31' }
  await page.route(/\/api\/(jobs|job-templates)\?/, (route) => route.fulfill({ status: 500, json: failure }))
  await page.goto('/jobs')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load jobs' })
  await expect(failed).toContainText('If it keeps failing, find request r-31 in the server log.')
  await expect(failed.getByRole('link', { name: 'Help for this error' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Select all loaded rows' })).toBeDisabled()
  await page.getByRole('button', { name: 'Create job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create job' })
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t load job templates')
  await expect(failed).toHaveCount(0)
})

test('runs that can’t be compared can’t be swapped, and the sides that failed are named', async ({ page }) => {
  await page.route(/\/api\/runs\/(15|16)\b/, (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Internal error.', request_id: 'r-31' } }),
  )
  await page.goto('/runs/compare?a=15&b=16')
  const failed = page.getByRole('alert').filter({ hasText: 'Couldn’t load runs #15 and #16' })
  await expect(failed.getByRole('link')).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Swap sides' })).toHaveCount(0)
  await page.goto('/runs/16/fix-rejects')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs.getByRole('link', { name: 'Run #16' })).toBeVisible()
})

test('a trigger whose job runs are gone doesn’t say that it has not run yet', async ({ page }) => {
  const trigger = (id: number, last_triggered_at: string | null) => ({
    id,
    job_id: 1,
    job_name: 'nightly',
    name: `hook ${id}`,
    type: 'webhook',
    config: {},
    task_key: null,
    enabled: 1,
    last_triggered_at,
    last_error: null,
    last_error_params: null,
    created_at: '2026-01-01T00:00:00.000Z',
  })
  const result = [trigger(901, '2026-02-01T00:00:00.000Z'), trigger(902, null)]
  await page.route(/\/api\/event-triggers(\?|$)/, (route) =>
    route.fulfill({ json: { result, nextCursor: null, prevCursor: null, total: 2 } }),
  )
  await page.goto('/triggers?view=events')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('hook 901')).toContainText('No recent runs')
  await expect(row('hook 902')).toContainText('Not run yet')
})

test('of several files, those that can’t be opened have no button', async ({ page }) => {
  await page.goto('/')
  const files = { 'people.csv': 'id;name\n1;Zoë\n', 'letter.txt': 'Dear Sir' }
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles(Object.entries(files).map(([name, text]) => ({ name, mimeType: '', buffer: Buffer.from(text) })))
  const dialog = page.getByRole('dialog', { name: 'Open a file' })
  await expect(dialog.getByRole('button', { name: /^Open / })).toHaveText(['Open'])
  await expect(dialog.getByRole('button', { name: 'Open people.csv' })).toBeFocused()
  await expect(dialog.getByText(/^Supported files/)).toBeVisible()
})

test('words that a search of the documentation has found are marked where it leads', async ({ page }) => {
  const marked = () => page.evaluate(() => CSS.highlights.get('hg-found')?.size ?? 0)
  await page.goto('/docs?q=incremental')
  await page.locator('[data-docs-result]').first().click()
  await expect(page.locator('[data-docs-result][aria-current]')).toBeVisible()
  await expect(page.getByRole('article')).toBeVisible()
  await expect.poll(marked).toBeGreaterThan(0)
  await expect(page.getByRole('search').getByRole('searchbox')).toHaveValue('incremental')
  // Its neighbors are one click away.
  const [next, previous] = ['Next result', 'Previous result'].map((name) => page.getByRole('button', { name }))
  await expect(page.getByRole('status').filter({ hasText: /^1 of \d+$/ })).toBeVisible()
  await expect(previous!).toBeDisabled()
  const before = page.url()
  await next!.click()
  await expect(page.getByRole('status').filter({ hasText: /^2 of \d+$/ })).toBeVisible()
  expect(page.url()).not.toBe(before)
  await expect.poll(marked).toBeGreaterThan(0)
  await previous!.click()
  await expect(page).toHaveURL(before)
  await page.goto('/docs/jobs')
  await expect(page.getByRole('article')).toBeVisible()
  expect(await marked()).toBe(0)
})

test('where Home can’t be loaded, what needs no data stays, and the failure is told once', async ({ page }) => {
  const json = { error: 'INTERNAL_ERROR', message: 'Internal error.', request_id: 'r-31' }
  await page.route(/\/api\/(runs|attention|executors|calendar)\b/, (route) => route.fulfill({ status: 500, json }))
  await page.goto('/')
  const failed = page.getByRole('alert')
  await expect(failed).toHaveCount(1)
  await expect(failed).toContainText('Couldn’t load runs')
  await expect(page.getByRole('main').getByRole('link', { name: 'Create task' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Open file' })).toBeEnabled()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await failed.getByRole('button', { name: 'r-31' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('r-31')
  await page.unroute(/\/api\/(runs|attention|executors|calendar)\b/)
  await failed.getByRole('button', { name: 'Try again' }).click()
  await expect(failed).toHaveCount(0)
})
