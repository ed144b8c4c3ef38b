import { expect, test } from 'vitest'
import { createApiKey, revokeApiKey } from '../../../src/contract/api-keys.ts'
import { exportAudit } from '../../../src/contract/audit.ts'
import { startTestServer } from '../../support/server.ts'

test('an export of the audit log that is under way ends when its key is revoked', async () => {
  const server = await startTestServer()
  // More than lies between the server and a client that does not read on.
  server.platform.store.sqlite.exec(`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
    INSERT INTO audit_records (at, actor, username, operation, user_agent, outcome, status, hash)
    SELECT '2026-01-01T00:00:00.000Z', 'system', 'Headgate', 'test', hex(zeroblob(500)), 'ok', 0, '' FROM n`)
  const admin = server.as('admin')
  const made = await admin.call(createApiKey, { body: { name: 'taken' } })
  const answer = await fetch(new URL(exportAudit.path, server.url), {
    headers: { authorization: `Bearer ${made.key}` },
  })
  const reader = answer.body!.getReader()
  expect((await reader.read()).done).toBe(false)
  await admin.call(revokeApiKey, { params: { id: made.id } })
  const readOn = async () => {
    while (!(await reader.read()).done);
  }
  await expect(readOn()).rejects.toThrow('terminated')
  await server.close()
})
