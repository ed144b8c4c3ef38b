import { asc, eq, sql } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import type { LeaseTimes } from './leases.ts'
import { type ExecutorRow, type ExecutorStatus, executors } from './executors.table.ts'

export function createExecutorsStore({ db, sqlite }: Store) {
  const heartbeat = sqlite.prepare<[string, number]>('UPDATE executors SET last_heartbeat_at = ? WHERE id = ?')
  const announcedTimes = sqlite.prepare<[], { value: string }>(
    "SELECT value FROM store_meta WHERE key = 'executor_times'",
  )
  const noteTimes = sqlite.prepare<[string]>(
    "INSERT OR REPLACE INTO store_meta (key, value) VALUES ('executor_times', ?)",
  )
  const forgetCredentials = sqlite.prepare("UPDATE executors SET credential_hash = '' WHERE credential_hash <> ''")
  return {
    /** The lease and heartbeat that executors were told when they registered; undefined before there was one. */
    announcedTimes(): LeaseTimes | undefined {
      const row = announcedTimes.get()
      // Written by noteTimes.
      return row && (JSON.parse(row.value) as LeaseTimes)
    },
    noteTimes: (times: LeaseTimes) => void noteTimes.run(JSON.stringify(times)),
    /** Each has to register again. */
    forgetCredentials: () => void forgetCredentials.run(),
    list: (): ExecutorRow[] => db.select().from(executors).orderBy(asc(executors.id)).all(),
    get: (id: number): ExecutorRow | undefined => db.select().from(executors).where(eq(executors.id, id)).get(),
    getByName: (name: string): ExecutorRow | undefined =>
      db
        .select()
        .from(executors)
        .where(sql`${executors.name} = ${name} COLLATE NOCASE`)
        .get(),
    insert: (row: Omit<ExecutorRow, 'id'>): ExecutorRow => db.insert(executors).values(row).returning().get(),
    update: (id: number, change: Partial<Omit<ExecutorRow, 'id'>>): ExecutorRow =>
      db.update(executors).set(change).where(eq(executors.id, id)).returning().get(),
    setStatus: (id: number, status: ExecutorStatus, at: string): ExecutorRow =>
      db.update(executors).set({ status, updated_at: at }).where(eq(executors.id, id)).returning().get(),
    setHeartbeat: (id: number, at: string) => void heartbeat.run(at, id),
  }
}
export type ExecutorsStore = ReturnType<typeof createExecutorsStore>
