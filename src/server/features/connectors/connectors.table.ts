import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ConnectorType } from '../../../contract/connector-types.ts'
import type { ConnectorTestResult, environments } from '../../../contract/connectors.ts'

export const connectors = sqliteTable('connectors', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  type: text().$type<ConnectorType>().notNull(),
  description: text(),
  config: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** The secrets as one sealed JSON object; null when there are none. */
  sealed_secrets: text(),
  secret_names: text({ mode: 'json' }).$type<string[]>().notNull(),
  environment: text().$type<(typeof environments)[number]>().notNull(),
  viewer_raw: integer({ mode: 'boolean' }).notNull(),
  archived: integer().$type<0 | 1>().notNull(),
  last_test: text({ mode: 'json' }).$type<ConnectorTestResult>(),
  last_test_at: text(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type ConnectorRow = typeof connectors.$inferSelect
