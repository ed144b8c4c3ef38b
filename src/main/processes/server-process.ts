import type { ChildHandle, ExitInfo, Forker } from '../../process/child.ts'
import { hangWatch, type Hanging } from '../../process/hang-watch.ts'
import { isMessage, type OwnerMessage } from '../../process/messages.ts'
import { superviseChild, type SuperviseOptions } from '../../process/supervise.ts'
import type { DesktopConfig } from '../config.ts'
import { launchTokens } from './launch-tokens.ts'
import { readServerMessage, type ServerMessage } from './server-messages.ts'
import { words as wordsOf, type Words } from '../words.ts'

export type ServerState =
  | { name: 'starting' }
  | { name: 'ready'; url: string; executorKey: string }
  /** It will not come up by itself. `details` are the last lines of its log; `accept` names changes that were lost, which the user may accept. */
  | { name: 'failed'; message: string; details: string[]; restore?: RestoreOffer; accept?: string }

/** A good backup that the store, which is damaged, can be replaced by. */
export interface RestoreOffer {
  name: string
  created_at: string
}

export interface ServerProcess {
  readonly state: ServerState
  readonly pid: number | undefined
  onState(listener: (state: ServerState) => void): void
  /** A one-time token that signs the window in. Rejects with a message for the user. */
  launchToken(): Promise<string>
  /** False when no server hears it. */
  send(message: OwnerMessage): boolean
  /** What it tells of its own accord. */
  onServerMessage(listener: (received: ServerMessage) => void): void
  /** Tries again after a failure. */
  retry(): void
  /** Replaces the damaged store by the backup that the failure has offered, and starts. */
  restore(): void
  /** Starts without the changes that the failure says were lost. */
  acceptLoss(): void
  drain(): Promise<void>
}

export interface ServerProcessOptions {
  forker: Forker
  /** Absolute path of the built `server.js`. */
  entry: string
  config: DesktopConfig
  logTail: () => string[]
  log: (text: string) => void
  words: () => Words
  /** Answers what the server asks of the system's keychain; null for a message about something else. */
  keychain: (message: unknown) => Promise<OwnerMessage | null>
  supervision?: Pick<SuperviseOptions, 'backoff' | 'timers' | 'drainMs'>
  hanging: Hanging
}

/** So many starts in a row that never got ready, and it is not tried again until the user says so. */
const MAX_FAILED_STARTS = 5

/** Starts the server, starts it again when it dies, and says how it is. */
export function startServerProcess(options: ServerProcessOptions): ServerProcess {
  const { forker, entry, config, words } = options
  const tokens = launchTokens(words)
  const listeners: ((state: ServerState) => void)[] = []
  const hearers: ((received: ServerMessage) => void)[] = []
  let state: ServerState = { name: 'starting' }
  let port = config.port
  let complaint: string | null = null
  let offer: RestoreOffer | undefined
  let loss: string | undefined
  /** Name of the backup that the next start is to restore; that one start alone. */
  let restoring: string | null = null
  /** Likewise: the loss that the next start is to accept. */
  let accepting: string | null = null
  let failedStarts = 0
  let draining = false

  function become(next: ServerState): void {
    state = next
    for (const listener of listeners) listener(next)
  }

  function fork(): ChildHandle {
    complaint = null
    offer = undefined
    loss = undefined
    const args = ['--data-dir', config.dataDir, '--desktop', '--no-executor', ...(port ? ['--port', port] : [])]
    if (restoring !== null) args.push('--restore', restoring)
    if (accepting !== null) args.push('--accept-loss', accepting)
    restoring = accepting = null
    watch.starts()
    return forker(entry, { name: 'Headgate server', args, env: config.serviceEnv })
  }

  function afterReady(message: Record<string, unknown>, child: ChildHandle): void {
    const { url, executor_key: executorKey } = message
    if (typeof url !== 'string' || !URL.canParse(url) || typeof executorKey !== 'string') {
      complaint = words().partsDoNotFit
      return child.kill('SIGKILL')
    }
    failedStarts = 0
    // After a crash it shall come back where the windows and executors know it.
    port = new URL(url).port
    watch.ready()
    become({ name: 'ready', url: new URL(url).origin, executorKey })
  }

  const watch = hangWatch({
    ...options.hanging,
    what: 'the server',
    child: () => supervisor.child,
    log: (text) => options.log(`headgate: ${text}\n`),
  })

  function hear(message: unknown): void {
    const received = readServerMessage(message)
    if (received) hearers.forEach((hearer) => hearer(received))
    else tokens.hear(message)
  }

  async function answerKeychain(message: unknown, child: ChildHandle): Promise<void> {
    const answer = await options.keychain(message)
    if (answer) child.send(answer)
  }

  function failure(exit: ExitInfo): ServerState {
    const reason = words().endedBeforeReady(MAX_FAILED_STARTS, describeExit(exit, words()))
    const details = complaint ? [] : options.logTail()
    return { name: 'failed', message: complaint ?? reason, details, restore: offer, accept: loss }
  }

  const supervisor = superviseChild({
    ...options.supervision,
    fork,
    onReady: afterReady,
    onMessage(message, child) {
      watch.heard()
      if (isMessage(message, 'event', 'failed')) {
        complaint = String(message.message)
        offer = readOffer(message.restore)
        loss = typeof message.accept === 'string' ? message.accept : undefined
      } else if (isMessage(message, 'event', 'starts-anew')) watch.starts()
      else if (isMessage(message, 'event', 'keychain')) void answerKeychain(message, child)
      else hear(message)
    },
    shouldRestart: () => complaint === null && (state.name === 'ready' || ++failedStarts < MAX_FAILED_STARTS),
    onExit(exit, restartInMs) {
      watch.end()
      tokens.rejectAll(words().serverEnded)
      if (restartInMs !== null) options.log(restartLine('server', exit, restartInMs))
      if (!draining) become(restartInMs === null ? failure(exit) : { name: 'starting' })
    },
  })

  return {
    get state() {
      return state
    },
    get pid() {
      return supervisor.child?.pid
    },
    onState: (listener) => void listeners.push(listener),
    launchToken() {
      const { child } = supervisor
      if (!child || state.name !== 'ready') return Promise.reject(new Error(words().serverNotReady))
      return tokens.request(child)
    },
    send: (message) => supervisor.child?.send(message) ?? false,
    onServerMessage: (listener) => void hearers.push(listener),
    retry() {
      failedStarts = 0
      if (!supervisor.child) become({ name: 'starting' })
      supervisor.retry()
    },
    restore() {
      if (state.name !== 'failed' || !state.restore) return
      restoring = state.restore.name
      this.retry()
    },
    acceptLoss() {
      if (state.name !== 'failed' || state.accept === undefined) return
      accepting = state.accept
      this.retry()
    },
    drain() {
      draining = true
      watch.end()
      return supervisor.drain()
    },
  }
}

function readOffer(value: unknown): RestoreOffer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Any object may be asked for properties that it may not have.
  const { name, created_at } = value as Partial<Record<keyof RestoreOffer, unknown>>
  return typeof name === 'string' && typeof created_at === 'string' ? { name, created_at } : undefined
}

/** For the log: a process that nobody wanted to end has ended. */
export function restartLine(what: string, exit: ExitInfo, inMs: number): string {
  return `headgate: the ${what} ended (${describeExit(exit, wordsOf('en'))}); it is started again in ${inMs} ms\n`
}

function describeExit({ code, signal, error }: ExitInfo, words: Words): string {
  if (error) return error.message
  return signal ? words.signal(signal) : words.exitCode(code)
}
