// `npm start`, as a person runs it: the window where it can be had, else the browser's way with one line that says why.
import { expect, test } from '@playwright/test'
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants, isGone } from '../support/processes.ts'
import { environment, OUT, ROOT } from './launch.ts'

const STAND_IN = join(import.meta.dirname, 'electron-standin')
const BROKEN = join(import.meta.dirname, 'broken-electron')

let folder: string
let started: ChildProcess | undefined
let output = ''

test.beforeEach(() => {
  test.skip(OUT !== join(ROOT, 'out'), 'npm start runs what is built in out/')
  folder = mkdtempSync(join(tmpdir(), 'headgate-start-'))
})
test.afterEach(async () => {
  if (started && started.exitCode === null) {
    const all = descendants(started.pid!)
    started.kill('SIGKILL')
    for (const pid of all) if (!isGone(pid)) process.kill(pid, 'SIGKILL')
  }
  started = undefined
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

function start(env: Record<string, string>, args: string[] = []): Promise<number | null> {
  output = ''
  const child = spawn(
    process.execPath,
    ['tools/start.ts', '--data-dir', join(folder, 'data'), '--port', '0', ...args],
    {
      cwd: ROOT,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  started = child
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

const printedAddress = (): string | undefined => /^Headgate is at (http:\/\/127\.0\.0\.1:\d+)$/m.exec(output)?.[1]

test('without a display the same app is served to the browser, and said so in one line', async () => {
  const ended = start({ DISPLAY: '', WAYLAND_DISPLAY: '' })
  await expect.poll(printedAddress).toBeDefined()
  expect(output).toMatch(/^headgate: There is no display .* Serving the same app to the browser instead\.$/m)
  expect(output).toContain(join(folder, 'data'))
  expect(output).not.toMatch(/^\{/m)
  const page = await fetch(printedAddress()!)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Headgate')
  const all = descendants(started!.pid!)
  started!.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect.poll(() => all.filter((pid) => !isGone(pid))).toEqual([])
})

test('an Electron that cannot start is named, and the app is served to the browser', async () => {
  const ended = start({ DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: BROKEN })
  await expect.poll(printedAddress).toBeDefined()
  expect(output).toContain('Electron did not start (libnss3.so: cannot open shared object file).')
  started!.kill('SIGTERM')
  expect(await ended).toBe(0)
})

test('with a display and an Electron the window opens, and SIGTERM ends all with 0', async () => {
  const ended = start({
    DISPLAY: process.env.DISPLAY ?? ':0',
    ELECTRON_STANDIN_HEADLESS: '1',
    ELECTRON_OVERRIDE_DIST_PATH: STAND_IN,
  })
  const endpoint = join(folder, 'data', 'endpoint.json')
  await expect.poll(() => existsSync(endpoint)).toBe(true)
  const { url } = JSON.parse(readFileSync(endpoint, 'utf8')) as { url: string }
  expect((await fetch(url)).status).toBe(200)
  expect(printedAddress()).toBeUndefined()
  const all = descendants(started!.pid!)
  started!.kill('SIGTERM')
  expect(await ended).toBe(0)
  await expect.poll(() => all.filter((pid) => !isGone(pid))).toEqual([])
})

test('what is wrong with the settings is said, and the exit status is not 0', async () => {
  const ended = start({ DISPLAY: '', WAYLAND_DISPLAY: '', SVC_AUTH_TOTP_REQUIRED: 'perhaps' })
  expect(await ended).not.toBe(0)
  expect(output).toMatch(/^headgate: .*SVC_AUTH_TOTP_REQUIRED/m)
})
