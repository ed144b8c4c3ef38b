import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const branding = sqliteTable('branding', {
  only_one: integer().primaryKey(),
  product_name: text(),
  logo_data_url: text(),
  primary_color: text(),
  login_message: text(),
  support_url: text(),
  revision: integer().notNull(),
  updated_at: text().notNull(),
})
export type BrandingRow = typeof branding.$inferSelect
