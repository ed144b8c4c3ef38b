import { createHash } from 'node:crypto'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { sessionIsAlive } from './auth.rules.ts'
import { type SessionWithUser, createAuthStore } from './auth.store.ts'
import type { SessionRow } from './auth.table.ts'

export interface NewSession {
  userId: number
  pending: boolean
  via: SessionRow['via']
  address: string | null
  userAgent: string | null
  /** The session that the browser had: it ends, so that a planted cookie is worth nothing after sign-in. */
  replaces: string | undefined
}

export interface IssuedSession {
  /** The cookie's value. */
  token: string
  maxAgeSeconds: number
}

/** A session in use is noted as seen at most this often: no write for each request. */
const SEEN_EVERY_MS = 60_000

export type SessionsService = ReturnType<typeof createSessionsService>

export function createSessionsService({ store, clock, ids, config }: Platform) {
  const auth = createAuthStore(store)
  /** Times that are not in the store yet, by session. */
  const seen = new Map<number, string>()
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

  function alive(session: SessionWithUser | undefined): session is SessionWithUser {
    if (!session) return false
    const last_seen_at = seen.get(session.id) ?? session.last_seen_at
    return sessionIsAlive({ ...session, last_seen_at }, clock.now().getTime(), config.sessionIdleMs)
  }

  function note(session: SessionWithUser): void {
    const known = Date.parse(seen.get(session.id) ?? session.last_seen_at)
    if (clock.now().getTime() - known >= SEEN_EVERY_MS) seen.set(session.id, clock.iso())
  }

  return {
    issue(request: NewSession): { issued: IssuedSession; replaced: number | undefined } {
      const token = ids.token()
      const now = clock.now()
      return store.transaction(() => {
        auth.deleteExpired(now.toISOString())
        const replaced = request.replaces === undefined ? undefined : auth.deleteSessionByHash(hashOf(request.replaces))
        auth.insertSession({
          user_id: request.userId,
          token_hash: hashOf(token),
          pending: request.pending,
          via: request.via,
          address: request.address,
          user_agent: request.userAgent?.slice(0, 300) ?? null,
          created_at: now.toISOString(),
          last_seen_at: now.toISOString(),
          expires_at: new Date(now.getTime() + config.sessionMaxMs).toISOString(),
        })
        return { issued: { token, maxAgeSeconds: Math.floor(config.sessionMaxMs / 1000) }, replaced }
      })
    },
    caller(token: string): Caller | undefined {
      const session = auth.sessionByHash(hashOf(token))
      if (!alive(session)) return undefined
      note(session)
      return {
        kind: 'session',
        user_id: session.user_id,
        username: session.username,
        role: session.role,
        scopes: [],
        session_id: session.id,
        pending: session.pending === 1,
      }
    },
    isAlive: (id: number) => alive(auth.session(id)),
    end(id: number): void {
      store.transaction(() => auth.deleteSession(id))
      seen.delete(id)
    },
    /** Writes what was noted; called now and then, and at the end. */
    flush(): void {
      if (seen.size === 0) return
      store.transaction(() => {
        for (const [id, at] of seen) auth.seen(id, at)
      })
      seen.clear()
    },
  }
}
