import { expect, test, type ElectronApplication, type Page } from '@playwright/test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { descendants } from '../support/processes.ts'
import { ADMIN, executors, get, post, untilSignedIn } from './app-page.ts'
import { commandLine, environment, findShell, type Launched, launchApp } from './launch.ts'

let launched: Launched
test.afterEach(() => launched.end())

/** Waits until a file is there, then fails or ends well by what is in it. */
const waiting = (file: string) => `
etl: 1
kind: command
name: desktop.waits
command:
  argv: [/bin/sh, -c, 'while [ ! -e ${file} ]; do sleep 0.1; done; exit "$(cat ${file})"']
`

/** What the system was asked to show and to do, and what its tray holds now. */
const shownBy = (app: ElectronApplication) => ({
  /** From now on notifications, questions and reasons to stay awake are written down; questions are answered with the first button. */
  record: () =>
    app.evaluate(({ Notification, dialog, powerSaveBlocker }) => {
      const news: Electron.Notification[] = []
      const questions: string[] = []
      const blockers: number[] = []
      Object.assign(globalThis, { news, questions, blockers, response: 0 })
      Notification.prototype.show = function remember(this: Electron.Notification) {
        news.push(this)
      }
      dialog.showMessageBox = (async (options: Electron.MessageBoxOptions) => {
        questions.push(options.message)
        return { response: (globalThis as unknown as { response: number }).response, checkboxChecked: true }
      }) as typeof dialog.showMessageBox
      const start = powerSaveBlocker.start.bind(powerSaveBlocker)
      powerSaveBlocker.start = (type) => {
        blockers.push(start(type))
        return blockers.at(-1)!
      }
    }),
  /** The button that questions are answered with from now on. */
  answer: (response: number) =>
    app.evaluate((_electron, response) => void Object.assign(globalThis, { response }), response),
  keptAwake: (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) =>
      (globalThis as unknown as { blockers: number[] }).blockers.some((id) => powerSaveBlocker.isStarted(id)),
    ),
  news: (): Promise<string[]> =>
    app.evaluate(() => (globalThis as unknown as { news: Electron.Notification[] }).news.map(({ title }) => title)),
  questions: (): Promise<string[]> => app.evaluate(() => (globalThis as unknown as { questions: string[] }).questions),
  clickNews: () =>
    app.evaluate(() => void (globalThis as unknown as { news: Electron.Notification[] }).news[0]!.emit('click')),
  windows: (): Promise<number> => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length),
  /** Icon and tooltip. */
  tray: (): Promise<string> =>
    app.evaluate(({ Tray }) => {
      // The stand-in keeps them in a list.
      const [tray] = (Tray as unknown as { all: { image: string; toolTip: string }[] }).all
      return tray ? `${tray.image.replace(/^.*\//, '')} ${tray.toolTip}` : ''
    }),
  click: (id: string) =>
    app.evaluate(({ Tray }, id) => {
      const [tray] = (Tray as unknown as { all: { menu: Electron.Menu }[] }).all
      tray!.menu.getMenuItemById(id)!.click()
    }, id),
})

/** Starts a run that ends when somebody writes its exit code into the file `go`. */
async function startRun(page: Page, folder: string): Promise<number> {
  await expect.poll(() => executors(page)).toEqual([{ name: 'local', status: 'online' }])
  const task = await post(page, '/api/tasks', { yaml_content: waiting(join(folder, 'go')) })
  const { id } = await post(page, `/api/runs/trigger/${task.id}`, {})
  await expect.poll(() => statusOf(page, id)).toBe('running')
  return id
}

async function statusOf(page: Page, run: number): Promise<unknown> {
  const { body } = await get(page, `/api/runs/${run}`)
  return body && (body as { status: unknown }).status
}

const isPaused = async (page: Page): Promise<unknown> =>
  ((await get(page, '/api/scheduler')).body as { paused?: boolean } | null)?.paused

