import type { Page } from '@playwright/test'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { listAllJobRuns } from '../../src/contract/job-runs.ts'
import {
  createNotification,
  getNotification,
  testNotification,
  listNotifications,
  updateNotification,
} from '../../src/contract/notifications.ts'
import { deletePool, listPools, setPool } from '../../src/contract/pools.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { createEventTrigger, getEventTrigger, updateEventTrigger } from '../../src/contract/event-triggers.ts'
import { createTrigger, getTrigger, listTriggers, updateTrigger } from '../../src/contract/triggers.ts'
import { type Api, expect, expectAccessible, test } from '../support/e2e.ts'

async function prepare(api: Api, name: string) {
  const task = `etl: 1\nkind: script\nname: ${name}.read\nscript: |\n  return {}\n`
  await api(createTask, { body: { yaml_content: task } })
  const yaml = `etl: 1\nkind: job\nname: ${name}\ntasks:\n  read: {task: ${name}.read}\n`
  const template = await api(createJobTemplate, { body: { yaml_content: yaml } })
  return await api(createJob, { params: { id: template.id }, body: { name } })
}

/** By the menu of the row. */
async function actOn(page: Page, row: string, action: string) {
  await page.getByRole('row').filter({ hasText: row }).getByRole('button', { name: 'Row actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a job gets a schedule whose next firings are seen before it is made, is switched off, and taken away', async ({
  page,
  api,
}) => {
  const job = await prepare(api, 'e2e.schedule')
  const stored = async () => (await api(listTriggers, { query: { job_id: job.id } })).result
  await page.goto('/triggers?view=list')
  await page.getByRole('button', { name: 'Create trigger' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create trigger' })
  await dialog.getByRole('button', { name: 'Create trigger' }).click()
  await expect(dialog.getByText('Required')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Job', exact: true }).fill('e2e.sched')
  await page.getByRole('option', { name: 'e2e.schedule' }).click()

  const fields = dialog.getByLabel('Cron expression')
  await fields.fill('0 25 * * *')
  await expect(fields).toHaveAttribute('aria-invalid', 'true')
  await fields.fill('30 2 * * 1-5')
  await expect(dialog.getByText('Monday to Friday at 02:30')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berl')
  await page.getByRole('option', { name: 'Europe/Berlin' }).click()
  await expect(dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5)
  await expect(dialog.getByRole('list', { name: 'Next runs' })).toContainText(/02:30 (GMT\+[12]|CES?T)/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create trigger' }).click()
  await expect(dialog).toBeHidden()
  expect((await stored())[0]).toMatchObject({ cron_expression: '30 2 * * 1-5', timezone: 'Europe/Berlin', enabled: 1 })

  const row = page.getByRole('row', { name: /e2e\.schedule/ })
  await expectAccessible(page)
  await row.getByRole('switch').press('Space')
  await expect(row).toHaveAttribute('data-muted', 'true')
  await expect.poll(async () => (await stored())[0]?.enabled).toBe(0)

  await page.getByText('Month', { exact: true }).click()
  await expect(page.getByRole('grid').getByRole('columnheader')).toHaveCount(7)
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page).toHaveURL(/at=\d{4}-\d{2}-01/)
  await expectAccessible(page)

  const [before] = await stored()
  await page.goto(`/jobs/${job.id}?tab=triggers`)
  await actOn(page, '30 2 * * 1-5', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await stored()).length).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  const { id: _old, created_at: _made, updated_at: _changed, ...deleted } = before!
  await expect.poll(async () => (await stored())[0]).toMatchObject(deleted)
})

test('a webhook’s address is shown once, starts the job, and a new token ends the old one', async ({ page, api }) => {
  const job = await prepare(api, 'e2e.hook')
  await page.goto(`/jobs/${job.id}?tab=triggers`)
  await page.getByRole('button', { name: 'Create trigger' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Webhook', { exact: true }).click()
  await dialog.getByLabel('Name').fill('Shop calls')
  await dialog.getByRole('button', { name: 'Create trigger' }).click()
  const address = (await page.getByTestId('hook-address').textContent()) ?? ''
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I’ve copied it' }).click()
  const row = page.getByRole('row', { name: /Shop calls/ })
  await expect(row).toContainText('Webhook')

  const called = await fetch(address, { method: 'POST' })
  expect(called.status).toBe(202)
  expect((await api(listAllJobRuns, { query: { job_id: [job.id] } })).total).toBe(1)
  await expect(row).toContainText(/now|ago/)

  await actOn(page, 'Shop calls', 'Rotate token…')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate token' }).click()
  await expect(page.getByTestId('hook-address')).not.toHaveText(address)
  expect((await fetch(address, { method: 'POST' })).status).toBe(404)
})

test('a channel is made and tested; what a desktop channel tells appears in the window and leads on', async ({
  page,
  api,
}) => {
  const bodies: string[] = []
  const receiver = createServer((request, response) => {
    request.on('data', (part: Buffer) => bodies.push(part.toString()))
    request.on('end', () => response.end('ok'))
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  // A TCP server has a port.
  const { port } = receiver.address() as AddressInfo
  try {
    await page.goto('/settings/notifications')
    await page.getByRole('button', { name: 'Create channel' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create channel' })
    await dialog.getByText('Webhook', { exact: true }).click()
    await dialog.getByLabel('Name').fill('e2e.ops')
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`)
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await expect(page.getByRole('row', { name: /e2e\.ops/ })).toBeVisible()
    await page.getByRole('button', { name: 'Send test message' }).click()
    await expect(page.getByText('Test message delivered.')).toBeVisible()
    expect(bodies.join('')).toContain('test')
    await expect(page.getByRole('grid', { name: 'Deliveries' })).toContainText('Delivered')
    await expectAccessible(page)
    // What a channel needs is in its row, also while nothing is chosen.
    await page.goto('/settings/notifications')
    const row = page.getByRole('row', { name: /e2e\.ops/ })
    await row.getByRole('switch', { name: 'Enable e2e.ops' }).press('Space')
    await expect.poll(async () => (await api(listNotifications)).result.map(({ enabled }) => enabled)).toEqual([0])
    await row.getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete e2e.ops' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(row).toBeHidden()
  } finally {
    receiver.close()
  }

  const desk = await api(createNotification, { body: { name: 'e2e.desk', type: 'desktop', on: [] } })
  await page.goto('/jobs')
  // Sent again until the page hears events: what was sent before is not told to it.
  const toast = page.getByText('Test message of Headgate').first()
  await expect(async () => {
    await api(testNotification, { params: { id: desk.id } })
    await expect(toast).toBeVisible({ timeout: 2000 })
  }).toPass()
  await toast.click()
  await expect(page).toHaveURL(/\/settings\/notifications/)
})

test('what somebody else has saved meanwhile is told before a trigger, a channel or a pool is saved over it', async ({
  page,
  api,
}) => {
  const job = await prepare(api, 'e2e.two')
  const body = { job_id: job.id, type: 'cron', cron_expression: '0 5 * * *' } as const
  const { id } = await api(createTrigger, { body })
  const told = page.getByRole('alert').filter({ hasText: 'Someone else saved this' })
  await page.goto(`/jobs/${job.id}?tab=triggers`)
  await actOn(page, '0 5 * * *', 'Edit…')
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: 'Save' })
  await dialog.getByLabel('Cron expression').fill('0 7 * * *')
  await api(updateTrigger, { params: { id }, body: { enabled: false } })
  await save.click()
  await expect(told).toBeVisible()
  // The pressed button rests now: keys go on with the choice.
  await expect(told.getByRole('button', { name: 'Keep mine' })).toBeFocused()
  await expectAccessible(page)
  expect(await api(getTrigger, { params: { id } })).toMatchObject({ cron_expression: '0 5 * * *', enabled: 0 })
  await told.getByRole('button', { name: 'Use theirs' }).click()
  await expect(dialog.getByRole('switch', { name: 'Enabled' })).not.toBeChecked()
  await dialog.getByLabel('Cron expression').fill('0 7 * * *')
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await api(getTrigger, { params: { id } })).toMatchObject({ cron_expression: '0 7 * * *', enabled: 0 })

  const channel = await api(createNotification, { body: { name: 'e2e two', type: 'desktop', on: ['failed'] } })
  await page.goto(`/settings/notifications?channel=${channel.id}`)
  await page
    .getByRole('row', { name: /e2e two/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Edit e2e two' }).click()
  await dialog.getByRole('checkbox').first().setChecked(false)
  await api(updateNotification, { params: { id: channel.id }, body: { enabled: false } })
  await save.click()
  await told.getByRole('button', { name: 'Keep mine' }).click()
  await save.click()
  await expect(dialog).toBeHidden()
  expect(await api(getNotification, { params: { id: channel.id } })).toMatchObject({ on: [], enabled: 1 })

  const hook = await api(createEventTrigger, { body: { job_id: job.id, name: 'Two calls', type: 'webhook' } })
  await page.goto(`/jobs/${job.id}?tab=triggers`)
  await actOn(page, 'Two calls', 'Edit…')
  await dialog.getByLabel('Name').fill('My calls')
  await api(updateEventTrigger, { params: { id: hook.id }, body: { name: 'Their calls' } })
  await save.click()
  await told.getByRole('button', { name: 'Keep mine' }).click()
  await expect(save).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  expect(await api(getEventTrigger, { params: { id: hook.id } })).toMatchObject({ name: 'My calls' })

  // Somebody is faster between the look and the saving.
  const params = { name: 'e2e.two' }
  await api(setPool, { params, body: { slots: 2 } })
  await page.goto('/settings/pools')
  await page
    .getByRole('row', { name: /e2e\.two/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Edit e2e.two' }).click()
  await dialog.getByRole('textbox', { name: 'Slots' }).fill('7')
  await page.route(
    '**/api/pools/e2e.two',
    async (route) => {
      if (route.request().method() === 'PUT') await api(setPool, { params, body: { slots: 5 } })
      await route.fallback()
    },
    { times: 2 },
  )
  await save.click()
  await told.getByRole('button', { name: 'Use theirs' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Slots' })).toHaveValue('5')
  await page.unroute('**/api/pools/e2e.two')
  // What was removed does not come back unseen.
  await api(deletePool, { params })
  await save.click()
  await expect(dialog.getByRole('alert')).toContainText('Someone else deleted this')
  expect((await api(listPools)).map(({ name }) => name)).not.toContain(params.name)
})

test('a schedule for one moment has its zone in the column, as the others have', async ({ page, api }) => {
  const job = await prepare(api, 'e2e.moment')
  const moment = `${new Date().getUTCFullYear() + 1}-03-01T11:50:00.000Z`
  await api(createTrigger, { body: { job_id: job.id, type: 'one_off', cron_expression: moment } })
  await page.goto(`/jobs/${job.id}?tab=triggers`)
  const cells = page.getByRole('grid', { name: 'Schedules' }).getByRole('gridcell')
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  await expect(cells.filter({ hasText: /^Once: .*:50$/ })).toBeVisible()
  await expect(cells.filter({ hasText: new RegExp(`^${zone}$`) })).toBeVisible()
})

test('several runs within an hour are counted, in a wide window from the first to the last, and hours are on the lines they begin at', async ({
  page,
  api,
}) => {
  const job = await prepare(api, 'e2e.hours')
  await api(createTrigger, { body: { job_id: job.id, type: 'cron', cron_expression: '0,20,40 7 * * *' } })
  await page.goto(`/triggers?job_id=${job.id}`)
  await page.getByText('7 days', { exact: true }).click()
  const grid = page.getByRole('grid')
  await expect(grid.getByText('· 3 runs').first()).toBeVisible()
  await page.setViewportSize({ width: 1920, height: 800 })
  await expect(grid.getByText(/^\d\d:00–\d\d:40$/).first()).toBeVisible()
  const hour = grid.getByRole('rowheader', { name: '05:00' })
  const [cell, text] = await Promise.all([hour.boundingBox(), hour.getByText('05:00').boundingBox()])
  expect(Math.abs(text!.y + text!.height / 2 - cell!.y)).toBeLessThan(3)
})
