import { eq, lt } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { loginFailures } from './auth.table.ts'

export function createThrottleStore({ db }: Store) {
  return {
    failuresOf: (subject: string) => db.select().from(loginFailures).where(eq(loginFailures.subject, subject)).get(),
    setFailures: (subject: string, failures: number, window_started_at: string) =>
      void db
        .insert(loginFailures)
        .values({ subject, failures, window_started_at })
        .onConflictDoUpdate({ target: loginFailures.subject, set: { failures, window_started_at } })
        .run(),
    clearFailures: (subject: string) => void db.delete(loginFailures).where(eq(loginFailures.subject, subject)).run(),
    deleteOldFailures: (before: string) =>
      void db.delete(loginFailures).where(lt(loginFailures.window_started_at, before)).run(),
  }
}
