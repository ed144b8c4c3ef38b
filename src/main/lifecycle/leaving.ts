import { app, type BrowserWindow } from 'electron'

export interface LeavingOptions {
  /** Windows whose pages may hold unsaved input. */
  windows: () => BrowserWindow[]
  /** True: leave it. `answers`: its page has said that something is not saved; else it says nothing at all. */
  ask: (window: BrowserWindow, answers: boolean) => Promise<boolean>
  /** All have agreed: the windows close now. */
  onLeave: () => void
}

export interface Leaving {
  /** True once everybody has agreed; no window asks again. */
  readonly agreed: boolean
  /** Asks each window with unsaved input, one after the other. False when the user stays; then nothing has closed. */
  mayQuit(): Promise<boolean>
  /** The user stayed after all. */
  callOff(): void
}

/** A page that is busy for longer may hold unsaved input: its user is asked. */
const ANSWER_MS = 4_000

/**
 * Electron would close all windows that have nothing to lose before the user says that he stays. So the pages are asked
 * first, and quitting begins when all may go.
 */
export function askBeforeQuit({ windows, ask, onLeave }: LeavingOptions): Leaving {
  let agreed = false
  let asking: Promise<boolean> | null = null

  async function askAll(): Promise<boolean> {
    for (const window of windows()) {
      const unsaved = window.isDestroyed() ? false : await hasUnsavedInput(window)
      if (unsaved === false || window.isDestroyed()) continue
      window.show()
      window.focus()
      if (!(await ask(window, unsaved !== null))) return false
    }
    return true
  }

  async function mayQuit(): Promise<boolean> {
    asking ??= askAll().finally(() => (asking = null))
    agreed = await asking
    if (agreed) onLeave()
    return agreed
  }

  app.on('before-quit', (event) => {
    if (agreed || windows().length === 0) return onLeave()
    event.preventDefault()
    if (!asking) void mayQuit().then((may) => may && app.quit())
  })

  return {
    get agreed() {
      return agreed
    },
    mayQuit,
    callOff: () => void (agreed = false),
  }
}

/** What the page would answer to being closed; null when it does not answer. */
async function hasUnsavedInput(window: BrowserWindow): Promise<boolean | null> {
  // Nothing was typed yet, and Electron would ask it only when all is there.
  if (window.webContents.isLoadingMainFrame()) return false
  const question = `!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))`
  const late = new Promise<null>((resolve) => void setTimeout(resolve, ANSWER_MS, null).unref())
  try {
    // What a page says is of any type.
    const mayLeave: unknown = await Promise.race([window.webContents.executeJavaScript(question), late])
    return mayLeave === null ? null : mayLeave === true
  } catch {
    // The page ended meanwhile, and its input with it.
    return false
  }
}
