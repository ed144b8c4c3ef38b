import type { Page } from '@playwright/test'
import { createConnector } from '../../src/contract/connectors.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { listRuns, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { keysClash } from '../../src/renderer/commands/keys.ts'
import { type Api, admin, expect, test } from '../support/e2e.ts'

const yaml = (name: string, step = '') => `etl: 1
kind: pipeline
name: ${name}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{id: 1, total: 9.5}]}}
${step}target: {connector: out, file: {path: out.csv}}
`
/** A loaded machine starts workers and windows slowly. */
const patience = 90_000

const palette = (page: Page) => page.getByRole('dialog', { name: 'Open anything' })

async function openPalette(page: Page) {
  await page.keyboard.press('Control+p')
  await expect(palette(page).getByRole('textbox')).toBeFocused()
}

/** As quick hands do it: nobody waits for the field. */
async function open(page: Page, text: string, expected: string) {
  await page.keyboard.press('Control+p')
  await page.keyboard.type(text)
  await expect(palette(page).locator('[data-action][data-selected]')).toContainText(expected)
  await expect(palette(page).getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Enter')
}

interface Key {
  command: string
  keys: string
}

/** What `?` lists on the page that is shown. */
async function listedKeys(page: Page): Promise<Key[]> {
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list.locator('[data-command="go-tasks"]')).toBeVisible()
  const rows = await list.locator('[data-command]').evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { command = '', keys = '', also } = (element as HTMLElement).dataset
      return [{ command, keys }, ...(also ? [{ command, keys: also }] : [])]
    }),
  )
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  return rows
}

const made = async (api: Api, name: string, step?: string) =>
  (await api(createTask, { body: { yaml_content: yaml(name, step) } })).id

test('open anything: the exact name first, numbers, settings, what was opened lately, and > for commands', async ({
  page,
  api,
}) => {
  test.slow()
  for (const name of ['a_orders', 'b_orders', 'orders_eu', 'orders']) await made(api, name)
  await api(createConnector, { body: { name: 'orders_shop', type: 'sqlite', config: { path: '/tmp/orders.db' } } })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await openPalette(page)
  const entries = palette(page).locator('[data-action]')
  await page.keyboard.type('ORDERS')
  await expect(entries.filter({ hasText: 'orders_shop' })).toBeVisible()
  await expect(entries.first()).toHaveText(/^orders\s*Task$/)
  await expect(entries.first()).toHaveAttribute('data-selected')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'orders' })).toBeFocused()

  await open(page, 'totp_required', 'auth.totp_required')
  await expect(page).toHaveURL(/\/settings\/configuration\?find=/)

  // Nothing typed: what was opened lately, in order.
  await openPalette(page)
  await expect(entries.first()).toContainText('auth.totp_required')
  await expect(entries.nth(1)).toContainText('orders')
  // A number that no run has is not offered.
  await page.keyboard.type('#4711')
  await expect(palette(page).getByText('No results')).toBeVisible()
  await palette(page).getByRole('textbox').fill('')
  await page.keyboard.type('>dark')
  await expect(page.getByRole('dialog', { name: 'Commands' }).locator('[data-selected]')).toContainText('Dark theme')
  await page.keyboard.press('Escape')

  // Beside this page.
  await openPalette(page)
  await page.keyboard.type('orders_eu')
  await expect(entries.first()).toContainText('orders_eu')
  const [beside] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await expect(beside.getByRole('heading', { level: 1, name: 'orders_eu' })).toBeVisible({ timeout: patience })
  await beside.close()
})

