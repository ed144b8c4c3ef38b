import { msg } from '../../../contract/messages.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { forbidden, invalid, unauthenticated } from '../../platform/refusal.ts'
import type { UserForLogin, UsersService } from '../users/users.service.ts'
import { preparePassword } from './password.rules.ts'
import type { Passwords } from './passwords.ts'
import type { SessionsService } from './sessions.service.ts'
import type { NewVisit, SignInSource, SignIns } from './sign-ins.ts'
import type { Throttle } from './throttle.ts'

export interface OwnPassword {
  /** Refuses unless it is the password that the account has now; the account as it is afterwards. */
  confirm(userId: number, password: string, path: string, from: SignInSource): Promise<UserForLogin>
  change(
    caller: Caller,
    body: { current_password: string; new_password: string },
    from: SignInSource,
  ): Promise<NewVisit>
}

export interface OwnPasswordDependencies {
  users: UsersService
  sessions: SessionsService
  signIns: SignIns
  passwords: Passwords
  throttle: Throttle
}

/** The session of a caller who must be there himself. */
export function sessionOf(caller: Caller): number {
  return caller.session_id ?? forbidden(msg('session_needed'))
}

/** Account of a user, as failures are counted by. */
export const accountOf = (userId: number) => `user:${userId}`

/** What takes the password that one has. Guesses are counted together with those of signing in. */
export function createOwnPassword(
  { store }: Platform,
  { users, sessions, signIns, passwords, throttle }: OwnPasswordDependencies,
): OwnPassword {
  const wrong = (path: string) => invalid([{ path, ...msg('is_wrong') }], msg('password_wrong'))

  async function confirm(userId: number, password: string, path: string, from: SignInSource): Promise<UserForLogin> {
    const user = users.forLogin(userId) ?? unauthenticated()
    if (user.password_hash === null) {
      invalid([{ path, ...msg('no_password') }])
    }
    const right = await throttle.during(accountOf(userId), from.address, () =>
      passwords.verify(user.password_hash, password),
    )
    const now = users.forLogin(userId) ?? unauthenticated()
    // Changed while we were hashing: it is the current one no longer.
    if (!right || now.password_hash !== user.password_hash) wrong(path)
    throttle.succeeded(accountOf(userId), from.address)
    return now
  }

  return {
    confirm,
    async change(caller, body, from) {
      const session = sessionOf(caller)
      const { password_hash: before } = await confirm(
        caller.user_id,
        body.current_password,
        'body.current_password',
        from,
      )
      const isSame = preparePassword(body.new_password) === preparePassword(body.current_password)
      const reason = isSame ? msg('password_same') : await passwords.mistake(body.new_password, caller)
      if (reason) invalid([{ path: 'body.new_password', ...reason }])
      const hash = await passwords.hash(body.new_password)
      return store.transaction(() => {
        const user = users.forLogin(caller.user_id) ?? unauthenticated()
        if (user.password_hash !== before) wrong('body.current_password')
        users.setPassword(user.id, hash, { changeRequired: false })
        const visit = signIns.complete(session, user, from)
        return { ...visit, ended: [...visit.ended, ...sessions.endOfUser(user.id, visit.session.id)] }
      })
    },
  }
}
