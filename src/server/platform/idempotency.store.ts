import type { Database } from 'better-sqlite3'

export interface KeptAnswer {
  request_hash: string
  status: number
  etag: string | null
  /** JSON. */
  body: string
}

export interface IdempotencyStore {
  find(caller: string, operation: string, key: string): KeptAnswer | undefined
  keep(caller: string, operation: string, key: string, answer: KeptAnswer, at: string): void
  /** Deletes what is older than `before`. */
  prune(before: string): void
}

export function createIdempotencyStore(sqlite: Database): IdempotencyStore {
  const find = sqlite.prepare<[string, string, string], KeptAnswer>(
    'SELECT request_hash, status, etag, body FROM idempotency_keys WHERE caller = ? AND operation = ? AND key = ?',
  )
  const keep = sqlite.prepare(
    `INSERT INTO idempotency_keys (caller, operation, key, request_hash, status, etag, body, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const prune = sqlite.prepare<[string]>('DELETE FROM idempotency_keys WHERE created_at < ?')
  return {
    find: (caller, operation, key) => find.get(caller, operation, key),
    keep: (caller, operation, key, answer, at) =>
      void keep.run(caller, operation, key, answer.request_hash, answer.status, answer.etag, answer.body, at),
    prune: (before) => void prune.run(before),
  }
}
