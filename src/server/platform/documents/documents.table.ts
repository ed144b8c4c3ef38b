import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Columns that the records of every kind of document have. */
export const documentColumns = () => ({
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull(),
  description: text(),
  current_version: integer().notNull(),
  connector_refs: text(),
  tags: text({ mode: 'json' }).$type<string[]>().notNull(),
  archived: integer().$type<0 | 1>().notNull(),
  search_text: text().notNull(),
  revision: integer().notNull(),
  created_by: integer(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
})

/** `owner`: the column that says whose version it is. */
export const versionTable = (name: string, owner: string) =>
  sqliteTable(name, {
    id: integer().primaryKey({ autoIncrement: true }),
    owner_id: integer(owner).notNull(),
    version: integer().notNull(),
    yaml_content: text().notNull(),
    connector_refs: text(),
    change_summary: text(),
    created_by: integer(),
    created_at: text().notNull(),
  })
export type VersionTable = ReturnType<typeof versionTable>
export type VersionRow = VersionTable['$inferSelect']

/** A kind adds columns of its own. */
export type DocumentTable = ReturnType<typeof sqliteTable<string, ReturnType<typeof documentColumns>>>
export type DocumentRow = DocumentTable['$inferSelect']
