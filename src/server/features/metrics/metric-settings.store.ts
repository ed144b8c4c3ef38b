import type { Database } from 'better-sqlite3'
import type { MetricsConfig } from '../../../contract/metrics.ts'
import { defaults } from './metrics-config.rules.ts'

export function createMetricSettingsStore(sqlite: Database) {
  const read = sqlite.prepare<[], string>('SELECT config FROM metric_settings').pluck()
  const save = sqlite.prepare<[string]>('UPDATE metric_settings SET config = ?')
  return {
    // Written by `save`.
    read: (): MetricsConfig => ({ ...defaults, ...(JSON.parse(read.get() ?? '{}') as Partial<MetricsConfig>) }),
    save: (config: MetricsConfig) => void save.run(JSON.stringify(config)),
  }
}
