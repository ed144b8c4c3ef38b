// An Electron utility process cannot fork: with the fuse `runAsNode` off there is no Node to fork, and only main may
// call `utilityProcess.fork`. So a process asks its parent to start its workers, and their messages pass through main.
import { ExitLatch, forkNode, type ChildHandle, type ExitInfo, type Forker, type ForkOptions } from './child.ts'
import { parentChannel, type ParentChannel } from './parent.ts'

interface ForkRequest {
  type: 'fork'
  id: number
  entry: string
  name: string
  args: string[]
  env: Record<string, string | undefined>
  execArgv: string[]
  output: 'stderr' | 'ignore' | 'relay'
}

type ToBroker =
  | ForkRequest
  | { type: 'to-child'; id: number; message: unknown }
  | { type: 'kill-child'; id: number; signal: 'SIGTERM' | 'SIGKILL' }

type FromBroker =
  | { type: 'child-pid'; id: number; pid: number }
  | { type: 'from-child'; id: number; message: unknown }
  | { type: 'child-output'; id: number; text: string }
  | { type: 'child-exit'; id: number; exit: ExitInfo }

const TO_BROKER = new Set(['fork', 'to-child', 'kill-child'])
const FROM_BROKER = new Set(['child-pid', 'from-child', 'child-output', 'child-exit'])

function typeOf(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined
  return typeof message.type === 'string' ? message.type : undefined
}

/** The right forker for workers: Node's own, or the relay inside an Electron utility process. */
export function workerForker(channel: ParentChannel | null = parentChannel()): Forker {
  return channel?.kind === 'electron' ? relayForker(channel) : forkNode
}

/** A forker whose processes are started by the parent at the other end of `channel`. */
export function relayForker(channel: ParentChannel): Forker {
  const children = new Map<number, RelayedChild>()
  let lastId = 0
  channel.onMessage((message) => {
    if (!FROM_BROKER.has(typeOf(message) ?? '')) return
    // The sender is our own parent process, built from this file.
    const fromBroker = message as FromBroker
    children.get(fromBroker.id)?.hear(fromBroker)
    if (fromBroker.type === 'child-exit') children.delete(fromBroker.id)
  })
  channel.onDisconnect(() => {
    for (const child of children.values()) child.hear({ type: 'child-exit', id: child.id, exit: PARENT_GONE })
    children.clear()
  })
  return (entry, options) => {
    const child = new RelayedChild(channel, ++lastId, options)
    children.set(child.id, child)
    if (!channel.send(forkRequest(child.id, entry, options))) {
      child.hear({ type: 'child-exit', id: child.id, exit: PARENT_GONE })
      children.delete(child.id)
    }
    return child
  }
}

const PARENT_GONE: ExitInfo = { code: null, signal: null, error: new Error('The process that starts workers is gone.') }

function forkRequest(id: number, entry: string, options: ForkOptions): ForkRequest {
  const output = typeof options.output === 'function' ? 'relay' : (options.output ?? 'stderr')
  return {
    type: 'fork',
    id,
    entry,
    name: options.name,
    args: options.args ?? [],
    env: options.env ?? {},
    execArgv: options.execArgv ?? [],
    output,
  }
}

class RelayedChild implements ChildHandle {
  readonly id: number
  readonly #channel: ParentChannel
  readonly #options: ForkOptions
  readonly #latch = new ExitLatch()
  readonly #listeners: ((message: unknown) => void)[] = []
  #pid: number | undefined

  constructor(channel: ParentChannel, id: number, options: ForkOptions) {
    this.#channel = channel
    this.id = id
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#pid
  }

  hear(received: FromBroker): void {
    if (received.type === 'child-pid') this.#pid = received.pid
    else if (received.type === 'from-child') for (const listener of this.#listeners) listener(received.message)
    else if (received.type === 'child-exit') this.#latch.settle(received.exit)
    else if (typeof this.#options.output === 'function') this.#options.output(received.text)
  }

  send(message: unknown): boolean {
    if (this.#latch.exit) return false
    return this.#channel.send({ type: 'to-child', id: this.id, message } satisfies ToBroker)
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.push(listener)
  }

  onExit(listener: (exit: ExitInfo) => void): void {
    this.#latch.onExit(listener)
  }

  kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): void {
    if (!this.#latch.exit) this.#channel.send({ type: 'kill-child', id: this.id, signal } satisfies ToBroker)
  }
}

/**
 * Serves the fork requests of `child`, at the parent's side. Only modules in `allowedEntries` (absolute paths) are
 * started; they are killed when `child` ends, so that none outlives the process it works for.
 */
export function brokerForks(child: ChildHandle, forker: Forker, allowedEntries: readonly string[]): void {
  const grandchildren = new Map<number, ChildHandle>()
  const sendToChild = (message: FromBroker): boolean => child.send(message)
  child.onMessage((message) => {
    if (!TO_BROKER.has(typeOf(message) ?? '')) return
    // The sender is a process that we started ourselves, built from this file.
    const request = message as ToBroker
    if (request.type === 'to-child') grandchildren.get(request.id)?.send(request.message)
    else if (request.type === 'kill-child') grandchildren.get(request.id)?.kill(request.signal)
    else if (allowedEntries.includes(request.entry)) grandchildren.set(request.id, start(request))
    else
      sendToChild({
        type: 'child-exit',
        id: request.id,
        exit: { code: null, signal: null, error: refusal(request.entry) },
      })
  })
  child.onExit(() => {
    for (const grandchild of grandchildren.values()) grandchild.kill('SIGKILL')
  })

  function start({ id, entry, name, args, env, execArgv, output }: ForkRequest): ChildHandle {
    const relayed = (text: string): void => void sendToChild({ type: 'child-output', id, text })
    const grandchild = forker(entry, { name, args, env, execArgv, output: output === 'relay' ? relayed : output })
    const sendPid = (): void => {
      if (grandchild.pid !== undefined) sendToChild({ type: 'child-pid', id, pid: grandchild.pid })
    }
    sendPid()
    let pidSent = grandchild.pid !== undefined
    grandchild.onMessage((message) => {
      // Electron knows the pid of a utility process only once it runs.
      if (!pidSent) sendPid()
      pidSent = true
      sendToChild({ type: 'from-child', id, message })
    })
    grandchild.onExit((exit) => {
      grandchildren.delete(id)
      sendToChild({ type: 'child-exit', id, exit })
    })
    return grandchild
  }
}

function refusal(entry: string): Error {
  return new Error(`Refused to start ${entry}: it is not a worker of this app.`)
}
