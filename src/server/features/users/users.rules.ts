import { type Message, msg } from '../../../contract/messages.ts'
import type { User } from '../../../contract/auth.ts'
import type { ErrorCode, ErrorDetail } from '../../../contract/errors.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import { type Role, manages, roles } from '../../../contract/roles.ts'
import { nameMistake } from '../../platform/visible.rules.ts'
import type { UserRow } from './users.table.ts'

/** The form in which names are compared: `Ada` and `ADA ` are one. */
export const usernameKey = (username: string) => username.trim().normalize('NFKC').toLowerCase().normalize('NFKC')

/** What `q` looks through. */
export const searchText = (user: { username: string; display_name?: string | null; email?: string | null }) =>
  [user.username, user.display_name ?? '', user.email ?? ''].join('\n').toLowerCase()

function textMistake(text: string): Message | undefined {
  if (!text.isWellFormed()) return msg('half_character')
  return /\p{Cc}/u.test(text) ? msg('control_characters') : undefined
}

/** What is wrong with a user's name; undefined when nothing is. */
export function usernameMistake(username: string): Message | undefined {
  const name = username.trim()
  if (name === '') return msg('field_empty')
  return name.isWellFormed() ? nameMistake(name) : msg('half_character')
}

/** Names and addresses of people as they are kept: trimmed, null when there is nothing. */
export const personText = (given: string | null | undefined): string | null => given?.trim() || null

export interface Person {
  username?: string
  display_name?: string | null
  email?: string | null
}

/** What is wrong with what is said of a person; names that he has `before` stay. */
export function personMistakes({ username, display_name, email }: Person, before: Person = {}): ErrorDetail[] {
  const address = personText(email)
  const shown = personText(display_name)
  const found = {
    'body.username': username === undefined || username === before.username ? undefined : usernameMistake(username),
    'body.display_name': shown === null || shown === before.display_name ? undefined : usernameMistake(shown),
    'body.email':
      textMistake(address ?? '') ??
      (address === null || /^[^\s@]+@[^\s@]+$/u.test(address) ? undefined : msg('not_an_email')),
  }
  return Object.entries(found).flatMap(([path, reason]) => (reason ? [{ path, ...reason }] : []))
}

/** Who acts, as what he is at this moment. */
export interface Actor {
  id: number
  role: Role
}
export interface UserChange extends Person {
  password?: string
  role?: Role
  disabled?: boolean
  password_change_required?: boolean
}
export interface Objection {
  error: Extract<ErrorCode, 'FORBIDDEN' | 'INVALID_STATE' | 'VALIDATION_ERROR'>
  reason: Message
  /** Of the field that is to blame. */
  path?: string
}

const notYours = (role: Role): Objection => ({
  error: 'FORBIDDEN',
  reason: msg('not_your_user', { role }),
})

/** Nobody gives more than he has power over. */
export function objectionToRole(actor: Actor, role: Role): Objection | undefined {
  if (manages(actor.role, role)) return undefined
  const allowed = roles.filter((one) => manages(actor.role, one))
  return { error: 'VALIDATION_ERROR', path: 'body.role', reason: msg('role_not_yours_to_give', { allowed }) }
}

export function objectionToChange(actor: Actor, target: UserRow, change: UserChange): Objection | undefined {
  if (actor.id === target.id) return objectionToOwnChange(target, change)
  if (!allowsOthers('updateUser', actor.role, target.role)) return notYours(target.role)
  return change.role === undefined || change.role === target.role ? undefined : objectionToRole(actor, change.role)
}

function objectionToOwnChange(own: UserRow, change: UserChange): Objection | undefined {
  const { role, disabled, password, password_change_required: must } = change
  if (role !== undefined && role !== own.role) {
    return { error: 'INVALID_STATE', reason: msg('own_role') }
  }
  if (disabled) return { error: 'INVALID_STATE', reason: msg('disable_yourself') }
  if (must !== undefined && must !== own.password_change_required) {
    return { error: 'INVALID_STATE', reason: msg('own_password_change') }
  }
  if (password === undefined) return undefined
  const reason = msg('own_password')
  return { error: 'VALIDATION_ERROR', path: 'body.password', reason }
}

export function objectionToRemoval(actor: Actor, target: UserRow): Objection | undefined {
  if (actor.id === target.id) return { error: 'INVALID_STATE', reason: msg('remove_yourself') }
  return allowsOthers('deleteUser', actor.role, target.role) ? undefined : notYours(target.role)
}

export function objectionToTotpReset(actor: Actor, target: UserRow): Objection | undefined {
  if (actor.id === target.id) {
    const reason = msg('own_second_factor')
    return { error: 'FORBIDDEN', reason }
  }
  return allowsOthers('resetUserTotp', actor.role, target.role) ? undefined : notYours(target.role)
}

/** Whether what the user has open is to end: what he may is no longer what it was. */
export const isCutOff = (before: UserRow, change: UserChange): boolean =>
  change.password !== undefined ||
  (change.disabled === true && !before.disabled) ||
  (change.password_change_required === true && !before.password_change_required) ||
  (change.role !== undefined && change.role !== before.role)

/** A user as the interface shows him: never with the password's hash. */
export function presentUser(row: UserRow): User {
  const {
    username_key: _,
    password_hash: _1,
    totp_sealed: _2,
    totp_last_step: _3,
    deleted_at: _4,
    revision: _5,
    search_text: _6,
    ...shown
  } = row
  return shown
}
