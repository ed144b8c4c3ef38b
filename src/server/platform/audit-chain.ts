import { createHash } from 'node:crypto'
import type { AuditRecord } from '../../contract/audit.ts'

export type AuditEntry = Omit<AuditRecord, 'hash'>

/** What the first record is bound to. */
export const CHAIN_START = '0'.repeat(64)

/** Fields in the order in which they are hashed. Never changed: old records would no longer fit. */
const hashed = [
  'id',
  'at',
  'actor',
  'user_id',
  'username',
  'role',
  'session_id',
  'api_key_id',
  'address',
  'user_agent',
  'operation',
  'method',
  'path',
  'entity',
  'entity_id',
  'entity_name',
  'outcome',
  'status',
  'error',
  'before_digest',
  'after_digest',
  'request_id',
] as const satisfies readonly (keyof AuditEntry)[]

/** SHA-256, hexadecimal, over the hash before it and the record as a JSON array, with a line feed between the two. `detail` is in it where there is one. */
export function chainHash(previous: string, entry: AuditEntry): string {
  const values = [...hashed.map((field) => entry[field]), ...(typeof entry.detail === 'string' ? [entry.detail] : [])]
  return createHash('sha256')
    .update(`${previous}\n${JSON.stringify(values)}`)
    .digest('hex')
}

export interface ChainVerdict {
  ok: boolean
  /** Records that were looked at. */
  records: number
  first_broken_id: number | null
  reason: string | null
  /** Hash of the last record that fits; null where there is none. */
  head: string | null
}

/**
 * Follows the chain from its start, oldest first: a record that was changed, taken out or put in breaks it. What was cut off at
 * its end shows only against hashes that were noted elsewhere: `known`.
 */
export function createChainVerifier(known: readonly string[] = []) {
  let previous = CHAIN_START
  let records = 0
  const unseen = new Set(known)
  let broken: { id: number; reason: string } | undefined

  return {
    /** False once the chain is broken: what follows says nothing more. */
    take(record: AuditRecord): boolean {
      if (record.id !== records + 1) {
        broken = { id: record.id, reason: `Record ${records + 1} is missing: ${record.id} follows ${records}` }
      } else if (chainHash(previous, record) !== record.hash) {
        broken = { id: record.id, reason: `Record ${record.id} is not what was written` }
      } else {
        previous = record.hash
        records += 1
        unseen.delete(previous)
      }
      return broken === undefined
    },
    verdict(): ChainVerdict {
      const head = records > 0 ? previous : null
      if (broken) return { ok: false, records, first_broken_id: broken.id, reason: broken.reason, head }
      if (unseen.size === 0) return { ok: true, records, first_broken_id: null, reason: null, head }
      const reason = `No record has the known hash ${[...unseen].join(' or ')}: records were removed from the end, or the log was rewritten`
      return { ok: false, records, first_broken_id: null, reason, head }
    },
  }
}
