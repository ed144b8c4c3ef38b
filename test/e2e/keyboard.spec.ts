import type { Page } from '@playwright/test'
import { createConnector } from '../../src/contract/connectors.ts'
import { listRuns } from '../../src/contract/runs.ts'
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
const palette = (page: Page) => page.getByRole('dialog', { name: 'Open anything' })

async function openPalette(page: Page) {
  await page.keyboard.press('Control+p')
  await expect(palette(page).getByRole('textbox')).toBeFocused()
}

async function open(page: Page, text: string, expected: string) {
  await openPalette(page)
  await page.keyboard.type(text)
  await expect(palette(page).locator('[data-action][data-selected]')).toContainText(expected)
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
  await expect(list.getByText('Go to tasks')).toBeVisible()
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
  await expect(palette(page).getByText('Nothing of that name')).toBeVisible()
  await palette(page).getByRole('textbox').fill('')
  await page.keyboard.type('>dark')
  await expect(page.getByRole('dialog', { name: 'Commands' }).locator('[data-selected]')).toContainText('Dark theme')
  await page.keyboard.press('Escape')

  // Beside this page.
  await openPalette(page)
  await page.keyboard.type('orders_eu')
  await expect(entries.first()).toContainText('orders_eu')
  const [beside] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
  await expect(beside.getByRole('heading', { level: 1, name: 'orders_eu' })).toBeVisible()
  await beside.close()
})

test('no two commands of a page share their keys, and every main page has a letter', async ({ page, api }) => {
  test.slow()
  const task = await made(api, 'keys_of_pages')
  const [run] = (await api(listRuns, { query: { limit: 1 } })).result
  const addresses = [
    ...['/', '/tasks', `/tasks/${task}`, `/tasks/${task}/versions`, '/tasks/new', '/tasks/new?sample=blank'],
    ...['/job-templates', '/job-templates/new', '/jobs', '/job-runs', '/runs', '/triggers', '/triggers?view=list'],
    ...['/connectors', '/connectors/new?type=postgres', '/executors', '/users', '/exchange/import', '/exchange/export'],
    ...['/audit', '/profile', '/settings/appearance', '/settings/api-keys', '/settings/notifications'],
    ...['/settings/pools', '/settings/server', '/settings/configuration', '/settings/branding', '/settings/backups'],
    ...['/settings/store', '/settings/secrets', ...(run ? [`/runs/${run.id}`] : [])],
  ]
  for (const address of addresses) {
    await page.goto(address)
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
