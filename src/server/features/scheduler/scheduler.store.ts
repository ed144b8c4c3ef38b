import type { Store } from '../../platform/store.ts'
import { type SchedulerRow, scheduler } from './scheduler.table.ts'

const theOne = 1

export function createSchedulerStore({ db, sqlite }: Pick<Store, 'db' | 'sqlite'>) {
  // Every look at what is due asks this.
  const get = sqlite.prepare<[], SchedulerRow>('SELECT * FROM scheduler WHERE only_one = 1')
  return {
    get: (): SchedulerRow | undefined => get.get(),
    save(values: Omit<SchedulerRow, 'only_one'>): void {
      db.insert(scheduler)
        .values({ only_one: theOne, ...values })
        .onConflictDoUpdate({ target: scheduler.only_one, set: values })
        .run()
    },
  }
}
