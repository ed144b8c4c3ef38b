import { app, BrowserWindow, dialog, safeStorage, shell } from 'electron'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Hanging } from '../process/hang-watch.ts'
import { appWindows } from './windows/app-windows.ts'
import { liveInBackground, type Background } from './background/background.ts'
import { readCommand, runCommand } from './command-line.ts'
import { readConfig } from './config.ts'
import { desktopSettings } from './desktop/desktop-settings.ts'
import { askToLeave, chooseFiles, showAbout, showProblems, showUpdate } from './windows/dialogs.ts'
import { startExecutorProcess } from './processes/executor-process.ts'
import { incoming } from './incoming/incoming.ts'
import { answerPages } from './bridge/ipc.ts'
import { keychainAnswers } from './security/keychain.ts'
import { askBeforeQuit } from './lifecycle/leaving.ts'
import { HIDDEN_ARGUMENT } from './desktop/login-item.rules.ts'
import { loginItem } from './desktop/login-item.ts'
import { openLogFile } from './lifecycle/log-file.ts'
import { keepMenu } from './windows/menus.ts'
import { openedFiles } from './incoming/opened-files.ts'
import { openingsUntilReady, registerScheme, type Openings } from './incoming/openings.ts'
import { keepProfileIn } from './lifecycle/profile.ts'
import { denyPermissions, limitPages } from './security/security.ts'
import { selfUpdate } from './updates/self-update.ts'
import { startServerProcess } from './processes/server-process.ts'
import { endWithSession } from './lifecycle/session-end.ts'
import { drainBeforeQuit } from './lifecycle/shutdown.ts'
import { utilityForker } from './processes/utility-forker.ts'
import { createWindow, followTheme } from './windows/window.ts'
import { windowKeeper } from './windows/window-keeper.ts'
import { windowsToOpen } from './windows/window-memory.ts'
import { words as wordsOf } from './words.ts'

const { argv, env, platform } = process
const cwd = process.cwd()
const config = readConfig({ argv, env, platform, home: homedir(), cwd })

// Does not come back.
const command = readCommand(argv, app.isPackaged)
if (command) await runCommand(join(import.meta.dirname, 'headgate.js'), command)

app.setName('Headgate')
app.setAppUserModelId('org.headgate.desktop')
app.enableSandbox()
keepProfileIn(config.userDataDir)

// Two apps on one data folder would fight over it: the second one hands over what it was to open, and ends.
if (app.requestSingleInstanceLock({ argv, cwd })) {
  const openings = openingsUntilReady(argv, cwd)
  app
    .whenReady()
    .then(() => start(openings))
    .catch(endWithError)
} else app.exit(0)

/** Without a window nobody would see that it lives, and no other start would become the only instance. */
function endWithError(error: unknown): void {
  dialog.showErrorBox('Headgate', error instanceof Error ? (error.stack ?? error.message) : String(error))
  app.exit(1)
}

