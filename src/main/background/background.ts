import { app, BrowserWindow, dialog, Notification, powerMonitor, powerSaveBlocker } from 'electron'
import { join } from 'node:path'
import type { ServerPulse } from '../../process/messages.ts'
import type { AppWindows } from '../windows/app-windows.ts'
import { languageOf } from '../words.ts'
import { backgroundWords } from './background-words.ts'
import { desktopNotifications } from './desktop-notifications.ts'
import type { DesktopSettingsFile } from '../desktop/desktop-settings.ts'
import type { ExecutorProcess } from '../processes/executor-process.ts'
import { keepAwake, watchPower } from './power.ts'
import { askAboutRuns } from './run-question.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import { hasTrayHost } from './tray-host.ts'
import { timeText, trayView, type TrayItem } from './tray.rules.ts'
import { appTray, type AppTray } from './tray.ts'

export interface BackgroundOptions {
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  server: ServerProcess
  executor: ExecutorProcess
  windows: AppWindows
  settings: DesktopSettingsFile
  language: () => string
  /** The app does not end after all. */
  onStay: () => void
  log: (text: string) => void
}

export interface Background {
  /** Whether an icon can be shown; known a moment after the start. */
  readonly tray: boolean
}

/** What the app does without a window: the icon in the tray, notifications, sleep and wake, and what closing and quitting mean. */
export function liveInBackground(options: BackgroundOptions): Background {
  const { platform, env, server, executor, windows, settings, language, onStay, log } = options
  const words = () => backgroundWords(language())
  const awake = keepAwake(powerSaveBlocker)
  let pulse: ServerPulse | null = null
  let lookedAt = new Date().toISOString()
  let tray: AppTray | null = null

  const question = askAboutRuns({
    app,
    // A server that could not be started runs nothing.
    running: () => pulse?.running ?? (server.state.name === 'failed' ? 0 : null),
    ask: askWhatBecomesOfRuns,
    handOut: (on) => void server.send({ type: 'hand-out', on }),
    onStay,
    onChange: refresh,
  })

  async function askWhatBecomesOfRuns(running: number): Promise<'wait' | 'now' | 'stay'> {
    const { quitQuestion, quitDetail, quitWait, quitNow, stay } = words()
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: quitQuestion(running),
      detail: quitDetail,
      buttons: [quitWait(running), quitNow(running), stay],
      defaultId: 0,
      cancelId: 2,
    })
    return response === 0 ? 'wait' : response === 1 ? 'now' : 'stay'
  }

  function refresh(): void {
    const { name: health } = server.state
    const facts = { health, pulse, lookedAt, quitting: question.waits }
    const time = timeText(language(), () => new Date())
    try {
      tray?.show(trayView(facts, words(), time))
    } catch (error) {
      log(`headgate: can’t show the tray icon: ${String(error)}\n`)
      tray = null
    }
    awake(settings.now.keep_awake && (pulse?.running ?? 0) > 0)
    question.look()
  }

  function looked(): void {
    lookedAt = new Date().toISOString()
    refresh()
  }

  function act(id: Extract<TrayItem, { kind: 'action' }>['id']): void {
    if (id === 'open') windows.focus()
    else if (id === 'new-window') windows.open()
    else if (id === 'quit') app.quit()
    else server.send({ type: 'pause-scheduler', paused: id === 'pause' })
  }

  const notifyOf = desktopNotifications({
    show: (shown) => notify(shown, () => windows.navigate(shown.path)),
    words,
    language: () => languageOf(language()),
    hasFocus: () => BrowserWindow.getFocusedWindow() !== null,
    wantsFailures: () => settings.now.notify_failures,
    after: (ms, callback) => void setTimeout(callback, ms).unref(),
  })
  server.onServerMessage((received) => {
    if (received.event === 'notification') return notifyOf(received)
    pulse = received
    refresh()
  })
  server.onState(({ name }) => {
    if (name !== 'ready') pulse = null
    else question.serverReady()
    // Without a window nobody would hear of it.
    if (name === 'failed' && windows.all().length === 0)
      notify({ title: 'Headgate', body: words().stopped }, () => windows.focus())
    refresh()
  })
  settings.onChange(refresh)
  windows.onChange(refresh)
  app.on('browser-window-focus', looked)

  watchPower({
    // Electron's own types have one signature for each event, and none for what `shutdown` brings.
    on: (event, listener) => void powerMonitor.on(event as 'suspend', listener),
    toServer: (message) => void server.send(message),
    toExecutor: (message) => void executor.send(message),
    // As a signal does: nobody is asked, everything is drained.
    onShutdown: () => void process.emit('SIGTERM'),
    onLock: () => windows.broadcast({ name: 'run', id: 'lock-with-screen' }),
    log,
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, question.silence)

  async function lastWindowClosed(): Promise<void> {
    // Closing windows never ends an app of the Mac.
    if (platform === 'darwin') return
    if (!settings.backgroundAsked && !(await askToGoOn())) return
    if (!settings.now.run_in_background && windows.all().length === 0) app.quit()
  }

  /** False: the app goes on, and asks again the next time. */
  async function askToGoOn(): Promise<boolean> {
    const { goOnQuestion, goOnDetail, goOn, quit, remember } = words()
    const { response, checkboxChecked } = await dialog.showMessageBox({
      type: 'question',
      message: goOnQuestion,
      detail: goOnDetail(tray !== null),
      buttons: [goOn, quit],
      defaultId: 0,
      cancelId: 0,
      checkboxLabel: remember,
      checkboxChecked: true,
    })
    if (checkboxChecked) settings.answerBackground(response === 0)
    else if (response === 1 && windows.all().length === 0) app.quit()
    return checkboxChecked
  }

  app.on('window-all-closed', () => {
    lastWindowClosed().catch((error: unknown) => log(`headgate: ${String(error)}\n`))
  })

  async function startTray(): Promise<void> {
    if (!(await hasTrayHost(platform, env))) return
    tray = appTray(join(app.getAppPath(), 'resources', 'tray'), platform, { act, show: windows.navigate, looked })
    refresh()
  }
  startTray().catch((error: unknown) => log(`headgate: can’t use the tray: ${String(error)}\n`))

  return {
    get tray() {
      return tray !== null
    },
  }
}

/** Kept until they are gone: what is collected meanwhile hears no click. */
const shownNotifications = new Set<Notification>()

function notify(content: { title: string; body: string }, onClick: () => void): { close(): void } {
  if (!Notification.isSupported()) return { close() {} }
  const notification = new Notification({ title: content.title, body: content.body })
  shownNotifications.add(notification)
  const forget = (): void => void shownNotifications.delete(notification)
  notification.on('click', () => {
    forget()
    onClick()
  })
  notification.on('close', forget)
  notification.show()
  return { close: () => notification.close() }
}
