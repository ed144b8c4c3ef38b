import type { Browser, Page } from '@playwright/test'
import { generate } from 'otplib'
import { createUser } from '../../src/contract/users.ts'
import type { Role } from '../../src/contract/roles.ts'
import { type Api, type BuiltServer, admin, expect, expectAccessible, startBuiltServer, test } from '../support/e2e.ts'
import { sessionOf, signInCookie } from '../support/e2e.ts'
import { goWithin } from '../support/walk.ts'

const password = 'a bird in the bush'
const fresh = 'two birds in the hand'

async function person(api: Api, username: string, role: Role, given = false) {
  await api(createUser, { body: { username, password, role, password_change_required: given } })
}

async function fillCredentials(page: Page, username: string, secret: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.keyboard.press('Enter')
}

/** A browser of its own in which somebody signs in. */
async function pageOf(browser: Browser, server: BuiltServer, username: string, secret: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto('/')
  await fillCredentials(page, username, secret)
  return page
}

/** A browser of its own, signed in as somebody already, at an address. */
async function signedIn(browser: Browser, server: BuiltServer, username: string, address: string): Promise<Page> {
  const storageState = sessionOf(server, await signInCookie(server, { username, password }))
  const context = await browser.newContext({ baseURL: server.url, storageState })
  const page = await context.newPage()
  await page.goto(address)
  return page
}

const home = (page: Page) => page.getByRole('heading', { level: 1, name: 'Home' })

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in to Headgate' })).toBeVisible()
}

test('one click after the first account makes a workspace that runs', async ({ browser }) => {
  const server = await startBuiltServer({ withAdmin: false })
  try {
    const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByLabel('Username').fill('grace')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Add demo data' }).click()
    await expect(home(page)).toBeVisible()
    await expect(page.getByRole('link', { name: 'demo.daily' })).toBeVisible()
    const latest = page.getByRole('grid', { name: 'Latest runs' })
    await expect(latest.getByText('Completed with rejects')).toBeVisible({ timeout: 30_000 })
    await expect(latest.getByText('demo.customers')).toHaveCount(3, { timeout: 30_000 })
    await context.close()
  } finally {
    await server.stop()
  }
})

