import { msg } from '../../../contract/messages.ts'
import type { User } from '../../../contract/auth.ts'
import type { Role } from '../../../contract/roles.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, notFound } from '../../platform/refusal.ts'
import { type Person, personMistakes, personText, presentUser, usernameKey, usernameMistake } from './users.rules.ts'
import { createUsersStore } from './users.store.ts'
import type { UserRow } from './users.table.ts'

export interface UserToCreate extends Person {
  username: string
  role: Role
  /** null: the user cannot sign in with a password. */
  passwordHash: string | null
  /** The password was given by somebody else. */
  passwordChangeRequired?: boolean
}

/** A user as signing in sees him: with the password's hash. */
export type UserForLogin = UserRow

export type UsersService = ReturnType<typeof createUsersService>

/** Accounts, as other features need them. What people do to accounts is in the administration of users. */
export function createUsersService({ store, clock, events }: Platform) {
  const users = createUsersStore(store)

  /** 409 when somebody else has the name. */
  function freeName(username: string, id?: number): { username: string; username_key: string } {
    const name = username.trim()
    const username_key = usernameKey(name)
    const other = users.byUsernameKey(username_key)
    if (other && other.id !== id) {
      conflict(msg('username_taken', { name }), [{ path: 'body.username', ...msg('is_taken') }])
    }
    return { username: name, username_key }
  }

  function create(user: UserToCreate): UserRow {
    const mistakes = personMistakes(user)
    if (mistakes.length > 0) invalid(mistakes)
    return store.transaction(() => {
      return users.insert({
        ...freeName(user.username),
        display_name: personText(user.display_name),
        email: personText(user.email),
        role: user.role,
        password_hash: user.passwordHash,
        password_change_required: user.passwordChangeRequired ?? false,
        created_at: clock.iso(),
      })
    })
  }

  const need = (id: number): UserRow => users.get(id) ?? notFound()

  return {
    isEmpty: users.isEmpty,
    create,
    freeName,
    /** Makes the first user; 409 when there is one already, also when two try at once. */
    createFirst(user: Omit<UserToCreate, 'role'>): UserRow {
      return store.transaction(() => {
        if (!users.isEmpty()) conflict(msg('first_account_exists'))
        return create({ ...user, role: 'superadmin' })
      })
    },
    get: (id: number): User => presentUser(need(id)),
    etag: (id: number): string => String(need(id).revision),
    /** For signing in: with the password's hash. */
    findForLogin: (username: string): UserRow | undefined => users.byUsernameKey(usernameKey(username)),
    forLogin: (id: number): UserRow | undefined => users.get(id),
    oldestSuperadmin: users.oldestSuperadmin,
    /** What is wrong with a name for a new user; undefined when nothing is. */
    usernameMistake,
    usernameKey,
    /** Names for records that tell who made them, also of whoever has been removed since. */
    usernames: (ids: number[]): Map<number, string> => users.usernames([...new Set(ids)]),
    signedIn: (id: number) => users.signedIn(id, clock.iso()),
    setPassword(id: number, hash: string, { changeRequired }: { changeRequired: boolean }): void {
      store.transaction(() => {
        users.save(need(id), {
          password_hash: hash,
          password_change_required: changeRequired,
          updated_at: clock.iso(),
        })
        events.append('user.changed', id, {})
      })
    },
  }
}
