import type { Page } from '@playwright/test'
import { runJob } from '../../src/contract/job-run-control.ts'
import { createJobTemplate, updateJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob, getJob, getJobSnapshot, setJobTaskOverride, updateJob } from '../../src/contract/jobs.ts'
import { setPool } from '../../src/contract/pools.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { createTrigger } from '../../src/contract/triggers.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

const script = (name: string, said: string) => `etl: 1
kind: script
name: ${name}
script: |
  console.log("${said}"); return {}
`

/** A template over one task, with a list as parameter; `more` adds tasks to it. */
const templateYaml = (name: string, more = '') => `etl: 1
kind: job
name: ${name}
parameters:
  regions: {type: list, items: string, default: [eu, us]}
tasks:
  read: {task: ${name}.read}
${more}`

async function prepare(api: Api, name: string) {
  await api(createTask, { body: { yaml_content: script(`${name}.read`, 'as pinned') } })
  const template = await api(createJobTemplate, { body: { yaml_content: templateYaml(name) } })
  return { template, make: () => api(createJob, { params: { id: template.id }, body: { name } }) }
}

const tab = (page: Page, name: RegExp | string) => page.getByRole('main').getByRole('link', { name })

test('a new job begins with the templates: searched, marked, and chosen by keyboard, and another one instead', async ({
  page,
  api,
}) => {
  await prepare(api, 'e2e.choice.orders')
  await prepare(api, 'e2e.choice.returns')
  await page.goto('/jobs')
  await expect(page.getByRole('button', { name: 'Create job' }).first()).toBeVisible()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: 'Create job' })
  const search = dialog.getByRole('searchbox', { name: 'Job template' })
  await expect(search).toBeFocused()
  const options = dialog.getByRole('option')
  await search.fill('e2e.choice')
  await expect(options).toHaveText([/^e2e\.choice\.orders/, /^e2e\.choice\.returns/])
  await expectAccessible(page)
  // What is marked is taken by Enter, also where the search stands.
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Job name')).toHaveValue('e2e.choice.orders')
  await dialog.getByRole('button', { name: 'Change' }).click()
  await expect(search).toBeFocused()
  await search.fill('e2e.choice')
  await expect(options).toHaveCount(2)
  await options.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Job name')).toHaveValue('e2e.choice.returns')
  await expect(dialog.getByLabel('Job name')).toBeFocused()
})

test('a job is made from a template in the list of jobs, run with its own values, and its history leads to the task', async ({
  page,
  api,
}) => {
  const { template } = await prepare(api, 'e2e.job')
  await page.goto(`/jobs?job_template_id=${template.id}`)
  await expect(page.getByRole('button', { name: 'Template: e2e.job' })).toBeVisible()
  await expect(page.getByText('No jobs from this template yet')).toBeVisible()
  await page.keyboard.press('c')
  const making = page.getByRole('dialog', { name: 'Create job' })
  await expect(making.getByLabel('Job name')).toHaveValue('e2e.job')
  await expectAccessible(page)
  await making.getByRole('button', { name: 'Create job' }).click()
  await expect(page).toHaveURL(/\/jobs\/\d+$/)
  const job = { id: Number(page.url().split('/').at(-1)) }
  await api(updateJob, { params: { id: job.id }, body: { parameters: { regions: ['apac', 'us'] } } })

  await page.goto('/jobs')
  const list = page.getByRole('grid', { name: 'Jobs' })
  await expect(list.getByRole('row', { name: /e2e\.job/ })).toContainText('Not run yet')
  await list.getByText('e2e.job', { exact: true }).first().click()
  await expect(page).toHaveURL(new RegExp(`/jobs/${job.id}$`))
  // Not the list’s, which stands until the page is there.
  await expect(list).toBeHidden()
  await expect(page.getByText('Not run yet', { exact: true })).toBeVisible()

  await page.keyboard.press('Shift+R')
  const dialog = page.getByRole('dialog', { name: 'Run e2e.job' })
  await expect(dialog.getByLabel('regions')).toHaveAttribute('placeholder', 'Job’s value: [ "apac", "us" ]')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Run now' }).click()
  await expect(page).toHaveURL(/\/job-runs\/\d+/)

  // Live: the cell appears and turns green without the page being loaded again.
  await page.goto(`/jobs/${job.id}`)
  const cell = page.getByRole('link', { name: /^read, job run #\d+: Succeeded$/ })
  await expect(cell).toBeVisible({ timeout: 30_000 })
  await expect(
    page.getByRole('grid', { name: 'Latest job runs' }).getByRole('row', { name: /Succeeded/ }),
  ).toContainText('Manual (you)')
  const firings = page.getByRole('region', { name: 'Upcoming runs' })
  await expect(firings).toContainText('No upcoming runs. Add a trigger to schedule this job.')
  await api(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: '0 2 * * *', timezone: 'UTC' } })
  await expect(firings.getByRole('listitem')).toHaveCount(6)
  await expect(firings.getByRole('link', { name: 'Every day at 02:00' })).toHaveCount(6)
  await expectAccessible(page)
  await cell.click()
  await expect(page).toHaveURL(/\/job-runs\/\d+\?task=read/)
})

