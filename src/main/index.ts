import { app, Menu, safeStorage, shell } from 'electron'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { appWindows } from './app-windows.ts'
import { readConfig } from './config.ts'
import { startExecutorProcess } from './executor-process.ts'
import { answerPages } from './ipc.ts'
import { keychainAnswers } from './keychain.ts'
import { openLogFile } from './log-file.ts'
import { menuTemplate } from './menu.ts'
import { denyPermissions, limitPages } from './security.ts'
import { startServerProcess } from './server-process.ts'
import { drainBeforeQuit } from './shutdown.ts'
import { utilityForker } from './utility-forker.ts'
import { createWindow } from './window.ts'

const { argv, env, platform } = process
const config = readConfig({ argv, env, platform, home: homedir(), cwd: process.cwd() })

app.setName('Headgate')
app.setAppUserModelId('org.headgate.desktop')
app.enableSandbox()
keepProfileIn(config.userDataDir)

// Two apps on one data folder would fight over it: the second one shows the window of the first.
if (app.requestSingleInstanceLock()) void app.whenReady().then(start)
else app.exit(0)

function start(): void {
  const out = import.meta.dirname
  const userData = app.getPath('userData')
  const logFile = openLogFile(join(userData, 'logs'))
  const log = logFile.write
  const showLog = (): void => shell.showItemInFolder(logFile.path)
  const showData = (): void => void shell.openPath(config.dataDir)
  const forker = utilityForker(env, log)

  const server = startServerProcess({
    forker,
    entry: join(out, 'server.js'),
    config,
    logTail: logFile.tail,
    keychain: keychainAnswers(safeStorage, platform),
  })
  const serverUrl = (): string | null => (server.state.name === 'ready' ? server.state.url : null)
  const executor = startExecutorProcess({
    forker,
    entry: join(out, 'executor.js'),
    workerEntry: join(out, 'worker.js'),
    server,
  })

  limitPages({ serverUrl, openWindow: (url) => windows.open(pathOf(url)), log })
  denyPermissions({ serverUrl })

  const windows = appWindows({
    server,
    log,
    create: () =>
      createWindow({
        preload: join(out, '..', 'preload', 'preload.cjs'),
        icon: join(app.getAppPath(), 'resources', 'icon.png'),
        stateFile: join(userData, 'window.json'),
        appVersion: app.getVersion(),
        log,
      }),
  })
  answerPages({ server, windows, showLog, showData, log })
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(
      menuTemplate(platform, {
        command: (name) => windows.command({ name }),
        newWindow: () => windows.open(),
        openReference: () => windows.open('/api/docs'),
        openDataFolder: showData,
        showLog,
      }),
    ),
  )

  app.on('second-instance', () => windows.focus())
  app.on('activate', () => windows.focus())
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit()
  })
  // The executor first: what its runs have to say must still find a server.
  drainBeforeQuit({ drains: [() => executor.drain(), () => server.drain()], log })
  windows.open()
}

/** Chromium's profile lies inside the data folder; where that cannot be written, the server says so in the window. */
function keepProfileIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('userData', folder)
  } catch (error) {
    process.stderr.write(
      `headgate: cannot write ${folder} (${String(error)}); the window keeps its profile elsewhere.\n`,
    )
  }
}

function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return pathname + search + hash
}
