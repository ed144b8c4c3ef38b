import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditRecord, listAudit } from '../../../contract/audit.ts'
import type { Paginated } from '../../../contract/common.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { type ChainVerdict, createChainVerifier } from '../../platform/audit-chain.ts'
import type { Platform } from '../../platform/platform.ts'
import { type AuditFilter, createAuditStore } from './audit.store.ts'

/** Records read at once: other requests come in between. */
const PAGE = 500

export type AuditService = ReturnType<typeof createAuditService>

export function createAuditService({ store, head }: Platform) {
  const records = createAuditStore(store)

  async function* pages(filter: AuditFilter): AsyncGenerator<AuditRecord[]> {
    let last = 0
    for (;;) {
      const page = records.page(filter, last, PAGE)
      if (page.length > 0) yield page
      if (page.length < PAGE) return
      last = page.at(-1)!.id
      await nextTurn()
    }
  }

  return {
    list(query: QueryOf<typeof listAudit>): Paginated<AuditRecord> {
      const { rows, ...page } = records.list(query)
      return { result: rows, ...page }
    },

    /** Oldest first, one JSON object a line. */
    async *lines(filter: AuditFilter): AsyncGenerator<string> {
      for await (const page of pages(filter)) yield page.map((record) => `${JSON.stringify(record)}\n`).join('')
    },

    async verify(): Promise<ChainVerdict> {
      const { audit_hash } = head()
      const verifier = createChainVerifier(audit_hash === '' ? [] : [audit_hash])
      for await (const page of pages({})) {
        for (const record of page) if (!verifier.take(record)) return verifier.verdict()
      }
      return verifier.verdict()
    },
  }
}
