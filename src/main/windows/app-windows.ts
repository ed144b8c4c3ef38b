import type { BrowserWindow } from 'electron'
import type { DesktopCommand, DesktopMenuState } from '../../contract/desktop-bridge.ts'
import { appWindow, type AppWindow } from './app-window.ts'
import type { ServerProcess } from '../processes/server-process.ts'
import type { WindowState } from './window-state.ts'
import type { ZoomChange } from './zoom.rules.ts'

export interface AppWindows {
  /** The windows of the last time; the last one gets the focus. */
  restore(): void
  open(path?: string): void
  /** Brings the given window, else the one last used, to the front; opens one when there is none. */
  focus(window?: BrowserWindow | null): void
  /** Leads the window that was last used to a path of the app, or opens one there, in front. */
  navigate(path: string): void
  /** To the given window, else to the one last used. Links and files wait until its page listens. */
  command(command: DesktopCommand, window?: BrowserWindow): void
  /** To every page that listens. */
  broadcast(command: DesktopCommand): void
  /** The window last used; a new one when there is none. */
  current(): BrowserWindow
  /** Loads the window's page again, as after too many crashes. */
  retry(window: BrowserWindow): void
  zoom(change: ZoomChange): void
  setMenu(window: BrowserWindow, state: DesktopMenuState): void
  listening(window: BrowserWindow, now: boolean): void
  heard(window: BrowserWindow, id: number): void
  /** Parts of its page did not come. */
  incomplete(window: BrowserWindow): void
  /** For the menu: what the page of the window last used can do, if it listens. */
  menu(): DesktopMenuState | null
  /** For the menu: whether the window last used may be looked into. */
  mayInspect(): boolean
  /** In the order they were used, the last one at the end. */
  all(): readonly AppWindow[]
  /** What comes back after a restart: the open windows, or the one that closed last. */
  states(): WindowState[]
  /** Windows came, went, got the focus, moved, or their pages can do other things. */
  onChange(listener: () => void): void
}

export interface AppWindowsOptions {
  server: Pick<ServerProcess, 'state' | 'onState'>
  /** A new window; without a state, one beside the given others. */
  create: (state: WindowState | null, others: readonly WindowState[], focus: boolean) => BrowserWindow
  /** The windows of the last time, to come back when the first one is wanted. */
  saved: readonly WindowState[]
  language: () => string
  /** The page of the window with this id of contents has ended; these commands still wait for the next. */
  onPageEnd: (contents: number, waiting: readonly DesktopCommand[]) => void
  log: (text: string) => void
}

/** The open windows. */
export function appWindows({ server, create, saved, language, onPageEnd, log }: AppWindowsOptions): AppWindows {
  const open: AppWindow[] = []
  const listeners: (() => void)[] = []
  let lastClosed: WindowState | null = null
  /** Windows were there in this start. */
  let begun = false
  const changed = (): void => listeners.forEach((listener) => listener())
  const find = (window: BrowserWindow): AppWindow | undefined => open.find((one) => one.window === window)

  function add(state: WindowState | null, path: string, focus = true): AppWindow {
    begun = true
    const others = open.length > 0 || !lastClosed ? open.map((one) => one.state()) : [lastClosed]
    const window = create(state ?? (open.length === 0 ? lastClosed : null), others, focus)
    const { id } = window.webContents
    const entry = appWindow({
      window,
      start: { path, zoom: state?.zoom ?? others.at(-1)?.zoom ?? 100 },
      server,
      language,
      log,
      onChange: changed,
      onPageEnd: () => onPageEnd(id, entry.commands.waiting()),
    })
    open.push(entry)
    window.on('closed', () => {
      lastClosed = entry.state()
      open.splice(open.indexOf(entry), 1)
      onPageEnd(id, [])
      changed()
    })
    window.on('focus', () => {
      open.push(...open.splice(open.indexOf(entry), 1))
      changed()
    })
    changed()
    return entry
  }

  /** After a start without windows, by the user's login, the first look at the app brings them all. */
  function restore(): AppWindow {
    if (begun) return add(null, '/')
    begun = true
    return saved.map((state, at) => add(state, state.path, at === saved.length - 1)).at(-1) ?? add(null, '/')
  }

  function bringToFront({ window, hasShown }: AppWindow): void {
    // It comes by itself when there is something in it to see.
    if (!hasShown) return
    if (window.isMinimized()) window.restore()
    window.show()
    window.focus()
  }

  server.onState(() => open.forEach((entry) => entry.refresh()))

  return {
    restore: () => void restore(),
    open: (path = '/') => void add(null, path),
    focus(window) {
      const entry = (window && find(window)) ?? open.at(-1)
      if (entry) bringToFront(entry)
      else restore()
    },
    navigate(path) {
      if (open.length === 0 && (begun || saved.length === 0)) return void add(null, path)
      const last = open.at(-1) ?? restore()
      last.commands.push({ name: 'navigate', path })
      bringToFront(last)
    },
    command(command, window) {
      const entry = (window && find(window)) ?? open.at(-1)
      entry?.commands.push(command)
    },
    broadcast: (command) => open.forEach((entry) => entry.commands.push(command)),
    current: () => (open.at(-1) ?? restore()).window,
    retry: (window) => find(window)?.refresh(),
    zoom: (change) => open.at(-1)?.zoom(change),
    setMenu(window, state) {
      const entry = find(window)
      if (!entry) return
      entry.menu = state
      changed()
    },
    listening(window, now) {
      find(window)?.listening(now)
      changed()
    },
    incomplete: (window) => find(window)?.incomplete(),
    heard: (window, id) => find(window)?.commands.heard(id),
    menu() {
      const last = open.at(-1)
      return last?.commands.isListening ? last.menu : null
    },
    mayInspect: () => open.at(-1)?.isClosed !== true,
    all: () => open,
    states() {
      if (open.length > 0) return open.map((entry) => entry.state())
      return lastClosed ? [lastClosed] : []
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
