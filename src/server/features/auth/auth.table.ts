import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const sessions = sqliteTable('sessions', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  user_id: integer('user_id').notNull(),
  /** SHA-256 of the cookie's value. */
  token_hash: text('token_hash').notNull(),
  /** Waits for the TOTP code. */
  pending: integer('pending', { mode: 'boolean' }).notNull(),
  via: text('via', { enum: ['password', 'bootstrap', 'launch'] }).notNull(),
  address: text('address'),
  user_agent: text('user_agent'),
  created_at: text('created_at').notNull(),
  last_seen_at: text('last_seen_at').notNull(),
  /** Of the desktop's own window, which locks itself. */
  desktop: integer('desktop', { mode: 'boolean' }).notNull().default(false),
  /** The end of its longest life; an idle session ends sooner. */
  expires_at: text('expires_at').notNull(),
})

export const loginFailures = sqliteTable('login_failures', {
  subject: text('subject').primaryKey().notNull(),
  failures: integer('failures').notNull(),
  window_started_at: text('window_started_at').notNull(),
})

export type SessionRow = typeof sessions.$inferSelect
