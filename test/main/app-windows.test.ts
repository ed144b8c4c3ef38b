import type { BrowserWindow } from 'electron'
import type { DesktopCommand } from '../../src/contract/desktop-bridge.ts'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appWindows } from '../../src/main/windows/app-windows.ts'
import { CHANNELS } from '../../src/main/bridge/channels.ts'
import type { ServerState } from '../../src/main/processes/server-process.ts'
import { DEFAULT_STATE, type WindowState } from '../../src/main/windows/window-state.ts'

const URL_A = 'http://127.0.0.1:4717'
const READY: ServerState = { name: 'ready', url: URL_A, executorKey: 'key' }
const FAILED: ServerState = { name: 'failed', message: 'In use.', details: [] }

let lastId = 0

class FakeWindow extends EventEmitter {
  readonly loaded: string[] = []
  readonly sent: unknown[] = []
  zoom: unknown = null
  bounds = { x: 40, y: 40, width: 1280, height: 800 }
  readonly calls: string[] = []
  minimized = false
  inspected = false
  url = ''
  readonly webContents = Object.assign(new EventEmitter(), {
    getURL: () => this.url,
    id: ++lastId,
    isDevToolsOpened: () => this.inspected,
    closeDevTools: () => void (this.inspected = false),
    send: (channel: string, ...args: unknown[]) => {
      if (channel === CHANNELS.command) this.sent.push(args[1])
      else this.zoom = args[0]
    },
  })

  async loadURL(url: string): Promise<void> {
    this.loaded.push(url.startsWith('data:') ? 'status' : url)
    this.arriveAt(url)
  }

  arriveAt(url: string): void {
    this.url = url
    this.webContents.emit('did-navigate', {}, url)
  }

  isDestroyed = (): boolean => false
  isMaximized = (): boolean => false
  getNormalBounds = () => this.bounds
  isMinimized = (): boolean => this.minimized
  restore = (): void => void this.calls.push('restore')
  show = (): void => {
    this.calls.push('show')
    this.emit('show')
  }
  focus = (): void => void this.calls.push('focus')
}

function opened(initial: ServerState = { name: 'starting' }, saved: WindowState[] = []) {
  const created: FakeWindow[] = []
  const asked: [WindowState | null, readonly WindowState[]][] = []
  const ended: [number, readonly DesktopCommand[]][] = []
  const server = { state: initial, onState: (listener: (state: ServerState) => void) => (listeners = [listener]) }
  let listeners: ((state: ServerState) => void)[] = []
  const windows = appWindows({
    server,
    log: () => {},
    saved,
    language: () => 'en',
    onPageEnd: (contents, waiting) => ended.push([contents, waiting]),
    create(state, others) {
      asked.push([state, others])
      const window = new FakeWindow()
      created.push(window)
      // Has what appWindows uses of a window.
      return window as unknown as BrowserWindow
    },
  })
  const become = (state: ServerState): void => {
    server.state = state
    for (const listener of listeners) listener(state)
  }
  if (saved.length === 0) windows.open()
  const first = created[0]!
  /** Has what appWindows uses of a window. */
  const real = (window: FakeWindow) => window as unknown as BrowserWindow
  const listen = (window = first): void => windows.listening(real(window), true)
  return { windows, created, asked, ended, become, first, real, listen }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a quick start goes straight to the app, a slow one says that it starts', () => {
  const quick = opened()
  quick.become(READY)
  vi.advanceTimersByTime(1_000)
  expect(quick.first.loaded).toEqual([`${URL_A}/`])
  const slow = opened()
  vi.advanceTimersByTime(1_000)
  expect(slow.first.loaded).toEqual(['status'])
  slow.become(READY)
  expect(slow.first.loaded).toEqual(['status', `${URL_A}/`])
})

test('a server that is back at its address does not cost unsaved input', () => {
  const { become, first, listen } = opened(READY)
  first.arriveAt(`${URL_A}/tasks/3`)
  listen()
  become({ name: 'starting' })
  become(READY)
  expect(first.loaded).toEqual([`${URL_A}/`])
  expect(first.sent).toEqual([{ name: 'server-restarted' }])
})