test('a task of a job runs its own text after a look at the difference; leaving an unsaved one asks', async ({
  page,
  api,
}) => {
  const { make } = await prepare(api, 'e2e.override')
  const job = await make()
  await page.goto(`/jobs/${job.id}?tab=overrides`)
  const editor = page.getByRole('textbox', { name: 'YAML of read in this job' })
  await expect(editor).toContainText('as pinned')
  await editor.fill(script('e2e.override.read', 'its own'))

  await tab(page, 'Snapshot').click()
  const ask = page.getByRole('dialog')
  await expect(ask).toBeVisible()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await expect(tab(page, 'Snapshot')).toBeFocused()

  // Somebody else renames the job: the text stays, and is saved over the newer job.
  await api(updateJob, { params: { id: job.id }, body: { description: 'changed elsewhere' } })
  await expect(editor).toContainText('its own')
  await page.getByText('Changes', { exact: true }).click()
  await expect(page.locator('.cm-changedLine').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save override' }).click()
  await expect(page.getByText('Override of read saved')).toBeVisible()
  expect((await api(getJob, { params: { id: job.id } })).overridden_task_keys).toEqual(['read'])
  // The snapshot says that it is overridden, and leads to the difference.
  await tab(page, 'Snapshot').click()
  await page.getByRole('link', { name: 'View changes' }).click()
  await expect(page.locator('.cm-changedLine').first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove override' }).click()
  await expect(page.getByText('Override of read removed')).toBeVisible()

  // Somebody else is faster, and the window does not know it yet when the text is saved.
  const known = Promise.withResolvers<void>()
  await page.route('**/api/jobs/*/snapshot', async (route) => {
    await known.promise
    await route.continue()
  })
  await page.getByText('Edit', { exact: true }).click()
  await editor.fill(script('e2e.override.read', 'mine'))
  const params = { id: job.id, key: 'read' }
  const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === `/api/jobs/${job.id}`)
  await api(setJobTaskOverride, { params, body: { yaml_content: script('e2e.override.read', 'theirs') } })
  await read
  await page.getByRole('button', { name: 'Save override' }).click()
  known.resolve()
  await expect(page.getByRole('alert').filter({ hasText: 'Someone else changed this override' })).toBeVisible()
  await expect(editor).toContainText('mine')
  const { tasks } = await api(getJobSnapshot, { params: { id: job.id } })
  expect(tasks[0]?.override_yaml).toContain('theirs')

  // The next page is slow: the answer is taken once, however often it is given.
  await page.route('**/assets/AuditPage*', () => undefined)
  await page.getByRole('link', { name: 'Audit' }).click()
  await ask.getByRole('button', { name: 'Discard changes' }).click()
  await expect(ask).toBeHidden()
  await expect(editor).toBeVisible()
})

test('what is typed into a job’s form survives somebody else’s change, which is told and decided', async ({
  page,
  api,
}) => {
  const { make } = await prepare(api, 'e2e.conflict')
  const job = await make()
  await page.goto(`/jobs/${job.id}?tab=settings`)
  const description = page.getByLabel('Description')
  await description.fill('mine')
  await api(updateJob, { params: { id: job.id }, body: { description: 'theirs' } })
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved this job' })
  await expect(notice).toBeVisible()
  await expect(description).toHaveValue('mine')
  await notice.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  expect((await api(getJob, { params: { id: job.id } })).description).toBe('mine')

  // A name that is cut in the list says itself whole, and a moment of the past which one it was.
  const name = `e2e.conflict.${'x'.repeat(150)}`
  await api(updateJob, { params: { id: job.id }, body: { name } })
  await page.goto('/jobs?q=e2e.conflict')
  const row = page.getByRole('grid', { name: 'Jobs' }).getByRole('row', { name })
  const link = row.getByRole('link')
  await row.getByRole('gridcell').nth(1).hover()
  await expect(link).toHaveAttribute('title', name)
  await row.locator('time').last().hover({ force: true })
  await expect(link).toHaveAttribute('title', /\d{4}, \d\d:\d\d:\d\d/)
})

test('a job is upgraded after a look at what changes, and a backfill shows its dates before it starts', async ({
  page,
  api,
}) => {
  const { template, make } = await prepare(api, 'e2e.upgrade')
  const job = await make()
  const more = '  again: {task: e2e.upgrade.read, depends_on: [read]}\n'
  await api(updateJobTemplate, {
    params: { id: template.id },
    body: { yaml_content: templateYaml('e2e.upgrade', more) },
  })
  await page.goto(`/jobs/${job.id}`)
  const upgrade = page.getByRole('button', { name: 'Upgrade…' })
  await upgrade.click()
  const dialog = page.getByRole('dialog', { name: 'Upgrade e2e.upgrade' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(upgrade).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.locator('.cm-changedLine, .cm-insertedLine').first()).toContainText('again')
  await dialog.getByRole('button', { name: /^again/ }).click()
  await expect(dialog.getByText('Latest (v1)')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Upgrade job', exact: true }).click()
  await expect(page.getByText('Job upgraded')).toBeVisible()
  expect((await api(getJob, { params: { id: job.id } })).template_version).toBe(2)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Backfill…' }).click()
  const backfill = page.getByRole('dialog', { name: 'Backfill e2e.upgrade' })
  const first = backfill.getByLabel('First day')
  await first.fill('2026-02-30')
  await expect(backfill.getByText('Enter a date such as 2026-01-31')).toBeVisible()
  await first.fill('2026-03-02')
  await backfill.getByRole('button', { name: 'Choose date' }).first().click()
  await expectAccessible(page)
  // The day before, by keys that follow each other within a frame.
  await expect(page.getByRole('button', { name: /Mon.* 2 Mar 2026/ })).toBeFocused()
  const next = await page.evaluate(() => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }))
    return document.activeElement?.getAttribute('aria-label')
  })
  expect(next).toMatch(/Sun.* 1 Mar 2026/)
  await page.keyboard.press('Enter')
  await expect(first).toHaveValue('2026-03-01')
  await backfill.getByLabel('Last day').fill('2026-03-03')
  await backfill.getByRole('button', { name: 'Preview runs' }).click()
  await expect(backfill.getByText('3 job runs', { exact: true })).toBeVisible()
  await expect(backfill).toContainText('1 Mar 2026')
  await backfill.getByRole('button', { name: 'Start 3 job runs' }).click()
  await expect(page).toHaveURL(/\/job-runs\?backfill_id=/)
  await expect(page.getByRole('grid').getByRole('link', { name: /^#\d+$/ })).toHaveCount(3)
})

test('home shows what needs someone and what is next; pools are made and taken away', async ({ page, api }) => {
  await api(createTask, {
    body: { yaml_content: script('e2e.home.read', 'x').replace('return {}', 'throw new Error("No such day")') },
  })
  const template = await api(createJobTemplate, { body: { yaml_content: templateYaml('e2e.home') } })
  const job = await api(createJob, { params: { id: template.id }, body: { name: 'e2e.home' } })
  await api(runJob, { params: { id: job.id }, body: {} })
  await page.goto('/')
  const failed = page.getByRole('grid', { name: 'Needs attention' })
  await expect(failed.getByRole('row', { name: /e2e\.home/ })).toContainText('No such day', { timeout: 30_000 })
  await expect(page.getByRole('heading', { name: 'Schedule', exact: true })).toBeVisible()
  await expectAccessible(page)
  await failed
    .getByRole('row', { name: /e2e\.home/ })
    .getByRole('link')
    .click()
  await expect(page.locator('[data-line]').filter({ hasText: 'No such day' }).first()).toBeVisible()
  // Where more needs attention than is listed, the rest is a click away.
  await page.route('**/api/attention', async (route) => {
    const response = await route.fetch()
    // An object, as the contract has it.
    await route.fulfill({ response, json: { ...((await response.json()) as object), truncated: true } })
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'View failed runs' }).click()
  await expect(page).toHaveURL(/\/runs\?status=failed/)

  await api(setPool, { params: { name: 'e2e.pool' }, body: { slots: 2 } })
  await page.goto('/settings/pools')
  // A name that is taken would change the other pool, and a click beside the dialog would lose what was typed.
  await page.getByRole('button', { name: 'Create pool' }).first().click()
  const pool = page.getByRole('dialog', { name: 'Create pool' })
  await pool.getByRole('textbox', { name: 'Name' }).fill('e2e.pool')
  await pool.getByRole('button', { name: 'Create pool' }).click()
  await expect(pool).toContainText('A pool with this name already exists')
  await page.mouse.click(4, 4)
  await expect(pool.getByRole('textbox', { name: 'Name' })).toHaveValue('e2e.pool')
  // Escape asks before what was typed is gone; Escape again goes on with it, and nothing is asked where nothing was typed.
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await page.keyboard.press('Escape')
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(pool.getByRole('textbox', { name: 'Name' })).toHaveValue('e2e.pool')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(pool).toBeHidden()
  const edited = page.getByRole('dialog', { name: 'e2e.pool' })
  await page
    .getByRole('row', { name: /e2e\.pool/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Edit e2e.pool' }).click()
  await expect(edited).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(edited).toBeHidden()
  await page
    .getByRole('row', { name: /e2e\.pool/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Edit e2e.pool' }).click()
  await page.getByRole('textbox', { name: 'Slots' }).press('ArrowUp')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(edited).toBeHidden()
  await page
    .getByRole('row', { name: /e2e\.pool/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Edit e2e.pool' }).click()
  await page.getByRole('textbox', { name: 'Slots' }).fill('7')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /e2e\.pool/ })).toContainText('7')
  await page
    .getByRole('row', { name: /e2e\.pool/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Delete e2e.pool' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: /e2e\.pool/ })).toBeHidden()
})
