import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'

export const explorerPresets = sqliteTable('explorer_presets', {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  description: text(),
  connector_id: integer(),
  resource: text(),
  definition: text({ mode: 'json' }).$type<ExplorerPresetDefinition>().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_by: integer().notNull(),
  created_at: text().notNull(),
  updated_at: text(),
})
export type ExplorerPresetRow = typeof explorerPresets.$inferSelect
