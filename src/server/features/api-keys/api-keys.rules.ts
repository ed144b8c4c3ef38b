import type { ErrorDetail } from '../../../contract/errors.ts'
import { msg } from '../../../contract/messages.ts'
import type { Caller } from '../../platform/caller.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import { type Role, type Scope, atLeast, roles } from '../../../contract/roles.ts'

export const KEY_PREFIX = 'svc_'
/** `svc_` and eight of the 64 characters: enough to recognise a key by, useless for guessing it. */
export const SHOWN_CHARACTERS = KEY_PREFIX.length + 8

/** A key's role ends where its maker's ends now: a maker who is demoted takes his keys along. */
export const effectiveRole = (keyRole: Role, makerRole: Role): Role =>
  atLeast(makerRole, keyRole) ? keyRole : makerRole

export function keyIsAlive(key: { revoked_at: string | null; expires_at: string | null }, now: number): boolean {
  return key.revoked_at === null && (key.expires_at === null || now < Date.parse(key.expires_at))
}

export interface KeyRequest {
  role?: Role
  scopes?: Scope[]
  expires_at?: string
}

/** Who asks for a key; with a key of his own it bounds the new one. */
export interface Maker {
  role: Role
  scopes: readonly Scope[]
  /** When his own key ends. */
  expires_at: string | null
}

/** What stands against a key that `maker` asks for: nothing may be more than he has himself. */
export function keyMistakes(request: KeyRequest, maker: Maker, now: number): ErrorDetail[] {
  const mistakes: ErrorDetail[] = []
  if (request.role && !atLeast(maker.role, request.role)) {
    const allowed = roles.filter((role) => atLeast(maker.role, role))
    mistakes.push({ path: 'body.role', ...msg('role_above_yours', { allowed }) })
  }
  if (maker.scopes.length > 0) {
    const beyond = (request.scopes ?? []).filter((scope) => !maker.scopes.includes(scope))
    if (!request.scopes || request.scopes.length === 0) {
      mistakes.push({
        path: 'body.scopes',
        ...msg('scopes_needed', { scopes: maker.scopes }),
      })
    } else if (beyond.length > 0) {
      mistakes.push({ path: 'body.scopes', ...msg('scopes_beyond', { scopes: beyond }) })
    }
  }
  if (request.expires_at !== undefined && !(Date.parse(request.expires_at) > now)) {
    mistakes.push({ path: 'body.expires_at', ...msg('in_the_future') })
  } else if (maker.expires_at !== null && !endsBy(request.expires_at, maker.expires_at)) {
    mistakes.push({
      path: 'body.expires_at',
      ...msg('key_ends_before', { latest: maker.expires_at }),
    })
  }
  return mistakes
}

const endsBy = (asked: string | undefined, latest: string) =>
  asked !== undefined && Date.parse(asked) <= Date.parse(latest)

/** Whose keys a caller sees: everybody's, or only his own. */
export const seesAllKeys = (caller: Pick<Caller, 'role'>) => allowsOthers('listApiKeys', caller.role, 'viewer')

/** Whether a caller may revoke the key of a user: `unknown` where he must not even learn that it is there. */
export function mayRevoke(caller: Pick<Caller, 'user_id' | 'role'>, owner: { id: number; role: Role }) {
  if (caller.user_id === owner.id || allowsOthers('revokeApiKey', caller.role, owner.role)) return 'yes'
  return seesAllKeys(caller) ? 'no' : 'unknown'
}
