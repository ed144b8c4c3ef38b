/**
 * Sends what is due: several channels at once, each channel's deliveries one after the other, so that a receiver that is slow or
 * gone keeps nobody else waiting. Nothing is kept in memory: after a kill, what was under way is still due and is sent again, under
 * the same number.
 */
import { setTimeout } from 'node:timers/promises'
import { msg } from '../../../contract/messages.ts'
import type { Platform } from '../../platform/platform.ts'
import type { DeliveriesStore } from './deliveries.store.ts'
import { type Attempt, nextAttemptAt } from './notifications.rules.ts'
import type { ChannelRow, DeliveryRow } from './notifications.table.ts'

const atOnce = 8
/** A machine that was asleep and a clock that was set give no sign of it. */
const longestSleepMs = 30_000
/** After the store could not be written. */
const retryMs = 5_000

interface Dependencies {
  deliveries: DeliveriesStore
  /** Throws when the server ends before it is known how it went. */
  send(delivery: DeliveryRow, channel: ChannelRow): Promise<Attempt>
  /** In the transaction of the change. */
  changed(delivery: DeliveryRow): void
}

/** Ends early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal, ref: false })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

export function createDeliveryWorker(platform: Platform, { deliveries, send, changed }: Dependencies) {
  const { store, clock, logger, draining } = platform
  const busy = new Map<number, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let started = false
  let waking = false

  /** Keeps how an attempt went; undefined when the delivery has gone meanwhile. */
  function keep({ id, attempts: before }: DeliveryRow, attempt: Attempt, once: boolean): DeliveryRow | undefined {
    const [attempts, at] = [before + 1, clock.iso()]
    return store.transaction(() => {
      const next = attempt.kind === 'refused' && !once ? nextAttemptAt(attempts, attempt, clock.now()) : null
      const row =
        attempt.kind === 'delivered'
          ? deliveries.delivered(id, attempts, attempt.note, at)
          : deliveries.refused(id, attempts, attempt.reason, next, at)
      if (row) changed(row)
      return row
    })
  }

  async function attempt(delivery: DeliveryRow, channel: ChannelRow, once: boolean): Promise<DeliveryRow | undefined> {
    draining.throwIfAborted()
    let went: Attempt
    try {
      went = await send(delivery, channel)
    } catch (error) {
      draining.throwIfAborted()
      logger.error({ err: error, delivery_id: delivery.id }, 'A notification could not be sent')
      went = { kind: 'refused', reason: msg('news_fault'), final: false }
    }
    return keep(delivery, went, once)
  }

  async function work(delivery: DeliveryRow, channel: ChannelRow): Promise<void> {
    try {
      await attempt(delivery, channel, false)
    } catch (error) {
      // It is still due: its channel rests, so that what is wrong with the store is not asked for again at once.
      if (!draining.aborted)
        logger.error({ err: error, delivery_id: delivery.id }, 'The outcome of a delivery could not be saved')
      await pause(retryMs, draining)
    }
    busy.delete(channel.id)
    wake()
  }

  /** Begins what is due and may begin now. */
  function begin(): void {
    while (busy.size < atOnce && !draining.aborted) {
      const found = deliveries.due(clock.iso(), [...busy.keys()])
      if (!found) return
      const { delivery, channel } = found
      // Taken before it begins: what it does first may lead here again.
      busy.set(channel.id, Promise.resolve())
      busy.set(channel.id, work(delivery, channel))
    }
  }

  function wake(): void {
    if (!started || draining.aborted) return
    try {
      begin()
      const earliest = busy.size < atOnce ? deliveries.earliest([...busy.keys()]) : null
      arm(earliest === null ? longestSleepMs : Date.parse(earliest) - clock.now().getTime())
    } catch (error) {
      logger.error({ err: error }, 'Due deliveries could not be read; trying again')
      arm(retryMs)
    }
  }
  function wakeSoon(): void {
    if (waking) return
    waking = true
    queueMicrotask(() => {
      waking = false
      wake()
    })
  }
  function arm(ms: number): void {
    clearTimeout(timer)
    if (draining.aborted) return
    timer = globalThis.setTimeout(wake, Math.min(Math.max(ms, 0), longestSleepMs))
    timer.unref()
  }
  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })

  return {
    /** From now on what is due is sent. */
    start(): void {
      started = true
      wake()
    },
    /** There may be something new to send. However much one commit brings, it is looked for once. */
    changed: () => store.afterCommit(wakeSoon),
    /** One attempt, now; the answer is the delivery after it. */
    once: (delivery: DeliveryRow, channel: ChannelRow) => attempt(delivery, channel, true),
    /** Looks now rather than when the timer says so; resolves when nothing is due or under way. */
    async settled(): Promise<void> {
      wake()
      while (busy.size > 0) await Promise.all(busy.values())
    },
    /** When everything under way has ended; nothing new begins once the server is ending. */
    async ended(): Promise<void> {
      await Promise.all(busy.values())
    },
  }
}
