import type { AuditRecord } from '../../contract/audit.ts'
import { CHAIN_START, chainHash } from './audit-chain.ts'
import { createAuditStore } from './audit.store.ts'
import type { Clock } from './clock.ts'
import type { Store } from './store.ts'

/** A record but for what the log itself gives it. */
export type NewAuditRecord = Omit<AuditRecord, 'id' | 'at' | 'hash' | 'detail'> & { detail?: string }

/** What the server does by itself. */
export interface SystemDeed {
  /** In the manner of an operationId: `scheduledBackup`. */
  operation: string
  entity?: string
  entity_id?: number
  entity_name?: string
  /** Machine code of the error that it ended with. */
  error?: string
}

/** Who did what: records are added, never changed. */
export interface AuditLog {
  /** Within the transaction under way, if there is one: then record and change are on disk together or not at all. */
  append(record: NewAuditRecord): void
  system(deed: SystemDeed): void
}

/** Longest texts that come from outside; the rest is cut off. */
const MOST_CHARACTERS = 500

/** `noted` hears of each record once it is committed. */
export function createAuditLog(store: Store, clock: Clock, noted: (id: number, hash: string) => void): AuditLog {
  const records = createAuditStore(store.sqlite)
  const cut = (text: string | null) => text && text.slice(0, MOST_CHARACTERS).toWellFormed()

  function append(added: NewAuditRecord): void {
    store.transaction(() => {
      const head = records.head()
      const entry = {
        ...added,
        detail: added.detail ?? null,
        id: (head?.id ?? 0) + 1,
        at: clock.iso(),
        username: added.username.slice(0, MOST_CHARACTERS).toWellFormed(),
        path: cut(added.path),
        user_agent: cut(added.user_agent),
        entity_name: cut(added.entity_name),
      }
      const hash = chainHash(head?.hash ?? CHAIN_START, entry)
      records.insert({ ...entry, hash })
      store.afterCommit(() => noted(entry.id, hash))
    })
  }

  return {
    append,
    system: ({ operation, entity, entity_id, entity_name, error }) =>
      append({
        actor: 'system',
        user_id: null,
        username: 'Headgate',
        role: null,
        session_id: null,
        api_key_id: null,
        address: null,
        user_agent: null,
        operation,
        method: null,
        path: null,
        entity: entity ?? null,
        entity_id: entity_id ?? null,
        entity_name: entity_name ?? null,
        outcome: error === undefined ? 'ok' : 'failed',
        status: 0,
        error: error ?? null,
        before_digest: null,
        after_digest: null,
        request_id: null,
      }),
  }
}
