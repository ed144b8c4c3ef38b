import { type SQL, and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Role } from '../../../contract/roles.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type SessionRow, sessions } from './auth.table.ts'

/** A session with what its user is now. */
export interface SessionWithUser {
  id: number
  user_id: number
  pending: boolean
  desktop: boolean
  via: SessionRow['via']
  last_seen_at: string
  expires_at: string
  username: string
  role: Role
  password_change_required: boolean
  has_password: boolean
}

/** SQLite keeps truth as 0 and 1. */
type Raw<T> = { [K in keyof T]: T[K] extends boolean ? 0 | 1 : T[K] }

export interface DeadBefore {
  now: string
  /** Last seen by then: idle for too long. */
  idle: string
  desktopIdle: string
}

/** Who is disabled or gone has no session. */
export function createSessionsStore(store: Store) {
  const { db, sqlite } = store
  const columns = `SELECT s.id, s.user_id, s.pending, s.desktop, s.via, s.last_seen_at, s.expires_at, u.username, u.role,
      u.password_change_required, u.password_hash IS NOT NULL AS has_password
    FROM sessions s JOIN users u ON u.id = s.user_id AND u.disabled = 0 AND u.deleted_at IS NULL`
  const byHash = sqlite.prepare<[string], Raw<SessionWithUser>>(`${columns} WHERE s.token_hash = ?`)
  const byId = sqlite.prepare<[number], Raw<SessionWithUser>>(`${columns} WHERE s.id = ?`)
  const ofDesktop = sqlite.prepare<[], Raw<SessionWithUser>>(`${columns} WHERE s.desktop = 1`)
  const seen = sqlite.prepare<[string, number]>('UPDATE sessions SET last_seen_at = ? WHERE id = ?')
  const dead = sqlite.prepare<[DeadBefore]>(
    `DELETE FROM sessions WHERE expires_at <= @now OR last_seen_at <= @idle OR (desktop = 1 AND last_seen_at <= @desktopIdle)`,
  )
  const ended = (where: SQL | undefined) =>
    db
      .delete(sessions)
      .where(where)
      .returning({ id: sessions.id })
      .all()
      .map(({ id }) => id)

  return {
    byHash: (hash: string) => truthful(byHash.get(hash)),
    get: (id: number) => truthful(byId.get(id)),
    ofDesktop: () => ofDesktop.all().map((row) => truthful(row)),
    seen: (id: number, at: string) => void seen.run(at, id),
    insert: (session: Omit<SessionRow, 'id'>) => db.insert(sessions).values(session).returning().get(),
    /** False when it was gone already. */
    end: (id: number) => ended(eq(sessions.id, id)).length > 0,
    endByHash: (hash: string) => ended(eq(sessions.token_hash, hash))[0],
    endOfUser: (userId: number, but?: number) =>
      ended(and(eq(sessions.user_id, userId), but === undefined ? undefined : ne(sessions.id, but))),
    endOfDesktop: () => ended(eq(sessions.desktop, true)),
    removeDead: (before: DeadBefore) => void dead.run(before),
    /** A page of what a user has open. `used`: ids of those that were used since it was written when. */
    list(userId: number, dead: DeadBefore, used: number[], page: { cursor?: string; limit?: number }) {
      const inUse = sql`(${sessions.last_seen_at} > ${dead.idle} AND (${sessions.desktop} = 0 OR ${sessions.last_seen_at} > ${dead.desktopIdle})
        OR ${sessions.id} IN (SELECT value FROM json_each(${JSON.stringify(used)})))`
      const where = and(eq(sessions.user_id, userId), gt(sessions.expires_at, dead.now), inUse)
      return keysetPage<Omit<SessionRow, 'token_hash'> & { username: string }>({
        store,
        table: sessions,
        select: { ...shown, username: sql<string>`(SELECT username FROM users WHERE users.id = ${sessions.user_id})` },
        where,
        sort: [{ column: sessions.id, direction: 'desc' }],
        ...page,
      })
    },
  }
}

/** All but the hash. */
const shown = {
  id: sessions.id,
  user_id: sessions.user_id,
  pending: sessions.pending,
  desktop: sessions.desktop,
  via: sessions.via,
  address: sessions.address,
  user_agent: sessions.user_agent,
  created_at: sessions.created_at,
  last_seen_at: sessions.last_seen_at,
  expires_at: sessions.expires_at,
}

function truthful(row: Raw<SessionWithUser>): SessionWithUser
function truthful(row: Raw<SessionWithUser> | undefined): SessionWithUser | undefined
function truthful(row: Raw<SessionWithUser> | undefined): SessionWithUser | undefined {
  return (
    row && {
      ...row,
      pending: row.pending === 1,
      desktop: row.desktop === 1,
      password_change_required: row.password_change_required === 1,
      has_password: row.has_password === 1,
    }
  )
}
