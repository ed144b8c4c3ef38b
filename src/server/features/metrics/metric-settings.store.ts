import type { Database } from 'better-sqlite3'
import { type MetricSettings, defaults } from './metrics-config.rules.ts'

export function createMetricSettingsStore(sqlite: Database) {
  const read = sqlite.prepare<[], string>('SELECT config FROM metric_settings').pluck()
  const save = sqlite.prepare<[string]>('UPDATE metric_settings SET config = ?')
  return {
    // Written by `save`.
    read: (): MetricSettings => ({ ...defaults, ...(JSON.parse(read.get() ?? '{}') as Partial<MetricSettings>) }),
    save: (config: MetricSettings) => void save.run(JSON.stringify(config)),
  }
}
