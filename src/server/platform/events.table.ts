import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

export const eventsTable = sqliteTable('events', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  type: text('type').notNull(),
  at: text('at').notNull(),
  entity_id: integer('entity_id').notNull(),
  data: text('data').notNull(),
})
