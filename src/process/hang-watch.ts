import type { ChildHandle } from './child.ts'
import type { OwnerMessage } from './messages.ts'
import { afterTick, ASK_EVERY_MS, hasWorked, HEARD } from './hang.rules.ts'

export interface HangWatchOptions {
  /** What the process is called in the log, with its article. */
  what: string
  child: () => ChildHandle | null
  log: (text: string) => void
  /** Processor time that a process has used so far; undefined: nobody knows. */
  cpuSeconds: (pid: number) => number | undefined
  /** For tests. A monotonic clock in ms, and what calls back again and again until it is stopped. */
  now?: () => number
  every?: (ms: number, tick: () => void) => () => void
}

/** How processes are watched; the rest is theirs. */
export type Hanging = Pick<HangWatchOptions, 'cpuSeconds' | 'now' | 'every'>

/** Watches one process at a time. Kills it when it hangs: what follows is what follows a crash. */
export interface HangWatch {
  /** It was started, or starts anew: until it is ready it may be busy for as long as it works. */
  starts(): void
  /** It answers from now on. */
  ready(): void
  /** It said something, whatever it was. */
  heard(): void
  /** It has ended, or is to. */
  end(): void
}

export function hangWatch({ what, child, log, cpuSeconds, ...time }: HangWatchOptions): HangWatch {
  const { now = () => performance.now(), every = repeat } = time
  let stop: (() => void) | null = null
  let silence = HEARD
  let spoke = false
  let last = 0
  let starting = false
  let used: number | undefined

  function begin(): void {
    end()
    silence = HEARD
    // That it was started or is up is its first word.
    spoke = true
    last = now()
    used = undefined
    stop = every(ASK_EVERY_MS, tick)
  }

  function end(): void {
    stop?.()
    stop = null
  }

  function tick(): void {
    const lateMs = now() - last - ASK_EVERY_MS
    silence = afterTick(silence, { spoke, lateMs, starting: starting ? { works: worked() } : null })
    if (silence.hangs) return kill()
    last = now()
    spoke = false
    child()?.send({ type: 'ping' } satisfies OwnerMessage)
  }

  function worked(): boolean {
    const before = used
    const pid = child()?.pid
    used = pid === undefined ? undefined : cpuSeconds(pid)
    return hasWorked(before, used)
  }

  function kill(): void {
    end()
    const how = starting
      ? 'neither answered nor worked for a quarter of an hour of its start'
      : 'not answered for half a minute'
    log(`${what} lives, but has ${how}: it is ended`)
    child()?.kill('SIGKILL')
  }

  return {
    starts() {
      starting = true
      begin()
    },
    ready() {
      starting = false
      begin()
    },
    heard: () => void (spoke = true),
    end,
  }
}

function repeat(ms: number, tick: () => void): () => void {
  const timer = setInterval(tick, ms)
  timer.unref()
  return () => clearInterval(timer)
}
