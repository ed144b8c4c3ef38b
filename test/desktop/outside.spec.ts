// Files and links that come from outside of the app: by a second start, by the system's events, by drop.
import { expect, test, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DesktopCommand } from '../../src/contract/desktop-bridge.ts'
import { ADMIN, untilSignedIn } from './app-page.ts'
import { commandLine, environment, findShell, launchApp, type Launched } from './launch.ts'

let launched: Launched
let folder: string
test.beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'headgate-outside-'))))
test.afterEach(async () => {
  await launched.end()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Starts the app once more, from `folder`, and waits until it has handed over. */
async function startAgain(...args: string[]): Promise<void> {
  const line = ['--no-sandbox', ...commandLine(launched.userData, launched.dataDir, args)]
  const second = spawn(findShell().executable, line, { env: environment(), stdio: 'ignore', cwd: folder })
  const [code] = (await once(second, 'exit')) as [number | null]
  expect(code).toBe(0)
}

/** Notes the commands that reach the page from now on, beside the app itself. */
async function listen(page: Page): Promise<() => Promise<DesktopCommand[]>> {
  await page.evaluate(() => {
    const heard: DesktopCommand[] = []
    Object.assign(window, { heard })
    window.headgate!.onCommand((command) => heard.push(command))
  })
  return () => page.evaluate(() => (window as unknown as { heard: DesktopCommand[] }).heard)
}

/** The same, from when the app itself listens: main takes any listener for the app's. */
async function listenWithShell(page: Page): Promise<() => Promise<DesktopCommand[]>> {
  await page.evaluate(() => {
    const heard: DesktopCommand[] = []
    Object.assign(window, { heard })
    const begin = (): void => {
      if (document.querySelector('nav')) window.headgate!.onCommand((command) => heard.push(command))
      else requestAnimationFrame(begin)
    }
    begin()
  })
  return () => page.evaluate(() => (window as unknown as { heard: DesktopCommand[] }).heard)
}

const openedIn = async (heard: () => Promise<DesktopCommand[]>) =>
  (await heard()).flatMap((command) => (command.name === 'open-file' ? [command.file] : []))

test('a second start hands over its files and its link; what is not there is said in a box of the system', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  const heard = await listen(page)
  await launched.app.evaluate(({ dialog, BrowserWindow }) => {
    dialog.showMessageBox = async (...args: unknown[]) => {
      Object.assign(globalThis, { told: args.at(-1) })
      return { response: 0, checkboxChecked: false }
    }
    BrowserWindow.getAllWindows()[0]!.minimize()
  })
  writeFileSync(join(folder, 'größe.csv'), 'id,name\n1,a\n')
  await startAgain('--', 'größe.csv', 'nowhere.csv')
  const told = () => launched.app.evaluate(() => (globalThis as { told?: { detail: string } }).told?.detail)
  await expect.poll(told).toContain(`${join(folder, 'nowhere.csv')} doesn’t exist`)
  await expect
    .poll(async () => (await openedIn(heard)).map(({ name, kind, size }) => [name, kind, size]))
    .toEqual([['größe.csv', 'data', 12]])
  expect(await launched.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isMinimized())).toBe(
    false,
  )

  const [file] = await openedIn(heard)
  const read = (token: string, start: number, end: number) =>
    page.evaluate(
      async ([token, start, end]) => new TextDecoder().decode(await window.headgate!.readOpenedFile(token, start, end)),
      [token, start, end] as const,
    )
  expect(await read(file!.token, 3, 100)).toBe('name\n1,a\n')
  await expect(read(file!.token, 0, 9 * 1024 * 1024)).rejects.toThrow('At most')
  await expect(read('guessed', 0, 1)).rejects.toThrow('Open it again')

  await startAgain('headgate://runs?status=failed', 'headgate://../etc', 'headgate://api/auth/me')
  await page.waitForURL('**/runs?status=failed*')
  await expect.poll(launched.output).toContain('refused the link "headgate://../etc"')
  await expect.poll(launched.output).toContain('refused the link "headgate://api/auth/me"')
  await page.reload()
  await untilSignedIn(page)
  await expect(read(file!.token, 0, 1)).rejects.toThrow('Open it again')
})

