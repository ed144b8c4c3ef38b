/**
 * Fires triggers when their time comes. One timer, to the earliest time that is stored. A machine that was asleep and a clock that was set
 * give no sign of it, so it wakes each second and compares the time of day with the monotonic clock; it looks into the store only if they differ. What is due is done in short transactions, a few triggers at a time, and
 * the event loop runs in between. Nothing is kept in memory: after a kill, the store says what is due.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Platform } from '../../platform/platform.ts'
import type { SchedulerPause } from '../scheduler/scheduler.service.ts'
import { type TriggerFiring, isOfStore } from './trigger-firing.ts'
import type { TriggersStore } from './triggers.store.ts'
import type { TriggerRow } from './triggers.table.ts'

const longestSleepMs = 30_000
const batch = 50
/** A transaction is ended when it has taken this long. */
const sliceMs = 20
/** How soon a clock that was set is noticed, and by how much it must have been set. */
const clockCheckMs = 1_000
const clockSetMs = 500
/** After the store could not be written. */
const retryMs = 5_000
/** The clock was set back when it is this much behind what it was. */
const setBackMs = 5_000

interface Dependencies {
  triggers: TriggersStore
  firing: TriggerFiring
  pause: SchedulerPause
}

export function createScheduler(platform: Platform, { triggers, firing, pause }: Dependencies) {
  const { store, clock, logger, draining } = platform
  let timer: NodeJS.Timeout | undefined
  let started = false
  let running: Promise<void> | undefined
  let again = false
  let lastSeen = -Infinity

  /** What cannot be read keeps no other trigger waiting. */
  function attempt(row: TriggerRow, work: (row: TriggerRow) => void): void {
    try {
      store.transaction(() => work(row))
    } catch (error) {
      if (isOfStore(error)) throw error
      store.transaction(() => firing.giveUp(row, error))
    }
  }

  /** false: nothing is due any more. */
  function fireSome(): boolean {
    const due = triggers.due(clock.iso(), batch)
    if (due.length === 0) return false
    const began = clock.monotonic()
    store.transaction(() => {
      for (const { id } of due) {
        // Read anew: an earlier one of the batch may have changed it.
        const row = triggers.get(id)
        if (row?.due_at && row.due_at <= clock.iso()) attempt(row, firing.fire)
        if (clock.monotonic() - began > sliceMs) break
      }
    })
    return true
  }

  /** Works out anew what is waited for: clocks may have been set back, and the rules of zones change with releases. */
  async function realign(): Promise<void> {
    let after = 0
    for (;;) {
      const rows = triggers.waiting(clock.iso(), after, batch)
      if (rows.length === 0 || draining.aborted) return
      store.transaction(() => {
        for (const row of rows) attempt(row, firing.realign)
      })
      after = rows.at(-1)!.id
      await turn()
    }
  }

  async function work(): Promise<void> {
    do {
      again = false
      const now = clock.now().getTime()
      if (now < lastSeen - setBackMs) await realign()
      lastSeen = now
      while (!draining.aborted && !pause.isPaused() && fireSome()) await turn()
    } while (again && !draining.aborted)
  }

  /** Fires what is due, and gives way in between. */
  function run(): Promise<void> {
    again = true
    running ??= work().finally(() => (running = undefined))
    return running
  }

  function sleep(): void {
    if (draining.aborted) return
    const earliest = pause.isPaused() ? null : triggers.earliestDue()
    const wait = earliest === null ? longestSleepMs : Date.parse(earliest) - clock.now().getTime()
    arm(Math.min(Math.max(wait, 0), longestSleepMs))
  }
  function arm(ms: number): void {
    const until = clock.monotonic() + ms
    const lead = clockLead()
    const tick = (left: number): void => {
      clearTimeout(timer)
      timer = setTimeout(
        () => {
          try {
            const rest = until - clock.monotonic()
            if (rest <= 0 || left <= clockCheckMs || Math.abs(clockLead() - lead) > clockSetMs) void wake()
            else tick(rest)
          } catch (error) {
            tryAgain(error)
          }
        },
        Math.min(left, clockCheckMs),
      )
      timer.unref()
    }
    tick(ms)
  }
  /** Changes only when the time of day is set, or the machine sleeps. */
  const clockLead = () => clock.now().getTime() - clock.monotonic()
  async function wake(): Promise<void> {
    try {
      await run()
      sleep()
    } catch (error) {
      tryAgain(error)
    }
  }
  /** Needs no clock of ours: it may be what has failed. */
  function tryAgain(error: unknown): void {
    logger.error({ err: error }, 'Triggers could not be fired; they are tried again')
    if (draining.aborted) return
    clearTimeout(timer)
    timer = setTimeout(() => void wake(), retryMs)
    timer.unref()
  }

  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })
  /** Looks at once, whatever it waits for: it is paused no more, or the machine was asleep. */
  function lookNow(): void {
    if (!started || draining.aborted) return
    clearTimeout(timer)
    void wake()
  }
  pause.onChanged(lookNow)

  return {
    /** From now on triggers fire. */
    start(): void {
      started = true
      // What has come due while the server was down goes first: times that are still to come are worked out anew.
      lastSeen = Infinity
      void wake()
    },
    run,
    /** Something else may be the next to fire. */
    changed: () => store.afterCommit(() => started && !running && sleep()),
    lookNow,
    /** How long the most overdue trigger has been due; nothing is late while all are paused. */
    lateMs(): number {
      if (pause.isPaused()) return 0
      const earliest = triggers.earliestDue()
      return earliest === null ? 0 : Math.max(0, clock.now().getTime() - Date.parse(earliest))
    },
  }
}
