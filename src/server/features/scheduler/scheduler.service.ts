import type { Scheduler } from '../../../contract/scheduler.ts'
import type { Platform } from '../../platform/platform.ts'
import { createSchedulerStore } from './scheduler.store.ts'
import type { SchedulerRow } from './scheduler.table.ts'

const never: Omit<SchedulerRow, 'only_one'> = { paused: 0, paused_at: null, paused_by: null, resumed_at: null }

/** Whether triggers fire: one switch for all of them, kept in the store. */
export function createSchedulerService({ store, clock, events, audit }: Platform) {
  const rows = createSchedulerStore(store)
  const listeners: ((paused: boolean) => void)[] = []

  const kept = () => rows.get() ?? never
  const present = ({ paused, paused_at, paused_by }: Omit<SchedulerRow, 'only_one'>): Scheduler => ({
    paused: paused === 1,
    paused_at,
    paused_by,
  })

  /** `by`: name of who asks; null: somebody at this machine, in the tray. Asking for what is so already changes nothing. */
  const set = (paused: boolean, by: string | null): Scheduler =>
    store.transaction(() => {
      const before = kept()
      if ((before.paused === 1) === paused) return present(before)
      const at = clock.iso()
      const next = paused
        ? { paused: 1 as const, paused_at: at, paused_by: by, resumed_at: null }
        : { ...never, resumed_at: at }
      rows.save(next)
      events.append('scheduler.changed', 1, { ...present(next) })
      store.afterCommit(() => {
        for (const listener of listeners) listener(paused)
      })
      return present(next)
    })

  return {
    read: (): Scheduler => present(kept()),
    set,
    /** From the tray, where nobody has signed in. */
    setByOwner(paused: boolean): void {
      store.transaction(() => {
        const before = kept()
        set(paused, null)
        if ((before.paused === 1) === paused) return
        audit.system({ operation: paused ? 'pausedScheduler' : 'resumedScheduler', entity: 'scheduler' })
      })
    },
    isPaused: (): boolean => kept().paused === 1,
    /** What came due until then while it was paused was missed; -Infinity: nothing was. In ms. */
    missedUntil(): number {
      const { resumed_at } = kept()
      const at = resumed_at === null ? -Infinity : Date.parse(resumed_at)
      // The clock was set back since: that says nothing of what comes now.
      return at <= clock.now().getTime() ? at : -Infinity
    },
    /** After the commit of each change. */
    onChanged: (listener: (paused: boolean) => void) => void listeners.push(listener),
  }
}
export type SchedulerService = ReturnType<typeof createSchedulerService>
/** What triggers ask of it. */
export type SchedulerPause = Pick<SchedulerService, 'isPaused' | 'missedUntil' | 'onChanged'>
