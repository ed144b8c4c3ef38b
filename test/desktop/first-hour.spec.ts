import { expect, test, type Page } from '@playwright/test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN } from './app-page.ts'
import { launchApp, type Launched } from './launch.ts'

let folder = ''
let launched: Launched
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-first-hour-'))
  mkdirSync(join(folder, 'sales'))
})
test.afterEach(async () => {
  await launched.end()
  rmSync(folder, { recursive: true, force: true })
})

const customers = 'id;name\n1;Müller\n2;Grace\n'
const orders = (amount: string) =>
  ['id;customer;amount;ordered_on', `1;Müller;${amount};2026-01-05`, '2;Grace;11.25;2026-01-06', ''].join('\n')

/** Lets a file of the machine go over the window, as a hand does. */
async function dropFile(page: Page, path: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  // Chromium lets go of nothing before the page has answered that it takes it.
  await expect(async () => {
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
      await devTools.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
    await expect(page.getByRole('dialog')).toBeVisible({ timeout: 5_000 })
  }).toPass()
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const navigation = (page: Page, name: string) =>
  // Behind Home's name is how much needs attention.
  page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: new RegExp(`^${name}( \\d|$)`) })
    .click()

/** What the app shows on the desktop is kept, for somebody to click on it. */
const keepNews = () =>
  launched.app.evaluate(({ Notification }) => {
    const news: Electron.Notification[] = []
    Object.assign(globalThis, { news })
    Notification.prototype.show = function keep(this: Electron.Notification) {
      news.push(this)
    }
  })
const news = () =>
  launched.app.evaluate(() =>
    (globalThis as unknown as { news: Electron.Notification[] }).news.map(({ title }) => title),
  )
const clickNews = () =>
  launched.app.evaluate(() => void (globalThis as unknown as { news: Electron.Notification[] }).news[0]!.emit('click'))

