import { app, BrowserWindow } from 'electron'

export interface ShutdownOptions {
  /** In this order, each bounded in time by itself. */
  drains: (() => Promise<void>)[]
  /** Before a signal closes the windows. */
  onSignal: () => void
  log: (text: string) => void
}

export interface Shutdown {
  /** The processes begin to end now, and the app ends after them, whether it was told to quit or not. */
  drain(): void
}

/** Quitting closes the windows, then ends the processes in order, then the app with status 0. */
export function drainBeforeQuit({ drains, onSignal, log }: ShutdownOptions): Shutdown {
  let drained = false
  let draining: Promise<void> | null = null
  app.on('will-quit', (event) => {
    if (drained) return
    event.preventDefault()
    drain()
  })

  function drain(): void {
    draining ??= drainAndQuit()
  }

  async function drainAndQuit(): Promise<void> {
    await drainAll(drains, log)
    drained = true
    app.quit()
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      onSignal()
      // Whoever sends a signal cannot answer a question about unsaved input.
      for (const window of BrowserWindow.getAllWindows()) window.destroy()
      app.quit()
    })
  }
  return { drain }
}

async function drainAll(drains: ShutdownOptions['drains'], log: (text: string) => void): Promise<void> {
  for (const drain of drains) {
    try {
      await drain()
    } catch (error) {
      log(`headgate: a process didn’t shut down cleanly: ${String(error)}\n`)
    }
  }
}
