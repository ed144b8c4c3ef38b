import { app, clipboard, dialog, type BrowserWindow } from 'electron'
import type { DesktopUpdate } from '../../contract/desktop-bridge.ts'
import { fileExtensions } from '../incoming/file-kinds.ts'
import type { Words } from '../words.ts'

/** Boxes of the system, in front of the window last used, or alone. */
function show(
  window: BrowserWindow | null,
  options: Electron.MessageBoxOptions,
): Promise<Electron.MessageBoxReturnValue> {
  return window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options)
}

/** Which Headgate this is, for a report of a mistake. */
export async function showAbout(window: BrowserWindow | null, words: Words, dataDir: string): Promise<void> {
  const { electron, chrome, node } = process.versions
  const detail = [
    words.versions(app.getVersion()),
    '',
    `Electron ${electron}`,
    `Chromium ${chrome}`,
    `Node.js ${node}`,
    `${process.platform} ${process.arch}`,
    '',
    `${words.dataFolder}: ${dataDir}`,
  ].join('\n')
  const buttons = [words.ok, words.copyVersions]
  const { response } = await show(window, {
    type: 'info',
    message: 'Headgate',
    detail,
    buttons,
    defaultId: 0,
    cancelId: 0,
  })
  if (response === 1) await clipboard.writeText(`Headgate\n${detail}`)
}

/** Paths of files that the user chose; none when he did not. */
export async function chooseFiles(window: BrowserWindow, words: Words): Promise<string[]> {
  const { bundle, document, data } = fileExtensions
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: words.openFileTitle,
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: words.kindAll, extensions: [...new Set([...bundle, ...document, ...data])] },
      { name: words.kindBundle, extensions: bundle },
      { name: words.kindDocument, extensions: document },
      { name: words.kindData, extensions: data },
      { name: words.kindAny, extensions: ['*'] },
    ],
  })
  return canceled ? [] : filePaths
}

export async function showProblems(window: BrowserWindow | null, words: Words, problems: string[]): Promise<void> {
  const message = words.cannotOpen(problems.length)
  await show(window, { type: 'warning', message, detail: problems.join('\n\n'), buttons: [words.ok] })
}

/** What came of looking for updates, when somebody asked for it in the menu. */
export async function showUpdate(window: BrowserWindow | null, words: Words, update: DesktopUpdate): Promise<void> {
  if (update.state === 'checking') return
  const [message, detail] = aboutUpdate(update, words)
  const type = update.state === 'failed' ? 'warning' : 'info'
  await show(window, { type, message, detail, buttons: [words.ok] })
}

function aboutUpdate(update: Exclude<DesktopUpdate, { state: 'checking' }>, words: Words): [string, string] {
  if (update.state === 'off') return [words.updateOff, words.updateOffDetail]
  if (update.state === 'current') return [words.updateCurrent, words.versions(app.getVersion())]
  if (update.state === 'downloading') return [words.updateLoading(update.version), `${Math.round(update.percent)} %`]
  if (update.state === 'ready') return [words.updateReady(update.version), words.updateReadyDetail]
  return [words.updateFailed, update.message]
}

/** A script in a page can fill in a form; nobody but the user says whose app is to replace this one. */
export async function askAboutFeed(window: BrowserWindow, words: Words, address: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: words.feedQuestion(new URL(address).host),
    detail: words.feedDetail(address),
    buttons: [words.cancel, words.feedAgree],
    defaultId: 0,
    cancelId: 0,
  })
  return response === 1
}

/** Asks about the unsaved input of one window before the app ends; what a page that does not answer holds nobody knows. True: leave it. */
export async function askToLeave(window: BrowserWindow, words: Words, answers: boolean): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: words.unsaved,
    detail: (answers ? words.unsavedQuit : words.silentQuit)(window.getTitle()),
    buttons: [words.stay, words.leave],
    defaultId: 0,
    cancelId: 0,
  })
  return response === 1
}
