/** What this needs of a window: Windows asks each whether the session may end, and then tells it that it ends. */
interface SessionWindow {
  on(event: 'query-session-end', listener: (event: { preventDefault(): void }) => void): unknown
  on(event: 'session-end', listener: () => void): unknown
}

export interface SessionEndOptions {
  /** Tells the processes to end, before it returns. */
  drain: () => void
  /** Ends the app when they have; nobody is asked. */
  quit: () => void
  log: (text: string) => void
  /** For tests: when the event was answered. */
  soon?: (act: () => void) => void
}

/**
 * A logout, a restart or a shutdown of Windows. Asked, the app says no and ends by itself: Windows waits for it some seconds and goes on as
 * soon as it is gone. ServerMessage (a session that must end does not ask), there is as much time as Windows leaves after the event.
 */
export function endWithSession({ drain, quit, log, soon = setImmediate }: SessionEndOptions) {
  let ending = false

  function begin(): void {
    if (ending) return
    ending = true
    log('headgate: the Windows session is ending\n')
    drain()
    // Not within the event: quitting destroys the window that has it.
    soon(quit)
  }

  return (window: SessionWindow): void => {
    window.on('query-session-end', (event) => {
      event.preventDefault()
      begin()
    })
    window.on('session-end', begin)
  }
}
