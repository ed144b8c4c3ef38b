import { expect, test } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendants, isGone } from '../support/processes.ts'
import { ADMIN, executors, get, serverPid, untilSignedIn } from './app-page.ts'
import { commandLine, environment, findShell, launchApp, type Launched } from './launch.ts'

let launched: Launched | undefined
test.afterEach(async () => {
  await launched?.end()
  launched = undefined
})

test('the local executor comes online, its workers started by main', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])
})

test('a killed server comes back at its address; the page stays as it is and is told', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  const [url, before] = [page.url(), await serverPid(page)]
  await page.evaluate(() => {
    const heard: unknown[] = []
    Object.assign(window, { unsaved: 'kept', heard })
    window.headgate!.onCommand((command) => heard.push(command))
  })
  process.kill(before, 'SIGKILL')
  const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard)
  await expect.poll(heard).toEqual([{ name: 'server-restarted' }])
  expect(await serverPid(page)).not.toBe(before)
  expect(page.url()).toBe(url)
  expect(await page.evaluate(() => (window as unknown as { unsaved: string }).unsaved)).toBe('kept')
  expect((await get(page, '/api/auth/me')).status).toBe(200)
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])
})

test('a second instance shows the window of the first and ends', async () => {
  launched = await launchApp()
  const page = await launched.app.firstWindow()
  await page.waitForURL(/^http:/)
  await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.minimize())
  const args = ['--no-sandbox', ...commandLine(launched.userData, launched.dataDir)]
  const second = spawn(findShell().executable, args, { env: environment(), stdio: 'ignore' })
  const [code] = (await once(second, 'exit')) as [number | null]
  expect(code).toBe(0)
  const minimized = (): Promise<boolean[]> =>
    launched!.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isMinimized()))
  await expect.poll(minimized).toEqual([false])
})

test('closing the window of an app that is not to go on drains everything, ends with 0 and leaves no process', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])
  const all = descendants(launched.app.process().pid!)
  expect(all.length).toBeGreaterThanOrEqual(3)
  await launched.app.evaluate(({ dialog }) => {
    // Asked for the first time: quit.
    dialog.showMessageBox = async () => ({ response: 1, checkboxChecked: true })
  })
  await page.close()
  expect(await launched.exitCode).toBe(0)
  await expect.poll(() => all.filter((pid) => !isGone(pid))).toEqual([])
})

test('SIGTERM drains and ends with 0', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  const main = launched.app.process()
  const all = descendants(main.pid!)
  main.kill('SIGTERM')
  expect(await launched.exitCode).toBe(0)
  await expect.poll(() => all.filter((pid) => !isGone(pid))).toEqual([])
})

test('when main is killed, no server, executor or worker is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-killed-'))
  // Not by Playwright, which would kill the whole process group.
  const args = ['--no-sandbox', ...commandLine(join(folder, 'window'), join(folder, 'data'))]
  const main = spawn(findShell().executable, args, { env: environment(), stdio: 'ignore' })
  try {
    await expect.poll(() => localExecutorHealth(join(folder, 'data'))).toBe('ok')
    const all = descendants(main.pid!)
    expect(all.length).toBeGreaterThanOrEqual(3)
    main.kill('SIGKILL')
    await once(main, 'exit')
    await expect.poll(() => all.filter((pid) => !isGone(pid))).toEqual([])
  } finally {
    main.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** What the server at work on `dataDir` says of its executors, or why it says nothing. */
async function localExecutorHealth(dataDir: string): Promise<string> {
  const file = join(dataDir, 'endpoint.json')
  if (!existsSync(file)) return 'no endpoint yet'
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string }
  const health = (await (await fetch(`${url}/api/health`)).json()) as { checks: { executors: { status: string } } }
  return health.checks.executors.status
}
