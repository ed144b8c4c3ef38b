import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { auditOutcomes } from '../../../contract/audit.ts'
import { roles } from '../../../contract/roles.ts'

export const auditRecords = sqliteTable('audit_records', {
  id: integer('id').primaryKey(),
  at: text('at').notNull(),
  actor: text('actor', { enum: ['session', 'api_key', 'anonymous', 'system'] }).notNull(),
  user_id: integer('user_id'),
  username: text('username').notNull(),
  role: text('role', { enum: [...roles] }),
  session_id: integer('session_id'),
  api_key_id: integer('api_key_id'),
  address: text('address'),
  user_agent: text('user_agent'),
  operation: text('operation').notNull(),
  method: text('method'),
  path: text('path'),
  entity: text('entity'),
  entity_id: integer('entity_id'),
  entity_name: text('entity_name'),
  outcome: text('outcome', { enum: [...auditOutcomes] }).notNull(),
  status: integer('status').notNull(),
  error: text('error'),
  before_digest: text('before_digest'),
  after_digest: text('after_digest'),
  request_id: text('request_id'),
  detail: text('detail'),
  hash: text('hash').notNull(),
})
