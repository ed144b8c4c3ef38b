import type { Platform } from '../../platform/platform.ts'
import { unauthenticated } from '../../platform/refusal.ts'
import type { UserForLogin, UsersService } from '../users/users.service.ts'
import { isLoopback, loginResult } from './auth.rules.ts'
import type { SessionRow } from './auth.table.ts'
import type { IssuedSession, SessionsService } from './sessions.service.ts'

/** Where a request comes from. */
export interface SignInSource {
  address: string
  userAgent: string | null
  /** Value of the session cookie that came along. */
  cookie: string | undefined
}

export interface NewVisit {
  session: IssuedSession
  /** Sessions that ended with it: what they have open is to be closed. */
  ended: number[]
}
export interface SignedIn extends NewVisit {
  user: { user_id: number; username: string }
  result: ReturnType<typeof loginResult>
}

export interface SignIns {
  /** The last step of every way to say who one is. */
  begin(user: UserForLogin, via: SessionRow['via'], from: SignInSource): SignedIn
  /** A session that is pending no longer, or that has proven more: under a new token. */
  complete(sessionId: number, user: UserForLogin, from: SignInSource): NewVisit
}

export function createSignIns(
  { store, config }: Platform,
  { users, sessions }: { users: UsersService; sessions: SessionsService },
): SignIns {
  /** A locked desktop is opened by the password of somebody whose rights its window has, at this computer. */
  const unlocks = ({ role }: UserForLogin, { address }: SignInSource) =>
    role === 'superadmin' && isLoopback(address) && sessions.desktop.isLocked()

  return {
    begin(user, via, from) {
      // The desktop's own window stands behind the sign-in to the computer.
      const pending = config.totpRequired && via !== 'launch'
      return store.transaction(() => {
        const opens = !pending && via !== 'launch' && unlocks(user, from)
        const { issued, ended } = sessions.begin(
          {
            userId: user.id,
            pending,
            via,
            desktop: opens || via === 'launch',
            address: from.address,
            userAgent: from.userAgent,
          },
          from.cookie,
        )
        if (opens) sessions.desktop.unlock()
        if (!pending) users.signedIn(user.id)
        return {
          session: issued,
          ended,
          user: { user_id: user.id, username: user.username },
          result: loginResult(user, pending),
        }
      })
    },
    complete(sessionId, user, from) {
      return store.transaction(() => {
        const before = sessions.find(sessionId) ?? unauthenticated()
        const opens = before.pending && unlocks(user, from)
        const session =
          sessions.rotate(sessionId, {
            pending: false,
            desktop: opens || before.desktop,
            address: from.address,
            userAgent: from.userAgent,
          }) ?? unauthenticated()
        if (opens) sessions.desktop.unlock()
        if (before.pending) users.signedIn(user.id)
        return { session, ended: [sessionId] }
      })
    },
  }
}
