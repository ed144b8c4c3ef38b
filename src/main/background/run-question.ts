import type { App } from 'electron'

export interface RunQuestionOptions {
  app: Pick<App, 'on' | 'quit'>
  /** Runs under way; null: not known, as the server starts again. */
  running: () => number | null
  /** One question, natively. */
  ask: (running: number) => Promise<'wait' | 'now' | 'stay'>
  /** Whether the server gives runs to executors. */
  handOut: (on: boolean) => void
  /** The app does not end for now: windows may be used as before. */
  onStay: () => void
  onChange: () => void
}

export interface RunQuestion {
  /** The app ends when its runs have ended. */
  readonly waits: boolean
  /** To be called whenever the number of runs may have changed. */
  look(): void
  /** Another server is there, which knows nothing of what was asked of the one before. */
  serverReady(): void
  /** Somebody ends the app who cannot be asked: the system, or a signal. */
  silence(): void
}

/** When unsaved input has kept the app open for so long after its runs had ended, runs begin again. */
const STAYS_MS = 30_000

/** Quitting while runs are under way asks what is to become of them. To be called after whoever asks about unsaved input. */
export function askAboutRuns(options: RunQuestionOptions): RunQuestion {
  const { app, running, ask, handOut, onStay, onChange } = options
  let waits = false
  let asking = false
  let silent = false
  let ending = false

  async function question(): Promise<void> {
    // A question that could not be shown must be possible the next time.
    const answer = await ask(running() ?? 0).finally(() => (asking = false))
    // They may have ended while the question stood there.
    if (answer === 'now' || (answer === 'wait' && running() === 0)) {
      silent = true
      return app.quit()
    }
    waits = answer === 'wait'
    handOut(!waits)
    onStay()
    onChange()
  }

  function end(): void {
    waits = false
    onChange()
    app.quit()
    setTimeout(() => {
      if (!ending && !waits) handOut(true)
    }, STAYS_MS).unref()
  }

  app.on('before-quit', (event) => {
    if (event.defaultPrevented || silent || (running() ?? 0) === 0) return
    event.preventDefault()
    if (asking) return
    asking = true
    void question()
  })
  app.on('will-quit', () => (ending = true))

  return {
    get waits() {
      return waits
    },
    look() {
      if (waits && running() === 0) end()
    },
    serverReady() {
      if (waits) handOut(false)
    },
    silence: () => void (silent = true),
  }
}
