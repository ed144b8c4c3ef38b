import type { Page } from '@playwright/test'
import { admin, apiOf, expect, startBuiltServer, test as base } from '../support/e2e.ts'
import { type FullStore, fillStore } from '../support/full-store.ts'
import {
  axeFindings,
  contrastFindings,
  cutControls,
  goWithin,
  misfits,
  settled,
  spread,
  watchShifts,
} from '../support/walk.ts'
import { screensOf } from './screens.ts'

/** Walks of the whole window on a loaded machine. */
const patience = 300_000

const test = base.extend<object, { store: FullStore }>({
  store: [
    async ({ server, cookie }, use) => use(await fillStore(apiOf(server, cookie), server.filesDir)),
    { scope: 'worker', timeout: patience },
  ],
})

// A trace of a walk costs more than the walk.
test.use({ trace: 'off' })

const looks = [
  { colorScheme: 'light', contrast: 'no-preference' },
  { colorScheme: 'dark', contrast: 'more' },
  { colorScheme: 'dark', contrast: 'no-preference' },
  { colorScheme: 'light', contrast: 'more' },
] as const

async function walk(page: Page, store: FullStore, look: (index: number) => Promise<readonly string[]>): Promise<void> {
  const found: string[] = []
  await page.goto('/nowhere')
  await settled(page)
  for (const [index, [name, address]] of spread(Object.entries(screensOf(store))).entries()) {
    await goWithin(page, address)
    for (const finding of await look(index)) found.push(`${name} (${address}): ${finding}`)
  }
  expect(found.join('\n')).toBe('')
}

test('axe finds nothing on any screen; one after the other wears another look, and each holds its contrast by day and by night', async ({
  page,
  store,
}) => {
  test.setTimeout(patience)
  await walk(page, store, async (index) => {
    const look = looks[index % looks.length] ?? looks[0]
    await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
    const found = await axeFindings(page, look.contrast === 'more')
    const other = look.colorScheme === 'dark' ? 'light' : 'dark'
    await page.emulateMedia({ colorScheme: other, contrast: 'no-preference', reducedMotion: 'reduce' })
    const besides = await contrastFindings(page)
    return [
      ...found.map((finding) => `${look.colorScheme}, contrast ${look.contrast}: ${finding}`),
      ...besides.map((finding) => `${other}: ${finding}`),
    ]
  })
})

test('axe finds nothing in menus, dialogs and failing states', async ({ page, store }) => {
  test.setTimeout(patience)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const found: string[] = []
  const dialog = page.getByRole('dialog')
  const look = async (name: string) => {
    // The keyboard stands in what the dialog is about.
    if (await dialog.isVisible()) await expect(dialog.locator(':focus')).not.toHaveAccessibleName('Close')
    found.push(...(await axeFindings(page)).map((finding) => `${name}: ${finding}`))
  }

  await page.goto('/settings/api-keys')
  await settled(page)
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  await expect(dialog).toBeVisible()
  await look('dialog of a new key')
  await page.keyboard.press('Escape')
  await page
    .getByRole('row', { name: /nightly export/ })
    .getByRole('button', { name: 'Row actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await look('question before a deed')
  await page.keyboard.press('Escape')

  await goWithin(page, '/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  await expect(dialog).toBeVisible()
  await look('dialog of a new user')
  // Tooltips come by the keyboard as by the pointer, stay while that is on them, and go by an Escape that does nothing else.
  const another = dialog.getByRole('button', { name: 'Generate another password' })
  const tooltip = page.getByRole('tooltip', { name: 'Generate another password' })
  await page.keyboard.press('Tab')
  await another.focus()
  await expect(tooltip).toBeVisible()
  await look('tooltip in a dialog')
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await page.mouse.move(0, 0)
  await another.hover()
  await expect(tooltip).toBeVisible()
  const box = await tooltip.boundingBox()
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await expect(tooltip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip).toBeHidden()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')

  await goWithin(page, `/tasks/${store.task}`)
  await page.getByRole('button', { name: 'Run: more' }).click()
  await page.getByRole('menuitem', { name: 'Run with…' }).click()
  await expect(dialog).toBeVisible()
  await look('dialog of a run')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder('Type a command')).toBeVisible()
  await look('palette')
  await page.keyboard.press('Escape')
  // A tooltip makes way for what its own keys open, and takes no Escape from it.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('button').first().hover()
  await expect(page.getByRole('tooltip')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder('Type a command')).toBeVisible()
  await expect(page.getByRole('tooltip')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByPlaceholder('Type a command')).toBeHidden()

  await goWithin(page, '/triggers')
  await page.getByRole('button', { name: 'Create trigger' }).click()
  await expect(dialog).toBeVisible()
  await look('dialog of a trigger')
  await page.keyboard.press('Escape')

  await page.route('**/api/connectors?**', (route) =>
    route.fulfill({ status: 500, json: { error: 'INTERNAL_ERROR', message: 'Internal error.', request_id: 'r-17' } }),
  )
  await goWithin(page, '/connectors')
  await expect(page.getByRole('alert')).toContainText('r-17')
  await look('failing list')
  expect(found.join('\n')).toBe('')
})

test('at 200 % zoom every page fits its width, and every control can be brought into sight', async ({
  page,
  store,
}) => {
  test.setTimeout(patience)
  await page.setViewportSize({ width: 640, height: 400 })
  await walk(page, store, async () => {
    const found = await misfits(page)
    // In one turn of the page: what it draws anew meanwhile is not waited for.
    const hidden = await page
      .locator('main')
      .getByRole('button')
      .filter({ visible: true })
      .evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          button.scrollIntoView({ block: 'nearest', inline: 'nearest' })
          const { top, bottom } = button.getBoundingClientRect()
          // A widget of a dashboard is a button as tall as itself: of what is taller than a row of controls its beginning is enough.
          const end = Math.min(bottom, top + 64)
          const said = button.textContent || button.ariaLabel
          return top < 0 || end > innerHeight + 1 ? [`out of sight: ${said}`] : []
        }),
      )
    found.push(...hidden)
    return found
  })
  await goWithin(page, '/')
  await page.getByRole('button', { name: 'Expand navigation' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByText('Connectors', { exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Connectors' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Expand navigation' })).toBeVisible()
})

