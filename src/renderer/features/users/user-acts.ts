/** What may be done to a user, and why not: the reasons that the server would give, said before it is asked. Pure. */
import type { User } from '../../../contract/auth.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import { type Role, manages } from '../../../contract/roles.ts'

export type UserAct = 'givePassword' | 'resetFactor' | 'disable' | 'enable' | 'endSessions' | 'remove'

/** Keys of `against` in users.ts. */
export type Against =
  | 'ownPassword'
  | 'ownFactor'
  | 'ownSessions'
  | 'ownRole'
  | 'ownDisable'
  | 'ownRemove'
  | 'above'
  | 'noFactor'

interface Actor {
  id: number
  role: Role
}
type Target = Pick<User, 'id' | 'role' | 'totp_enabled'>

const operationOf = {
  givePassword: 'updateUser',
  disable: 'updateUser',
  enable: 'updateUser',
  resetFactor: 'resetUserTotp',
  endSessions: 'endSession',
  remove: 'deleteUser',
} as const satisfies Record<UserAct, string>

const ownReasons: Readonly<Partial<Record<UserAct, Against>>> = {
  givePassword: 'ownPassword',
  resetFactor: 'ownFactor',
  endSessions: 'ownSessions',
  disable: 'ownDisable',
  remove: 'ownRemove',
}

/** Why it is not to be done; null when it may be. */
export function reasonAgainst(act: UserAct, actor: Actor, target: Target): Against | null {
  if (actor.id === target.id) return ownReasons[act] ?? null
  if (!allowsOthers(operationOf[act], actor.role, target.role)) return 'above'
  return act === 'resetFactor' && !target.totp_enabled ? 'noFactor' : null
}

export function reasonAgainstRole(actor: Actor, target: Target): Against | null {
  if (actor.id === target.id) return 'ownRole'
  return manages(actor.role, target.role) ? null : 'above'
}

export type UserState = 'active' | 'disabled' | 'given'

export function stateOf(user: Pick<User, 'disabled' | 'password_change_required'>): UserState {
  if (user.disabled) return 'disabled'
  return user.password_change_required ? 'given' : 'active'
}
