// Where the key to the secrets is kept on the desktop. On the stand-in the keyring of the login is a file.
import { expect, test, type Page } from '@playwright/test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ADMIN, get, post, serverPid, untilSignedIn } from './app-page.ts'
import { startHeadless } from './headless.ts'
import { findShell, launchApp, type Launched } from './launch.ts'

let launched: Launched | undefined
let folder: string
test.beforeEach(() => {
  // The keyring of this machine is not the tests' to write to.
  test.skip(findShell().kind !== 'stand-in', 'the stand-in alone has a keyring of its own')
  folder = mkdtempSync(join(tmpdir(), 'headgate-keychain-'))
})
test.afterEach(async () => {
  await launched?.end()
  launched = undefined
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const dataDir = () => join(folder, 'data')
const inData = (name: string) => join(dataDir(), name)

/** Starts the app with the keyring of a login; null: there is none. */
async function start(login: string | null): Promise<Page> {
  await launched?.end()
  const env = login === null ? ADMIN : { ...ADMIN, ELECTRON_STANDIN_KEYRING: join(folder, login) }
  launched = await launchApp({ folder, env })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  return page
}
interface State {
  key_place: string
  key_id: string
  lost: { name: string; secrets: string[] }[]
  remedy: string | null
}
// As the contract has it.
const state = async (page: Page) => (await get(page, '/api/server/secrets')).body as State
const makeConnector = (page: Page) =>
  post(page, '/api/connectors', {
    name: 'warehouse',
    type: 'postgres',
    config: { host: '127.0.0.1', port: 9, database: 'sales', user: 'etl' },
    secrets: { password: 'planted-in-the-keychain' },
  })

test('with a keyring the key is in it: no file, argument or variable has it, and it is there at the next start', async () => {
  const page = await start('ada')
  await makeConnector(page)
  const before = await state(page)
  expect(before).toMatchObject({ key_place: 'keychain', lost: [] })
  expect(existsSync(inData('secret.key'))).toBe(false)
  expect(statSync(inData('secret.key.keychain')).mode & 0o777).toBe(0o600)
  const pid = await serverPid(page)
  for (const what of ['cmdline', 'environ']) {
    expect(readFileSync(`/proc/${pid}/${what}`, 'latin1')).not.toMatch(/[0-9a-f]{64}\n|safeStorage|secret\.key/)
  }
  // As after a crash: the server asks again.
  process.kill(pid, 'SIGKILL')
  await expect.poll(async () => (await get(page, '/api/server/secrets')).status).toBe(200)
  expect(await state(page)).toEqual(before)
  expect(await state(await start('ada'))).toEqual(before)
})

test('a new key replaces the one in the keychain', async () => {
  const page = await start('ada')
  await makeConnector(page)
  const before = await state(page)
  const rotated = await page.evaluate(async () => {
    const answer = await fetch('/api/server/rotate-key', { method: 'POST' })
    return { status: answer.status, body: (await answer.json()) as unknown }
  })
  expect(rotated).toMatchObject({ status: 200, body: { key_place: 'keychain', lost: [] } })
  const again = await state(await start('ada'))
  expect(again).toEqual(rotated.body)
  expect(again.key_id).not.toBe(before.key_id)
})

test('without a keyring the key is in a file of its owner; with one it moves there at the next start', async () => {
  const before = await state(await start(null))
  expect(before.key_place).toBe('file')
  expect(statSync(inData('secret.key')).mode & 0o777).toBe(0o600)
  const logged = launched!.output() + readFileSync(join(folder, 'window', 'logs', 'headgate.log'), 'utf8')
  expect(logged).toContain('no keyring is running')
  const after = await state(await start('ada'))
  expect(after).toEqual({ ...before, key_place: 'keychain' })
  expect(existsSync(inData('secret.key'))).toBe(false)
})

test('another login has lost the key, is told what to do, and the first login finds it again', async () => {
  await makeConnector(await start('ada'))
  const other = await state(await start('grace'))
  expect(other).toMatchObject({ key_place: 'keychain', lost: [{ name: 'warehouse', secrets: ['password'] }] })
  expect(other.remedy).toContain('does not give their key')
  expect((await state(await start('ada'))).lost).toEqual([])
})

test('headless on the same folder the key stays in the keychain, which is said; the desktop then has both keys', async () => {
  await makeConnector(await start('ada'))
  await launched!.end()
  const headless = await startHeadless(dataDir(), ADMIN)
  const origin = { origin: headless.url, 'content-type': 'application/json' }
  const body = JSON.stringify({ username: ADMIN.SVC_ADMIN_USERNAME, password: ADMIN.SVC_ADMIN_PASSWORD })
  const signedIn = await fetch(`${headless.url}/api/auth/login`, { method: 'POST', headers: origin, body })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const told = (await (await fetch(`${headless.url}/api/server/secrets`, { headers: { cookie } })).json()) as State
  await headless.stop()
  expect(told).toMatchObject({ key_place: 'file', lost: [{ name: 'warehouse' }] })
  expect(told.remedy).toContain('in the keychain of the desktop app')
  const back = await state(await start('ada'))
  expect(back).toMatchObject({ key_place: 'keychain', lost: [], remedy: null })
  expect(existsSync(inData('secret.key'))).toBe(false)
})
