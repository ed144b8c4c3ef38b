import type { Database } from 'better-sqlite3'
import type { AuditRecord } from '../../contract/audit.ts'

export function createAuditStore(sqlite: Database) {
  const head = sqlite.prepare<[], { id: number; hash: string }>(
    'SELECT id, hash FROM audit_records ORDER BY id DESC LIMIT 1',
  )
  const insert = sqlite.prepare<[AuditRecord]>(`
    INSERT INTO audit_records (id, at, actor, user_id, username, role, session_id, api_key_id, address, user_agent, operation, method,
      path, entity, entity_id, entity_name, outcome, status, error, before_digest, after_digest, request_id, detail, hash)
    VALUES (@id, @at, @actor, @user_id, @username, @role, @session_id, @api_key_id, @address, @user_agent, @operation, @method,
      @path, @entity, @entity_id, @entity_name, @outcome, @status, @error, @before_digest, @after_digest, @request_id, @detail, @hash)`)
  return {
    head: () => head.get(),
    insert: (record: AuditRecord) => void insert.run(record),
  }
}
