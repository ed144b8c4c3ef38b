import { createHash } from 'node:crypto'
import type { Paginated } from '../../../contract/common.ts'
import type { Session } from '../../../contract/sessions.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { createDesktopLockStore } from './desktop-lock.store.ts'
import type { SessionRow } from './auth.table.ts'
import { type IdleTerms, desktopIdledOut, idleEnd, sessionIsAlive } from './sessions.rules.ts'
import { type DeadBefore, type SessionWithUser, createSessionsStore } from './sessions.store.ts'

export interface NewSession {
  userId: number
  pending: boolean
  via: SessionRow['via']
  /** Of the desktop's own window. */
  desktop: boolean
  address: string | null
  userAgent: string | null
}

export interface IssuedSession {
  id: number
  /** The cookie's value. */
  token: string
  maxAgeSeconds: number
}

/** A session in use is noted as seen at most this often. */
const SEEN_EVERY_MS = 60_000
/** Of a session that waits for its code: time enough to enrol. */
export const PENDING_MS = 15 * 60_000

export type SessionsService = ReturnType<typeof createSessionsService>

export function createSessionsService(platform: Platform) {
  const { store, clock, ids, config } = platform
  const sessions = createSessionsStore(store)
  const lock = createDesktopLockStore(store)
  /** Times that are not in the store yet, by session. */
  const seen = new Map<number, string>()
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
  const terms = (): IdleTerms => ({
    idleMs: config.sessionIdleMs,
    desktopIdleMs: config.desktopLockMinutes * 60_000,
  })
  const nowMs = () => clock.now().getTime()

  /** With the time that is only noted so far. */
  const fresh = <T extends { id: number; last_seen_at: string }>(session: T): T => ({
    ...session,
    last_seen_at: seen.get(session.id) ?? session.last_seen_at,
  })
  function alive(session: SessionWithUser | undefined): session is SessionWithUser {
    return session !== undefined && sessionIsAlive(fresh(session), nowMs(), terms())
  }
  function note(session: SessionWithUser): void {
    // The bound of the desktop is short: each use counts. Both are written with the next flush only.
    const every = session.desktop && config.desktopLockMinutes > 0 ? 1_000 : SEEN_EVERY_MS
    if (nowMs() - Date.parse(fresh(session).last_seen_at) >= every) seen.set(session.id, clock.iso())
  }

  const idledOut = () => desktopIdledOut(sessions.ofDesktop().map(fresh), nowMs(), terms())

  function deadBefore(): DeadBefore {
    const { idleMs, desktopIdleMs } = terms()
    const before = (ms: number) => new Date(nowMs() - ms).toISOString()
    return { now: clock.iso(), idle: before(idleMs), desktopIdle: desktopIdleMs > 0 ? before(desktopIdleMs) : '' }
  }

  /** Writes what was noted and removes what has ended by itself. */
  function sweep(): void {
    store.transaction(() => {
      const noted = [...seen]
      for (const [id, at] of noted) sessions.seen(id, at)
      // On a full disk they are noted still.
      store.afterCommit(() => {
        for (const [id, at] of noted) if (seen.get(id) === at) seen.delete(id)
      })
      if (idledOut()) lock.lock(clock.iso())
      sessions.removeDead(deadBefore())
    })
  }

  function issue(request: NewSession): IssuedSession {
    const token = ids.token()
    const now = clock.now()
    const lifeMs = request.pending ? PENDING_MS : config.sessionMaxMs
    const { id } = sessions.insert({
      user_id: request.userId,
      token_hash: hashOf(token),
      pending: request.pending,
      via: request.via,
      desktop: request.desktop,
      address: request.address,
      user_agent: request.userAgent?.toWellFormed().slice(0, 300) ?? null,
      created_at: now.toISOString(),
      last_seen_at: now.toISOString(),
      expires_at: new Date(now.getTime() + lifeMs).toISOString(),
    })
    return { id, token, maxAgeSeconds: Math.floor(lifeMs / 1000) }
  }

  return {
    /** `replaces`: cookie that the browser had. Its session ends, so that a planted one is worth nothing after sign-in. */
    begin(request: NewSession, replaces: string | undefined): { issued: IssuedSession; ended: number[] } {
      return store.transaction(() => {
        sweep()
        const replaced = replaces === undefined ? undefined : sessions.endByHash(hashOf(replaces))
        return { issued: issue(request), ended: replaced === undefined ? [] : [replaced] }
      })
    },
    /** The same visit under a new token; undefined when the session has ended meanwhile. */
    rotate(id: number, change: Partial<NewSession>): IssuedSession | undefined {
      return store.transaction(() => {
        const session = sessions.get(id)
        if (!alive(session) || !sessions.end(id)) return undefined
        seen.delete(id)
        const { user_id: userId, pending, via, desktop } = session
        return issue({ userId, pending, via, desktop, address: null, userAgent: null, ...change })
      })
    },
    caller(token: string): Caller | undefined {
      const session = sessions.byHash(hashOf(token))
      if (!alive(session)) return undefined
      note(session)
      return {
        kind: 'session',
        user_id: session.user_id,
        username: session.username,
        role: session.role,
        scopes: [],
        session_id: session.id,
        pending: session.pending,
        password_change_required: session.password_change_required,
      }
    },
    /** For streams that are open: the window of the desktop has one while it is there, so that counts as use. */
    isAlive(id: number): boolean {
      const session = sessions.get(id)
      if (!alive(session) || session.password_change_required) return false
      if (session.desktop) note(session)
      return true
    },
    find(id: number): SessionWithUser | undefined {
      const session = sessions.get(id)
      return alive(session) ? session : undefined
    },
    list(userId: number, current: number | undefined, page: { cursor?: string; limit?: number }): Paginated<Session> {
      const dead = deadBefore()
      const used = [...seen].filter(([, at]) => at > dead.idle).map(([id]) => id)
      const { rows, ...rest } = sessions.list(userId, dead, used, page)
      const result = rows.map(fresh).map(({ desktop, ...row }) => ({
        ...row,
        current: row.id === current,
        idle_until: new Date(idleEnd({ ...row, desktop }, terms())).toISOString(),
      }))
      return { result, ...rest }
    },
    /** False when it had ended already. */
    end(id: number): boolean {
      seen.delete(id)
      return store.transaction(() => sessions.end(id))
    },
    /** All that a user has open (but one); their ids, as streams are to be ended, too. */
    endOfUser(userId: number, but?: number): number[] {
      return store.transaction(() => sessions.endOfUser(userId, but))
    },
    /** The desktop's own window. */
    desktop: {
      isLocked: () => lock.isLocked() || idledOut(),
      /** Ends what it has open; the ids. */
      lock(): number[] {
        lock.lock(clock.iso())
        return sessions.endOfDesktop()
      },
      unlock: lock.unlock,
    },
    /** Called now and then, and at the end. */
    flush: sweep,
  }
}
