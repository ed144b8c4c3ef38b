import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { historyKinds } from '../../../contract/query-history.ts'

export const queryHistory = sqliteTable('query_history', {
  id: integer().primaryKey({ autoIncrement: true }),
  user_id: integer().notNull(),
  connector_id: integer().notNull(),
  kind: text({ enum: [...historyKinds] }).notNull(),
  text: text().notNull(),
  search_text: text().notNull(),
  at: text().notNull(),
  duration_ms: integer().notNull(),
  rows: integer(),
  error: text(),
  error_params: text(),
  /** JSON: what to run it again with. */
  asked: text(),
})
export type QueryHistoryRow = typeof queryHistory.$inferSelect
