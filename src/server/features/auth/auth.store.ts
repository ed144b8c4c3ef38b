import { eq, lt } from 'drizzle-orm'
import type { Role } from '../../../contract/roles.ts'
import type { Store } from '../../platform/store.ts'
import { type SessionRow, loginFailures, sessions } from './auth.table.ts'

/** A session with what its user is now. */
export interface SessionWithUser {
  id: number
  user_id: number
  pending: 0 | 1
  last_seen_at: string
  expires_at: string
  username: string
  role: Role
}

export function createAuthStore({ db, sqlite }: Store) {
  const columns = `SELECT s.id, s.user_id, s.pending, s.last_seen_at, s.expires_at, u.username, u.role
    FROM sessions s JOIN users u ON u.id = s.user_id`
  const byHash = sqlite.prepare<[string], SessionWithUser>(`${columns} WHERE s.token_hash = ? AND u.disabled = 0`)
  const byId = sqlite.prepare<[number], SessionWithUser>(`${columns} WHERE s.id = ? AND u.disabled = 0`)
  const seen = sqlite.prepare<[string, number]>('UPDATE sessions SET last_seen_at = ? WHERE id = ?')
  return {
    sessionByHash: (hash: string) => byHash.get(hash),
    session: (id: number) => byId.get(id),
    seen: (id: number, at: string) => void seen.run(at, id),
    insertSession: (session: Omit<SessionRow, 'id'>) => db.insert(sessions).values(session).returning().get(),
    deleteSession: (id: number) => db.delete(sessions).where(eq(sessions.id, id)).run().changes > 0,
    deleteSessionByHash: (hash: string) =>
      db.delete(sessions).where(eq(sessions.token_hash, hash)).returning({ id: sessions.id }).get()?.id,
    deleteExpired: (now: string) => void db.delete(sessions).where(lt(sessions.expires_at, now)).run(),

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
