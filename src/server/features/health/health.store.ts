import type { HealthCheck } from '../../../contract/health.ts'
import type { Static } from 'typebox'
import type { Store } from '../../platform/store.ts'

/** Reads from the file rather than from memory alone. */
export function checkDatabase({ sqlite }: Store): Static<typeof HealthCheck> {
  try {
    sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return { status: 'ok' }
  } catch (error) {
    return { status: 'degraded', message: `The database cannot be read: ${String(error)}` }
  }
}
