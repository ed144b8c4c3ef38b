import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { roles } from '../../../contract/roles.ts'

export const users = sqliteTable('users', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  username: text('username').notNull(),
  /** The name in the one form that all its spellings share: unique. */
  username_key: text('username_key').notNull(),
  display_name: text('display_name'),
  email: text('email'),
  role: text('role', { enum: [...roles] }).notNull(),
  /** argon2id in PHC form; null: cannot sign in with a password. */
  password_hash: text('password_hash'),
  disabled: integer('disabled', { mode: 'boolean' }).notNull().default(false),
  totp_enabled: integer('totp_enabled', { mode: 'boolean' }).notNull().default(false),
  password_change_required: integer('password_change_required', { mode: 'boolean' }).notNull().default(false),
  /** Encrypted; not verified yet while `totp_enabled` is false. */
  totp_sealed: text('totp_sealed'),
  totp_last_step: integer('totp_last_step'),
  /** The row stays as the name of what the user made. */
  deleted_at: text('deleted_at'),
  revision: integer('revision').notNull().default(1),
  search_text: text('search_text').notNull().default(''),
  last_login_at: text('last_login_at'),
  created_at: text('created_at').notNull(),
  updated_at: text('updated_at'),
})

export type UserRow = typeof users.$inferSelect
