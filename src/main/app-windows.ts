import type { BrowserWindow } from 'electron'
import type { DesktopCommand } from '../contract/desktop-bridge.ts'
import { CHANNELS } from './channels.ts'
import { mayNavigate } from './security-rules.ts'
import type { ServerProcess } from './server-process.ts'
import { statusUrl } from './status-page.ts'

export interface AppWindows {
  open(path?: string): void
  /** Brings the window that was last used to the front; opens one when there is none. */
  focus(): void
  /** To the given window, else to the one last used. */
  command(command: DesktopCommand, window?: BrowserWindow): void
}

export interface AppWindowsOptions {
  server: Pick<ServerProcess, 'state' | 'onState'>
  create: () => BrowserWindow
  log: (text: string) => void
}

interface OpenWindow {
  window: BrowserWindow
  shows: 'nothing' | 'status' | 'app'
  /** The status page that it shows, if any: loading the same again would take the focus from its buttons. */
  status: string
  /** Where it is or shall be in the app. */
  path: string
  /** When its page crashed, lately, in ms. */
  crashes: number[]
}

/** A server that is ready sooner than this is not announced by a page of its own. */
const STATUS_AFTER_MS = 600
const MAX_CRASHES_A_MINUTE = 3
/** Chromium's code for a load that another one has replaced. */
const ERR_ABORTED = -3

/** The open windows, each showing the server's pages while there is a server, and else how it is. */
export function appWindows({ server, create, log }: AppWindowsOptions): AppWindows {
  const open: OpenWindow[] = []

  function load(entry: OpenWindow, url: string, shows: 'status' | 'app'): void {
    if (shows === 'status' && entry.shows === 'status' && entry.status === url) return
    entry.shows = shows
    entry.status = shows === 'status' ? url : ''
    entry.window.loadURL(url).catch((error: NodeJS.ErrnoException) => {
      if (error.errno === ERR_ABORTED || entry.window.isDestroyed()) return
      entry.shows = 'nothing'
      log(`headgate: the window could not load ${shows === 'app' ? url : 'its status page'}: ${error.message}\n`)
    })
  }

  function refresh(entry: OpenWindow): void {
    const { state } = server
    if (state.name !== 'ready') {
      // A page of the app stays while the server starts again: it says that it is disconnected, and keeps its input.
      if (state.name === 'failed' || entry.shows !== 'app') load(entry, statusUrl(state), 'status')
    } else if (entry.shows === 'app' && mayNavigate(entry.window.webContents.getURL(), state.url)) {
      send(entry, { name: 'server-restarted' })
    } else {
      load(entry, new URL(entry.path, state.url).href, 'app')
    }
  }

  function add(path: string): void {
    const window = create()
    const entry: OpenWindow = { window, shows: 'nothing', status: '', path, crashes: [] }
    open.push(entry)
    window.on('closed', () => open.splice(open.indexOf(entry), 1))
    window.on('focus', () => open.push(...open.splice(open.indexOf(entry), 1)))
    for (const event of ['did-navigate', 'did-navigate-in-page'] as const) {
      // The two events differ after the URL only.
      window.webContents.on(event as 'did-navigate', (_event, url) => follow(entry, url))
    }
    window.webContents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
      if (isMainFrame && code !== ERR_ABORTED) entry.shows = 'nothing'
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => afterCrash(entry, reason))
    if (server.state.name === 'starting') setTimeout(() => announce(entry), STATUS_AFTER_MS)
    else refresh(entry)
  }

  function announce(entry: OpenWindow): void {
    if (entry.shows === 'nothing' && !entry.window.isDestroyed()) refresh(entry)
  }

  function follow(entry: OpenWindow, url: string): void {
    const { state } = server
    if (state.name !== 'ready' || !mayNavigate(url, state.url)) return
    const { pathname, search, hash } = new URL(url)
    entry.path = pathname + search + hash
    entry.shows = 'app'
  }

  function afterCrash(entry: OpenWindow, reason: string): void {
    log(`headgate: a window's page ended: ${reason}\n`)
    if (reason === 'clean-exit') return
    const now = Date.now()
    entry.crashes = [...entry.crashes.filter((at) => now - at < 60_000), now]
    entry.shows = 'nothing'
    if (entry.crashes.length <= MAX_CRASHES_A_MINUTE) return refresh(entry)
    const message = `The page crashed ${entry.crashes.length} times within a minute (${reason}). The server still runs.`
    load(entry, statusUrl({ name: 'failed', message, details: [] }), 'status')
  }

  function send({ window }: OpenWindow, command: DesktopCommand): void {
    window.webContents.send(CHANNELS.command, command)
  }

  server.onState(() => open.forEach(refresh))

  return {
    open: (path = '/') => add(path),
    focus() {
      const window = open.at(-1)?.window
      if (!window) return add('/')
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
    command(command, window) {
      const entry = open.find((one) => one.window === window) ?? open.at(-1)
      if (entry?.shows === 'app') send(entry, command)
    },
  }
}
