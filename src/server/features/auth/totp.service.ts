import { msg } from '../../../contract/messages.ts'
import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import { type TotpSetup, type VerifiedTotp } from '../../../contract/totp.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState, unauthenticated } from '../../platform/refusal.ts'
import { UnreadableSecret } from '../../platform/secret-box.ts'
import type { UserForLogin, UsersService } from '../users/users.service.ts'
import { RECOVERY_CODES, RECOVERY_CODE_BYTES, type TypedCode, recoveryCode, typedCode } from './codes.rules.ts'
import { type OwnPassword, accountOf, sessionOf } from './own-password.ts'
import type { SessionsService } from './sessions.service.ts'
import type { NewVisit, SignInSource, SignIns } from './sign-ins.ts'
import { codeNets } from './throttle.rules.ts'
import { createThrottle } from './throttle.ts'
import { type TotpCodes, loadTotpCodes } from './totp-codes.ts'
import { enrolmentState, objectionToSetup } from './totp.rules.ts'
import { createTotpStore } from './totp.store.ts'

export interface TotpDependencies {
  users: UsersService
  sessions: SessionsService
  signIns: SignIns
  ownPassword: OwnPassword
  /** Name of this installation, as authenticator apps show it. */
  issuer: () => string
}

const UNREADABLE = msg('totp_unreadable')
const UNREADABLE_ENROLMENT = msg('enrolment_unreadable')

