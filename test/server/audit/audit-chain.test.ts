import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditRecord } from '../../../src/contract/audit.ts'
import {
  type AuditEntry,
  CHAIN_START,
  chainHash,
  createChainVerifier,
} from '../../../src/server/platform/audit-chain.ts'

const entry = (id: number): AuditEntry => ({
  id,
  at: `2026-03-01T08:00:00.${String(id).padStart(3, '0')}Z`,
  actor: 'session',
  user_id: 1,
  username: 'ada',
  role: 'admin',
  session_id: 4,
  api_key_id: null,
  address: '127.0.0.1',
  user_agent: null,
  operation: 'updateTask',
  method: 'PUT',
  path: `/api/tasks/${id}`,
  entity: 'task',
  entity_id: id,
  entity_name: 'orders',
  outcome: 'ok',
  status: 200,
  error: null,
  before_digest: null,
  after_digest: 'ab',
  request_id: null,
  detail: id % 2 === 0 ? null : `statement ${id}`,
})

function chain(length: number): AuditRecord[] {
  let previous = CHAIN_START
  return Array.from({ length }, (_, index) => {
    const record = entry(index + 1)
    previous = chainHash(previous, record)
    return { ...record, hash: previous }
  })
}

function verdictOf(records: AuditRecord[], known?: string) {
  const verifier = createChainVerifier(known === undefined ? [] : [known])
  for (const record of records) if (!verifier.take(record)) break
  return verifier.verdict()
}

test('a chain as it was written holds, an empty one, too', () => {
  const records = chain(5)
  expect(verdictOf(records)).toEqual({
    ok: true,
    records: 5,
    first_broken_id: null,
    reason: null,
    head: records[4]!.hash,
  })
  expect(verdictOf([])).toEqual({ ok: true, records: 0, first_broken_id: null, reason: null, head: null })
})

test('whatever is changed in any field of any record is found at that record', () => {
  const fields = Object.keys(entry(1)).filter((field) => field !== 'id') as (keyof AuditEntry)[]
  fc.assert(
    fc.property(fc.nat(5), fc.constantFrom(...fields), fc.string(), (at, field, text) => {
      const records = chain(6)
      fc.pre(records[at]![field] !== text)
      records[at] = { ...records[at]!, [field]: text }
      expect(verdictOf(records)).toMatchObject({ ok: false, records: at, first_broken_id: at + 1 })
    }),
    { numRuns: 200 },
  )
})

test('a record that is missing is found, at the start, in the middle, and at the end by a hash that was noted', () => {
  const records = chain(6)
  const head = records[5]!.hash
  expect(verdictOf(records.slice(1))).toMatchObject({ ok: false, reason: 'Record 1 is missing: 2 follows 0' })
  expect(verdictOf(records.toSpliced(3, 1))).toMatchObject({ ok: false, reason: 'Record 4 is missing: 5 follows 3' })
  expect(verdictOf(records.slice(0, 5))).toMatchObject({ ok: true, records: 5 })
  expect(verdictOf(records.slice(0, 5), head)).toMatchObject({ ok: false, first_broken_id: null })
  expect(verdictOf(records, head)).toMatchObject({ ok: true })
  // More was written since.
  expect(verdictOf(records, records[2]!.hash)).toMatchObject({ ok: true, records: 6 })
})

test('two records that change places are found', () => {
  const records = chain(6)
  const [a, b] = [records[2]!, records[3]!]
  expect(verdictOf(records.with(2, b).with(3, a)).ok).toBe(false)
  expect(verdictOf(records.with(2, { ...b, id: 3 }).with(3, { ...a, id: 4 })).ok).toBe(false)
})
