/** Custom metrics, their state, and their values as sums. */
import type { CustomMetric, customMetricKinds } from '../../../contract/custom-metrics.ts'
import type { KeptError } from '../../platform/kept-error.ts'
import type { Store } from '../../platform/store.ts'
import type { Piece } from './buckets.rules.ts'
import type { Values } from './custom-metrics.rules.ts'
import { grainMs, grains } from './rollup.rules.ts'

interface CustomMetricColumns {
  id: number
  name: string
  kind: (typeof customMetricKinds)[number]
  definition: string
  created_at: string
  value: number | null
  value_at: string | null
  run_id: number | null
  checked_at: string | null
  failures: number
  error_message: string | null
  error_params: string | null
  violated_at: string | null
  violation: string | null
}
export interface CustomMetricRow extends Omit<CustomMetricColumns, 'definition' | 'violation'> {
  definition: CustomMetric
  violation: KeptError | null
}
/** Where its values come from. */
interface Origin {
  task_id: number | null
  job_id: number | null
  dataset: string | null
}

// Both were written by this store.
const read = ({ definition, violation, ...row }: CustomMetricColumns): CustomMetricRow => ({
  ...row,
  definition: JSON.parse(definition) as CustomMetric,
  violation: violation === null ? null : (JSON.parse(violation) as KeptError),
})

function originOf({ source }: CustomMetric): Origin {
  const none = { task_id: null, job_id: null, dataset: null }
  if (source.kind === 'freshness') return { ...none, ...source.freshness_of }
  return source.kind === 'query' ? none : { ...none, task_id: source.task_id }
}

