/** Sends what waits for one receiver, in order, until it has arrived. What is under way when the server is killed is sent again. */
import type { Platform } from '../../platform/platform.ts'
import type { OutboxEntry, Sink, TelemetryStore } from './telemetry.store.ts'

/** Entries that are read and sent together. */
const atOnce = 100
/** Of a receiver that never answers; the oldest beyond are dropped. */
const mostWaiting = 200_000
const [firstDelayMs, longestDelayMs] = [1_000, 300_000]
/** Counted now and then: each time it reads the index. */
const countEvery = 1_000

interface OutboxParts {
  sink: Sink
  telemetry: TelemetryStore
  /** Somebody wants it. */
  enabled(): boolean
  /** Resolves when all of them have arrived, or are refused for good; may call `arrived` before for those that have. */
  send(entries: readonly OutboxEntry[], arrived: (entry: OutboxEntry) => void): Promise<void>
}

export function createOutbox(
  { store, logger, draining }: Pick<Platform, 'store' | 'logger' | 'draining'>,
  { sink, telemetry, enabled, send }: OutboxParts,
) {
  let started = false
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let added = 0

  async function work(): Promise<void> {
    while (!draining.aborted) {
      if (!enabled()) return telemetry.clear(sink)
      const entries = telemetry.next(sink, atOnce)
      const last = entries.at(-1)
      if (!last) return
      await send(entries, ({ id }) => telemetry.arrived(sink, id))
      telemetry.arrived(sink, last.id)
      failures = 0
    }
  }

  function wake(): void {
    if (!started || sending || draining.aborted) return
    clearTimeout(timer)
    sending = work()
      .catch((error: unknown) => {
        if (draining.aborted) return
        failures++
        const delay = Math.min(firstDelayMs * 2 ** Math.min(failures - 1, 20), longestDelayMs)
        logger.warn(
          { err: error, sink, waiting: telemetry.waiting(sink), retry_ms: delay },
          'Telemetry could not be sent',
        )
        timer = setTimeout(wake, delay)
        timer.unref()
      })
      .finally(() => {
        sending = null
        // What came while the last look found nothing.
        if (failures === 0 && enabled() && !draining.aborted && telemetry.next(sink, 1).length > 0) wake()
      })
  }
  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })

  return {
    /** In the transaction in which it happened. */
    add(fact: OutboxEntry['fact']): void {
      if (!enabled()) return
      telemetry.add(sink, fact)
      if (++added % countEvery === 0) {
        const dropped = telemetry.cut(sink, mostWaiting)
        if (dropped > 0) logger.error({ sink, dropped }, 'Telemetry was dropped: too much waits for its receiver')
      }
      // A receiver that failed is asked again when its time has come.
      if (failures === 0) store.afterCommit(() => queueMicrotask(wake))
    },
    /** What an earlier start of the server has not sent goes first. Until then everything waits. */
    start(): void {
      started = true
      wake()
    },
    /** Resolves when nothing is under way. */
    ended: async (): Promise<void> => void (await sending),
  }
}
export type Outbox = ReturnType<typeof createOutbox>