/** Nobody can be asked whether icons are shown: one is tried. */
const env = {
  ...ADMIN,
  HEADGATE_EXECUTOR_COMMANDS: 'true',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
}

test('the window closes and the run goes on; its failure is told and a click opens its log; the tray pauses, stays and quits', async () => {
  launched = await launchApp({ env })
  const { app, userData } = launched
  const shown = shownBy(app)
  await shown.record()
  const page = await app.firstWindow()
  await untilSignedIn(page)
  const id = await startRun(page, userData)
  expect(await shown.keptAwake()).toBe(false)
  await page.evaluate(() => window.headgate!.setSettings({ keep_awake: true }))
  await expect.poll(shown.keptAwake).toBe(true)
  await page.close()
  await expect.poll(shown.questions).toEqual(['Keep Headgate running in the background?'])
  expect(await shown.windows()).toBe(0)
  await expect.poll(shown.tray).toBe('running.png Headgate · 1 active run')

  writeFileSync(join(userData, 'go'), '3')
  await expect.poll(shown.news).toEqual(['desktop.waits failed'])
  await expect.poll(shown.tray).toBe('failed.png Headgate · No active runs · 1 new failed run')
  expect(await shown.keptAwake()).toBe(false)
  const opened = app.waitForEvent('window')
  await shown.clickNews()
  const again = await opened
  await untilSignedIn(again)
  await expect(again).toHaveURL(new RegExp(`/runs/${id}`))
  // Whoever has a window before him has seen it.
  await expect.poll(shown.tray).toBe('idle.png Headgate · No active runs')

  await shown.click('pause')
  await expect.poll(() => isPaused(again)).toBe(true)
  await expect.poll(shown.tray).toBe('paused.png Headgate · Triggers are paused · No active runs')
  await again.goto(new URL('/triggers', again.url()).href)
  await expect(again.getByText(/^Triggers paused/)).toBeVisible()
  await again.getByRole('button', { name: 'Resume triggers', exact: true }).click()
  await expect.poll(shown.tray).toBe('idle.png Headgate · No active runs')

  rmSync(join(userData, 'go'))
  await post(again, `/api/runs/trigger/1`, {})
  await expect.poll(shown.tray).toBe('running.png Headgate · 1 active run')
  // Whoever stays has everything as before: another run begins.
  await shown.answer(2)
  await shown.click('quit')
  await expect.poll(shown.questions).toContain('1 run is active')
  const other = await post(again, `/api/runs/trigger/1`, {})
  await expect.poll(() => statusOf(again, other.id)).toBe('running')
  writeFileSync(join(userData, 'go'), '0')
  await expect.poll(shown.tray).toBe('idle.png Headgate · No active runs')

  rmSync(join(userData, 'go'))
  await post(again, `/api/runs/trigger/1`, {})
  await expect.poll(shown.tray).toBe('running.png Headgate · 1 active run')
  await shown.answer(0)
  await shown.click('quit')
  await expect.poll(shown.tray).toBe('running.png Headgate · Quitting when the run ends')
  const waits = await post(again, `/api/runs/trigger/1`, {})
  expect(await statusOf(again, waits.id)).toBe('pending')
  writeFileSync(join(userData, 'go'), '0')
  expect(await launched.exitCode).toBe(0)
})

