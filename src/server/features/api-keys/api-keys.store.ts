import { type SQL, and, count, eq, isNull, sql } from 'drizzle-orm'
import type { ApiKey } from '../../../contract/auth.ts'
import type { Role } from '../../../contract/roles.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type ApiKeyRow, apiKeys } from './api-keys.table.ts'

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
}

const columns = `SELECT k.id, k.user_id, k.role, k.scopes, k.expires_at, k.revoked_at, k.last_used_at,
    u.username, u.role AS user_role
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

export function createApiKeysStore(store: Store) {
  const { db, sqlite } = store
  const byHash = sqlite.prepare<[string], KeyWithUser>(`${columns} WHERE k.key_hash = ? AND u.disabled = 0`)
  const byId = sqlite.prepare<[number], KeyWithUser>(`${columns} WHERE k.id = ? AND u.disabled = 0`)
  const used = sqlite.prepare<[string, number]>('UPDATE api_keys SET last_used_at = ? WHERE id = ?')

  const matching = (ownerId: number | undefined, q: string | undefined): SQL | undefined =>
    and(
      ownerId === undefined ? undefined : eq(apiKeys.user_id, ownerId),
      q ? sql`instr(lower(${apiKeys.name}), ${q.toLowerCase()}) > 0` : undefined,
    )

  return {
    keyByHash: (hash: string) => byHash.get(hash),
    key: (id: number) => byId.get(id),
    used: (id: number, at: string) => void used.run(at, id),
    insert: (key: Omit<ApiKeyRow, 'id' | 'last_used_at' | 'revoked_at' | 'updated_at'>) =>
      db.insert(apiKeys).values(key).returning().get(),
    get: (id: number) => db.select().from(apiKeys).where(eq(apiKeys.id, id)).get(),
    /** False when it was revoked before. */
    revoke: (id: number, at: string) =>
      db
        .update(apiKeys)
        .set({ revoked_at: at, updated_at: at })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revoked_at)))
        .run().changes > 0,
    list(options: { ownerId?: number; q?: string; cursor?: string; limit?: number }) {
      const where = matching(options.ownerId, options.q)
      return keysetPage<ApiKey>({
        store,
        table: apiKeys,
        select: shown,
        where,
        sort: [{ column: apiKeys.id, direction: 'desc' }],
        cursor: options.cursor,
        limit: options.limit,
        total: () => db.select({ n: count() }).from(apiKeys).where(where).get()?.n ?? 0,
      })
    },
  }
}
