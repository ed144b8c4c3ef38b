import { msg } from '../../../contract/messages.ts'
import type { Me } from '../../../contract/auth.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState, unauthenticated } from '../../platform/refusal.ts'
import { StartupError } from '../../platform/startup-error.ts'
import type { UsersService } from '../users/users.service.ts'
import { isLoopback } from './auth.rules.ts'
import { type LaunchTokens, createLaunchTokens } from './launch-tokens.ts'
import { accountOf, createOwnPassword } from './own-password.ts'
import { createPasswords } from './passwords.ts'
import type { SessionsService } from './sessions.service.ts'
import { type SignInSource, type SignedIn, createSignIns } from './sign-ins.ts'
import { signInNets } from './throttle.rules.ts'
import { createThrottle } from './throttle.ts'
import { createTotpService } from './totp.service.ts'

export interface AuthDependencies {
  users: UsersService
  sessions: SessionsService
  launchTokens?: LaunchTokens
  /** Name of this installation, as authenticator apps show it. */
  issuer?: () => string
}

export type AuthService = ReturnType<typeof createAuthService>

const WRONG = msg('wrong_sign_in')

export function createAuthService(platform: Platform, dependencies: AuthDependencies) {
  const { config, clock, events, ids, logger, store } = platform
  const { users, sessions, issuer = () => 'Headgate' } = dependencies
  const passwords = createPasswords(platform)
  const throttle = createThrottle(platform, signInNets, tooMany)
  const tokens = dependencies.launchTokens ?? createLaunchTokens(clock, ids)
  const signIns = createSignIns(platform, { users, sessions })
  const ownPassword = createOwnPassword(platform, { users, sessions, signIns, passwords, throttle })
  const totp = createTotpService(platform, { users, sessions, signIns, ownPassword, issuer })

  return {
    totp,
    changePassword: ownPassword.change,
    /** For whoever gives others a password. */
    passwordMistake: passwords.mistake,
    hash: passwords.hash,
    /** For whoever manages users, in his transaction. */
    removeTotp: totp.remove,

    status: () => ({
      needs_bootstrap: users.isEmpty(),
      totp_required: config.totpRequired,
      desktop_sign_in: config.desktopSignIn,
      desktop_locked: sessions.desktop.isLocked(),
      password_min_length: config.passwordMinLength,
    }),

    async bootstrap(
      body: { username: string; password: string; display_name?: string },
      from: SignInSource,
    ): Promise<SignedIn> {
      if (!users.isEmpty()) conflict(msg('first_account_exists'))
      // Before the costly hash; createFirst looks again, for two at once.
      const mistake = users.usernameMistake(body.username)
      if (mistake) invalid([{ path: 'body.username', ...mistake }])
      const reason = await passwords.mistake(body.password, body)
      if (reason) invalid([{ path: 'body.password', ...reason }])
      const passwordHash = await passwords.hash(body.password)
      return store.transaction(() => signIns.begin(users.createFirst({ ...body, passwordHash }), 'bootstrap', from))
    },

    async login(body: { username: string; password: string }, from: SignInSource): Promise<SignedIn> {
      const user = users.findForLogin(body.username)
      // However it is spelt it is one account, also where there is none: who counts his tries learns nothing.
      const account = user ? accountOf(user.id) : `name:${users.usernameKey(body.username)}`
      const right = await throttle.during(account, from.address, () =>
        passwords.verify(user?.password_hash, body.password),
      )
      if (!user || !right) unauthenticated(WRONG)
      return store.transaction(() => {
        // Who was disabled, or got another password, while we were hashing stays out.
        const now = users.forLogin(user.id)
        if (!now || now.disabled || now.password_hash !== user.password_hash) unauthenticated(WRONG)
        throttle.succeeded(account, from.address)
        return signIns.begin(now, 'password', from)
      })
    },

    /** For the process that owns this one; null when the setting turns it off. */
    makeLaunchToken: (): string | null => (config.desktopSignIn ? tokens.make() : null),

    launch(token: string, from: SignInSource): SignedIn {
      if (!config.desktopSignIn) unauthenticated(msg('desktop_sign_in_off'))
      if (!isLoopback(from.address)) unauthenticated(msg('launch_elsewhere'))
      // Random tokens can't be guessed: counting wrong ones would only let others keep the window out.
      if (!tokens.redeem(token)) unauthenticated(msg('launch_token_used'))
      if (sessions.desktop.isLocked()) unauthenticated(msg('desktop_locked'))
      const user = users.oldestSuperadmin()
      if (!user) {
        unauthenticated(users.isEmpty() ? msg('no_account') : msg('no_superadmin'))
      }
      return signIns.begin(user, 'launch', from)
    },

    /** Ends what the desktop's own window has open, until a superadmin signs in with his password. The ids of what ended. */
    lockDesktop(caller: Caller, from: SignInSource): number[] {
      return store.transaction(() => {
        const session = caller.session_id === undefined ? undefined : sessions.find(caller.session_id)
        // A window that was opened by password at this computer is as good as one that was launched; whoever else signed in
        // while it was locked leaves it locked.
        const here = config.desktopSignIn && isLoopback(from.address)
        const mayLock = session && (session.role === 'superadmin' || sessions.desktop.isLocked())
        const ofDesktop = session && (session.desktop || (here && mayLock))
        if (!session || !ofDesktop) invalidState(msg('not_desktop_window'))
        if (!session.has_password) {
          invalidState(msg('no_password_to_unlock'))
        }
        sessions.end(session.id)
        return [session.id, ...sessions.desktop.lock()]
      })
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
      last_event_id: events.latestId(),
    }),

    /** The account of SVC_ADMIN_USERNAME, when no user exists. */
    async createConfiguredAdmin(): Promise<void> {
      const { firstAdmin } = config
      if (!firstAdmin || !users.isEmpty()) return
      const reason = await passwords.mistake(firstAdmin.password, firstAdmin)
      if (reason) throw new StartupError(`SVC_ADMIN_PASSWORD: ${reason.message}`)
      const passwordHash = await passwords.hash(firstAdmin.password)
      const user = users.createFirst({ username: firstAdmin.username, passwordHash })
      logger.info({ username: user.username }, 'Made the superadmin of SVC_ADMIN_USERNAME')
    },
  }
}

const tooMany = (seconds: number) =>
  seconds < 90
    ? msg('too_many_sign_ins', { seconds })
    : msg('too_many_sign_ins_minutes', { minutes: Math.ceil(seconds / 60) })
