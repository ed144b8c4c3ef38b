import type { ChildHandle, ExitInfo } from './child.ts'

/** Timers, so that tests need not wait. `now` is monotonic, in ms. */
export interface SupervisorTimers {
  now(): number
  /** Calls back after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void
}

export const systemTimers: SupervisorTimers = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

export interface Backoff {
  firstMs: number
  maxMs: number
}

export interface SuperviseOptions {
  fork: () => ChildHandle
  /** A message `{event: 'ready', …}` of the child. */
  onReady?: (message: Record<string, unknown>, child: ChildHandle) => void
  /** Every message but `ready`. */
  onMessage?: (message: unknown, child: ChildHandle) => void
  /** `restartInMs` is null when it will not be started again: it was drained, or `shouldRestart` said no. */
  onExit?: (exit: ExitInfo, restartInMs: number | null) => void
  /** Asked after each exit that nobody wanted. Default: always. */
  shouldRestart?: (exit: ExitInfo) => boolean
  /** Delay before a restart: doubles from `firstMs` to `maxMs`. Default 250 ms … 15 s. */
  backoff?: Backoff
  /** A child that lived this long counts as healthy: the delay begins anew. Default 30 s. */
  stableAfterMs?: number
  /** How long a draining child may take before it is killed. Default 10 s. */
  drainMs?: number
  timers?: SupervisorTimers
}

export interface Supervisor {
  /** The running child, or null between two. */
  readonly child: ChildHandle | null
  /** Starts at once: instead of waiting for the delay, or after `shouldRestart` said no. No effect while it runs. */
  retry(): void
  /** Drains the running child and starts a new one, as when its arguments have changed. */
  replace(): Promise<void>
  /** Ends it for good: `{type: 'drain'}`, then SIGKILL when that takes longer than `drainMs`. Resolves when it has ended. */
  drain(): Promise<void>
}

/** How long a process may take to vanish after SIGKILL before we stop waiting for it. */
const KILL_MS = 2_000

/** Delay before the next start, after `failures` quick exits in a row (the first is 1). */
export function restartDelay(failures: number, backoff: Backoff): number {
  return Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(failures - 1, 30))
}

/** Starts a child process and keeps it running until drained. */
export function superviseChild(options: SuperviseOptions): Supervisor {
  const { backoff = { firstMs: 250, maxMs: 15_000 }, stableAfterMs = 30_000, drainMs = 10_000 } = options
  const timers = options.timers ?? systemTimers
  let child: ChildHandle | null = null
  let failures = 0
  let cancelRestart: (() => void) | null = null
  let drained: Promise<void> | null = null
  /** Set while a child is on its way out because we want it to be. */
  let ending: ChildHandle | null = null

  function start(): void {
    cancelRestart?.()
    cancelRestart = null
    const started = options.fork()
    const startedAt = timers.now()
    child = started
    started.onMessage((message) => {
      if (isReady(message)) options.onReady?.(message, started)
      else options.onMessage?.(message, started)
    })
    started.onExit((exit) => {
      if (child === started) child = null
      afterExit(exit, started, timers.now() - startedAt)
    })
  }

  function afterExit(exit: ExitInfo, ended: ChildHandle, livedMs: number): void {
    const wanted = drained !== null || ending === ended
    if (wanted || options.shouldRestart?.(exit) === false) return options.onExit?.(exit, null)
    failures = livedMs >= stableAfterMs ? 1 : failures + 1
    const delay = restartDelay(failures, backoff)
    cancelRestart = timers.after(delay, start)
    options.onExit?.(exit, delay)
  }

  async function end(running: ChildHandle): Promise<void> {
    ending = running
    const gone = new Promise<void>((resolve) => running.onExit(() => resolve()))
    // A child whose channel is closed cannot hear the request.
    if (!running.send({ type: 'drain' })) running.kill('SIGTERM')
    if (await endsWithin(gone, drainMs, timers)) return
    running.kill('SIGKILL')
    await endsWithin(gone, KILL_MS, timers)
  }

  start()
  return {
    get child() {
      return child
    },
    retry() {
      if (child || drained) return
      failures = 0
      start()
    },
    async replace() {
      if (drained) return drained
      cancelRestart?.()
      cancelRestart = null
      if (child) await end(child)
      if (!child && !drained) start()
    },
    drain() {
      cancelRestart?.()
      cancelRestart = null
      drained ??= child ? end(child) : Promise.resolve()
      return drained
    },
  }
}

function isReady(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && 'event' in message && message.event === 'ready'
}

/** True when `gone` resolves within `ms`. */
async function endsWithin(gone: Promise<void>, ms: number, timers: SupervisorTimers): Promise<boolean> {
  let cancel = (): void => {}
  const late = new Promise<false>((resolve) => {
    cancel = timers.after(ms, () => resolve(false))
  })
  const isGone = async (): Promise<true> => {
    await gone
    return true
  }
  const result = await Promise.race([isGone(), late])
  cancel()
  return result
}
