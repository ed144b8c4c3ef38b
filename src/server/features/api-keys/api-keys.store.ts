import { type SQL, and, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { listApiKeys } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Role } from '../../../contract/roles.ts'
import { keysetPage, sortOf } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { holdsText } from '../../platform/text-search.ts'
import { type ApiKeyRow, apiKeys } from './api-keys.table.ts'

type KeysQuery = QueryOf<typeof listApiKeys>

/** A key with what its maker is now. */
export interface KeyWithUser {
  id: number
  user_id: number
  role: Role
  /** JSON. */
  scopes: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  username: string
  user_role: Role
  password_change_required: 0 | 1
}

const columns = `SELECT k.id, k.user_id, k.role, k.scopes, k.expires_at, k.revoked_at, k.last_used_at,
    u.username, u.role AS user_role, u.password_change_required
  FROM api_keys k JOIN users u ON u.id = k.user_id`

/** All but the hash. */
const shown = {
  id: apiKeys.id,
  name: apiKeys.name,
  prefix: apiKeys.prefix,
  role: apiKeys.role,
  scopes: apiKeys.scopes,
  user_id: apiKeys.user_id,
  username: sql<string>`(SELECT username FROM users WHERE users.id = ${apiKeys.user_id})`.as('username'),
  expires_at: apiKeys.expires_at,
  last_used_at: apiKeys.last_used_at,
  revoked_at: apiKeys.revoked_at,
  created_at: apiKeys.created_at,
  updated_at: apiKeys.updated_at,
}

/** More keys than this are seldom in use at a time. */
const mostKnown = 1_000

export function createApiKeysStore(store: Store) {
  const { db, sqlite } = store
  const byHash = sqlite.prepare<[string], KeyWithUser>(`${columns} WHERE k.key_hash = ? AND u.disabled = 0`)
  const byId = sqlite.prepare<[number], KeyWithUser>(`${columns} WHERE k.id = ? AND u.disabled = 0`)
  const used = sqlite.prepare<[string, number]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?')

  // Also of users that are disabled or gone: their keys can still be looked at and revoked.
  const ownerOf = sqlite.prepare<[number], { user_id: number; role: Role }>(
    'SELECT k.user_id, u.role FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.id = ?',
  )

  const matching = ({ q, user_id, role, revoked }: KeysQuery, ownerId: number | undefined): SQL | undefined =>
    and(
      ownerId === undefined ? undefined : eq(apiKeys.user_id, ownerId),
      user_id === undefined ? undefined : eq(apiKeys.user_id, user_id),
      role ? inArray(apiKeys.role, role) : undefined,
      revoked === undefined ? undefined : revoked ? isNotNull(apiKeys.revoked_at) : isNull(apiKeys.revoked_at),
      q ? holdsText(apiKeys.name, q) : undefined,
    )

  // Looked up with every request: an eighth of a short run's time. Triggers forget them, so that no writer can leave an old one in force.
  const known = new Map<string, KeyWithUser>()
  sqlite.function('forget_known_keys', () => (known.clear(), null))
  for (const table of ['api_keys', 'users'])
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      sqlite.exec(
        `CREATE TEMP TRIGGER known_keys_${table}_${change} AFTER ${change} ON main.${table} BEGIN SELECT forget_known_keys(); END`,
      )

  return {
    keyByHash(hash: string): KeyWithUser | undefined {
      // What a transaction sees may be undone.
      if (sqlite.inTransaction) return byHash.get(hash)
      const found = known.get(hash) ?? byHash.get(hash)
      if (!found || known.has(hash)) return found
      if (known.size >= mostKnown) known.clear()
      known.set(hash, found)
      return found
    },
    key: (id: number) => byId.get(id),
    used: (id: number, at: string) => void used.run(at, id),
    insert: (key: Omit<ApiKeyRow, 'id' | 'last_used_at' | 'revoked_at' | 'updated_at'>) =>
      db.insert(apiKeys).values(key).returning().get(),
    owner: (id: number) => ownerOf.get(id),
    /** False when it was revoked before. */
    revoke: (id: number, at: string) =>
      db
        .update(apiKeys)
        .set({ revoked_at: at, updated_at: at })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked_at)))
        .run().changes > 0,
    revokeAllOf: (userId: number, at: string) =>
      void db
        .update(apiKeys)
        .set({ revoked_at: at, updated_at: at })
        .where(and(eq(apiKeys.user_id, userId), isNull(apiKeys.revoked_at)))
        .run(),
    /** Of one user, or (undefined) of everybody. */
    list(query: KeysQuery, ownerId: number | undefined) {
      const where = matching(query, ownerId)
      return keysetPage<ApiKey>({
        store,
        table: apiKeys,
        select: shown,
        where,
        sort: sortOf(query, { created_at: apiKeys.id, name: apiKeys.name, last_used_at: apiKeys.last_used_at }),
        cursor: query.cursor,
        limit: query.limit,
        total: () => db.select({ n: count() }).from(apiKeys).where(where).get()?.n ?? 0,
      })
    },
  }
}
