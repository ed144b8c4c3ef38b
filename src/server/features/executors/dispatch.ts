import type { AttemptsService, ReadyAttempt } from '../runs/attempts.service.ts'

/**
 * Says which attempts may start next, in the store's own order. Whatever comes out of here still has to move from pending
 * to running there.
 */
export interface Dispatcher {
  /** Work that may start at this time (ISO) has been committed. */
  ready(at: string): void
  /** Up to `limit` attempts that may start now, in fair order. */
  take(limit: number): ReadyAttempt[]
  /** Called whenever `take` may give something that it did not give before. */
  onReady(listener: () => void): void
  close(): void
}

/** setTimeout cannot wait longer. */
const longestTimerMs = 2 ** 31 - 1

export function createStoreDispatcher(
  attempts: Pick<AttemptsService, 'ready' | 'nextReadyAt'>,
  now: () => Date,
  failed: (error: unknown) => void,
): Dispatcher {
  let listener: () => void = () => {}
  let timer: NodeJS.Timeout | undefined
  let wakeAt = Infinity

  /** The earliest retry that still waits for its time has a timer; the others follow it. */
  function wakeUpAt(at: string): void {
    const ms = Date.parse(at)
    if (ms >= wakeAt) return
    clearTimeout(timer)
    wakeAt = ms
    timer = setTimeout(wake, Math.min(Math.max(ms - now().getTime(), 0) + 1, longestTimerMs))
    timer.unref()
  }

  function wake(): void {
    wakeAt = Infinity
    try {
      const next = attempts.nextReadyAt()
      if (next) wakeUpAt(next)
    } catch (error) {
      failed(error)
    }
    listener()
  }

  const first = attempts.nextReadyAt()
  if (first) wakeUpAt(first)
  return {
    ready(at) {
      if (Date.parse(at) <= now().getTime()) listener()
      else wakeUpAt(at)
    },
    take: (limit) => attempts.ready(limit),
    onReady: (wanted) => void (listener = wanted),
    close: () => clearTimeout(timer),
  }
}
