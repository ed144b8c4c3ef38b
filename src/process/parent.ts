/** The way from a child process to whoever started it; the same under Electron and under Node. */
export interface ParentChannel {
  /** `electron` in a utility process, whose own children can only be started by Electron's main process. */
  readonly kind: 'electron' | 'node'
  /** False when the parent is gone. */
  send(message: unknown): boolean
  /** Sends and resolves when the message is on its way: for the last one before `process.exit`, which drops the rest. */
  deliver(message: unknown): Promise<void>
  onMessage(listener: (message: unknown) => void): void
  /** The parent has ended or let go. (Electron ends its utility processes itself when main dies.) */
  onDisconnect(listener: () => void): void
}

/** What Electron puts at `process.parentPort` in a utility process. */
interface UtilityParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
}

/** The channel to the parent, or null when this process was started from a shell. */
export function parentChannel(): ParentChannel | null {
  // Electron adds the property at run time; Node's types do not know it.
  const port = (process as unknown as { parentPort?: UtilityParentPort }).parentPort
  if (port) return electronChannel(port)
  return process.connected ? nodeChannel() : null
}

const ELECTRON_FLUSH_MS = 50

function electronChannel(port: UtilityParentPort): ParentChannel {
  let open = true
  port.on('close', () => (open = false))
  return {
    kind: 'electron',
    send(message) {
      if (open) port.postMessage(message)
      return open
    },
    async deliver(message) {
      if (!this.send(message)) return
      // Electron says nothing of when a message has left.
      await new Promise((resolve) => setTimeout(resolve, ELECTRON_FLUSH_MS))
    },
    onMessage: (listener) => void port.on('message', (event) => listener(event.data)),
    onDisconnect: (listener) => void port.on('close', listener),
  }
}

function nodeChannel(): ParentChannel {
  return {
    kind: 'node',
    send(message) {
      if (!process.connected || !process.send) return false
      // A parent that goes away meanwhile is told by `disconnect`.
      process.send(message, undefined, undefined, () => {})
      return true
    },
    deliver: (message) =>
      new Promise((resolve) => {
        if (!process.connected || !process.send) resolve()
        else process.send(message, undefined, undefined, () => resolve())
      }),
    onMessage: (listener) => void process.on('message', listener),
    onDisconnect: (listener) => void process.once('disconnect', listener),
  }
}

/**
 * Ctrl-C in a terminal reaches every process of the group. A child with a parent leaves it to the parent, which then
 * drains it in order; otherwise a worker would die under a run that could have finished.
 */
export function leaveInterruptToParent(): void {
  process.on('SIGINT', () => {})
}
