import { EventEmitter } from 'node:events'
import type { BrowserWindow, WindowOptions } from './browser-window.ts'
import { browserPid } from './browser.ts'
import { unlessGone, type Params } from './cdp.ts'
import { decode, encode } from './codec.ts'
import { session } from './desktop.ts'
import { newEvent } from './events.ts'
import { ipcMain, type FromPage, type ToPage } from './ipc.ts'

type OpenHandler = (details: { url: string; frameName: string; features: string; disposition: string }) => {
  action: 'allow' | 'deny'
  overrideBrowserWindowOptions?: WindowOptions
}

/** Electron's net error codes that a load can end with. */
const NET_ERRORS: Record<string, number> = {
  'net::ERR_ABORTED': -3,
  'net::ERR_CONNECTION_REFUSED': -102,
  'net::ERR_CONNECTION_RESET': -101,
  'net::ERR_EMPTY_RESPONSE': -324,
}

let lastId = 0

export class WebContents extends EventEmitter {
  readonly id = ++lastId
  readonly session = session.defaultSession
  readonly mainFrame = { url: '', parent: null }
  readonly #window: BrowserWindow
  readonly #openWindow: (options?: WindowOptions) => BrowserWindow
  #openHandler: OpenHandler | null = null

  constructor(window: BrowserWindow, openWindow: (options?: WindowOptions) => BrowserWindow) {
    super()
    this.#window = window
    this.#openWindow = openWindow
  }

  get window(): BrowserWindow {
    return this.#window
  }

  /** A DevTools command to this page, once it is there. */
  command(method: string, params?: Params): Promise<Params> {
    return this.#window.command(method, params)
  }

  async loadURL(url: string): Promise<void> {
    await this.#window.up
    const finished = new Promise<void>((resolve) => this.once('did-finish-load', () => resolve()))
    const result = await this.#window.navigateFromMain(url)
    const errorText = result.errorText as string | undefined
    if (errorText) throw loadError(errorText, url)
    // Without a loader it was a change of the fragment.
    if (result.loaderId) await finished
  }

  send(channel: string, ...args: unknown[]): void {
    if (!this.isDestroyed()) this.#deliver({ kind: 'event', channel, args: args.map(encode) })
  }

  /** A message of the page's shim. */
  async hear(payload: string, contextId: number): Promise<void> {
    const message = JSON.parse(payload) as FromPage
    if (message.kind === 'open') return this.#askToOpen(message)
    if (message.kind === 'files') return this.#tellPaths(message.id, contextId)
    const args = message.args.map(decode)
    const event = newEvent({
      sender: this,
      senderFrame: { ...this.mainFrame },
      type: 'frame',
      processId: 1,
      frameId: 1,
    })
    if (message.kind === 'send') {
      ipcMain.emit(message.channel, event, ...args)
      return
    }
    const { id, channel } = message
    try {
      const handler = ipcMain.handlers.get(channel)
      if (!handler) throw new Error(`No handler registered for '${channel}'`)
      this.#deliver({ kind: 'reply', id, channel, value: encode(await handler(event, ...args)) }, contextId)
    } catch (error) {
      this.#deliver({ kind: 'reply', id, channel, error: String(error) }, contextId)
    }
  }

  #deliver(message: ToPage, contextId?: number): void {
    const expression = `window.__standinDeliver?.(${JSON.stringify(message)})`
    unlessGone(this.command('Runtime.evaluate', { expression, contextId }))
  }

  /** Chromium knows the paths of files that somebody dropped or chose. */
  async #tellPaths(id: number, contextId: number): Promise<void> {
    const paths: string[] = []
    for (;;) {
      const expression = `window.__standinFiles(${id})[${paths.length}]`
      const reply = await this.command('Runtime.evaluate', { expression, contextId })
      const result = reply.result as { objectId?: string }
      if (!result.objectId) break
      paths.push((await this.command('DOM.getFileInfo', { objectId: result.objectId })).path as string)
    }
    this.#deliver({ kind: 'paths', id, paths }, contextId)
  }

  #askToOpen({ url, frameName, features }: Extract<FromPage, { kind: 'open' }>): void {
    const answer = this.#openHandler?.({ url, frameName, features, disposition: 'foreground-tab' }) ?? {
      action: 'allow',
    }
    if (answer.action === 'allow') unlessGone(this.#openWindow(answer.overrideBrowserWindowOptions).loadURL(url))
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  async executeJavaScript(expression: string): Promise<unknown> {
    const reply = await this.command('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const { result, exceptionDetails } = reply as { result: { value: unknown }; exceptionDetails?: { text: string } }
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result.value
  }

  getURL(): string {
    return this.mainFrame.url
  }

  getTitle(): string {
    return this.#window.getTitle()
  }

  /** Scripts run here as soon as there is a document. */
  isLoadingMainFrame(): boolean {
    return false
  }

  reload(): void {
    unlessGone(this.command('Page.reload'))
  }

  close(): void {
    this.#window.close()
  }

  isDestroyed(): boolean {
    return this.#window.isDestroyed()
  }

  getOSProcessId(): number {
    return browserPid()
  }

  #inspected = false

  isDevToolsOpened(): boolean {
    return this.#inspected
  }

  openDevTools(): void {
    this.#inspected = true
    this.emit('devtools-opened')
  }

  closeDevTools(): void {
    this.#inspected = false
    this.emit('devtools-closed')
  }

  focus(): void {}
  setZoomLevel(): void {}
}

function loadError(errorText: string, url: string): Error {
  const code = errorText.replace('net::', '')
  return Object.assign(new Error(`${code} (${NET_ERRORS[errorText] ?? -2}) loading '${url.slice(0, 200)}'`), {
    errno: NET_ERRORS[errorText] ?? -2,
    code,
    url,
  })
}
