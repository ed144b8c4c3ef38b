import type { EventEmitter } from 'node:events'
import type { Params } from './cdp.ts'
import { newEvent } from './events.ts'

type Send = (method: string, params?: Params) => Promise<Params>

/**
 * `will-navigate` and `will-redirect`: Chromium is asked to stop before it requests a document, and goes on unless the app
 * prevents it. What main itself loads is not asked about, as in Electron.
 */
export class NavigationGate {
  readonly #contents: EventEmitter
  readonly #send: Send
  readonly #mainFrame: string
  #loadingFromMain = false

  constructor(contents: EventEmitter, send: Send, mainFrame: string) {
    this.#contents = contents
    this.#send = send
    this.#mainFrame = mainFrame
  }

  async enable(): Promise<void> {
    await this.#send('Fetch.enable', { patterns: [{ urlPattern: '*', resourceType: 'Document' }] })
  }

  /** Around a load that main asked for. */
  async fromMain<T>(load: () => Promise<T>): Promise<T> {
    this.#loadingFromMain = true
    try {
      return await load()
    } finally {
      this.#loadingFromMain = false
    }
  }

  async onRequestPaused(params: Params): Promise<void> {
    const { requestId, frameId, request, redirectedRequestId } = params as {
      requestId: string
      frameId: string
      request: { url: string }
      redirectedRequestId?: string
    }
    if (frameId === this.#mainFrame && !this.#allows(request.url, redirectedRequestId !== undefined)) {
      await this.#send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    } else {
      await this.#send('Fetch.continueRequest', { requestId })
    }
  }

  #allows(url: string, isRedirect: boolean): boolean {
    if (!isRedirect && this.#loadingFromMain) return true
    const event = newEvent({ url, isMainFrame: true, isSameDocument: false, frame: null })
    this.#contents.emit(isRedirect ? 'will-redirect' : 'will-navigate', event, url)
    return !event.defaultPrevented
  }
}
