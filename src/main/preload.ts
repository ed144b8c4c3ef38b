// Runs sandboxed, in its own world, before every page of our windows. It holds no secret and decides little: main
// checks each sender. Bundled into one CommonJS file.
import { contextBridge, ipcRenderer, webFrame, webUtils } from 'electron'
import type { DesktopBridge, DesktopCommand } from '../contract/desktop-bridge.ts'
import { CHANNELS, VERSION_ARGUMENT, type Reply, type StatusAction } from './bridge/channels.ts'

async function ask<T>(channel: string, ...args: unknown[]): Promise<T> {
  // Both ends are built from the same source; the type is that of the handler in ipc.ts.
  const reply = (await ipcRenderer.invoke(channel, ...args)) as Reply<T>
  if (reply.ok) return reply.value
  throw new Error(reply.message)
}

function argument(prefix: string): string {
  return process.argv.find((one) => one.startsWith(prefix))?.slice(prefix.length) ?? ''
}

/** Paths that the user himself gave to this page. A script in the page can name others, but cannot have them opened. */
const given = new Set<string>()

function give(paths: string[]): string[] {
  for (const path of paths) given.add(path)
  return paths
}

const listeners = new Set<(command: DesktopCommand) => void>()
let lastHeard = 0

/** Commands that nobody listens to, and those that main sends again to be sure, have no effect. */
function hear(_event: unknown, id: number, command: DesktopCommand): void {
  if (listeners.size === 0 || id <= lastHeard) return
  lastHeard = id
  try {
    for (const listener of listeners) listener(command)
  } finally {
    ipcRenderer.send(CHANNELS.heard, id)
  }
}

const bridge: DesktopBridge = {
  platform: process.platform,
  versions: {
    app: argument(VERSION_ARGUMENT),
    electron: process.versions.electron,
    chrome: process.versions.chrome,
    node: process.versions.node,
  },
  launchToken: () => ask(CHANNELS.launchToken),
  showItemInFolder: (path) => ask(CHANNELS.showItemInFolder, path),
  openFile: async (options) => give(await ask<string[]>(CHANNELS.openFile, options)),
  saveFile: (options) => ask(CHANNELS.saveFile, options),
  notify: (notification) => ask(CHANNELS.notify, notification),
  setTheme: (theme) => ask(CHANNELS.setTheme, theme),
  setMenu: (state) => ask(CHANNELS.setMenu, state),
  pathOfFile(file) {
    // Chromium tells the path of a file that the user dropped or chose; it has none for one that a script made.
    const path = file instanceof File ? webUtils.getPathForFile(file) : ''
    if (path) given.add(path)
    return path
  },
  openedFile: async (path) => {
    if (!given.has(path)) throw new Error(`${path} was not dropped on this window or chosen in it.`)
    return ask(CHANNELS.openedFile, path)
  },
  readOpenedFile: (token, start, end) => ask(CHANNELS.readOpenedFile, token, start, end),
  settings: () => ask(CHANNELS.settings),
  setSettings: (changes) => ask(CHANNELS.setSettings, changes),
  update: () => ask(CHANNELS.update),
  checkForUpdate: () => ask(CHANNELS.checkForUpdate),
  installUpdate: () => ask(CHANNELS.installUpdate),
  onCommand(listener) {
    // Its own function each time: the same listener may be given twice.
    const forward = (command: DesktopCommand): void => listener(command)
    listeners.add(forward)
    if (listeners.size === 1) ipcRenderer.send(CHANNELS.listening, true)
    return () => {
      if (listeners.delete(forward) && listeners.size === 0) ipcRenderer.send(CHANNELS.listening, false)
    }
  },
}

/** The server ended while the page was on its way: without its own scripts nothing on it can heal by itself. Once a page. */
function reportIncomplete({ target }: Event): void {
  const isPart =
    target instanceof HTMLScriptElement || (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
  // Later ones are fetched again by whoever wants them.
  if (!isPart || document.readyState === 'complete') return
  removeEventListener('error', reportIncomplete, true)
  ipcRenderer.send(CHANNELS.incomplete)
}

/** The status page has no script of its own; its buttons name what they do. */
function wireStatusPage(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-action]')) {
    const action = button.dataset.action as StatusAction
    button.addEventListener('click', () => ipcRenderer.send(CHANNELS.statusAction, action))
  }
}

// Set from here it is this window's own; main could set it for all windows of the same address only.
ipcRenderer.on(CHANNELS.zoom, (_event, percent: number) => webFrame.setZoomFactor(percent / 100))
ipcRenderer.on(CHANNELS.command, hear)
if (location.protocol === 'data:') addEventListener('DOMContentLoaded', wireStatusPage)
else {
  contextBridge.exposeInMainWorld('headgate', bridge)
  addEventListener('error', reportIncomplete, true)
}
