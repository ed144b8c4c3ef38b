import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SourceState } from '../../../contract/executor-protocol.ts'

/** A run of which nobody knows whether it committed. */
export interface UnresolvedRun {
  run_id: number
  /** What it would have saved. */
  state: SourceState | null
  /** The state's revision that it began from. */
  revision: string | null
}

export const taskStates = sqliteTable('task_states', {
  id: integer().primaryKey({ autoIncrement: true }),
  task_id: integer().notNull(),
  /** 0: outside of jobs. */
  job_id: integer().notNull().default(0),
  task_key: text().notNull().default(''),
  slot: text().notNull(),
  /** 0: the source has no connector. */
  connector_id: integer().notNull(),
  state: text({ mode: 'json' }).$type<SourceState>().notNull(),
  revision: text().notNull(),
  run_id: integer().notNull(),
  updated_at: text().notNull(),
  unresolved: text({ mode: 'json' }).$type<UnresolvedRun[]>().notNull().default([]),
})
export type TaskStateRow = typeof taskStates.$inferSelect
