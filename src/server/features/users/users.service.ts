import type { User } from '../../../contract/auth.ts'
import type { Role } from '../../../contract/roles.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, notFound } from '../../platform/refusal.ts'
import { presentUser, usernameKey, usernameMistake } from './users.rules.ts'
import { createUsersStore } from './users.store.ts'
import type { UserRow } from './users.table.ts'

export interface UserToCreate {
  username: string
  display_name?: string
  role: Role
  /** null: the user cannot sign in with a password. */
  passwordHash: string | null
}

/** A user as signing in sees him: with the password's hash. */
export type UserForLogin = UserRow

export type UsersService = ReturnType<typeof createUsersService>

export function createUsersService({ store, clock }: Platform) {
  const users = createUsersStore(store)

  function create(user: UserToCreate): UserRow {
    const username = user.username.trim()
    const mistake = usernameMistake(username)
    if (mistake) invalid([{ path: 'body.username', message: mistake }])
    const username_key = usernameKey(username)
    return store.transaction(() => {
      if (users.byUsernameKey(username_key)) conflict(`The name ${JSON.stringify(username)} is taken.`)
      return users.insert({
        username,
        username_key,
        display_name: user.display_name?.trim() || null,
        role: user.role,
        password_hash: user.passwordHash,
        created_at: clock.iso(),
      })
    })
  }

  return {
    isEmpty: users.isEmpty,
    create,
    /** Makes the first user; 409 when there is one already, also when two try at once. */
    createFirst(user: Omit<UserToCreate, 'role'>): UserRow {
      return store.transaction(() => {
        if (!users.isEmpty()) conflict('The first account exists already. Sign in with it.')
        return create({ ...user, role: 'superadmin' })
      })
    },
    get: (id: number): User => presentUser(users.get(id) ?? notFound()),
    /** For signing in: with the password's hash. */
    findForLogin: (username: string): UserRow | undefined => users.byUsernameKey(usernameKey(username)),
    oldestSuperadmin: users.oldestSuperadmin,
    /** What is wrong with a name for a new user; undefined when nothing is. */
    usernameMistake,
    /** Names for records that tell who made them. Whoever is gone is missing. */
    usernames: (ids: number[]): Map<number, string> => users.usernames([...new Set(ids)]),
    signedIn: (id: number) => users.signedIn(id, clock.iso()),
  }
}
