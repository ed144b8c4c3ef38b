import {
  BrowserWindow,
  dialog,
  ipcMain,
  nativeTheme,
  Notification,
  shell,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
} from 'electron'
import { existsSync } from 'node:fs'
import type { AppWindows } from '../windows/app-windows.ts'
import { CHANNELS, type Reply } from './channels.ts'
import { askAboutFeed } from '../windows/dialogs.ts'
import type { DesktopSettingsKeeper, Updates } from '../desktop/desktop-parts.ts'
import {
  ArgumentError,
  BadFeed,
  readAbsolutePath,
  readFileRange,
  readMenuState,
  readNotification,
  readOpenFileOptions,
  readSaveFileOptions,
  readSettingsChanges,
  readTheme,
} from './ipc-arguments.ts'
import type { OpenedFiles } from '../incoming/opened-files.ts'
import { isAppSender, isStatusSender } from '../security/security-rules.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import type { Words } from '../words.ts'

export interface IpcOptions {
  server: ServerProcess
  windows: AppWindows
  files: OpenedFiles
  settings: DesktopSettingsKeeper
  updates: Updates
  words: () => Words
  /** Of the page that has the focus. */
  setLanguage: (language: string) => void
  showLog: () => void
  showData: () => void
  log: (text: string) => void
}

/** The main side of the preload bridge: every channel checks its sender, then its arguments. */
export function answerPages(options: IpcOptions): void {
  const { server, windows, files, settings, updates, words, setLanguage, showLog, showData, log } = options
  const serverUrl = (): string | null => (server.state.name === 'ready' ? server.state.url : null)

  /** Also while the server starts again: its page stands meanwhile, and what it says of itself costs nothing. */
  const standingUrl = (): string | null => serverUrl() ?? lastUrl
  let lastUrl = serverUrl()
  server.onState(() => (lastUrl = standingUrl()))

  function answer(channel: string, act: (window: BrowserWindow, ...args: unknown[]) => unknown, url = serverUrl): void {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, ...args: unknown[]): Promise<Reply<unknown>> => {
      const window = BrowserWindow.fromWebContents(event.sender)
      if (!window || !isAppSender(event.senderFrame, url())) {
        log(`headgate: refused ${channel} to ${event.senderFrame?.url.slice(0, 200) ?? 'a closed page'}\n`)
        return { ok: false, message: words().refused }
      }
      try {
        return { ok: true, value: await act(window, ...args) }
      } catch (error) {
        return { ok: false, message: messageOf(error, words()) }
      }
    })
  }

  answer(CHANNELS.launchToken, () => server.launchToken())
  answer(CHANNELS.showItemInFolder, (_window, path) => showItem(readAbsolutePath(path), words()))
  answer(CHANNELS.openFile, openFile)
  answer(CHANNELS.saveFile, saveFile)
  answer(CHANNELS.notify, (window, value) => notify(window, value, windows, words()))
  answer(CHANNELS.setTheme, (_window, theme) => {
    nativeTheme.themeSource = readTheme(theme)
  })
  answer(
    CHANNELS.setMenu,
    (window, value) => {
      const state = readMenuState(value)
      setLanguage(state.language)
      windows.setMenu(window, state)
    },
    standingUrl,
  )
  answer(CHANNELS.openedFile, ({ webContents }, path) => files.open(webContents.id, readAbsolutePath(path)))
  answer(CHANNELS.readOpenedFile, ({ webContents }, token, start, end) =>
    files.read(webContents.id, readFileRange(token, start, end)),
  )
  answer(CHANNELS.settings, () => settings.read())
  answer(CHANNELS.setSettings, async (window, value) => {
    const changes = readSettingsChanges(value)
    const { update_feed_url: feed } = changes
    const isNew = feed && feed !== settings.read().settings.update_feed_url
    if (isNew && !(await askAboutFeed(window, words(), feed))) throw new Error(words().feedNotChanged)
    return settings.change(changes)
  })
  answer(CHANNELS.update, () => updates.state())
  answer(CHANNELS.checkForUpdate, () => updates.check())
  answer(CHANNELS.installUpdate, () => updates.install())
  updates.onChange((update) => windows.broadcast({ name: 'update', update }))

  function listen(channel: string, act: (window: BrowserWindow, argument: unknown) => void): void {
    ipcMain.on(channel, (event: IpcMainEvent, argument: unknown) => {
      const window = BrowserWindow.fromWebContents(event.sender)
      if (window && isAppSender(event.senderFrame, standingUrl())) act(window, argument)
    })
  }

  listen(CHANNELS.listening, (window, now) => windows.listening(window, now === true))
  listen(CHANNELS.incomplete, (window) => windows.incomplete(window))
  listen(CHANNELS.heard, (window, id) => typeof id === 'number' && windows.heard(window, id))
  function retry({ sender }: IpcMainEvent): void {
    const window = BrowserWindow.fromWebContents(sender)
    // While the server is well it is the page that failed.
    if (server.state.name !== 'ready') server.retry()
    else if (window) windows.retry(window)
  }

  ipcMain.on(CHANNELS.statusAction, (event: IpcMainEvent, action: unknown) => {
    if (!isStatusSender(event.senderFrame)) return
    if (action === 'retry') retry(event)
    else if (action === 'restore') server.restore()
    else if (action === 'accept-loss') server.acceptLoss()
    else if (action === 'show-log') showLog()
    else if (action === 'show-data') showData()
  })
}

/** For the user. What is wrong with an argument is a mistake of the page: the rest of that sentence is for its developer. */
function messageOf(error: unknown, words: Words): string {
  if (error instanceof BadFeed) return words.badFeed
  if (error instanceof ArgumentError) return words.badArgument(error.message)
  return error instanceof Error ? error.message : String(error)
}

function showItem(path: string, words: Words): void {
  if (!existsSync(path)) throw new Error(words.nothingAt(path))
  shell.showItemInFolder(path)
}

async function openFile(window: BrowserWindow, value: unknown): Promise<string[]> {
  const { title, kind, multiple, filters, start_path } = readOpenFileOptions(value)
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title,
    defaultPath: start_path,
    filters,
    properties: [kind === 'folder' ? 'openDirectory' : 'openFile', ...(multiple ? (['multiSelections'] as const) : [])],
  })
  return canceled ? [] : filePaths
}

async function saveFile(window: BrowserWindow, value: unknown): Promise<string | null> {
  const { title, filters, start_path } = readSaveFileOptions(value)
  const { canceled, filePath } = await dialog.showSaveDialog(window, { title, defaultPath: start_path, filters })
  return canceled || !filePath ? null : filePath
}

/** Held until it is closed: a notification that is collected as garbage no longer hears its click. */
const shown = new Set<Notification>()

function notify(window: BrowserWindow, value: unknown, windows: AppWindows, words: Words): void {
  const { title, body, path } = readNotification(value)
  if (!Notification.isSupported()) throw new Error(words.noNotifications)
  const notification = new Notification({ title, body })
  shown.add(notification)
  notification.on('close', () => shown.delete(notification))
  notification.on('click', () => {
    shown.delete(notification)
    windows.focus()
    if (path) windows.command({ name: 'navigate', path }, window)
  })
  notification.show()
}
