import type { Migration } from './migration.ts'

/** Why a row was rejected, as a code with parameters beside its English. Older rows have the text alone. */
export const rejectCodes: Migration = {
  version: 29,
  name: 'reject codes',
  up(sqlite) {
    sqlite.exec('ALTER TABLE run_rejects ADD COLUMN code TEXT; ALTER TABLE run_rejects ADD COLUMN params TEXT;')
  },
}
