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

const orders = (amount: string) =>
  ['id;customer;amount;ordered_on', `1;Müller;${amount};2026-01-05`, '2;Grace;11.25;2026-01-06', ''].join('\n')

/** The draft, with rows set aside whose amount is no number. */
const mended = `etl: 1
kind: pipeline
name: orders 2026
connectors:
  source_data: {type: file, access: read_write}
source:
  connector: source_data
  files:
    glob: orders 2026.csv
    csv: {delimiter: ";"}
steps:
  - cast: {columns: {id: integer, amount: number, ordered_on: date}, on_error: quarantine}
target:
  connector: source_data
  file: {path: orders_2026.clean.parquet}
`

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
  page.getByRole('navigation').first().getByRole('link', { name, exact: true }).click()

test('the first hour: from the installation to a schedule that broke, was mended and ran again', async () => {
  test.setTimeout(240_000)
  const csv = join(folder, 'sales', 'orders 2026.csv')
  writeFileSync(csv, orders('9.50'))
  launched = await launchApp()
  const page = await launched.app.firstWindow()
  const look = (name: string) => page.screenshot({ path: test.info().outputPath(`${name}.png`) })

  await test.step('the first account, the welcome, the demo workspace', async () => {
    await page.getByLabel('Username').fill(ADMIN.SVC_ADMIN_USERNAME)
    await page.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await look('01-welcome')
    await page.getByRole('button', { name: 'Make a demo workspace' }).click()
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

  await test.step('a dropped CSV becomes a connector and a draft, with its rows', async () => {
    await navigation(page, 'Home')
    await dropFile(page, csv)
    const dialog = page.getByRole('dialog', { name: 'A task for these rows' })
    await expect(dialog.getByText('Müller')).toBeVisible({ timeout: 30_000 })
    await expect(dialog.getByLabel('New connector')).toHaveValue('sales')
    await look('04-dropped')
    await dialog.getByRole('button', { name: 'Create connector and open draft' }).click()
    await expect(heading(page, 'orders 2026')).toBeVisible()
    await expect(page.getByRole('tab', { name: /cast/ })).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('grid').getByText('Müller')).toBeVisible()
    await look('05-draft')
    await page.getByRole('button', { name: 'Create task' }).click()
    await expect(page).toHaveURL(/\/tasks\/\d+/)
  })

  await test.step('the task becomes a job with a schedule', async () => {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Schedule it: new job template…' }).click()
    await expect(heading(page, 'orders 2026')).toBeVisible()
    await look('06-template')
    await page.getByRole('button', { name: /^Create/ }).click()
    await expect(page).toHaveURL(/\/job-templates\/\d+/)
    await page.getByRole('button', { name: 'Make a job…' }).click()
    await look('07-make-job')
    await page.getByRole('dialog').getByRole('button', { name: 'Make job' }).click()
    await expect(page).toHaveURL(/\/jobs\/\d+/)
    await page.getByRole('main').getByRole('link', { name: 'Triggers' }).click()
    await page.getByRole('button', { name: 'New trigger' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New trigger' })
    await dialog.getByLabel('Cron expression').fill('30 2 * * *')
    await expect(dialog.getByRole('list', { name: 'Next firings' }).getByRole('listitem')).toHaveCount(5)
    await look('08-trigger')
    await dialog.getByRole('button', { name: 'Create trigger' }).click()
    await expect(dialog).toBeHidden()
  })

  await test.step('the file is replaced by a bad one: the job fails, and home leads to the log of the step', async () => {
    writeFileSync(csv, orders('n/a'))
    await page.getByRole('button', { name: 'Run now' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/job-runs\/\d+/)
    await expect(page.getByText('The job run failed.')).toBeVisible({ timeout: 60_000 })
    await navigation(page, 'Home')
    const failures = page.getByRole('grid', { name: 'Failed in the last 7 days' })
    await expect(failures.getByRole('row', { name: /orders 2026/ })).toContainText('n/a', { timeout: 30_000 })
    await expect(page.getByRole('link', { name: 'orders 2026', exact: true })).toBeVisible()
    await look('09-home-failed')
    await failures
      .getByRole('row', { name: /orders 2026/ })
      .getByRole('link')
      .click()
    await expect(page.locator('[data-line]').filter({ hasText: 'n/a' }).first()).toBeVisible()
    await look('10-log')
  })

  await test.step('what failed runs again with a text that sets such rows aside', async () => {
    await page.getByRole('button', { name: 'Rerun', exact: true }).click()
    await page.getByRole('menuitem', { name: /edited…/ }).click()
    const dialog = page.getByRole('dialog')
    const editor = dialog.getByRole('textbox', { name: /^YAML of/ })
    await editor.fill(mended)
    await look('11-rerun-edit')
    await dialog.getByRole('button', { name: 'Review' }).click()
    await look('12-rerun-review')
    await dialog.getByRole('button', { name: 'Start job run' }).click()
    await expect(page).toHaveURL(/\/job-runs\/3/)
    await expect(
      page.getByRole('main').getByText('1 rejected').or(page.getByText('Completed with rejects')).first(),
    ).toBeVisible({
      timeout: 60_000,
    })
    await look('13-rerun')
    expect(
      readFileSync(join(folder, 'sales', 'orders_2026.clean.parquet'))
        .subarray(0, 4)
        .toString(),
    ).toBe('PAR1')
  })

  await test.step('the task itself is mended, the job takes it over, and home says that it runs well', async () => {
    await navigation(page, 'Tasks')
    await page
      .getByRole('row', { name: /orders 2026/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('textbox', { name: /^YAML of the task/ }).fill(mended)
    await page.getByRole('button', { name: 'Save…' }).click()
    await look('14-save')
    await page.getByRole('dialog').getByRole('button', { name: 'Save as version 2' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await navigation(page, 'Jobs')
    await page
      .getByRole('grid', { name: 'Jobs' })
      .getByRole('row', { name: /orders 2026/ })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('button', { name: 'Upgrade' }).click()
    const dialog = page.getByRole('dialog', { name: /^Upgrade/ })
    await look('15-upgrade')
    await dialog.getByRole('button', { name: 'Upgrade', exact: true }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('button', { name: 'Run now' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await expect(page).toHaveURL(/\/job-runs\/4/)
    await navigation(page, 'Home')
    const failures = page.getByRole('grid', { name: 'Failed in the last 7 days' })
    await expect(failures.getByRole('row', { name: /orders 2026/ })).toContainText('Ran well since', {
      timeout: 60_000,
    })
    await look('16-home-mended')
  })
})
