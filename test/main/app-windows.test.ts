import type { BrowserWindow } from 'electron'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { appWindows } from '../../src/main/app-windows.ts'
import type { ServerState } from '../../src/main/server-process.ts'

const URL_A = 'http://127.0.0.1:4717'
const READY: ServerState = { name: 'ready', url: URL_A, executorKey: 'key' }
const FAILED: ServerState = { name: 'failed', message: 'In use.', details: [] }

class FakeWindow extends EventEmitter {
  readonly loaded: string[] = []
  readonly sent: unknown[] = []
  readonly calls: string[] = []
  minimized = false
  url = ''
  readonly webContents = Object.assign(new EventEmitter(), {
    getURL: () => this.url,
    send: (_channel: string, message: unknown) => void this.sent.push(message),
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
  isMinimized = (): boolean => this.minimized
  restore = (): void => void this.calls.push('restore')
  show = (): void => void this.calls.push('show')
  focus = (): void => void this.calls.push('focus')
}

function opened(initial: ServerState = { name: 'starting' }) {
  const created: FakeWindow[] = []
  const server = { state: initial, onState: (listener: (state: ServerState) => void) => (listeners = [listener]) }
  let listeners: ((state: ServerState) => void)[] = []
  const windows = appWindows({
    server,
    log: () => {},
    create() {
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
  windows.open()
  return { windows, created, become, first: created[0]! }
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
  const { become, first } = opened(READY)
  first.arriveAt(`${URL_A}/tasks/3`)
  become({ name: 'starting' })
  become(READY)
  expect(first.loaded).toEqual([`${URL_A}/`])
  expect(first.sent).toEqual([{ name: 'server-restarted' }])
})

test('a server that has moved is followed to the same place in the app', () => {
  const { become, first } = opened(READY)
  first.webContents.emit('did-navigate-in-page', {}, `${URL_A}/tasks/3?tab=runs#L1`)
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

test('commands go to the window that was used last, and not to a status page', () => {
  const { windows, created, become, first } = opened()
  windows.command({ name: 'new-task' })
  expect(first.sent).toEqual([])
  become(READY)
  windows.open('/runs')
  expect(created[1]!.loaded).toEqual([`${URL_A}/runs`])
  first.emit('focus')
  windows.command({ name: 'new-task' })
  windows.command({ name: 'sign-out' }, created[1] as unknown as BrowserWindow)
  expect([first.sent, created[1]!.sent]).toEqual([[{ name: 'new-task' }], [{ name: 'sign-out' }]])
})

test('focus brings a minimized window back, or opens one when all are closed', () => {
  const { windows, created, first } = opened(READY)
  first.minimized = true
  windows.focus()
  expect(first.calls).toEqual(['restore', 'show', 'focus'])
  first.emit('closed')
  windows.focus()
  expect(created).toHaveLength(2)
})
