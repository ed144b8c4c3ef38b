import type { Caller } from '../../platform/caller.ts'
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

/** What stands against a key that `maker` asks for: nothing may be more than he has himself. */
export function keyMistakes(request: KeyRequest, maker: Caller, now: number): { path: string; message: string }[] {
  const mistakes = []
  if (request.role && !atLeast(maker.role, request.role)) {
    const allowed = roles.filter((role) => atLeast(maker.role, role)).join(', ')
    mistakes.push({ path: 'body.role', message: `is above your own role; choose one of ${allowed}` })
  }
  if (maker.scopes.length > 0) {
    const beyond = (request.scopes ?? []).filter((scope) => !maker.scopes.includes(scope))
    if (!request.scopes || request.scopes.length === 0) {
      mistakes.push({
        path: 'body.scopes',
        message: `must be given: your own key is limited to ${maker.scopes.join(', ')}`,
      })
    } else if (beyond.length > 0) {
      mistakes.push({ path: 'body.scopes', message: `${beyond.join(', ')} is beyond your own key's scopes` })
    }
  }
  if (request.expires_at !== undefined && !(Date.parse(request.expires_at) > now)) {
    mistakes.push({ path: 'body.expires_at', message: 'must be in the future' })
  }
  return mistakes
}

/** Keys are their maker's own business, and everybody's an admin's. */
export const mayManage = (caller: Caller, ownerId: number) =>
  caller.user_id === ownerId || atLeast(caller.role, 'admin')