test('the palette shows the screen’s own actions, then what was opened lately, and finds failed runs by their error', async ({
  page,
  api,
}) => {
  const script =
    'etl: 1\nkind: script\nname: lost.ware\noutputs: {}\nscript: |\n  throw new Error("Nowhere to be found")\n'
  const { id } = await api(createTask, { body: { yaml_content: script } })
  const run = await api(triggerRun, { params: { taskId: id }, body: {} })
  await expect.poll(async () => (await api(listRuns, { query: { task_id: [id] } })).result[0]?.status).toBe('failed')
  await page.goto(`/tasks/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'lost.ware' })).toBeVisible()
  await page.goto('/tasks')
  await expect(page.getByRole('link', { name: 'lost.ware' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const commands = page.getByRole('dialog', { name: 'Commands' })
  await expect(commands.getByRole('textbox')).toBeFocused()
  const entries = commands.locator('[data-action]')
  await expect(entries.first()).toHaveAttribute('data-selected')
  const [opened, elsewhere] = ['lost.ware', 'Go to runs'].map((text) => entries.filter({ hasText: text }).first())
  const top = async (entry: typeof opened) => (await entry?.boundingBox())?.y ?? Number.NaN
  expect(await top(entries.filter({ hasText: 'Create task' }).first())).not.toBeNaN()
  expect(await top(opened)).toBeLessThan(await top(elsewhere))
  await expect(commands.getByText('This page')).toBeVisible()

  // The other face, by a click: what was typed stays.
  await page.keyboard.type('nowhere')
  await commands.getByRole('button', { name: /^Open/ }).click()
  const found = palette(page)
    .locator('[data-action]')
    .filter({ hasText: `#${run.id} lost.ware` })
  await expect(found).toContainText('Nowhere to be found')
  await expect(palette(page).getByRole('textbox')).toBeFocused()
  await found.click()
  await expect(page).toHaveURL(new RegExp(`/runs/${run.id}`))
})

test('keys that come before the answers of the server count once these are there', async ({ page, api }) => {
  const script = 'etl: 1\nkind: script\nname: quick.hands\noutputs: {}\nscript: |\n  throw new Error("Too quick")\n'
  const { id } = await api(createTask, { body: { yaml_content: script } })
  await api(triggerRun, { params: { taskId: id }, body: {} })
  await expect.poll(async () => (await api(listRuns, { query: { task_id: [id] } })).result[0]?.status).toBe('failed')
  const [run] = (await api(listRuns, { query: { task_id: [id] } })).result
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  let answer = Promise.resolve()
  /** Nothing more is answered until the function that it gives is called. */
  const hold = () => {
    const held = Promise.withResolvers<void>()
    answer = held.promise
    return held.resolve
  }
  await page.route(/\/api\/(tasks\?|runs\/\d+\/logs)/, async (route) => {
    await answer
    await route.continue()
  })
  let release = hold()
  await page.keyboard.press('Control+p')
  await page.keyboard.type('quick.hands')
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'quick.hands' })).toBeFocused()

  // While more letters are typed, what they still fit stays listed and marked.
  await openPalette(page)
  const marked = palette(page).locator('[data-action][data-selected]')
  await page.keyboard.type('quick')
  await expect(marked).toContainText('quick.hands')
  release = hold()
  const asked = page.waitForRequest(/\/api\/tasks\?.*quick\.h/)
  await page.keyboard.type('.h')
  await asked
  await expect(marked).toContainText('quick.hands')
  await page.keyboard.press('Escape')

  await page.goto(`/runs/${run?.id ?? 0}`)
  await expect(page.getByRole('searchbox', { name: 'Search log' })).toBeVisible()
  await page.keyboard.press('e')
  release()
  await expect(page).toHaveURL(/line=\d+/)
})

test('no two commands of a page share their keys, and every main page has a letter', async ({ page, api }) => {
  test.slow()
  const task = await made(api, 'keys_of_pages')
  const body = { name: 'keys_shop', type: 'sqlite', config: { path: '/tmp/keys.db' } } as const
  const connector = await api(createConnector, { body })
  const template = await api(createJobTemplate, {
    body: { yaml_content: 'etl: 1\nkind: job\nname: keys_job\ntasks:\n  asked: {gate: "Continue?"}\n' },
  })
  const job = await api(createJob, { params: { id: template.id }, body: { name: 'keys_job', connector_mapping: {} } })
  const jobRun = await api(runJob, { params: { id: job.id }, body: {} })
  const [run] = (await api(listRuns, { query: { limit: 1 } })).result
  const settings = 'appearance api-keys notifications pools server configuration branding backups store secrets'
  const addresses = `/ /tasks /tasks/${task} /tasks/${task}/versions /tasks/new /tasks/new?sample=blank /job-templates
    /job-templates/new /jobs /job-runs /runs /triggers /triggers?view=list /connectors /connectors/new?type=sqlite /executors
    /users /exchange/import /exchange/export /audit /profile`
    .split(/\s+/)
    .concat(settings.split(' ').map((section) => `/settings/${section}`))
    .concat(`/connectors/${connector.id}`, `/job-templates/${template.id}`, `/job-runs/${jobRun.id}`)
    .concat(['', '?tab=settings', '?tab=triggers', '?tab=overrides'].map((tab) => `/jobs/${job.id}${tab}`))
    .concat(run ? `/runs/${run.id}` : [])
  await page.goto('/')
  for (const address of addresses) {
    // As by the browser's own Back: the window stays, so that thirty pages take no longer than they must.
    await page.evaluate((to) => {
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: null }))
    }, address)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const keys = await listedKeys(page)
    const clashes = keys.flatMap((one, index) =>
      keys
        .slice(index + 1)
        .filter((other) => other.command !== one.command && keysClash(one.keys, other.keys))
        .map((other) => `${one.command} and ${other.command}: ${one.keys}`),
    )
    expect(clashes, address).toEqual([])
  }
  const going = (await listedKeys(page)).filter(({ command }) => command.startsWith('go-'))
  expect(going.length).toBeGreaterThanOrEqual(13)
  for (const { keys } of going) expect(keys).toMatch(/^g [a-z]$/)
})

