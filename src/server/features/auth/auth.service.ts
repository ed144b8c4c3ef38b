import type { Me } from '../../../contract/auth.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, unauthenticated } from '../../platform/refusal.ts'
import type { UserForLogin, UsersService } from '../users/users.service.ts'
import { loginResult } from './auth.rules.ts'
import type { SessionRow } from './auth.table.ts'
import { type LaunchTokens, createLaunchTokens } from './launch-tokens.ts'
import { createLoginThrottle } from './login-throttle.ts'
import { createPasswords } from './passwords.ts'
import type { IssuedSession, SessionsService } from './sessions.service.ts'

/** Where a sign-in comes from. */
export interface SignInSource {
  address: string
  userAgent: string | null
  /** Value of the session cookie that came along. */
  cookie: string | undefined
}

export type SignedIn = { session: IssuedSession; replaced: number | undefined; result: ReturnType<typeof loginResult> }

export interface AuthDependencies {
  users: UsersService
  sessions: SessionsService
  launchTokens?: LaunchTokens
}

export type AuthService = ReturnType<typeof createAuthService>

const WRONG = 'The user name or the password is wrong.'

export function createAuthService(platform: Platform, { users, sessions, launchTokens }: AuthDependencies) {
  const { config, clock, ids, logger, store } = platform
  const passwords = createPasswords()
  const throttle = createLoginThrottle(platform)
  const tokens = launchTokens ?? createLaunchTokens(clock, ids)

  /** The last step of every way to sign in. */
  function signIn(user: UserForLogin, via: SessionRow['via'], from: SignInSource): SignedIn {
    // The desktop's own window stands behind the sign-in to the computer.
    const pending = config.totpRequired && via !== 'launch'
    return store.transaction(() => {
      const { issued, replaced } = sessions.issue({
        userId: user.id,
        pending,
        via,
        address: from.address,
        userAgent: from.userAgent,
        replaces: from.cookie,
      })
      users.signedIn(user.id)
      return { session: issued, replaced, result: loginResult(user, pending) }
    })
  }

  return {
    status: () => ({
      needs_bootstrap: users.isEmpty(),
      totp_required: config.totpRequired,
      desktop_sign_in: config.desktopSignIn,
      desktop_locked: false,
      password_min_length: config.passwordMinLength,
    }),

    async bootstrap(body: { username: string; password: string; display_name?: string }, from: SignInSource) {
      const taken = () => conflict('The first account exists already. Sign in with it.')
      if (!users.isEmpty()) taken()
      // Before the costly hash; createFirst looks again, for two at once.
      const mistake = users.usernameMistake(body.username)
      if (mistake) invalid([{ path: 'body.username', message: mistake }])
      const passwordHash = await passwords.hash(body.password)
      return store.transaction(() => signIn(users.createFirst({ ...body, passwordHash }), 'bootstrap', from))
    },

    async login(body: { username: string; password: string }, from: SignInSource): Promise<SignedIn> {
      const user = users.findForLogin(body.username)
      const account = user ? `user:${user.id}` : `name:${body.username.trim().toLowerCase()}`
      throttle.attempt(account, from.address)
      const right = await passwords.verify(user?.password_hash, body.password)
      if (!user || !right || user.disabled) unauthenticated(WRONG)
      throttle.succeeded(account, from.address)
      return signIn(user, 'password', from)
    },

    /** For the process that owns this one; null when the setting turns it off. */
    makeLaunchToken: (): string | null => (config.desktopSignIn ? tokens.make() : null),

    launch(token: string, from: SignInSource): SignedIn {
      if (!config.desktopSignIn) unauthenticated('Signing in from the desktop is turned off (auth.desktop_sign_in).')
      if (!isLoopback(from.address)) unauthenticated('A launch token works on this computer only.')
      throttle.attempt('launch', from.address)
      if (!tokens.redeem(token)) unauthenticated('This launch token is used up or too old. Open the window anew.')
      throttle.succeeded('launch', from.address)
      const user = users.oldestSuperadmin()
      if (!user) {
        unauthenticated(
          users.isEmpty()
            ? 'There is no account yet: create the first one.'
            : 'No superadmin is enabled: sign in with a password.',
        )
      }
      return signIn(user, 'launch', from)
    },

    logout(caller: Caller): void {
      if (caller.session_id !== undefined) sessions.end(caller.session_id)
    },

    me: (caller: Caller): Me => ({
      user: users.get(caller.user_id),
      via: caller.kind,
      scopes: caller.scopes,
      session_id: caller.session_id ?? null,
      lock_after_minutes: config.desktopLockMinutes,
    }),

    /** The account of SVC_ADMIN_USERNAME, when no user exists. */
    async createConfiguredAdmin(): Promise<void> {
      const { firstAdmin } = config
      if (!firstAdmin || !users.isEmpty()) return
      const passwordHash = await passwords.hash(firstAdmin.password)
      const user = users.createFirst({ username: firstAdmin.username, passwordHash })
      logger.info({ username: user.username }, 'Made the superadmin of SVC_ADMIN_USERNAME')
    },
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
