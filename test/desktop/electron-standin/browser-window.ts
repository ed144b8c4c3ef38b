import { app } from './app.ts'
import { devTools } from './browser.ts'
import { unlessGone, type Params } from './cdp.ts'
import { newEvent } from './events.ts'
import { BINDING, pageScript } from './ipc.ts'
import { NavigationGate } from './navigation.ts'
import { focusedWindow, openWindows, setFocusedWindow } from './open-windows.ts'
import { WebContents } from './web-contents.ts'
import { WindowFrame } from './window-frame.ts'

export interface WindowOptions {
  x?: number
  y?: number
  width?: number
  height?: number
  show?: boolean
  title?: string
  webPreferences?: { preload?: string; additionalArguments?: string[] }
}

let lastId = 0

/** A window of Electron's, as a Chromium window of its own. */
export class BrowserWindow extends WindowFrame {
  readonly id = ++lastId
  readonly webContents: WebContents
  /** Settles when the Chromium window is there. */
  readonly up: Promise<void>
  targetId = ''
  readonly #options: WindowOptions
  #sessionId = ''
  #windowId = 0
  #gate: NavigationGate | null = null
  #visible: boolean
  #painted = false
  #closed = false

  static getAllWindows(): BrowserWindow[] {
    return [...openWindows.values()]
  }

  static fromWebContents(contents: WebContents | undefined): BrowserWindow | null {
    return contents?.window ?? null
  }

  static fromId(id: number): BrowserWindow | null {
    return openWindows.get(id) ?? null
  }

  static getFocusedWindow(): BrowserWindow | null {
    return focusedWindow()
  }

  constructor(options: WindowOptions = {}) {
    super(options, options.title ?? app.name)
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    this.#options = options
    this.#visible = options.show !== false
    this.webContents = new WebContents(this, (inner) => new BrowserWindow(inner))
    openWindows.set(this.id, this)
    this.up = this.#open()
    unlessGone(this.up)
    // Electron tells of the contents while it constructs the window, before the app can load anything.
    app.emit('web-contents-created', newEvent(), this.webContents)
    app.emit('browser-window-created', newEvent(), this)
    if (this.#visible) this.focus()
  }

  async #open(): Promise<void> {
    const cdp = devTools()
    const { x, y, width, height } = this.getBounds()
    const place = { left: x, top: y, width, height }
    const target = await cdp.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...place })
    this.targetId = target.targetId as string
    const attached = await cdp.send('Target.attachToTarget', { targetId: this.targetId, flatten: true })
    this.#sessionId = attached.sessionId as string
    const send = (method: string, params?: Params): Promise<Params> => cdp.send(method, params, this.#sessionId)
    this.#gate = new NavigationGate(this.webContents, send, this.targetId)
    cdp.on(`@${this.#sessionId}`, (method: string, params: Params) => this.#onPageEvent(method, params))
    const { preload, additionalArguments = [] } = this.#options.webPreferences ?? {}
    await Promise.all([
      send('Page.enable'),
      send('Runtime.enable'),
      send('Runtime.addBinding', { name: BINDING }),
      send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript(preload, additionalArguments) }),
      this.#gate.enable(),
    ])
    this.#windowId = (await send('Browser.getWindowForTarget')).windowId as number
  }

  #onPageEvent(method: string, params: Params): void {
    const contents = this.webContents
    if (method === 'Runtime.bindingCalled' && params.name === BINDING) {
      void contents.hear(params.payload as string, params.executionContextId as number)
    } else if (method === 'Fetch.requestPaused' && this.#gate) {
      unlessGone(this.#gate.onRequestPaused(params))
    } else if (method === 'Page.frameNavigated') {
      this.#onNavigated(params.frame as { parentId?: string; url: string; unreachableUrl?: string })
    } else if (method === 'Page.navigatedWithinDocument' && params.frameId === this.targetId) {
      contents.mainFrame.url = params.url as string
      contents.emit('did-navigate-in-page', newEvent(), params.url, true)
    } else if (method === 'Page.domContentEventFired') {
      contents.emit('dom-ready', newEvent())
    } else if (method === 'Page.loadEventFired' && contents.mainFrame.url !== 'about:blank') {
      contents.emit('did-finish-load', newEvent())
      if (!this.#painted) this.emit('ready-to-show', newEvent())
      this.#painted = true
    }
  }

  #onNavigated(frame: { parentId?: string; url: string; unreachableUrl?: string }): void {
    if (frame.parentId) return
    this.webContents.mainFrame.url = frame.url
    if (frame.unreachableUrl) {
      this.webContents.emit('did-fail-load', newEvent(), -2, 'ERR_FAILED', frame.unreachableUrl, true)
    } else {
      this.webContents.emit('did-navigate', newEvent(), frame.url, 200, '')
    }
  }

  async command(method: string, params?: Params): Promise<Params> {
    await this.up
    return devTools().send(method, params, this.#sessionId)
  }

  async navigateFromMain(url: string): Promise<Params> {
    await this.up
    return this.#gate!.fromMain(() => this.command('Page.navigate', { url }))
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }

  // ---- closing

  /** False when the app prevented it. */
  tryClose(): boolean {
    if (this.#closed) return true
    const event = newEvent()
    this.emit('close', event)
    if (event.defaultPrevented) return false
    this.destroy()
    return true
  }

  close(): void {
    this.tryClose()
  }

  destroy(): void {
    if (this.#closed) return
    unlessGone(this.up.then(() => devTools().send('Target.closeTarget', { targetId: this.targetId })))
    this.#gone()
  }

  /** The Chromium window was closed from outside, as by a click on its frame. */
  targetGone(): void {
    if (this.#closed) return
    this.emit('close', newEvent())
    this.#gone()
  }

  #gone(): void {
    this.#closed = true
    openWindows.delete(this.id)
    if (focusedWindow() === this) setFocusedWindow(null)
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (openWindows.size > 0 || app.quitting) return
    if (!app.emit('window-all-closed')) app.quit()
  }

  isDestroyed(): boolean {
    return this.#closed
  }

  show(): void {
    this.#visible = true
    this.emit('show')
    this.focus()
  }

  showInactive(): void {
    this.#visible = true
    this.emit('show')
  }

  hide(): void {
    this.#visible = false
    this.emit('hide')
  }

  isVisible(): boolean {
    return this.#visible
  }

  focus(): void {
    if (focusedWindow() !== this) focusedWindow()?.emit('blur')
    setFocusedWindow(this)
    unlessGone(this.up.then(() => devTools().send('Target.activateTarget', { targetId: this.targetId })))
    this.emit('focus', newEvent())
    app.emit('browser-window-focus', newEvent(), this)
  }

  blur(): void {
    if (focusedWindow() !== this) return
    setFocusedWindow(null)
    this.emit('blur')
  }

  isFocused(): boolean {
    return focusedWindow() === this
  }

  /** The page's title has changed. */
  titleIs(title: string): void {
    if (title === this.getTitle() || title === '' || this.webContents.getURL() === '') return
    const event = newEvent()
    this.emit('page-title-updated', event, title, true)
    if (!event.defaultPrevented) this.setTitle(title)
  }

  protected override applyBounds(bounds: Params): void {
    unlessGone(this.up.then(() => devTools().send('Browser.setWindowBounds', { windowId: this.#windowId, bounds })))
  }
}