test.describe('without a mouse', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('from signing in to a run that works: find, edit, preview, save, run, read what failed, mend, resume', async ({
    page,
    api,
  }) => {
    test.setTimeout(240_000)
    const script = 'etl: 1\nkind: script\nname: hands.free\noutputs: {}\nscript: |\n  console.log("begun")\n'
    const task = await api(createTask, { body: { yaml_content: `${script}  return {}\n` } })
    const template = await api(createJobTemplate, {
      body: {
        yaml_content:
          'etl: 1\nkind: job\nname: hands.job\ntasks:\n  only: {task: hands.free}\n  gate: {gate: "Continue?", depends_on: [only]}\n',
      },
    })
    await api(createJob, { params: { id: template.id }, body: { name: 'hands.job', connector_mapping: {} } })

    await page.goto('/')
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.keyboard.type(admin.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(admin.password)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

    await open(page, 'hands.free', 'hands.free')
    const head = page.getByRole('heading', { level: 1, name: 'hands.free' })
    await expect(head).toBeFocused()
    const editor = page.locator('.cm-content')
    await page.keyboard.press('e')
    await expect(editor).toBeFocused()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Home')
    await page.keyboard.insertText('throw new Error("The tap is shut")\n  ')
    // Tab indents in the text; Escape (the first may close what was offered) and then Tab leaves it.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await expect(editor).not.toBeFocused()

    const save = async (summary: string) => {
      await page.keyboard.press('Control+s')
      const dialog = page.getByRole('dialog')
      await expect(dialog.getByRole('textbox').last()).toBeFocused()
      await page.keyboard.type(summary)
      await page.keyboard.press('Enter')
      await expect(dialog).toBeHidden()
    }
    const run = async () => {
      await page.keyboard.press('Control+Enter')
      await expect(page).toHaveURL(/\/runs\/\d+/)
    }
    const status = (name: string) => page.locator('header').last().getByText(name)
    await save('Breaks')
    await run()
    await expect(status('Failed')).toBeVisible({ timeout: patience })
    const chosen = page.locator('[data-line][data-chosen]')
    await page.keyboard.press('e')
    await expect(page).toHaveURL(/line=\d+/)
    await expect(chosen.first()).toContainText('The tap is shut')
    // The line is in the address: it comes back.
    await page.reload()
    await expect(chosen.first()).toContainText('The tap is shut')

    await page.keyboard.press('o')
    await expect(head).toBeFocused()
    await page.keyboard.press('e')
    await expect(editor).toBeFocused()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(`${script}  return {}\n`)
    await save('Works')
    await run()
    await expect(status('Succeeded')).toBeVisible({ timeout: patience })

    await open(page, 'hands.job', 'hands.job')
    await expect(page.getByRole('heading', { level: 1, name: 'hands.job' })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(page).toHaveURL(/\/job-runs\/\d+/)
    await expect(status('Waiting for approval')).toBeVisible({ timeout: patience })
    await page.keyboard.press('j')
    await expect(page.getByRole('tree')).toContainText('gate')
    await expect(page.getByRole('tree')).toBeFocused()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('approve')
    await expect(page.getByRole('dialog').locator('[data-action][data-selected]')).toContainText('Approve gate')
    await page.keyboard.press('Enter')
    await expect(status('Completed').or(status('Succeeded')).first()).toBeVisible({ timeout: patience })
    expect(task.id).toBeGreaterThan(0)
  })
})

test('what a page shows comes back from its address, in another window and by going back', async ({ page, api }) => {
  test.slow()
  const task = await made(api, 'address_of_all', 'steps:\n  - filter: total > 100\n')
  const addresses: [address: string, seen: (shown: Page) => Promise<void>][] = [
    [`/tasks/${task}?side=help`, (shown) => expectTab(shown, 'Help')],
    [`/tasks?q=address_of&archived=true`, (shown) => expectSearch(shown, 'Search tasks', 'address_of')],
    ['/job-runs?status=failed', (shown) => expect(shown.getByRole('button', { name: 'Status: Failed' })).toBeVisible()],
    ['/triggers?view=list', (shown) => expect(shown.getByRole('radio', { name: 'Schedules' })).toBeChecked()],
    ['/exchange/export?kind=job_templates&q=abc', (shown) => expectTab(shown, /Job templates/)],
    ['/users?q=ad&role=viewer', (shown) => expectSearch(shown, 'Search users', 'ad')],
  ]
  for (const [address, seen] of addresses) {
    await page.goto(address)
    await seen(page)
    await expect(page).toHaveURL(address)
  }

  // A column is drawn wider, and gets its first width back.
  await page.goto('/tasks?q=address_of')
  const tasks = page.getByRole('grid', { name: 'Tasks' })
  const edge = tasks.getByRole('separator', { name: 'Resize column Name' })
  await edge.focus()
  const width = Number(await edge.getAttribute('aria-valuenow'))
  await page.keyboard.press('Shift+ArrowRight')
  await expect(edge).toHaveAttribute('aria-valuenow', String(width + 40))
  const header = tasks.getByRole('columnheader', { name: 'Name', exact: true })
  expect((await header.boundingBox())?.width).toBe(width + 40)
  await page.keyboard.press('Enter')
  // A column that shares what is left may begin between two pixels.
  await expect.poll(async () => Math.round((await header.boundingBox())?.width ?? 0)).toBe(width)
  await page.keyboard.press('ArrowDown')
  await expect(edge).not.toBeFocused()
  await expect(page.locator('[role=separator]:focus')).toHaveAccessibleName(/^Resize column /)

  // A list is walked and opened where it stands.
  await page.goto('/tasks?q=address_of')
  await expect(page.getByRole('grid', { name: 'Tasks' }).getByText('address_of_all')).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.locator('[data-row][data-active]')).toContainText('address_of_all')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'address_of_all' })).toBeFocused()
  await page.goBack()
  await expectSearch(page, 'Search tasks', 'address_of')

  // Typing a filter is one step of the history, not one for each key.
  await page.goto('/tasks')
  await expect(page.getByRole('grid', { name: 'Tasks' }).getByText('address_of_all')).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page.getByRole('heading', { level: 1, name: 'Connectors' })).toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('shop', { delay: 30 })
  await expect(page).toHaveURL(/q=shop/)
  await page.goBack()
  await expect(page).toHaveURL(/\/tasks$/)
  await page.goForward()
  await expectSearch(page, 'Search connectors', 'shop')
})

