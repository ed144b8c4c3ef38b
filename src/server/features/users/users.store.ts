import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { type UserRow, users } from './users.table.ts'

export type NewUser = Pick<
  UserRow,
  'username' | 'username_key' | 'display_name' | 'role' | 'password_hash' | 'created_at'
>

export function createUsersStore({ db, sqlite }: Store) {
  // Asked on many requests: building the query would take longer than running it.
  const byId = db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare()
  const anyUser = sqlite.prepare('SELECT 1 FROM users LIMIT 1')
  return {
    isEmpty: () => anyUser.get() === undefined,
    get: (id: number) => byId.get({ id }),
    byUsernameKey: (key: string) => db.select().from(users).where(eq(users.username_key, key)).get(),
    oldestSuperadmin: () =>
      db
        .select()
        .from(users)
        .where(and(eq(users.role, 'superadmin'), eq(users.disabled, false)))
        .orderBy(asc(users.id))
        .limit(1)
        .get(),
    insert: (user: NewUser) => db.insert(users).values(user).returning().get(),
    usernames(ids: number[]): Map<number, string> {
      if (ids.length === 0) return new Map()
      const named = db
        .select({ id: users.id, username: users.username })
        .from(users)
        .where(inArray(users.id, ids))
        .all()
      return new Map(named.map(({ id, username }) => [id, username]))
    },
    signedIn: (id: number, at: string) =>
      void db.update(users).set({ last_login_at: at }).where(eq(users.id, id)).run(),
  }
}
