// Where the panes of a run stand, and what they say while it waits.
import { cancelJobRun, runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { setPool } from '../../src/contract/pools.ts'
import { getRun, triggerRun } from '../../src/contract/runs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { expect, expectAccessible, test } from '../support/e2e.ts'

const script = (name: string) => `etl: 1
kind: script
name: ${name}
script: return {}
`

test('steps and log stand above each other as long as the navigation leaves no room beside it', async ({
  page,
  api,
}) => {
  const task = await api(createTask, { body: { yaml_content: script('panes.room') } })
  const { id } = await api(triggerRun, { params: { taskId: task.id }, body: {} })
  await expect.poll(async () => (await api(getRun, { params: { id } })).status).toBe('success')
  await page.goto(`/runs/${id}`)
  const steps = page.getByRole('listbox', { name: 'Run steps' })
  const log = page.getByRole('region', { name: `Log of run #${id}` })
  const edges = async () => [(await steps.boundingBox())?.x, (await log.boundingBox())?.x] as const
  await expect(log).toBeVisible()
  await expect.poll(async () => new Set(await edges()).size).toBe(1)
  await page.keyboard.press('Control+b')
  await expect.poll(async () => new Set(await edges()).size).toBe(2)
})

test('a task that waits for a pool without slots says so, with the way to the pool and back', async ({ page, api }) => {
  await api(setPool, { params: { name: 'panes_closed' }, body: { slots: 0 } })
  await api(createTask, { body: { yaml_content: script('panes.waits') } })
  const yaml_content = 'etl: 1\nkind: job\nname: panes.pool\ntasks:\n  wait: {task: panes.waits, pool: panes_closed}\n'
  const template = await api(createJobTemplate, { body: { yaml_content } })
  const job = await api(createJob, { params: { id: template.id }, body: { name: 'panes.pool', connector_mapping: {} } })
  const { id } = await api(runJob, { params: { id: job.id }, body: {} })
  await page.goto(`/job-runs/${id}`)
  await expect(page.getByText('Pool panes_closed has 0 slots', { exact: true })).toHaveCount(1)
  const facts = page.getByLabel('Job run details')
  await expect(facts).toContainText('because pool panes_closed has 0 slots')
  await expect(facts).toContainText('Created')
  await expect(facts.getByText('Started', { exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open pool panes_closed' }).click()
  const pool = page.getByRole('grid', { name: 'Pools' }).getByRole('row', { name: /panes_closed/ })
  await expect(pool).toContainText('Blocked')
  await expectAccessible(page)
  await pool.getByTitle('Job runs waiting for pool panes_closed').click()
  const rows = page.getByRole('grid', { name: 'Job runs' }).getByRole('row')
  await expect(page.getByRole('button', { name: 'Remove filter “Waiting for pool panes_closed”' })).toBeVisible()
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('panes.pool')
  await api(cancelJobRun, { params: { id } })
})

test('the task that failed is shown whole beside its reason, however low the window is', async ({ page, api }) => {
  const steps = Array.from({ length: 6 }, (_, at) => `step_${at}`)
  for (const name of steps) await api(createTask, { body: { yaml_content: script(`panes.${name}`) } })
  const failing = 'etl: 1\nkind: script\nname: panes.fails\nscript: throw new Error("no more")\n'
  await api(createTask, { body: { yaml_content: failing } })
  const tasks = steps.map((name) => `  ${name}: {task: panes.${name}}\n`).join('')
  const yaml_content = `etl: 1\nkind: job\nname: panes.low\ntasks:\n${tasks}  fails: {task: panes.fails, depends_on: [${steps.join(', ')}]}\n`
  const template = await api(createJobTemplate, { body: { yaml_content } })
  const job = await api(createJob, { params: { id: template.id }, body: { name: 'panes.low', connector_mapping: {} } })
  const { id } = await api(runJob, { params: { id: job.id }, body: {} })
  await expect.poll(async () => (await api(getJobRun, { params: { id } })).status).toBe('failed')
  await page.setViewportSize({ width: 900, height: 640 })
  await page.goto(`/job-runs/${id}`)
  await expect(page.getByText('no more').first()).toBeVisible()
  const row = page.getByRole('treeitem', { name: /^Failed fails/ })
  await expect(row).toBeInViewport({ ratio: 0.95 })
})