const expectTab = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('tab', { name })).toHaveAttribute('aria-selected', 'true', { timeout: patience })
const expectSearch = (page: Page, name: string, value: string) =>
  expect(page.getByRole('searchbox', { name })).toHaveValue(value)

test('a dialog that is taken away gives the focus to what can have it, and never behind another dialog', async ({
  page,
}) => {
  await page.goto('/connectors')
  await expect(page.getByRole('heading', { level: 1, name: 'Connectors' })).toBeVisible()
  const add = (...names: string[]) =>
    page.evaluate((all) => {
      for (const name of all)
        document.body.insertAdjacentHTML(
          'beforeend',
          `<div role="dialog" aria-modal="true" aria-label="${name}" tabindex="-1"><button>In ${name}</button></div>`,
        )
    }, names)
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  await page.evaluate(() =>
    document.body.insertAdjacentHTML('beforeend', '<button>Before</button><button>Saves</button>'),
  )
  await add('first')
  for (const name of ['Before', 'Saves', 'In first']) await button(name).focus()
  await button('Saves').evaluate((element) => element.setAttribute('disabled', ''))
  await page.getByRole('dialog', { name: 'first' }).evaluate((element) => element.remove())
  await expect(button('Before')).toBeFocused()

  await add('second', 'third')
  await button('In third').focus()
  await page.getByRole('dialog', { name: 'third' }).evaluate((element) => element.remove())
  await expect(page.getByRole('dialog', { name: 'second' })).toBeFocused()
})