/** The second factor: codes of an authenticator app, and recovery codes for the day when it is lost. */
export function createTotpService(platform: Platform, dependencies: TotpDependencies) {
  const { store, clock, ids, secrets, events, logger, config } = platform
  const { users, sessions, signIns, ownPassword, issuer } = dependencies
  const totp = createTotpStore(store)
  const throttle = createThrottle(platform, codeNets, () => msg('too_many_codes'))
  const context = (userId: number) => `user:${userId}:totp`
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')
  const need = (userId: number) => users.forLogin(userId) ?? unauthenticated()
  const changed = (userId: number) => events.append('user.changed', userId, {})

  /** Undefined when there is none, or it cannot be read. */
  function secretOf({ id, totp_sealed }: UserForLogin): string | undefined {
    if (totp_sealed === null) return undefined
    try {
      return secrets.open(totp_sealed, context(id))
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      logger.warn({ user_id: id, err: error }, 'The secret of a second factor cannot be read')
      return undefined
    }
  }

  function newCodes(userId: number): string[] {
    const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(ids.hex(RECOVERY_CODE_BYTES)))
    totp.removeCodes(userId)
    for (const code of codes) totp.insertCode(userId, hashOf(bare(code)), clock.iso())
    return codes
  }

  /** Uses the code up: it is right this once. */
  function accept(user: UserForLogin, typed: TypedCode, secret: string | undefined, codes: TotpCodes): boolean {
    if (typed === undefined) return false
    if (typed.kind === 'recovery') return user.totp_enabled && totp.useCode(user.id, hashOf(typed.code), clock.iso())
    const step = secret === undefined ? undefined : codes.stepOf(secret, typed.code, clock.now())
    return step !== undefined && totp.useStep(user.id, step)
  }

  /** Looks at a code within a transaction, `then` included, and counts a wrong one. Synchronous, so that no other comes between. */
  function withCode<T>(user: UserForLogin, text: string, from: SignInSource, codes: TotpCodes, then: () => T): T {
    const typed = typedCode(text)
    const secret = secretOf(user)
    if (secret === undefined && (typed?.kind !== 'recovery' || !user.totp_enabled)) {
      invalidState(user.totp_enabled ? UNREADABLE : UNREADABLE_ENROLMENT)
    }
    throttle.attempt(accountOf(user.id), from.address)
    return store.transaction(() => {
      if (!accept(user, typed, secret, codes)) {
        const details = [{ path: 'body.code', ...msg('code_is_wrong') }]
        invalid(details, msg('code_wrong'))
      }
      throttle.succeeded(accountOf(user.id), from.address)
      return then()
    })
  }

  async function setup(
    caller: Caller,
    password: string | undefined,
    from: SignInSource,
    restart: boolean,
  ): Promise<Static<typeof TotpSetup>> {
    const session = sessionOf(caller)
    const objection = (user: UserForLogin) => {
      const readable = secretOf(user) !== undefined
      return objectionToSetup({ state: enrolmentState(user), restart, readable, pending: caller.pending })
    }
    const before = objection(need(caller.user_id))
    if (before !== undefined) invalidState(before)
    if (!caller.pending) {
      if (password === undefined) invalid([{ path: 'body.password', ...msg('password_needed') }])
      await ownPassword.confirm(caller.user_id, password, 'body.password', from)
    }
    const codes = await loadTotpCodes()
    const secret = codes.newSecret()
    return store.transaction(() => {
      // Both may have changed while we were hashing.
      if (!sessions.find(session)) unauthenticated()
      const user = need(caller.user_id)
      const now = objection(user)
      if (now !== undefined || !totp.begin(user.id, secrets.seal(secret, context(user.id)), user.totp_sealed)) {
        invalidState(now ?? msg('enrolment_changed'))
      }
      totp.removeCodes(user.id)
      if (user.totp_enabled) changed(user.id)
      const otpauth_url = codes.url(secret, issuer(), user.username)
      return { secret, otpauth_url, qr_svg: codes.qr(otpauth_url) }
    })
  }

  return {
    setup,

    async verify(
      caller: Caller,
      code: string,
      from: SignInSource,
    ): Promise<NewVisit & { result: Static<typeof VerifiedTotp> }> {
      const session = sessionOf(caller)
      const codes = await loadTotpCodes()
      const user = need(caller.user_id)
      const { pending } = sessions.find(session) ?? unauthenticated()
      const state = enrolmentState(user)
      if (state === 'none') invalidState(msg('not_enrolled'))
      if (state === 'verified' && !pending) invalidState(msg('nothing_to_verify'))
      return withCode(user, code, from, codes, () => {
        const enrolled = totp.enable(user.id, clock.iso())
        const recovery_codes = enrolled ? newCodes(user.id) : undefined
        if (enrolled) changed(user.id)
        const result = {
          authenticated: true,
          password_change_required: user.password_change_required,
          ...(recovery_codes && { recovery_codes }),
          recovery_codes_left: totp.codesLeft(user.id),
        }
        return { ...signIns.complete(session, user, from), result }
      })
    },

    async disable(caller: Caller, body: { password: string; code: string }, from: SignInSource): Promise<void> {
      const session = sessionOf(caller)
      const check = (user: UserForLogin) => {
        if (config.totpRequired) invalidState(msg('totp_required'))
        if (!user.totp_enabled) invalidState(msg('no_second_factor'))
      }
      check(need(caller.user_id))
      await ownPassword.confirm(caller.user_id, body.password, 'body.password', from)
      const codes = await loadTotpCodes()
      const user = need(caller.user_id)
      if (!sessions.find(session)) unauthenticated()
      check(user)
      withCode(user, body.code, from, codes, () => {
        totp.remove(user.id, clock.iso())
        totp.removeCodes(user.id)
        changed(user.id)
      })
    },

    async renewCodes(caller: Caller, password: string, from: SignInSource): Promise<string[]> {
      const session = sessionOf(caller)
      const check = (user: UserForLogin) => {
        if (!user.totp_enabled) invalidState(msg('nothing_to_recover'))
      }
      check(need(caller.user_id))
      await ownPassword.confirm(caller.user_id, password, 'body.password', from)
      return store.transaction(() => {
        if (!sessions.find(session)) unauthenticated()
        check(need(caller.user_id))
        return newCodes(caller.user_id)
      })
    },

    /** For whoever manages users, in his transaction. */
    remove(userId: number): void {
      totp.remove(userId, clock.iso())
      totp.removeCodes(userId)
    },
  }
}

function bare(code: string): string {
  return typedCode(code)?.code ?? code
}
