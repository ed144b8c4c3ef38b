import type { User } from '../../../contract/auth.ts'
import type { UserRow } from './users.table.ts'

/** The form in which names are compared: `Ada` and `ADA ` are one. */
export const usernameKey = (username: string) => username.trim().normalize('NFKC').toLowerCase()

/** What is wrong with a new user's name; undefined when nothing is. */
export function usernameMistake(username: string): string | undefined {
  if (username.trim() === '') return 'must not be empty'
  return /\p{Cc}/u.test(username) ? 'must not hold control characters' : undefined
}

/** A user as the interface shows him: never with the password's hash. */
export function presentUser(row: UserRow): User {
  const {
    username_key: _,
    password_hash: _1,
    totp_sealed: _2,
    totp_last_step: _3,
    deleted_at: _4,
    revision: _5,
    ...shown
  } = row
  return shown
}
