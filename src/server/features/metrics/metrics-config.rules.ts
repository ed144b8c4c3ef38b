import type { MetricsConfig } from '../../../contract/metrics.ts'

/** Those beside the custom metrics. */
export type MetricSettings = Omit<MetricsConfig, 'custom'>
/** A year, and a month to compare it with. */
export const defaults: MetricSettings = { retention_days: 400, prometheus_tasks: 200 }

const dayMs = 86_400_000
/** The time before which roll-ups are let go; 0 days: never. */
export const keptSince = (days: number, now: number): number => (days === 0 ? -Infinity : now - days * dayMs)
