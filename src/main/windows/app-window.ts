import type { BrowserWindow } from 'electron'
import type { DesktopMenuState } from '../../contract/desktop-bridge.ts'
import { CHANNELS } from '../bridge/channels.ts'
import { outbox, type Outbox } from './outbox.ts'
import { mayNavigate } from '../security/security-rules.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import { statusUrl, type Status } from './status-page.ts'
import type { WindowState } from './window-state.ts'
import { zoomed, type ZoomChange } from './zoom.rules.ts'

/** One window: the server's pages while there is a server, and else how it is. */
export interface AppWindow {
  readonly window: BrowserWindow
  readonly commands: Outbox
  /** What its page can do; null while there is none of the app. */
  menu: DesktopMenuState | null
  readonly showsApp: boolean
  /** Its page is one of the app, and nobody is before it who has signed in: it is locked, or asks for the password. */
  readonly isClosed: boolean
  /** It was on the screen, and is unless somebody hid it. */
  readonly hasShown: boolean
  /** What comes back after a restart; also after the window has closed. */
  state(): WindowState
  /** After a change of the server. */
  refresh(): void
  /** Whether its page hears commands: somebody is signed in. */
  listening(now: boolean): void
  /** Scripts or style sheets of its page did not come: as good as a crash. */
  incomplete(): void
  zoom(change: ZoomChange): void
}

export interface AppWindowOptions {
  window: BrowserWindow
  /** Path and zoom to begin with. */
  start: Pick<WindowState, 'path' | 'zoom'>
  server: Pick<ServerProcess, 'state'>
  language: () => string
  log: (text: string) => void
  /** Its path, place, page or commands are others. */
  onChange: () => void
  /** Its page has ended; what it was allowed ends with it. */
  onPageEnd: () => void
}

/** A server that is ready sooner than this is not announced by a page of its own. */
const STATUS_AFTER_MS = 600
const MAX_CRASHES_A_MINUTE = 3
/** A page that changes who listens is without a listener for a moment; one that is locked stays so. */
const CLOSED_AFTER_MS = 500
/** Chromium's code for a load that another one has replaced, or that the page did not let happen. */
const ERR_ABORTED = -3

export function appWindow({ window, start, server, language, log, onChange, onPageEnd }: AppWindowOptions): AppWindow {
  const contents = window.webContents
  const commands = outbox((id, command) => contents.send(CHANNELS.command, id, command))
  let shows: 'nothing' | 'status' | 'app' = 'nothing'
  /** The status page that it shows, if any: loading the same again would take the focus from its buttons. */
  let status = ''
  let { path, zoom } = start
  /** When its page crashed, lately, in ms. */
  let crashes: number[] = []
  let loads = 0
  let hasShown = false
  let lastPlace: ReturnType<typeof place>

  function load(url: string, what: 'status' | 'app'): void {
    if (what === 'status' && shows === 'status' && status === url) return
    const mine = ++loads
    const [before, statusBefore] = [shows, status]
    shows = what
    status = what === 'status' ? url : ''
    window.loadURL(url).catch((error: NodeJS.ErrnoException) => {
      if (window.isDestroyed() || mine !== loads) return
      if (error.errno === ERR_ABORTED) {
        // The user stays with what he typed, or a script of the page went elsewhere.
        if (what === 'status') [shows, status] = [before, statusBefore]
        return
      }
      shows = 'nothing'
      log(`headgate: can’t load ${what === 'app' ? url : 'the status page'} in the window: ${error.message}\n`)
    })
  }

  const loadStatus = (what: Status): void => load(statusUrl(what, language()), 'status')

  function refresh(): void {
    const { state } = server
    if (state.name !== 'ready') {
      // A page of the app stays while the server starts again: it says that it is disconnected, and keeps its input.
      if (state.name === 'failed' || shows !== 'app') loadStatus(state)
    } else if (shows === 'app' && mayNavigate(contents.getURL(), state.url)) {
      commands.push({ name: 'server-restarted' })
    } else {
      load(new URL(path, state.url).href, 'app')
    }
  }

  function follow(url: string): void {
    const { state } = server
    if (state.name !== 'ready' || !mayNavigate(url, state.url)) return
    const { pathname, search, hash } = new URL(url)
    path = pathname + search + hash
    shows = 'app'
    onChange()
  }

  function pageEnded(): void {
    commands.newPage()
    self.menu = null
    onPageEnd()
    onChange()
  }

  function afterCrash(reason: string): void {
    log(`headgate: a window's page ended: ${reason}\n`)
    pageEnded()
    if (reason !== 'clean-exit') loadAgain(reason)
  }

  function loadAgain(reason: string): void {
    const now = Date.now()
    crashes = [...crashes.filter((at) => now - at < 60_000), now]
    shows = 'nothing'
    if (crashes.length <= MAX_CRASHES_A_MINUTE) refresh()
    else loadStatus({ name: 'crashed', times: crashes.length, reason })
  }

  /** What was typed into a locked page, and what it knows, is in its memory. */
  function keepOut(): void {
    if (!window.isDestroyed() && self.isClosed && contents.isDevToolsOpened()) contents.closeDevTools()
  }

  /** A page comes with the zoom of its address; the window's own is set again. */
  function applyZoom(): void {
    if (!window.isDestroyed()) contents.send(CHANNELS.zoom, zoom)
  }

  function place(): Omit<WindowState, 'path' | 'zoom'> {
    const { x, y, width, height } = window.getNormalBounds()
    return { x, y, width, height, maximized: window.isMaximized() }
  }

  const self: AppWindow = {
    window,
    commands,
    menu: null,
    get hasShown() {
      return hasShown
    },
    get showsApp() {
      return shows === 'app'
    },
    state() {
      if (!window.isDestroyed()) lastPlace = place()
      return { ...lastPlace, path, zoom }
    },
    get isClosed() {
      return shows === 'app' && !commands.isListening
    },
    refresh,
    listening(now) {
      commands.listening(now)
      if (!now) setTimeout(keepOut, CLOSED_AFTER_MS)
    },
    incomplete() {
      log('headgate: scripts or style sheets of a page failed to load\n')
      loadAgain('incomplete')
    },
    zoom(change) {
      zoom = zoomed(zoom, change)
      applyZoom()
      onChange()
    },
  }

  lastPlace = place()
  contents.on('did-navigate', (_event, url) => {
    pageEnded()
    follow(url)
    applyZoom()
  })
  contents.on('did-navigate-in-page', (_event, url, isMainFrame) => isMainFrame && follow(url))
  contents.on('dom-ready', applyZoom)
  contents.on('zoom-changed', (_event, direction) => self.zoom(direction))
  contents.on('did-fail-load', (_event, code, _text, _url, isMainFrame) => {
    if (isMainFrame && code !== ERR_ABORTED) shows = 'nothing'
  })
  contents.on('devtools-opened', keepOut)
  contents.on('render-process-gone', (_event, { reason }) => afterCrash(reason))
  window.once('show', () => (hasShown = true))
  window.on('page-title-updated', onChange)
  window.on('close', () => void self.state())
  for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) {
    // One signature for all four; Electron's types have one of each.
    window.on(event as 'resize', () => {
      self.state()
      onChange()
    })
  }
  if (server.state.name === 'starting') {
    setTimeout(() => shows === 'nothing' && !window.isDestroyed() && refresh(), STATUS_AFTER_MS)
  } else refresh()
  return self
}
