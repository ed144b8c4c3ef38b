import { and, asc, count, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { QueryOf } from '../../../contract/operation.ts'
import type { listUsers } from '../../../contract/users.ts'
import { type KeysetSort, keysetPage } from '../../platform/keyset.ts'
import { searched } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { searchText } from './users.rules.ts'
import { type UserRow, users } from './users.table.ts'

export type NewUser = Pick<
  UserRow,
  'username' | 'username_key' | 'display_name' | 'email' | 'role' | 'password_hash' | 'created_at'
> &
  Partial<Pick<UserRow, 'password_change_required'>>
type UserSave = Partial<Omit<UserRow, 'id' | 'created_at' | 'revision' | 'search_text'>>

/** Who is gone is found by nothing here but `usernames`. */
export function createUsersStore(store: Store) {
  const { db, sqlite } = store
  const present = isNull(users.deleted_at)
  // Asked on many requests: building the query would take longer than running it.
  const byId = db
    .select()
    .from(users)
    .where(and(eq(users.id, sql.placeholder('id')), present))
    .prepare()
  const anyUser = sqlite.prepare('SELECT 1 FROM users LIMIT 1')
  const isSuperadmin = and(present, eq(users.role, 'superadmin'), eq(users.disabled, false))

  return {
    isEmpty: () => anyUser.get() === undefined,
    get: (id: number) => byId.get({ id }),
    byUsernameKey: (key: string) =>
      db
        .select()
        .from(users)
        .where(and(eq(users.username_key, key), present))
        .get(),
    list(query: QueryOf<typeof listUsers>) {
      const where = and(
        present,
        query.role ? eq(users.role, query.role) : undefined,
        query.disabled === undefined ? undefined : eq(users.disabled, query.disabled),
        searched(users.search_text, query.q),
      )
      const sort = query.sort ?? 'username'
      const direction = query.order ?? (sort === 'username' ? 'asc' : 'desc')
      const id: KeysetSort = { column: users.id, direction }
      const columns = { id: [], username: [users.username_key], last_login_at: [users.last_login_at] }[sort]
      return keysetPage({
        store,
        table: users,
        where,
        sort: [...columns.map((column) => ({ column, direction })), id],
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    oldestSuperadmin: () => db.select().from(users).where(isSuperadmin).orderBy(asc(users.id)).limit(1).get(),
    enabledSuperadmins: () => db.select({ n: count() }).from(users).where(isSuperadmin).get()?.n ?? 0,
    insert: (user: NewUser) =>
      db
        .insert(users)
        .values({ ...user, search_text: searchText(user) })
        .returning()
        .get(),
    save: (before: UserRow, change: UserSave): UserRow =>
      db
        .update(users)
        .set({ ...change, search_text: searchText({ ...before, ...change }), revision: sql`${users.revision} + 1` })
        .where(eq(users.id, before.id))
        .returning()
        .get(),
    /** Whoever is gone, too: records tell who made them. */
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
