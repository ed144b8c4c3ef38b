import type { HealthCheck } from '../../../contract/health.ts'
import type { Static } from 'typebox'
import { StoreMoved } from '../../platform/store-file.ts'
import type { Store } from '../../platform/store.ts'

/** Reads from the file rather than from memory alone, and checks that the file is still at its path. */
export function checkDatabase(store: Store): Static<typeof HealthCheck> {
  try {
    store.checkFile()
    store.sqlite.prepare('SELECT count(*) FROM sqlite_schema').get()
    return { status: 'ok' }
  } catch (error) {
    if (error instanceof StoreMoved) return { status: 'degraded', message: error.message }
    return { status: 'degraded', message: `The database cannot be read: ${String(error)}` }
  }
}
