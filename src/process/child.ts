import { fork, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'

/** How a child ended. `error` is set when it could not be started at all. */
export interface ExitInfo {
  code: number | null
  signal: string | null
  error?: Error
}

/** Where a child's stdout and stderr go: our stderr (our stdout carries the ready line alone), nowhere, or a listener. */
export type ChildOutput = 'stderr' | 'ignore' | ((text: string) => void)

export interface ForkOptions {
  /** What the process is called in listings and messages, such as `worker 3`. */
  name: string
  args?: string[]
  /**
   * Variables on top of the inherited ones; `undefined` takes one away. `SVC_*` is never inherited: it carries
   * passwords and keys, and each process hands on only those that it means to.
   */
  env?: Record<string, string | undefined>
  /** Options of Node itself, such as `--max-old-space-size=512`. */
  execArgv?: string[]
  /** Default `stderr`. */
  output?: ChildOutput
}

/** A child process with a message channel (structured clone both ways), whatever started it. */
export interface ChildHandle {
  /** Undefined until the process runs, and for one that could not be started. */
  readonly pid: number | undefined
  /** False when the channel is already closed: the exit is or will be told. */
  send(message: unknown): boolean
  onMessage(listener: (message: unknown) => void): void
  /** Called once, after every message of the child. A listener added later is called, too. */
  onExit(listener: (exit: ExitInfo) => void): void
  /** Asks (SIGTERM) or forces (SIGKILL) it to end. No effect on a process that has ended. */
  kill(signal?: 'SIGTERM' | 'SIGKILL'): void
}

/** Starts the module `entry` (absolute path) as a child process. Never throws: a failed start is an exit with `error`. */
export type Forker = (entry: string, options: ForkOptions) => ChildHandle

/** The environment of a child: ours without `SVC_*`, then `extra`. */
export function childEnvironment(
  inherited: Record<string, string | undefined>,
  extra: Record<string, string | undefined> = {},
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [key, value] of Object.entries(inherited)) {
    if (value !== undefined && !key.toUpperCase().startsWith('SVC_')) env[key] = value
  }
  for (const [key, value] of Object.entries(extra)) {
    if (value === undefined) delete env[key]
    else env[key] = value
  }
  return env
}

/** Remembers how a process ended, so that a listener which comes late hears of it as well. */
export class ExitLatch {
  #exit: ExitInfo | null = null
  readonly #events = new EventEmitter()

  get exit(): ExitInfo | null {
    return this.#exit
  }

  settle(exit: ExitInfo): void {
    if (this.#exit) return
    this.#exit = exit
    this.#events.emit('exit', exit)
  }

  onExit(listener: (exit: ExitInfo) => void): void {
    if (this.#exit) queueMicrotask(() => listener(this.#exit!))
    else this.#events.once('exit', listener)
  }
}

/** How long the last output and messages of an ended child are waited for: a grandchild may hold its pipes open. */
const LAST_WORDS_MS = 1_000

/** `child_process.fork`, for processes that run under Node. */
export const forkNode: Forker = (entry, options) => {
  const output = options.output ?? 'stderr'
  const sink = output === 'stderr' ? 2 : output === 'ignore' ? 'ignore' : 'pipe'
  const latch = new ExitLatch()
  let child: ChildProcess
  try {
    child = fork(entry, options.args ?? [], {
      env: childEnvironment(process.env, options.env),
      execArgv: options.execArgv ?? [],
      serialization: 'advanced',
      stdio: ['ignore', sink, sink, 'ipc'],
    })
  } catch (error) {
    latch.settle({ code: null, signal: null, error: asError(error) })
    return endedHandle(latch)
  }
  if (typeof output === 'function') {
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', output)
  }
  child.on('error', (error) => {
    // Errors of a running child are those of sending; its exit tells the rest.
    if (child.pid === undefined) latch.settle({ code: null, signal: null, error })
  })
  child.once('exit', (code, signal) => {
    void Promise.race([once(child, 'close'), unrefDelay(LAST_WORDS_MS)]).then(() => latch.settle({ code, signal }))
  })
  return {
    get pid() {
      return child.pid
    },
    send: (message) => sendToNode(child, message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => latch.onExit(listener),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
  }
}

function sendToNode(child: ChildProcess, message: unknown): boolean {
  if (!child.connected) return false
  // The callback takes the error of a channel that closes meanwhile; the exit follows and is told.
  child.send(message as object, () => {})
  return true
}

/** A handle for a process that never came to life. */
export function endedHandle(latch: ExitLatch): ChildHandle {
  return {
    pid: undefined,
    send: () => false,
    onMessage: () => {},
    onExit: (listener) => latch.onExit(listener),
    kill: () => {},
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function unrefDelay(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