test('a server that has moved is followed to the same place in the app', () => {
  const { become, first } = opened(READY)
  first.webContents.emit('did-navigate-in-page', {}, `${URL_A}/tasks/3?tab=runs#L1`, true)
  become({ ...READY, url: 'http://127.0.0.1:5000' })
  expect(first.loaded.at(-1)).toBe('http://127.0.0.1:5000/tasks/3?tab=runs#L1')
})

test('a page that failed to load while the server was away is loaded again', () => {
  const { become, first } = opened(READY)
  first.webContents.emit('did-fail-load', {}, -102, 'ERR_CONNECTION_REFUSED', `${URL_A}/`, true)
  become({ name: 'starting' })
  become(READY)
  expect(first.loaded.at(-1)).toBe(`${URL_A}/`)
  expect(first.sent).toEqual([])
})

test('a failure is shown, and the app after it', () => {
  const { become, first } = opened()
  become(FAILED)
  become({ name: 'starting' })
  become(READY)
  expect(first.loaded).toEqual(['status', 'status', `${URL_A}/`])
})

test('a server that dies again and again before it is ready does not reload the status page each time', () => {
  const { become, first } = opened()
  for (let n = 1; n <= 3; n++) become({ name: 'starting' })
  become(FAILED)
  become(FAILED)
  expect(first.loaded).toEqual(['status', 'status'])
})

test('a crashed page is loaded again, but not for ever', () => {
  const { first } = opened(READY)
  const crash = (): void => void first.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
  for (let n = 1; n <= 3; n++) crash()
  expect(first.loaded).toEqual(Array(4).fill(`${URL_A}/`))
  crash()
  expect(first.loaded.at(-1)).toBe('status')
})

test('commands go to the window that was used last, and only to a page that listens', () => {
  const { windows, created, become, first, real, listen } = opened()
  windows.command({ name: 'run', id: 'new-task' })
  become(READY)
  listen()
  windows.open('/runs')
  listen(created[1])
  expect(created[1]!.loaded).toEqual([`${URL_A}/runs`])
  first.emit('focus')
  windows.command({ name: 'run', id: 'save' })
  windows.command({ name: 'run', id: 'sign-out' }, real(created[1]!))
  expect(first.sent).toEqual([{ name: 'run', id: 'save' }])
  expect(created[1]!.sent).toEqual([{ name: 'run', id: 'sign-out' }])
  windows.broadcast({ name: 'update', update: { state: 'off' } })
  expect([first.sent.length, created[1]!.sent.length]).toEqual([2, 2])
})

test('a link leads the window last used there once its page listens; without one it opens there', () => {
  const { windows, created, become, first, listen } = opened()
  windows.navigate('/runs/17')
  // What is not painted yet is not shown: it comes by itself.
  expect(first.calls).toEqual([])
  first.emit('show')
  windows.navigate('/runs/18')
  become(READY)
  expect(first.sent).toEqual([])
  listen()
  // Of what was asked for meanwhile the last.
  expect(first.sent).toEqual([{ name: 'navigate', path: '/runs/18' }])
  expect(first.calls).toEqual(['show', 'focus'])
  first.emit('closed')
  windows.navigate('/jobs/3')
  expect(created[1]!.loaded).toEqual([`${URL_A}/jobs/3`])
})

test('what a page may read ends with it, but for files that still wait', () => {
  const { windows, ended, first, listen } = opened(READY)
  const file = { token: 't', name: 'a.csv', path: '/a.csv', kind: 'data', size: 1 } as const
  windows.command({ name: 'open-file', file })
  first.arriveAt(`${URL_A}/`)
  expect(ended.at(-1)).toEqual([first.webContents.id, [{ name: 'open-file', file }]])
  listen()
  windows.heard(first as unknown as BrowserWindow, 1)
  first.webContents.emit('render-process-gone', {}, { reason: 'crashed' })
  expect(ended.find(([, waiting]) => waiting.length === 0)).toBeDefined()
  first.emit('closed')
  expect(ended.at(-1)).toEqual([first.webContents.id, []])
})