test('a link and a file at the first start wait until somebody is signed in, and come once', async () => {
  writeFileSync(join(folder, 'task.yaml'), 'name: x\n')
  launched = await launchApp({ args: ['headgate://tasks?tag=new', join(folder, 'task.yaml')] })
  const page = await launched.app.firstWindow()
  await page.getByLabel('Username').fill(ADMIN.SVC_ADMIN_USERNAME)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.SVC_ADMIN_PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible()
  const heard = await listenWithShell(page)
  await page.getByRole('button', { name: 'Start empty' }).click()
  await page.waitForURL('**/tasks?tag=new*')
  await expect.poll(async () => (await heard()).map(({ name }) => name)).toEqual(['navigate', 'open-file'])
  // The Mac tells by events, also while no window is open.
  await launched.app.evaluate(
    ({ app }, path) => {
      app.emit('open-file', { preventDefault() {} }, path)
      app.emit('open-url', { preventDefault() {} }, 'headgate://connectors')
    },
    join(folder, 'task.yaml'),
  )
  await expect
    .poll(async () => (await heard()).map(({ name }) => name))
    .toEqual(['navigate', 'open-file', 'navigate', 'open-file'])
})

test('a dropped file is opened by its path; a path that a script made up is not', async () => {
  launched = await launchApp({ env: ADMIN })
  const page = await launched.app.firstWindow()
  await untilSignedIn(page)
  // A page of the server that does nothing with files by itself.
  await page.evaluate(() => void (location.pathname = '/api/docs'))
  await page.waitForURL('**/api/docs*')
  await expect(page.locator('#swagger-ui').getByRole('heading').first()).toBeVisible()
  const [path, other] = [join(folder, 'orders.csv'), join(folder, 'secret.csv')]
  writeFileSync(path, 'id\n1\n')
  writeFileSync(other, 'secret')
  await page.evaluate(() => {
    document.documentElement.innerHTML = '<body><input type="file" aria-label="File"></body>'
    document.querySelector('input')!.addEventListener('change', ({ target }) => {
      const [file] = (target as HTMLInputElement).files!
      Object.assign(window, { chosen: window.headgate!.pathOfFile(file!) })
    })
    document.addEventListener('dragover', (event) => event.preventDefault())
    document.addEventListener('drop', (event) => {
      event.preventDefault()
      Object.assign(window, { dropped: window.headgate!.pathOfFile(event.dataTransfer!.files[0]!) })
    })
  })
  const found = (name: string) => page.evaluate((name) => (window as unknown as Record<string, string>)[name], name)
  await page.getByLabel('File').setInputFiles(path)
  await expect.poll(() => found('chosen')).toBe(path)
  const made = () => page.evaluate(() => window.headgate!.pathOfFile(new File(['x'], 'made.csv')))
  expect(await made()).toBe('')
  const opened = (path: string) => page.evaluate((path) => window.headgate!.openedFile(path), path)
  expect(await opened(path)).toMatchObject({ name: 'orders.csv', kind: 'data', size: 5 })
  await expect(opened(other)).rejects.toThrow('was not dropped on this window')

  const devTools = await page.context().newCDPSession(page)
  const data = { items: [], files: [other], dragOperationsMask: 1 }
  // Chromium lets go of nothing before the page has answered that it takes it.
  await expect(async () => {
    for (const type of ['dragEnter', 'dragOver', 'dragOver', 'drop'] as const)
      await devTools.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data })
    await expect.poll(() => found('dropped'), { timeout: 2_000 }).toBe(other)
  }).toPass()
  expect(await opened(other)).toMatchObject({ name: 'secret.csv', size: 6 })
})
