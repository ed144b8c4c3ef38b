// What an empty workspace says, and the first step that it leads to.
import { expect, test } from '../support/e2e.ts'
import { contrastFindings } from '../support/walk.ts'

const listOf = (total: number) => ({ json: { result: [], total, next_cursor: null } })

test('without jobs triggers lead to what has to be created first, and to nothing else', async ({ page }) => {
  for (const list of ['triggers', 'event-triggers', 'jobs', 'job-templates'])
    await page.route(`**/api/${list}?*`, (route) => route.fulfill(listOf(0)))
  await page.route('**/api/tasks?*', (route) => route.fulfill(listOf(1)))
  const main = page.getByRole('main')
  await page.goto('/triggers?at=2040-02-01')
  await expect(main.getByRole('status').filter({ hasText: 'No schedules yet' })).toBeVisible()
  await expect(main.getByText('choose another period')).toHaveCount(0)
  const leadsTo = async (text: string, name: string, path: RegExp) => {
    for (const view of ['month', 'week', 'list', 'events']) {
      await page.goto(`/triggers?view=${view}`)
      await expect(main.getByText(text)).toBeVisible()
      await expect(main.getByRole('link', { name })).toHaveAttribute('href', path)
      await expect(page.getByRole('button', { name: 'Create trigger' })).toHaveCount(0)
    }
  }
  await leadsTo('First, create a job template.', 'Create job template', /^\/job-templates\/new$/)
  await page.route('**/api/job-templates?*', (route) => route.fulfill(listOf(1)))
  await leadsTo('First, create a job.', 'Create job…', /^\/jobs\?new=yes$/)
})

test('an empty list leads to the first step that is possible, not to another empty list', async ({ page }) => {
  const have = new Map<string, number>()
  const steps = ['connectors', 'tasks', 'job-templates', 'jobs', 'dashboard-templates', 'dashboards']
  for (const list of [...steps, 'runs', 'job-runs', 'dashboard-shares'])
    await page.route(`**/api/${list}?*`, (route) => route.fulfill(listOf(have.get(list) ?? 0)))
  await page.route('**/api/lineage*', (route) =>
    route.fulfill({ json: { datasets: [], tasks: [], edges: [], truncated: false } }),
  )
  const main = page.getByRole('main')
  const leadsTo = async (address: string, name: string, path: string) => {
    await page.goto(address)
    await expect(main.getByRole('link', { name, exact: true }), address).toHaveAttribute('href', path)
  }
  const all = ['/tasks', '/runs', '/job-templates', '/jobs', '/job-runs', '/dashboard-templates', '/dashboards']
  for (const address of [...all, '/lineage', '/settings/public-links'])
    await leadsTo(address, 'Create connector', '/connectors/new')
  have.set('connectors', 1)
  for (const address of ['/runs', '/job-templates', '/dashboards']) await leadsTo(address, 'Create task', '/tasks/new')
  have.set('tasks', 1)
  for (const address of ['/jobs', '/job-runs', '/dashboard-templates', '/dashboards'])
    await leadsTo(address, 'Create job template', '/job-templates/new')
  await expect(main.getByText('First, create a job template.')).toBeVisible()
  await page.goto('/dashboard-templates/new')
  await expect(main.getByRole('link', { name: 'Create job template' })).toBeVisible()
  have.set('job-templates', 1)
  await leadsTo('/job-runs', 'Create job…', '/jobs?new=yes')
  for (const address of ['/dashboards', '/settings/public-links'])
    await leadsTo(address, 'Create dashboard template', '/dashboard-templates/new')
  have.set('dashboard-templates', 1)
  await leadsTo('/dashboards', 'Create job…', '/jobs?new=yes')
  have.set('jobs', 1)
  await leadsTo('/job-runs', 'Open jobs', '/jobs')
  await leadsTo('/settings/public-links', 'View dashboard templates', '/dashboard-templates')
})

test('AI references say that AI isn’t configured, and lead to its settings', async ({ page }) => {
  await page.goto('/settings/ai-references')
  const off = page.getByRole('status').filter({ hasText: 'AI isn’t configured' })
  await expect(off.getByRole('link', { name: 'Open AI configuration' })).toHaveAttribute(
    'href',
    '/settings/configuration?find=ai.',
  )
  const usage = await (await page.request.get('/api/ai/usage')).json()
  await page.route('**/api/ai/usage*', (route) => route.fulfill({ json: { ...usage, configured: true } }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Create reference…' }).first()).toBeVisible()
  await expect(off).toHaveCount(0)
})

test('while a list is empty, its one main action is in its middle, and the one above can be read', async ({ page }) => {
  await page.route('**/api/connectors?*', (route) => route.fulfill(listOf(1)))
  for (const list of ['tasks', 'job-templates'])
    await page.route(`**/api/${list}?*`, (route) => route.fulfill(listOf(0)))
  await page.goto('/job-templates')
  const first = page.getByRole('main').getByRole('link', { name: 'Create task' })
  const ground = (button: typeof first) => button.evaluate((one) => getComputedStyle(one).backgroundColor)
  const create = page.getByRole('button', { name: 'Create job template' })
  await expect(first).toBeVisible()
  expect(await ground(create)).not.toBe(await ground(first))
  expect(await ground(create)).toBe(await ground(page.getByRole('button', { name: 'Views' })))
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.mouse.move(0, 0)
    expect(await contrastFindings(page), colorScheme).toEqual([])
    await create.hover()
    expect(await contrastFindings(page), `${colorScheme}, hovered`).toEqual([])
  }
})

test('without job templates no job can be created, neither by its button nor at its address', async ({ page }) => {
  for (const list of ['jobs', 'job-templates'])
    await page.route(`**/api/${list}?*`, (route) => route.fulfill(listOf(0)))
  await page.route('**/api/tasks?*', (route) => route.fulfill(listOf(1)))
  await page.goto('/jobs')
  const first = page.getByRole('main').getByRole('link', { name: 'Create job template' })
  await expect(first).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create job…' })).toBeDisabled()
  await page.goto('/jobs?new=yes')
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Read about jobs' })).toBeVisible()
  await expect(first).toBeHidden()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Create job template' })).toBeFocused()
})