test('focus brings a minimized window back, or opens one when all are closed, where the last one was', () => {
  const { windows, created, asked, first } = opened(READY)
  first.minimized = true
  first.emit('show')
  windows.focus()
  expect(first.calls).toEqual(['restore', 'show', 'focus'])
  first.bounds = { ...first.bounds, x: 300 }
  first.emit('close')
  first.emit('closed')
  expect(windows.states()).toMatchObject([{ x: 300, path: '/' }])
  windows.focus()
  expect(created).toHaveLength(2)
  expect(asked[1]![0]).toMatchObject({ x: 300 })
})

test('windows come back with their paths and zoom, which each keeps for itself', () => {
  const saved = [
    { ...DEFAULT_STATE, path: '/runs', zoom: 125 },
    { ...DEFAULT_STATE, path: '/tasks/3#L1' },
  ]
  const { windows, created, become } = opened({ name: 'starting' }, saved)
  // A start without windows: they come when somebody wants to see the app.
  expect(created).toEqual([])
  windows.focus()
  become(READY)
  const [runs, tasks] = created
  expect([runs!.loaded, tasks!.loaded]).toEqual([[`${URL_A}/runs`], [`${URL_A}/tasks/3#L1`]])
  expect([runs!.zoom, tasks!.zoom]).toEqual([125, 100])
  windows.zoom('in')
  expect([runs!.zoom, tasks!.zoom]).toEqual([125, 110])
  expect(windows.states().map(({ path, zoom }) => [path, zoom])).toEqual([
    ['/runs', 125],
    ['/tasks/3#L1', 110],
  ])
})

test('the menu is that of the window used last, as long as its page listens', () => {
  const { windows, created, first, real, listen } = opened(READY)
  const menu = { language: 'de', commands: [] }
  windows.setMenu(real(first), menu)
  expect(windows.menu()).toBeNull()
  listen()
  expect(windows.menu()).toBe(menu)
  windows.open('/runs')
  expect(windows.menu()).toBeNull()
  first.emit('focus')
  expect(windows.menu()).toBe(menu)
  windows.listening(real(created[0]!), false)
  expect(windows.menu()).toBeNull()
})

test('a page whose scripts did not come is loaded when the server is back, and not for ever while it is there', () => {
  const { windows, become, first, real } = opened(READY)
  become({ name: 'starting' })
  windows.incomplete(real(first))
  expect(first.loaded).toEqual([`${URL_A}/`, 'status'])
  become(READY)
  expect(first.loaded.slice(2)).toEqual([`${URL_A}/`])
  for (let n = 2; n <= 4; n++) windows.incomplete(real(first))
  expect(first.loaded.slice(3)).toEqual([`${URL_A}/`, `${URL_A}/`, 'status'])
})

test('developer tools end with the lock of the window, and cannot be opened while it lasts', () => {
  const { windows, first, real, listen } = opened(READY)
  listen()
  first.inspected = true
  // A page that changes who listens is not locked.
  windows.listening(real(first), false)
  listen()
  vi.advanceTimersByTime(1_000)
  expect([windows.mayInspect(), first.inspected]).toEqual([true, true])
  windows.listening(real(first), false)
  vi.advanceTimersByTime(1_000)
  expect([windows.mayInspect(), first.inspected]).toEqual([false, false])
  first.inspected = true
  first.webContents.emit('devtools-opened')
  expect(first.inspected).toBe(false)
})

test('whoever stays with unsaved input when the server fails still has his page, and is told when it is back', async () => {
  const { become, first, listen } = opened(READY)
  listen()
  first.loadURL = () => Promise.reject(Object.assign(new Error('aborted'), { errno: -3 }))
  become(FAILED)
  await vi.advanceTimersByTimeAsync(0)
  become(READY)
  expect(first.loaded).toEqual([`${URL_A}/`])
  expect(first.sent).toEqual([{ name: 'server-restarted' }])
})