test('an empty home leads from a connector to a schedule, until it is done or dismissed', async ({ browser }) => {
  const server = await startBuiltServer({ withAdmin: false })
  try {
    const context = await browser.newContext({ baseURL: server.url, storageState: { cookies: [], origins: [] } })
    const page = await context.newPage()
    await page.goto('/')
    await page.getByLabel('Username').fill('grace')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Start empty' }).click()
    const guide = page.getByRole('region', { name: 'Set up your first scheduled job' })
    await expect(guide.getByRole('listitem')).toHaveCount(4)
    await expectAccessible(page)
    // What can't be done yet is not offered.
    await expect(guide.getByRole('link')).toHaveText(['Create connector', 'Create task'])
    await guide.getByRole('link', { name: 'Create connector' }).click()
    await page.getByRole('link', { name: /Files in a folder/ }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Files')
    await page.getByLabel('Folder').fill(server.filesDir)
    await page.getByRole('button', { name: 'Create connector' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible()
    await page.goto('/')
    await expect(guide.getByRole('listitem').first().getByLabel('Done')).toBeVisible()
    await guide.getByRole('button', { name: 'Dismiss' }).click()
    await expect(guide).toBeHidden()
    await page.reload()
    await expect(page.getByText('No runs yet').first()).toBeVisible()
    await expect(guide).toBeHidden()
    await context.close()
  } finally {
    await server.stop()
  }
})

test('a new user is given a password once, and must choose his own before anything else', async ({
  page,
  browser,
  server,
}) => {
  await page.goto('/users')
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Username').fill('joan')
  await dialog.getByLabel('Name', { exact: true }).fill('Joan Clarke')
  await dialog.getByLabel('Editor').check()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  const given = (await page.getByTestId('given-password').textContent()) ?? ''
  await page.getByRole('button', { name: 'I’ve shared the password' }).click()
  await expect(page.getByText(given)).toHaveCount(0)
  await expect(page.getByRole('grid').getByText('Joan Clarke')).toBeVisible()

  const hers = await pageOf(browser, server, 'joan', given)
  await expect(hers.getByRole('heading', { name: 'Change your password' })).toBeVisible()
  await expectAccessible(hers)
  // Neither this step nor the page that stands for it later is a dead end.
  for (const address of ['/', '/tasks']) {
    await hers.goto(address)
    await expect(hers.getByRole('heading', { name: 'Change your password' })).toBeVisible()
    await hers.getByRole('button', { name: 'Sign in as another user' }).click()
    await expect(hers.getByRole('heading', { name: 'Sign in to Headgate' })).toBeVisible()
    await fillCredentials(hers, 'joan', given)
    await expect(hers.getByRole('heading', { name: 'Change your password' })).toBeVisible()
  }
  await hers.getByRole('button', { name: 'Sign in as another user' }).click()
  await fillCredentials(hers, 'joan', given)
  await expect(hers.getByRole('heading', { name: 'Change your password' })).toBeVisible()
  // Nothing gets around it.
  await hers.goto('/tasks')
  await hers.getByLabel('Temporary password').fill('not that one')
  await hers.getByLabel('New password').fill(fresh)
  await hers.getByRole('button', { name: 'Change password' }).click()
  await expect(hers.getByText('Incorrect temporary password.')).toBeVisible()
  await hers.getByLabel('Temporary password').fill(given)
  await hers.getByRole('button', { name: 'Change password' }).click()
  await expect(hers.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await signOut(hers)
  await fillCredentials(hers, 'joan', fresh)
  await expect(hers.getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await hers.context().close()
})

test('where a second factor is required it is enrolled, asked for, and replaced by a recovery code', async ({
  browser,
}) => {
  const server = await startBuiltServer({ withExecutor: false, env: { SVC_AUTH_TOTP_REQUIRED: 'true' } })
  try {
    const page = await pageOf(browser, server, admin.username, admin.password)
    await page.getByTestId('totp-secret').waitFor()
    await expectAccessible(page)
    // Begun and left: the secret is not shown twice.
    await page.reload()
    await fillCredentials(page, admin.username, admin.password)
    await page.getByRole('button', { name: 'Start over' }).click()
    const secret = ((await page.getByTestId('totp-secret').textContent()) ?? '').replaceAll(' ', '')
    const at = Math.floor(Date.now() / 1000)
    const code = (epoch: number) => generate({ secret, epoch })
    await page.getByLabel('6-digit code').fill(await code(at))
    const list = page.getByTestId('recovery-codes').locator('code')
    await expect(list.first()).toBeVisible()
    const codes = await list.allTextContents()
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await page.getByLabel('I’ve saved these codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(home(page)).toBeVisible()

    await signOut(page)
    await fillCredentials(page, admin.username, admin.password)
    await page.getByLabel('6-digit code').fill(await code(at))
    await expect(page.getByRole('alert')).toContainText('work only once')
    await expectAccessible(page)
    // The sixth digit sends it; pasted with a space, as apps show it.
    const next = await code(at + 30)
    await page.getByLabel('6-digit code').fill(`${next.slice(0, 3)} ${next.slice(3)}`)
    await expect(home(page)).toBeVisible()
    await page.goto('/profile')
    await expect(page.getByText('Required by this server.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Disable' })).toHaveCount(0)

    await signOut(page)
    await fillCredentials(page, admin.username, admin.password)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await page.keyboard.press('Enter')
    await expect(page.getByText(`Signed in with a recovery code. ${codes.length - 1} codes are left.`)).toBeVisible()
    await page.context().close()
  } finally {
    await server.stop()
  }
})

test('one sets up a second factor, makes new recovery codes and removes it in his account', async ({
  browser,
  server,
  api,
}) => {
  await person(api, 'mary', 'viewer')
  const page = await signedIn(browser, server, 'mary', '/profile')
  const dialog = page.getByRole('dialog')
  const confirm = async (name: string) => {
    await dialog.getByLabel('Your password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name }).click()
  }
  const codesShown = async () => {
    const list = dialog.getByTestId('recovery-codes').locator('code')
    await expect(list.first()).toBeVisible()
    const codes = await list.allTextContents()
    await dialog.getByLabel('I’ve saved these codes').check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await expect(dialog).toBeHidden()
    return codes
  }
  await page.getByRole('button', { name: 'Set up' }).click()
  await confirm('Continue')
  const secret = ((await dialog.getByTestId('totp-secret').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('6-digit code').fill(await generate({ secret }))
  const first = await codesShown()
  await expect(page.getByText('Set up but not used')).toBeVisible()
  await page.getByRole('button', { name: 'Generate new recovery codes' }).click()
  await confirm('Generate codes')
  const second = await codesShown()
  expect(second).not.toEqual(first)
  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByLabel('Authenticator or recovery code').fill(first[0] ?? '')
  await confirm('Disable')
  await expect(dialog.getByText('Incorrect code.')).toBeVisible()
  await dialog.getByLabel('Authenticator or recovery code').fill(second[0] ?? '')
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Not set up: you sign in with your password only.')).toBeVisible()
  await page.context().close()
})

test('ending the other sessions asks there for the password and loses nothing that was typed', async ({
  browser,
  server,
  api,
}) => {
  await person(api, 'emmy', 'editor')
  const there = await signedIn(browser, server, 'emmy', '/profile')
  await there.getByLabel('Your name').fill('Emmy N.')
  const here = await signedIn(browser, server, 'emmy', '/profile')
  await expect(here.getByText('Current')).toBeVisible()
  await here.getByRole('button', { name: 'End all other sessions' }).click()
  await here.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click()
  await expect(here.getByText('1 session ended')).toBeVisible()
  const dialog = there.getByRole('dialog')
  await expect(dialog).toContainText('Your session has ended')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(dialog).toBeHidden()
  await expect(there.getByLabel('Your name')).toHaveValue('Emmy N.')
  await there.getByRole('button', { name: 'Save' }).click()
  await expect(there.getByRole('button', { name: 'Account: Emmy N.' })).toBeVisible()
  await here.context().close()
  await there.context().close()
})

test('what is refused says why: oneself, and whom one does not manage', async ({ page, browser, server, api }) => {
  await page.goto('/users')
  await page.getByRole('grid').getByRole('link', { name: /^ada/ }).click()
  await expect(page.getByText('You can’t change your own role')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled()
  await expect(page.getByText('You can’t delete yourself.')).toBeVisible()

  await person(api, 'sofia', 'admin')
  const hers = await signedIn(browser, server, 'sofia', '/users')
  await hers.getByRole('grid').getByRole('link', { name: /^ada/ }).click()
  await expect(hers.getByRole('textbox', { name: 'Username' })).toBeDisabled()
  await expect(hers.getByText('Only super administrators can manage users with this role.').first()).toBeVisible()
  await expect(hers.getByText('Only super administrators can view sessions')).toBeVisible()
  await hers.context().close()
})

test('a user is disabled, loses his sessions at once, is enabled and deleted', async ({
  page,
  browser,
  server,
  api,
}) => {
  await person(api, 'lise', 'viewer')
  const hers = await signedIn(browser, server, 'lise', '/')
  await expect(home(hers)).toBeVisible()
  await page.goto('/users?q=lise')
  await page.getByRole('grid').getByRole('link', { name: 'lise' }).click()
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name }).click()
  }
  await act('Disable')
  await expect(page.getByText('Disabled', { exact: true })).toBeVisible()
  await expect(hers.getByRole('dialog')).toContainText('Your session has ended')
  await act('Enable')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await act('Delete')
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expect(page.getByRole('grid').getByText('lise')).toHaveCount(0)
  await hers.context().close()
})

test('a viewer is offered nothing that is refused, and is told where it is not for him', async ({
  browser,
  server,
  api,
}) => {
  await person(api, 'vera', 'viewer')
  const page = await signedIn(browser, server, 'vera', '/')
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await expect(home(page)).toBeVisible()
  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Users', 'Audit', 'Import and export']) {
    await expect(navigation.getByRole('link', { name, exact: true })).toHaveCount(0)
  }
  const shown = ['/tasks', '/job-templates', '/jobs', '/job-runs', '/runs', '/triggers', '/connectors', '/executors']
  const closed = ['/tasks/new', '/connectors/new', '/users', '/users/1', '/audit', '/exchange/import']
  for (const [at, address] of shown.entries()) {
    await goWithin(page, address)
    await expect(page.getByRole('button', { name: /^New / })).toHaveCount(0)
    const next = closed[at]
    if (next === undefined) continue
    await goWithin(page, next)
    await expect(page.getByRole('heading', { level: 1, name: 'No permission' })).toBeVisible()
  }
  expect(refused).toEqual([])
  await page.context().close()
})

test('a wrong password too often is told with the time that is left', async ({ browser, server, api }) => {
  await person(api, 'hedy', 'viewer')
  const page = await pageOf(browser, server, 'hedy', 'wrong 0')
  const timer = page.getByRole('timer')
  for (let attempt = 1; attempt < 15 && (await timer.count()) === 0; attempt += 1) {
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
    await page.getByLabel('Password', { exact: true }).fill(`wrong ${attempt}`)
    const answered = page.waitForResponse('**/api/auth/login')
    await page.keyboard.press('Enter')
    await answered
    await expect(page.getByRole('alert').or(timer)).toBeVisible()
  }
  await expect(timer).toContainText(/Try again in \d+/)
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled()
  await page.context().close()
})