test('started with the login it waits in the tray; a second start shows a window, whose closing ends the app and stops its run as the settings and the user say', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-login-'))
  launched = await launchApp({ env: { ...env, XDG_CONFIG_HOME: folder }, args: ['--hidden'] })
  const { app, userData, dataDir } = launched
  const shown = shownBy(app)
  await expect.poll(shown.tray).toBe('idle.png Headgate · No active runs')
  expect(await shown.windows()).toBe(0)
  const again = (...args: string[]) => {
    const line = ['--no-sandbox', ...commandLine(userData, dataDir, args)]
    return once(spawn(findShell().executable, line, { env: environment(), stdio: 'ignore' }), 'exit')
  }
  // The login starts what runs already.
  await again('--hidden')
  expect(await shown.windows()).toBe(0)
  const opened = app.waitForEvent('window')
  const ended = again()
  const page = await opened
  await ended
  await untilSignedIn(page)
  await page.goto(new URL('/settings/desktop', page.url()).href)
  const entry = join(folder, 'autostart', 'headgate.desktop')
  const atLogin = page.getByRole('switch', { name: 'Start at login' })
  await atLogin.check({ force: true })
  await expect.poll(() => existsSync(entry)).toBe(true)
  expect(readFileSync(entry, 'utf8')).toMatch(new RegExp(`^Exec=.*--data-dir=${dataDir} --hidden$`, 'm'))
  await atLogin.uncheck({ force: true })
  await expect.poll(() => existsSync(entry)).toBe(false)
  const goesOn = page.getByRole('switch', { name: 'Keep running in the background' })
  await goesOn.uncheck({ force: true })
  const kept = () => readFileSync(join(userData, 'desktop.json'), 'utf8')
  await expect.poll(kept).toContain('"run_in_background": false')

  const id = await startRun(page, userData)
  await shown.record()
  await shown.answer(1)
  await page.close()
  expect(await launched.exitCode).toBe(0)
  const store = new DatabaseSync(join(dataDir, 'headgate.db'), { readOnly: true })
  expect(store.prepare('SELECT status FROM runs WHERE id = ?').get(id)).toEqual({ status: 'failed' })
  store.close()
  rmSync(folder, { recursive: true })
})

test('a sleep of the machine that is longer than every lease loses no run; the end of its session drains', async () => {
  const settings = 'executors:\n  lease_ms: 3000\n  heartbeat_ms: 1000\n'
  launched = await launchApp({ env, settings })
  const { app, userData } = launched
  const page = await app.firstWindow()
  await untilSignedIn(page)
  const id = await startRun(page, userData)
  const processes = descendants(app.process().pid!).filter(isHeadgate)
  expect(processes.length).toBeGreaterThanOrEqual(3)
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'))
  // As the system does after it has told everybody: the executor has answered a heartbeat since.
  const told = (await lastHeartbeat(page)) ?? ''
  await expect.poll(() => lastHeartbeat(page)).not.toBe(told)
  for (const pid of processes) process.kill(pid, 'SIGSTOP')
  const slept = Date.now()
  await expect.poll(() => Date.now() - slept, { timeout: 30_000 }).toBeGreaterThan(10_000)
  for (const pid of processes) process.kill(pid, 'SIGCONT')
  await app.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'))
  // Awake for longer than a lease, and nobody was given up.
  const woke = Date.now()
  await expect.poll(() => Date.now() - woke, { timeout: 30_000 }).toBeGreaterThan(4_000)
  expect(await statusOf(page, id)).toBe('running')
  writeFileSync(join(userData, 'go'), '0')
  await expect.poll(() => statusOf(page, id)).toBe('success')
  const { body } = await get(page, `/api/runs/${id}`)
  expect((body as { attempt: number }).attempt).toBe(1)

  // And when the session of Windows ends, the app puts that off, asks nobody and ends in order.
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()))
  const putOff = await app.evaluate(({ BrowserWindow }) => {
    let prevented = false
    const event = { reasons: ['logoff'], preventDefault: () => void (prevented = true) }
    BrowserWindow.getAllWindows()[0]!.emit('query-session-end', event)
    return prevented
  })
  expect(putOff).toBe(true)
  expect(await launched.exitCode).toBe(0)
})

/** Of Node, not of the browser that the stand-in has started. */
function isHeadgate(pid: number): boolean {
  return /(server|executor|worker)\.js|headgate (executor|server)|run worker|call worker/.test(
    readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
  )
}

async function lastHeartbeat(page: Page): Promise<string | undefined> {
  const { body } = await get(page, '/api/server/executors')
  return (body as { last_heartbeat_at: string }[] | null)?.[0]?.last_heartbeat_at
}
