import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const dashboards = sqliteTable('dashboards', {
  id: integer().primaryKey({ autoIncrement: true }),
  job_id: integer().notNull(),
  dashboard_template_id: integer().notNull(),
  template_version: integer().notNull(),
  name: text().notNull(),
  description: text(),
  yaml_content: text().notNull(),
  widget_count: integer().notNull(),
  /** JSON, see `DashboardState`. */
  state: text().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  removed: integer().$type<0 | 1>().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})
export type DashboardRow = typeof dashboards.$inferSelect

export const dashboardShares = sqliteTable('dashboard_shares', {
  id: integer().primaryKey({ autoIncrement: true }),
  dashboard_id: integer().notNull(),
  name: text(),
  token_hash: text().notNull(),
  prefix: text().notNull(),
  filters: text().$type<'locked' | 'free'>().notNull(),
  filter_values: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  allowed_origins: text({ mode: 'json' }).$type<string[]>().notNull(),
  view_count: integer().notNull(),
  last_viewed_at: text(),
  expires_at: text(),
  revoked_at: text(),
  created_by: integer(),
  created_at: text().notNull(),
})
export type ShareRow = typeof dashboardShares.$inferSelect
