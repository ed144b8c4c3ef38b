import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { createConnector } from '../../src/contract/connectors.ts'
import { cancelJobRun, runJob } from '../../src/contract/job-run-control.ts'
import { type JobRun, getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

/** Job runs of several tasks on a loaded machine. */
const patience = 90_000

const script = (name: string, code: string, outputs = '{}') => `etl: 1
kind: script
name: ${name}
outputs: ${outputs}
script: |
  ${code}
`

/** A job made from tasks and a template; starting it gives the job run. */
async function prepare(
  api: Api,
  name: string,
  tasks: Record<string, string>,
  template: string,
  mapping: Record<string, number> = {},
) {
  for (const [key, yaml] of Object.entries(tasks)) {
    await api(createTask, { body: { yaml_content: yaml.replace('NAME', `${name}.${key}`) } })
  }
  const yaml_content = `etl: 1\nkind: job\nname: ${name}\n${template.replaceAll('NAME', name)}`
  const made = await api(createJobTemplate, { body: { yaml_content } })
  const job = await api(createJob, { params: { id: made.id }, body: { name, connector_mapping: mapping } })
  return { job, start: () => api(runJob, { params: { id: job.id }, body: {} }) }
}

/** Waits until the server says that the job run stands so. */
async function reaches(api: Api, id: number, status: JobRun['status']) {
  await expect
    .poll(async () => (await api(getJobRun, { params: { id } })).status, {
      timeout: patience,
      message: `job run ${id}`,
    })
    .toBe(status)
}

const tree = (page: Page) => page.getByRole('tree', { name: 'Job run tasks' })
const row = (page: Page, key: string) => tree(page).locator(`[data-row="${key}"]`)
const badge = (page: Page) => page.locator('header').last()

/** Fans out to a task that fails and to one for each region; a gate before the last. */
const fanOut = `parameters:
  month: {type: string, default: "2026-03"}
tasks:
  extract: {task: NAME.extract}
  regions:
    task: NAME.region
    depends_on: [extract]
    for_each: {in: [eu, us, apac], as: region}
  broken: {task: NAME.broken, depends_on: [extract]}
  sign_off: {gate: "Publish these figures?", depends_on: [regions]}
  publish: {task: NAME.extract, depends_on: [sign_off, broken]}
`
const fanOutTasks = {
  extract: script('NAME', 'console.log("read it all"); return {}', '{rows: 12}'),
  region: script('NAME', 'console.log("one region"); return {}', '{kept: 4}'),
  broken: script('NAME', 'console.log("about to divide"); throw new Error("The total is missing")'),
}

test('a job run opens at the log of what failed, asks at its gate, is run again with an edit, and is compared', async ({
  page,
  api,
}) => {
  test.setTimeout(240_000)
  const { start } = await prepare(api, 'e2e.fan', fanOutTasks, fanOut)
  const { id } = await start()
  await reaches(api, id, 'paused')

  await page.goto(`/job-runs/${id}`)
  await expect(row(page, 'broken')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('The total is missing').first()).toBeVisible()
  await expect(page.locator('[data-line]').filter({ hasText: 'about to divide' })).toBeVisible()
  await expect(tree(page).getByRole('treeitem')).toHaveCount(5)
  await expect(page.getByRole('button', { name: /broken.*Failed/ })).toBeVisible()
  await expectAccessible(page)

  // The first job run has none to be compared with.
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('menuitem', { name: 'With another run of this job…' }).click()
  await expect(page.getByRole('dialog').getByText('No other runs')).toBeVisible()
  await page.keyboard.press('Escape')

  // The items of a for_each are part of the tree, and each leads to its own log.
  await row(page, 'regions').click()
  await page.keyboard.press('ArrowRight')
  await expect(row(page, 'regions[2]')).toContainText('apac')
  await row(page, 'regions[1]').click()
  await expect(page).toHaveURL(/task=regions&item=1/)
  await expect(page.locator('[data-line]').filter({ hasText: 'one region' })).toBeVisible()
  await page.getByRole('tab', { name: /Items/ }).click()
  await expect(page.getByRole('grid', { name: 'Items of regions' }).getByText('us', { exact: true })).toBeVisible()

  // The banner decides it, whatever is selected.
  await page.getByRole('button', { name: 'Show gate' }).click()
  const asked = page.getByRole('status', { name: 'Waiting for approval.' })
  await expect(asked.getByText('Publish these figures?')).toBeVisible()
  await expect(asked).not.toContainText('Waiting for approval')
  const gate = page.getByLabel('Selected task')
  await expect(gate).toContainText('Waiting since')
  // What is asked stands there alone; below is what to decide by.
  await expect(gate).not.toContainText('Publish these figures?')
  // Outputs of a for_each are called like its items.
  await expect(gate).toContainText(/apac: *\{.*kept: 4/)
  await page.getByRole('textbox', { name: 'Comment' }).fill('Checked by hand')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('Approved by ada')).toBeVisible()
  await expect(page.getByText('Checked by hand')).toBeVisible()
  await expect(badge(page).getByText('Failed')).toBeVisible({ timeout: patience })
  await row(page, 'publish').click()
  await expect(page.getByText('Its upstream tasks didn’t meet')).toBeVisible()

  // What had succeeded would be done once more: that is said before it is.
  await page.getByRole('button', { name: 'Rerun', exact: true }).click()
  await page.getByRole('menuitem', { name: /All tasks/ }).click()
  const plan = page.getByRole('dialog')
  await expect(plan.getByText('regions also repeats 3 items that had succeeded.')).toBeVisible()
  await expect(plan.getByText(`Resume continues job run #${id} instead and runs only what failed.`)).toBeVisible()
  await plan.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(plan).toBeHidden()

  // Edited for the new job run alone; what was done before is reused.
  await row(page, 'broken').click()
  await page.getByRole('button', { name: 'Rerun', exact: true }).click()
  await page.getByRole('menuitem', { name: /Edit and rerun from broken/ }).click()
  const editor = page.getByRole('textbox', { name: 'YAML of broken' })
  await expect(editor).toContainText('The total is missing')
  await expect(page.getByRole('dialog').getByText('The edited YAML applies to the new job run only.')).toBeVisible()
  // Why it failed is said again, where it is changed.
  await expect(
    page.getByRole('dialog').getByRole('paragraph').filter({ hasText: 'The total is missing' }),
  ).toBeVisible()
  // The keyboard stands in the text; what was written there is not lost by Escape.
  await expect(editor).toBeFocused()
  await page.keyboard.type('# why')
  const question = page.getByRole('dialog', { name: 'Discard the edited YAML?' })
  // The first one may close what is offered in the text.
  await expect(async () => {
    if (!(await question.isVisible())) await page.keyboard.press('Escape')
    await expect(question).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  // Keys of what lies below rest meanwhile.
  await page.keyboard.press('Control+s')
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(editor).toContainText('# why')
  await editor.fill(script('e2e.fan.broken', 'console.log("mended"); return {}'))
  await page.getByRole('button', { name: 'Review changes', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('2 tasks run again')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Start job run' })).toBeFocused()
  await expect(dialog.getByText('3 tasks are reused with their outputs')).toBeVisible()
  await expect(dialog).toContainText('{"rows":12}')
  await expect(dialog.locator('.cm-changedLine, .cm-changedText').first()).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Start job run' }).click()
  await expect(page).toHaveURL(new RegExp(`/job-runs/(?!${id}\\b)\\d+`))
  const again = Number(new URL(page.url()).pathname.split('/').at(-1))
  await reaches(api, again, 'completed')
  await expect(badge(page).getByText('Succeeded')).toBeVisible()
  await expect(row(page, 'extract')).toContainText('Reused')
  await row(page, 'broken').click()
  await expect(page.locator('[data-line]').filter({ hasText: 'mended' })).toBeVisible()

  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await page.getByRole('menuitem', { name: 'With original job run' }).click()
  await expect(page).toHaveURL(new RegExp(`a=${id}&b=${again}`))
  const compared = page.getByRole('grid', { name: 'Tasks' })
  await expect(compared.getByRole('row', { name: /broken/ })).toContainText('Succeeded')
  await expect(compared.getByRole('row', { name: /broken/ })).toContainText('Failed')
  await expect(page.getByText('5 tasks differ')).toBeVisible()
  // What both were given is said once.
  await expect(page.getByRole('cell', { name: /2026-03/ })).toHaveCount(1)
  await expect(compared.getByRole('row', { name: /extract/ })).toContainText('Reused')
  await expectAccessible(page)
  // What was overridden leads to the difference.
  await compared
    .getByRole('row', { name: /broken/ })
    .getByRole('button', { name: /Overridden/ })
    .click()
  const texts = page.getByRole('dialog', { name: 'YAML of broken' })
  await expect(texts.getByRole('textbox', { name: `Job run #${id} · v1` })).toContainText('The total is missing')
  await expect(texts.getByRole('textbox', { name: `Job run #${again} · Overridden` })).toContainText('mended')
  await page.keyboard.press('Escape')
  await expect(texts).toBeHidden()

  const { job_id: jobId } = await api(getJobRun, { params: { id: again } })
  await page.goto(`/jobs/${jobId}`)
  await expect(page.getByRole('link', { name: `extract, job run #${again}: Succeeded` })).toHaveAttribute(
    'title',
    `extract, job run #${again}: Succeeded\nIts outputs from the earlier job run are reused.`,
  )
})

test('a gate is approved on Home with a comment, and what needs nobody any more is gone', async ({ page, api }) => {
  const { start } = await prepare(api, 'e2e.gated', {}, 'tasks:\n  sign_off: {gate: "Publish the figures of March?"}\n')
  const { id } = await start()
  await reaches(api, id, 'paused')

  await page.goto('/')
  const list = page.getByRole('grid', { name: 'Needs attention' })
  const gated = list.getByRole('row', { name: /e2e\.gated/ })
  await expect(gated).toContainText('Waiting for approval')
  await expect(gated).toContainText('Publish the figures of March?')
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Home \d+ need attention/ }),
  ).toBeVisible()
  await expectAccessible(page)
  await gated.getByRole('button', { name: 'Approve e2e.gated…' }).click()
  const dialog = page.getByRole('dialog', { name: /e2e\.gated #\d+ · sign_off/ })
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('Seen and right')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toBeHidden()
  await expect(gated).toBeHidden({ timeout: patience })

  await page.goto(`/job-runs/${id}`)
  await expect(page.getByText('Seen and right')).toBeVisible()
  await expect(page).toHaveTitle(/^e2e\.gated #\d+ · /)
})

test('an open page of a job run that begins to wait shows its gate', async ({ page, api }) => {
  const { start } = await prepare(
    api,
    'e2e.turns',
    { slow: script('NAME', 'console.log("slow"); return {}') },
    'tasks:\n  slow: {task: NAME.slow}\n  sign_off: {gate: "Continue?", depends_on: [slow]}\n  after: {task: NAME.slow, depends_on: [sign_off]}\n',
  )
  const { id } = await start()
  await page.goto(`/job-runs/${id}`)
  await expect(row(page, 'sign_off')).toHaveAttribute('aria-selected', 'true', { timeout: patience })
  await page.getByRole('button', { name: 'Reject…', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Reject gate “sign_off”?' })
  await question.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('Rejected by ada')).toBeVisible()
})

test('a gate is approved by a key that the list of shortcuts names, but not while its comment is typed', async ({
  page,
  api,
}) => {
  const { start } = await prepare(api, 'e2e.keyed', {}, 'tasks:\n  sign_off: {gate: "Publish?"}\n')
  const { id } = await start()
  await page.goto(`/job-runs/${id}`)
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.pressSequentially('All right')
  await expect(comment).toHaveValue('All right')
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toBeEnabled()
  await row(page, 'sign_off').click()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet.locator('[data-command="gate.approve"]')).toContainText('Approve gate sign_off')
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('Shift+A')
  await expect(page.getByText('Approved by ada')).toBeVisible()
  await expect(page.getByText('All right')).toBeVisible()
  await reaches(api, id, 'completed')
})

test('a failed job run is resumed where it stopped, live, without leaving the page', async ({ page, api, server }) => {
  test.setTimeout(240_000)
  const root = join(server.filesDir, 'e2e.resume')
  mkdirSync(root, { recursive: true })
  const files = await api(createConnector, { body: { name: 'e2e.resume files', type: 'file', config: { root } } })
  const db = await api(createConnector, {
    body: { name: 'e2e.resume db', type: 'sqlite', config: { path: join(root, 'cities.db') } },
  })
  const load = `etl: 1
kind: pipeline
name: NAME
connectors:
  files: {type: file, access: read}
  db: {types: [sqlite], access: write}
source:
  connector: files
  files: {glob: "cities.csv"}
target: {connector: db, table: cities, mode: replace}
`
  const template = `connectors: {in: {type: file}, out: {type: sqlite}}
tasks:
  first: {task: NAME.first}
  load: {task: NAME.load, depends_on: [first], connectors: {files: in, db: out}}
  last: {task: NAME.first, depends_on: [load]}
`
  const tasks = { first: script('NAME', 'console.log("done once"); return {}'), load }
  const { start } = await prepare(api, 'e2e.resume', tasks, template, { in: files.id, out: db.id })
  await page.goto('/job-runs')
  const { id } = await start()
  const line = page.getByRole('grid', { name: 'Job runs' }).getByRole('row', { name: /e2e\.resume/ })
  await reaches(api, id, 'failed')
  await expect(line).toContainText('Failed')
  await line.getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/job-runs/${id}$`))
  await expect(row(page, 'load')).toHaveAttribute('aria-selected', 'true')
  const before = await row(page, 'first').textContent()

  writeFileSync(join(root, 'cities.csv'), 'city,inhabitants\nBerlin,3677472\n')
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await reaches(api, id, 'completed')
  await expect(badge(page).getByText('Succeeded')).toBeVisible()
  await expect(row(page, 'last')).toHaveAttribute('data-status', 'success')
  // What was done is not done again, and the page stays where it was.
  expect(await row(page, 'first').textContent()).toBe(before)
  await expect(row(page, 'load')).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Runs' }).click()
  await expect(page.getByRole('tabpanel').getByRole('row')).toHaveCount(3)
})

test('a job run is paused, its running task stopped, and cancelled; each is asked first', async ({ page, api }) => {
  test.setTimeout(240_000)
  const tasks = { long: script('NAME', 'const end = Date.now() + 60000; while (Date.now() < end) {}; return {}') }
  const template = 'tasks:\n  long: {task: NAME.long}\n  after: {task: NAME.long, depends_on: [long]}\n'
  const { start } = await prepare(api, 'e2e.long', tasks, template)
  const { id } = await start()
  await page.goto(`/job-runs/${id}`)
  await expect(row(page, 'long')).toHaveAttribute('data-status', 'running', { timeout: patience })
  await expect(page.getByRole('button', { name: 'Rerun', exact: true })).toBeDisabled()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('menuitem', { name: /Stop running tasks/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop and pause' }).click()
  await expect(badge(page).getByText('Paused')).toBeVisible({ timeout: patience })
  await expect(row(page, 'long')).toHaveAttribute('data-status', 'queued', { timeout: patience })
  await page.getByRole('button', { name: 'Cancel job run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel job run' }).click()
  await expect(badge(page).getByText('Canceled')).toBeVisible({ timeout: patience })
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeHidden()
})

test('a narrow window shows the durations of a job run, and Home follows how busy its executor is', async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 900, height: 700 })
  const tasks = { long: script('NAME', 'const end = Date.now() + 60000; while (Date.now() < end) {}; return {}') }
  const { start } = await prepare(api, 'e2e.narrow', tasks, 'tasks:\n  long: {task: NAME.long}\n')
  const executors = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Executors' }) })
  await page.goto('/')
  await expect(executors.getByText(/^0 of \d+ slots busy$/)).toBeVisible()
  const { id } = await start()
  await expect(executors.getByText(/^1 of \d+ slots busy$/)).toBeVisible({ timeout: patience })
  const other = await page.context().newPage()
  await other.setViewportSize({ width: 900, height: 700 })
  await other.goto(`/job-runs/${id}`)
  await expect(row(other, 'long')).toHaveAttribute('data-status', 'running', { timeout: patience })
  const cell = await row(other, 'long').locator('> :last-child').boundingBox()
  const pane = await tree(other).boundingBox()
  expect((cell?.x ?? Infinity) + (cell?.width ?? 0)).toBeLessThanOrEqual((pane?.x ?? 0) + (pane?.width ?? 0))
  await api(cancelJobRun, { params: { id } })
  await reaches(api, id, 'cancelled')
  // Nothing but the event of the run's end says so.
  await expect(executors.getByText(/^0 of \d+ slots busy$/)).toBeVisible({ timeout: 5_000 })
})