test('in the smallest window and the longer language no control is cut on any page', async ({ page, store }) => {
  test.setTimeout(patience)
  await page.addInitScript(() => localStorage.setItem('headgate.language', 'de'))
  await page.setViewportSize({ width: 900, height: 700 })
  await walk(page, store, async () => [...(await misfits(page)), ...(await cutControls(page))])
})

test('nothing jumps while a slow server is answering', async ({ page, store }) => {
  test.setTimeout(patience)
  const shifts = await watchShifts(page)
  await page.route('**/api/**', async (route) => {
    if (new URL(route.request().url()).pathname === '/api/events') return route.continue()
    // A slow server, not a wait for something.
    await new Promise((resolve) => setTimeout(resolve, 300))
    // The page may have gone on meanwhile.
    await route.continue().catch(() => undefined)
  })
  const jumped: string[] = []
  const slow = ['/', '/tasks', `/tasks/${store.task}`, `/job-runs/${store.jobRun}`, `/runs/${store.failedRun}`]
  for (const address of [...slow, '/triggers', '/settings/backups', '/settings/configuration', '/users']) {
    await page.goto(address)
    await settled(page)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const { sum, worst } = await shifts.read()
    if (sum > 0.02) jumped.push(`${address}: ${sum.toFixed(3)} (${worst})`)
  }
  expect(jumped.join('\n')).toBe('')
})

test('contrast and motion are chosen, kept, and there before the first paint', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference' })
  await page.goto('/settings/appearance')
  const root = page.locator('html')
  await expect(root).toHaveAttribute('data-contrast', 'standard')
  await page.getByRole('radiogroup', { name: 'Contrast' }).getByText('High').click()
  await page.getByRole('radiogroup', { name: 'Motion' }).getByText('Reduced').click()
  await expect(root).toHaveAttribute('data-motion', 'reduced')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(0, 0, 0)')
  // The page alone, before its script: what is painted first.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(root).toHaveAttribute('data-contrast', 'high')
  await expect(root).toHaveAttribute('data-motion', 'reduced')
  await expect(root).toHaveCSS('background-color', 'rgb(0, 0, 0)')
  await page.unroute('**/assets/*.js')
  await page.reload()
  await page.getByRole('radiogroup', { name: 'Contrast' }).getByText('System').click()
  await expect(root).toHaveAttribute('data-contrast', 'standard')
  await page.emulateMedia({ contrast: 'more' })
  await expect(root).toHaveAttribute('data-contrast', 'high')
})

test('a failure names what is wrong and what to do, and its button does it', async ({ page }) => {
  let failing = true
  await page.route('**/api/connectors?**', (route) =>
    failing
      ? route.fulfill({
          status: 500,
          json: { error: 'INTERNAL_ERROR', message: 'Internal error.', request_id: 'r-17' },
        })
      : route.continue(),
  )
  await page.goto('/connectors')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Couldn’t load connectors')
  await expect(alert).toContainText('find request r-17 in the server log')
  failing = false
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expect(alert).toBeHidden()

  await page.goto('/runs/4711')
  await expect(alert).toContainText('Run #4711 not found')
  await alert.getByRole('link', { name: 'View all runs' }).click()
  await expect(page).toHaveURL(/\/runs$/)
})

test('while the server is away a form keeps its input and a page waits; both go on when it is back', async ({
  browser,
}) => {
  test.setTimeout(patience)
  const server = await startBuiltServer({ withExecutor: false })
  try {
    const page = await browser.newPage({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    await page.goto('/profile')
    await page.getByLabel('Username').fill(admin.username)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.keyboard.press('Enter')
    const name = page.getByLabel('Your name')
    await name.fill('Ada Lovelace')
    await server.kill()
    const banner = page.getByText('Disconnected.')
    await expect(banner).toBeVisible({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Your input is kept. Try again when the server is back.')).toBeVisible()
    await expect(name).toHaveValue('Ada Lovelace')
    await server.restart()
    await expect(banner).toBeHidden({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Save' }).click()
    // Until it is saved, leaving the page would be asked about.
    await expect(page.getByText('Unsaved changes')).toBeHidden()

    await server.kill()
    await expect(banner).toBeVisible({ timeout: 30_000 })
    // Its code was never loaded.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit' }).click()
    await server.restart()
    await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible({ timeout: 30_000 })
    await expect(banner).toBeHidden({ timeout: 30_000 })
    await page.close()
  } finally {
    await server.stop()
  }
})