function start(openings: Openings): void {
  const out = import.meta.dirname
  const userData = app.getPath('userData')
  const logFile = openLogFile(join(userData, 'logs'))
  const log = logFile.write
  const showLog = (): void => shell.showItemInFolder(logFile.path)
  const showData = (): void => void shell.openPath(config.dataDir)
  const forker = utilityForker(env, log)
  const hanging: Hanging = {
    cpuSeconds: (pid) => app.getAppMetrics().find((one) => one.pid === pid)?.cpu.cumulativeCPUUsage,
  }

  const server = startServerProcess({
    forker,
    entry: join(out, 'server.js'),
    config,
    logTail: logFile.tail,
    log,
    words: () => words(),
    keychain: keychainAnswers(safeStorage, platform),
    hanging,
  })
  const serverUrl = (): string | null => (server.state.name === 'ready' ? server.state.url : null)
  const executor = startExecutorProcess({
    forker,
    entry: join(out, 'executor.js'),
    workerEntry: join(out, 'worker.js'),
    server,
    log,
    hanging,
  })

  limitPages({ serverUrl, openWindow: (url) => windows.open(pathOf(url)), log })
  denyPermissions({ serverUrl })

  const files = openedFiles(() => words())
  const keeper = windowKeeper({
    file: join(userData, 'window.json'),
    systemLanguage: app.getLocale(),
    log,
  })
  const words = () => wordsOf(keeper.language)
  const windows = appWindows({
    server,
    log,
    saved: windowsToOpen(keeper.before),
    language: () => keeper.language,
    onPageEnd: (contents, waiting) =>
      files.forget(
        contents,
        waiting.flatMap((command) => (command.name === 'open-file' ? [command.file.token] : [])),
      ),
    create: (state, others, focus) =>
      createWindow(
        {
          preload: join(out, '..', 'preload', 'preload.cjs'),
          icon: join(app.getAppPath(), 'resources', 'icon.png'),
          appVersion: app.getVersion(),
          words,
          leaving: () => leaving.agreed,
          onStay() {
            leaving.callOff()
            updates.stay()
            keeper.thaw()
          },
        },
        state,
        others,
        focus,
      ),
  })
  const leaving = askBeforeQuit({
    windows: () => windows.all().flatMap((one) => (one.showsApp ? [one.window] : [])),
    ask: (window, answers) => askToLeave(window, words(), answers),
    onLeave: keeper.freeze,
  })
  // Known once the windows are; what it needs asks for it before.
  let background: Background | null = null
  const desktop = desktopSettings({
    file: join(userData, 'desktop.json'),
    loginItem: loginItem({ app, platform, env, home: homedir(), argv, words }),
    abilities: () => ({
      tray: background?.tray ?? false,
      // A bare Electron has no name among the login items of the Mac.
      open_at_login: platform !== 'darwin' || app.isPackaged,
      updates: false,
    }),
    words,
    log,
  })
  const { updates, settings } = selfUpdate({ settings: desktop, mayQuit: leaving.mayQuit, words, log })
  answerPages({
    server,
    windows,
    files,
    settings,
    updates,
    words,
    setLanguage: keeper.setLanguage,
    showLog,
    showData,
    log,
  })
  keeper.begin(windows.states)
  windows.onChange(keeper.changed)

  const arrivals = incoming({
    windows,
    files,
    showProblems: (window, problems) => showProblems(window, words(), problems),
    words,
    log,
  })
  const lastUsed = (): BrowserWindow | null => windows.all().at(-1)?.window ?? null
  keepMenu({
    platform,
    windows,
    words,
    actions: {
      run: (id) => windows.command({ name: 'run', id }),
      newWindow: () => windows.open(),
      openFile: () => soon(openChosenFiles()),
      zoom: windows.zoom,
      showWindow: (id) => windows.focus(BrowserWindow.fromId(id)),
      openReference: () => windows.open('/api/docs'),
      openDataFolder: showData,
      showLog,
      checkForUpdates: () => soon(checkForUpdates()),
      about: () => soon(showAbout(lastUsed(), words(), config.dataDir)),
    },
  })

  async function openChosenFiles(): Promise<void> {
    await arrivals.open({ links: [], files: await chooseFiles(windows.current(), words()) })
  }

  async function checkForUpdates(): Promise<void> {
    await showUpdate(lastUsed(), words(), await updates.check())
  }

  /** What a menu or the system has begun: nobody waits for it. */
  function soon(work: Promise<void>): void {
    work.catch((error: unknown) => log(`headgate: ${String(error)}\n`))
  }

  registerScheme(log)
  followTheme()
  app.on('activate', () => windows.focus())
  background = liveInBackground({
    platform,
    env,
    server,
    executor,
    windows,
    settings: desktop,
    language: () => keeper.language,
    onStay() {
      leaving.callOff()
      keeper.thaw()
    },
    log,
  })
  // The executor first: what its runs have to say must still find a server. A new version is installed when nothing runs any more.
  const drains = [() => executor.drain(), () => server.drain(), () => updates.finish()]
  const shutdown = drainBeforeQuit({ drains, onSignal: keeper.freeze, log })
  // As a signal does: nobody is asked.
  const watchSession = endWithSession({
    drain() {
      // An installer that the end of the session stops halfway leaves no app at all: the new version waits for another quit.
      updates.follow('')
      shutdown.drain()
    },
    quit: () => void process.emit('SIGTERM'),
    log,
  })
  app.on('browser-window-created', (_event, window) => watchSession(window))
  if (!isHiddenStart()) windows.restore()
  openings.begin((opening) => soon(arrivals.open(opening)))
}

/** By the user's login: the app waits in the tray. */
function isHiddenStart(): boolean {
  return argv.includes(HIDDEN_ARGUMENT) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return pathname + search + hash
}