export function createCustomMetricsStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const where = (condition: string) => `SELECT * FROM custom_metrics WHERE removed = 0 AND ${condition}`
  const all = sqlite.prepare<[], CustomMetricColumns>(`${where('TRUE')} ORDER BY name`)
  const byName = sqlite.prepare<[string], CustomMetricColumns>(where('name = ?'))
  const byId = sqlite.prepare<[number], CustomMetricColumns>(where('id = ?'))
  const ofKind = sqlite.prepare<[string], CustomMetricColumns>(where('kind = ?'))
  const ofTask = sqlite.prepare<[number], CustomMetricColumns>(where('task_id = ?'))
  const ofJob = sqlite.prepare<[number], CustomMetricColumns>(where('job_id = ?'))
  const ofDatasets = sqlite.prepare<[], CustomMetricColumns & { dataset: string }>(where('dataset IS NOT NULL'))
  const insert = sqlite.prepare<[Origin & { name: string; kind: string; definition: string; at: string }]>(`
    INSERT INTO custom_metrics (name, kind, definition, task_id, job_id, dataset, created_at)
    VALUES (@name, @kind, @definition, @task_id, @job_id, @dataset, @at)`)
  const define = sqlite.prepare<[Origin & { id: number; kind: string; definition: string }]>(`
    UPDATE custom_metrics SET kind = @kind, definition = @definition, task_id = @task_id, job_id = @job_id, dataset = @dataset
    WHERE id = @id`)
  const forget = sqlite.prepare<[number]>(`
    UPDATE custom_metrics SET value = NULL, value_at = NULL, run_id = NULL, checked_at = NULL, failures = 0, error_message = NULL,
      error_params = NULL WHERE id = ?`)
  const remove = sqlite.prepare<[number]>('UPDATE custom_metrics SET removed = 1 WHERE id = ?')
  const valued = sqlite.prepare<[number | null, string, number | null, number]>(
    'UPDATE custom_metrics SET value = ?, value_at = ?, run_id = ?, failures = 0, error_message = NULL, error_params = NULL WHERE id = ?',
  )
  const failed = sqlite.prepare<[string, string | null, number]>(
    'UPDATE custom_metrics SET failures = failures + 1, error_message = ?, error_params = ? WHERE id = ?',
  )
  const checked = sqlite.prepare<[string, number]>('UPDATE custom_metrics SET checked_at = ? WHERE id = ?')
  const violated = sqlite.prepare<[string | null, string | null, number]>(
    'UPDATE custom_metrics SET violated_at = ?, violation = ? WHERE id = ?',
  )
  const add = sqlite.prepare<[Values & { metric_id: number; grain: number; bucket: number }]>(`
    INSERT INTO custom_metric_rollups VALUES (@metric_id, @grain, @bucket, @n, @sum, @min, @max, @last, @last_at)
    ON CONFLICT DO UPDATE SET n = n + excluded.n, sum = sum + excluded.sum, min = min(min, excluded.min), max = max(max, excluded.max),
      last = CASE WHEN excluded.last_at >= last_at THEN excluded.last ELSE last END, last_at = max(last_at, excluded.last_at)`)
  const values = sqlite.prepare<[number, number, number, number], Values & { bucket: number }>(
    'SELECT * FROM custom_metric_rollups WHERE metric_id = ? AND grain = ? AND bucket >= ? AND bucket < ? ORDER BY bucket',
  )
  const everyId = sqlite.prepare<[], { id: number; removed: 0 | 1 }>('SELECT id, removed FROM custom_metrics')
  const old = sqlite.prepare<[{ id: number; grain: number; bucket: number; limit: number }]>(`
    DELETE FROM custom_metric_rollups WHERE metric_id = @id AND grain = @grain AND bucket IN (
      SELECT bucket FROM custom_metric_rollups WHERE metric_id = @id AND grain = @grain AND bucket < @bucket LIMIT @limit)`)
  const gone = sqlite.prepare<[number]>('DELETE FROM custom_metrics WHERE id = ? AND removed = 1')
  const exists = (table: 'tasks' | 'jobs' | 'connectors') =>
    sqlite.prepare<[number], 1>(`SELECT 1 FROM ${table} WHERE id = ?`).pluck()
  const existing = { task: exists('tasks'), job: exists('jobs'), connector: exists('connectors') }
  const jobEnd = sqlite.prepare<[number], { run_id: null; at: string }>(`
    SELECT NULL AS run_id, completed_at AS at FROM job_runs WHERE job_id = ? AND status = 'completed' AND completed_at IS NOT NULL
    ORDER BY created_at DESC LIMIT 1`)

  return {
    list: (): CustomMetricRow[] => all.all().map(read),
    get: (id: number): CustomMetricRow | undefined => {
      const row = byId.get(id)
      return row && read(row)
    },
    named: (name: string): CustomMetricRow | undefined => {
      const row = byName.get(name)
      return row && read(row)
    },
    ofKind: (kind: 'query' | 'freshness'): CustomMetricRow[] => ofKind.all(kind).map(read),
    ofTask: (id: number): CustomMetricRow[] => ofTask.all(id).map(read),
    ofJob: (id: number): CustomMetricRow[] => ofJob.all(id).map(read),
    ofDatasets: (): (CustomMetricRow & { dataset: string })[] =>
      ofDatasets.all().map((row) => ({ ...read(row), dataset: row.dataset })),
    insert(definition: CustomMetric, at: string): number {
      const { name, source } = definition
      const values = { name, kind: source.kind, definition: JSON.stringify(definition), at, ...originOf(definition) }
      return Number(insert.run(values).lastInsertRowid)
    },
    define(id: number, definition: CustomMetric): void {
      const { kind } = definition.source
      define.run({ id, kind, definition: JSON.stringify(definition), ...originOf(definition) })
    },
    /** The newest value is of something else. */
    forget: (id: number): void => void forget.run(id),
    remove: (id: number): void => void remove.run(id),
    noteValue: (id: number, value: number | null, at: string, runId: number | null): void =>
      void valued.run(value, at, runId, id),
    noteFailure: (id: number, { message, params }: KeptError): void => void failed.run(message, params, id),
    noteCheck: (id: number, at: string): void => void checked.run(at, id),
    noteViolation: (id: number, at: string | null, violation: KeptError | null): void =>
      void violated.run(at, violation && JSON.stringify(violation), id),
    add: (metric_id: number, place: { grain: number; bucket: number }, of: Values): void =>
      void add.run({ metric_id, ...place, ...of }),
    values: (id: number, { grain, first, end }: Piece): Values[] => values.all(id, grain, first, end),
    exists: (kind: keyof typeof existing, id: number): boolean => existing[kind].get(id) === 1,
    lastJobEnd: (id: number) => jobEnd.get(id),

    ids: () => everyId.all(),
    /** A few values from before this time; true: there may be more. */
    dropBefore(id: number, before: number, limit: number): boolean {
      for (const grain of [grains.quarter, grains.hour, grains.day] as const) {
        const bucket = before === Infinity ? Number.MAX_SAFE_INTEGER : Math.floor(before / grainMs(grain))
        if (old.run({ id, grain, bucket, limit }).changes === limit) return true
      }
      return false
    },
    gone: (id: number): void => void gone.run(id),
  }
}
export type CustomMetricsStore = ReturnType<typeof createCustomMetricsStore>