test('the first hour: from the installation to a schedule that fired on a broken file, was mended and went on from there', async () => {
  test.setTimeout(240_000)
  const csv = join(folder, 'sales', 'orders 2026.csv')
  writeFileSync(csv, orders('9.50'))
  writeFileSync(join(folder, 'sales', 'customers.csv'), customers)
  launched = await launchApp()
  const page = await launched.app.firstWindow()
  const dialog = page.getByRole('dialog')
  const look = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })

  await test.step('the first account, the welcome, the demo workspace', async () => {
    await page.getByLabel('Username').fill(ADMIN.SVC_ADMIN_USERNAME)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await look('01-welcome')
    await page.getByRole('button', { name: 'Add demo data' }).click()
    await expect(heading(page, 'Home')).toBeVisible()
    const latest = page.getByRole('grid', { name: 'Latest runs' })
    await expect(latest.getByText('Completed with rejects')).toBeVisible({ timeout: 60_000 })
    await look('02-home-demo')
    await latest
      .getByRole('row', { name: /demo\.orders/ })
      .getByRole('link')
      .click()
    await expect(page.locator('[data-line]').first()).toBeVisible()
    await look('03-demo-run')
  })

  await test.step('a dropped CSV becomes a connector and a task, with its rows; one beside it a second task', async () => {
    await navigation(page, 'Home')
    await dropFile(page, csv)
    await expect(dialog.getByText('11.25')).toBeVisible({ timeout: 30_000 })
    await expect(dialog.getByLabel('New connector')).toHaveValue('sales')
    await look('04-dropped')
    await dialog.getByRole('button', { name: 'Create connector and open draft' }).click()
    await expect(heading(page, 'orders 2026')).toBeVisible()
    await expect(page.getByRole('tab', { name: /cast/ })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('grid').getByText('Müller')).toBeVisible()
    await look('05-draft')
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+/)

    await navigation(page, 'Home')
    await dropFile(page, join(folder, 'sales', 'customers.csv'))
    await expect(dialog.getByText('Grace')).toBeVisible({ timeout: 30_000 })
    await dialog.getByRole('button', { name: 'Open draft' }).click()
    await expect(heading(page, 'customers')).toBeVisible()
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+/)
  })

  await test.step('both become a job: the orders after the customers', async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Create job template from task' }).click()
    await page.getByRole('button', { name: 'Add task' }).click()
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('orders 2026')
    await page.locator('[data-node="customers"]').click()
    await page
      .getByRole('region', { name: 'Add tasks' })
      .getByRole('button', { name: /orders 2026/ })
      .click({ modifiers: ['Shift'] })
    await expect(page.locator('[data-node="orders_2026"]')).toBeVisible()
    await expect(page.getByRole('textbox', { name: /Job template YAML/ })).toContainText('depends_on: [customers]')
    await look('06-template')
    await page.getByRole('button', { name: /^Create/ }).click()
    await expect(page).toHaveURL(/\/job-templates\/\d+/)
    await page.getByRole('button', { name: 'Create job…' }).click()
    await dialog.getByLabel('Job name').fill('Sales')
    await look('07-make-job')
    await dialog.getByRole('button', { name: 'Create job' }).click()
    await expect(page).toHaveURL(/\/jobs\/\d+/)
  })

  await test.step('it is scheduled; its file is broken; its user looks elsewhere', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Triggers' }).click()
    await page.getByRole('button', { name: 'Create trigger' }).first().click()
    await dialog.getByLabel('Cron expression').fill('30 2 * * *')
    await expect(dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem')).toHaveCount(5)
    await look('08-trigger')
    writeFileSync(csv, orders('n/a'))
    await keepNews()
    await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.blur())
    // Nobody waits for the night: once, in some seconds.
    await dialog.getByText('Once', { exact: true }).click()
    await expect(async () => {
      if (await dialog.isVisible()) {
        await dialog.getByLabel('Date and time').fill(new Date(Date.now() + 4_000).toISOString())
        await dialog.getByRole('button', { name: 'Create trigger' }).click()
      }
      await expect(dialog).toBeHidden({ timeout: 3_000 })
    }).toPass()
  })

  await test.step('the schedule fires, the job fails, and a click on the notification leads to the log of the task that did', async () => {
    await expect.poll(news).toEqual(['Sales failed'])
    await clickNews()
    await expect(page).toHaveURL(/\/job-runs\/2/)
    await expect(page.getByRole('main').getByText('orders_2026 failed', { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByText('Schedule', { exact: true })).toBeVisible()
    await expect(page.locator('[data-line]').filter({ hasText: 'n/a' }).first()).toBeVisible()
    await look('09-log')
  })

  await test.step('the file is mended; the job goes on from the task that failed and reuses the one before', async () => {
    writeFileSync(csv, orders('9.50'))
    await page.getByRole('button', { name: 'Rerun', exact: true }).click()
    await page.getByRole('menuitem', { name: /^From orders_2026…/ }).click()
    await expect(dialog.getByRole('region', { name: '1 task runs again' })).toHaveText('orders_2026')
    await expect(dialog.getByRole('region', { name: '1 task is reused with its outputs' })).toContainText('customers')
    await look('10-rerun')
    await dialog.getByRole('button', { name: 'Start job run' }).click()
    await expect(page).toHaveURL(/\/job-runs\/3/)
    const tasks = page.getByRole('tree', { name: 'Job run tasks' })
    await expect(tasks.getByRole('treeitem', { name: /customers/ })).toContainText('Reused')
    await expect(page.getByRole('main').getByText('Succeeded', { exact: true }).first()).toBeVisible()
    await look('11-rerun')
    const written = readFileSync(join(folder, 'sales', 'orders_2026.clean.parquet'))
    expect(written.subarray(0, 4).toString()).toBe('PAR1')

    await navigation(page, 'Home')
    // What has succeeded since needs nobody.
    await expect(page.getByText('Nothing needs attention.')).toBeVisible()
    await look('12-home-mended')
  })
})
