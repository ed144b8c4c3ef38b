import { afterTick, ASK_EVERY_MS, HEARD } from './hang.rules.ts'

export interface HangWatchOptions {
  /** Asks for a word. */
  ask: () => void
  /** No word came to several questions. Told once; watching has ended. */
  onHang: () => void
  /** For tests. A monotonic clock in ms, and what calls back again and again until it is stopped. */
  now?: () => number
  every?: (ms: number, tick: () => void) => () => void
}

/** Watches one process at a time. */
export interface HangWatch {
  /** It is up, and answers from now on. */
  begin(): void
  /** It said something, whatever it was. */
  heard(): void
  /** It has ended, or is busy with what may take as long as it takes. */
  end(): void
}

export function hangWatch({ ask, onHang, now = () => performance.now(), every = repeat }: HangWatchOptions): HangWatch {
  let stop: (() => void) | null = null
  let silence = HEARD
  let spoke = false
  let last = 0

  function end(): void {
    stop?.()
    stop = null
  }

  function tick(): void {
    silence = afterTick(silence, { spoke, lateMs: now() - last - ASK_EVERY_MS })
    if (silence.hangs) {
      end()
      return onHang()
    }
    last = now()
    spoke = false
    ask()
  }

  return {
    begin() {
      end()
      silence = HEARD
      // That it is up is its first word.
      spoke = true
      last = now()
      stop = every(ASK_EVERY_MS, tick)
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
