import { msg } from '../../../contract/messages.ts'
import { createHash } from 'node:crypto'
import type { createApiKey, listApiKeys } from '../../../contract/api-keys.ts'
import type { ApiKey, CreatedApiKey } from '../../../contract/auth.ts'
import type { Paginated } from '../../../contract/common.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type { Scope } from '../../../contract/roles.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { forbidden, invalid, notFound, unauthenticated } from '../../platform/refusal.ts'
import {
  KEY_PREFIX,
  SHOWN_CHARACTERS,
  effectiveRole,
  keyIsAlive,
  keyMistakes,
  mayRevoke,
  seesAllKeys,
} from './api-keys.rules.ts'
import { createApiKeysStore } from './api-keys.store.ts'
import type { Static } from 'typebox'

/** `last_used_at` is exact to this: no write for each request. */
const USED_EVERY_MS = 60_000

export type ApiKeysService = ReturnType<typeof createApiKeysService>

export function createApiKeysService({ store, clock, ids }: Platform) {
  const keys = createApiKeysStore(store)
  /** Times that are not in the store yet, by key. */
  const used = new Map<number, string>()
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')

  function note(id: number, last: string | null): void {
    const known = used.get(id) ?? last
    if (known === null || clock.now().getTime() - Date.parse(known) >= USED_EVERY_MS) used.set(id, clock.iso())
  }

  function flush(): void {
    if (used.size === 0) return
    store.transaction(() => {
      for (const [id, at] of used) keys.used(id, at)
    })
    used.clear()
  }

  return {
    list(query: QueryOf<typeof listApiKeys>, caller: Caller): Paginated<ApiKey> {
      // What is noted belongs into the answer.
      flush()
      const { rows, ...page } = keys.list(query, seesAllKeys(caller) ? undefined : caller.user_id)
      return { result: rows, ...page }
    },

    create(body: BodyOf<typeof createApiKey>, maker: Caller): Static<typeof CreatedApiKey> {
      const name = recordName(body.name)
      const own = maker.api_key_id === undefined ? undefined : (keys.key(maker.api_key_id) ?? unauthenticated())
      const expires_at = own?.expires_at ?? null
      const mistakes = keyMistakes(body, { ...maker, expires_at }, clock.now().getTime())
      if (mistakes.length > 0) invalid(mistakes)
      const key = `${KEY_PREFIX}${ids.hex(32)}`
      const row = store.transaction(() =>
        keys.insert({
          user_id: maker.user_id,
          name,
          prefix: key.slice(0, SHOWN_CHARACTERS),
          key_hash: hashOf(key),
          role: body.role ?? maker.role,
          scopes: body.scopes ?? [],
          expires_at: body.expires_at === undefined ? null : new Date(body.expires_at).toISOString(),
          created_at: clock.iso(),
        }),
      )
      const { key_hash: _, ...shown } = row
      return { ...shown, username: maker.username, key }
    },

    /** Revoking twice is as good as once. */
    revoke(id: number, caller: Caller): void {
      store.transaction(() => {
        const key = keys.owner(id) ?? notFound()
        const may = mayRevoke(caller, { id: key.user_id, role: key.role })
        if (may === 'unknown') notFound()
        if (may === 'no') forbidden(msg('not_your_key', { role: key.role }))
        keys.revoke(id, clock.iso())
      })
      used.delete(id)
    },

    /** In the transaction in which the user is removed. */
    revokeAllOf: (userId: number): void => keys.revokeAllOf(userId, clock.iso()),

    caller(key: string): Caller | undefined {
      if (!key.startsWith(KEY_PREFIX)) return undefined
      const row = keys.keyByHash(hashOf(key))
      if (!row || !keyIsAlive(row, clock.now().getTime())) return undefined
      note(row.id, row.last_used_at)
      return {
        kind: 'api_key',
        user_id: row.user_id,
        username: row.username,
        role: effectiveRole(row.role, row.user_role),
        // Written by insert() above.
        scopes: JSON.parse(row.scopes) as Scope[],
        api_key_id: row.id,
        pending: false,
        password_change_required: row.password_change_required === 1,
      }
    },

    /** For streams that are open. */
    isAlive(id: number): boolean {
      const row = keys.key(id)
      return row !== undefined && keyIsAlive(row, clock.now().getTime()) && row.password_change_required === 0
    },

    /** Writes what was noted; called now and then, and at the end. */
    flush,
  }
}
