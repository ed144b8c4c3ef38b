import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { type Scope, roles } from '../../../contract/roles.ts'

export const apiKeys = sqliteTable('api_keys', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  user_id: integer('user_id').notNull(),
  name: text('name').notNull(),
  /** The first characters of the key. */
  prefix: text('prefix').notNull(),
  /** SHA-256 of the key: it is random and long, so a slow hash would add nothing. */
  key_hash: text('key_hash').notNull(),
  role: text('role', { enum: [...roles] }).notNull(),
  /** Empty: every scope of the role. */
  scopes: text('scopes', { mode: 'json' }).$type<Scope[]>().notNull(),
  expires_at: text('expires_at'),
  last_used_at: text('last_used_at'),
  revoked_at: text('revoked_at'),
  created_at: text('created_at').notNull(),
  updated_at: text('updated_at'),
})

export type ApiKeyRow = typeof apiKeys.$inferSelect
