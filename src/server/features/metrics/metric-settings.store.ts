import type { Database } from 'better-sqlite3'
import { defaultRetentionDays } from './metrics-config.rules.ts'

export interface MetricSettings {
  /** 0: for ever. */
  retention_days: number
}

export function createMetricSettingsStore(sqlite: Database) {
  const read = sqlite.prepare<[], string>('SELECT config FROM metric_settings').pluck()
  return {
    read(): MetricSettings {
      // Written by this store from a validated body.
      const held = JSON.parse(read.get() ?? '{}') as Partial<MetricSettings>
      return { retention_days: defaultRetentionDays, ...held }
    },
  }
}
