import { deliveriesOf } from './deliveries-of-events.ts'
import type { Migration } from './migration.ts'

/** Notifications about job runs that completed with rejects. */
export const notifyOnRejects: Migration = {
  version: 19,
  name: 'news_of_rejects',
  up(sqlite) {
    deliveriesOf(sqlite, ['failed', 'recovered', 'late', 'finished', 'completed_with_rejects', 'schema_drift', 'test'])
  },
}
