import type { Migration } from './migration.ts'

/** What was sent to a connected system, in the records of it. */
export const auditDetail: Migration = {
  version: 30,
  name: 'audit detail',
  up(sqlite) {
    sqlite.exec('ALTER TABLE audit_records ADD COLUMN detail TEXT')
  },
}
