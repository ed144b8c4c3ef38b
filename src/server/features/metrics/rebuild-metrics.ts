import { openDataFolder } from '../../platform/data-folder.ts'
import { openDatabase } from '../../platform/store.ts'
import { migrations } from '../../platform/migrations/index.ts'
import { schemaVersion } from '../../platform/migrations/migrate.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { keptSince } from './metrics-config.rules.ts'
import { createMetricSettingsStore } from './metric-settings.store.ts'
import { createRollupsStore } from './rollups.store.ts'

export { StartupError }

/** Of a data folder that no server uses. Throws a StartupError that says what to do. */
export function rebuildMetrics(path: string): { runs: number } {
  const folder = openDataFolder(path)
  try {
    const sqlite = openDatabase(folder.database)
    try {
      if (schemaVersion(sqlite) !== migrations.at(-1)?.version) {
        throw new StartupError(
          'The store is of another version. Start and end this version of the server once, then rebuild.',
        )
      }
      const { retention_days } = createMetricSettingsStore(sqlite).read()
      const before = keptSince(retention_days, Date.now())
      return sqlite.transaction(() => createRollupsStore(sqlite).rebuild(before)).immediate()
    } finally {
      sqlite.close()
    }
  } finally {
    folder.release()
  }
}
