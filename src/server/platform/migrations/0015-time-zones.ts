import type { Migration } from './migration.ts'

/** Whose midnight the logical date of a job run is: that of its trigger, its backfill or its job template. */
export const timeZones: Migration = {
  version: 15,
  name: 'time_zones',
  up(sqlite) {
    sqlite.exec("ALTER TABLE job_runs ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC'")
  },
}
