import { deliveriesOf } from './deliveries-of-events.ts'
import type { Migration } from './migration.ts'

/** Where the rows of a step and the table that they went into differed, as JSON; and news of it. */
export const schemaDrift: Migration = {
  version: 18,
  name: 'schema_drift',
  up(sqlite) {
    sqlite.exec('ALTER TABLE run_steps ADD COLUMN drift TEXT')
    deliveriesOf(sqlite, ['failed', 'recovered', 'late', 'finished', 'schema_drift', 'test'])
  },
}
