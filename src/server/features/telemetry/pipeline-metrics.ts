/** Metrics of job runs and runs by the CI/CD semantic conventions: sums since the server started. */
import type { JobRunFacts, RunFacts } from './facts.ts'
import { type Attributes, keyValues, unixNano } from './otlp-values.ts'
import type { ActivePipeline } from './telemetry.store.ts'
import { resultOf, systemErrors } from './traces.rules.ts'

/** Seconds. */
const bounds = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 7_200, 14_400, 86_400]
/** Series of one metric; further pipelines are counted as one. */
const mostSeries = 2_000

interface Durations {
  attributes: Attributes
  counts: number[]
  sum: number
  min: number
  max: number
}

export interface WorkerCounts {
  available: number
  busy: number
  offline: number
}

export function createPipelineMetrics(startedAt: string) {
  const durations = new Map<string, Durations>()
  const errors = new Map<string, { attributes: Attributes; count: number }>()
  /** By error code: failures of executors and the server, whatever they ran. */
  const failures = new Map<string, number>()

  /** Names of pipelines that were active: they are 0 afterwards, since a series that ends keeps its last value. */
  const everActive = new Set<string>()

  function activePoints(active: readonly ActivePipeline[]): { attributes: Attributes; value: number }[] {
    const counts = new Map([...everActive].map((name) => [name, { pending: 0, executing: 0 }]))
    for (const { name, status, n } of active) {
      const counted = everActive.has(name) || everActive.size < mostSeries ? name : '_other'
      everActive.add(counted)
      const count = counts.get(counted) ?? { pending: 0, executing: 0 }
      counts.set(counted, count)
      count[status === 'pending' ? 'pending' : 'executing'] += n
    }
    return [...counts].flatMap(([name, count]) =>
      (['pending', 'executing'] as const).map((state) => ({
        attributes: { 'cicd.pipeline.name': name, 'cicd.pipeline.run.state': state },
        value: count[state],
      })),
    )
  }

  function series<T>(map: Map<string, T>, attributes: Attributes, make: (attributes: Attributes) => T): T {
    const full = map.size >= mostSeries && !map.has(JSON.stringify(attributes))
    const counted = full ? { ...attributes, 'cicd.pipeline.name': '_other' } : attributes
    const key = JSON.stringify(counted)
    const known = map.get(key) ?? make(counted)
    map.set(key, known)
    return known
  }

  function ended(
    name: string,
    run: Pick<RunFacts, 'started_at' | 'completed_at'> & { status: string; error_code?: string | null },
  ) {
    const result = resultOf(run)
    const error = run.status === 'failed' ? { 'error.type': run.error_code ?? 'failure' } : {}
    if (run.status === 'failed') {
      series(errors, { 'cicd.pipeline.name': name, ...error }, (attributes) => ({ attributes, count: 0 })).count++
    }
    if (run.started_at === null || run.completed_at === null) return
    const seconds = Math.max(0, Date.parse(run.completed_at) - Date.parse(run.started_at)) / 1000
    const attributes = {
      'cicd.pipeline.name': name,
      'cicd.pipeline.run.state': 'executing',
      'cicd.pipeline.result': result,
      ...error,
    }
    const found = series(durations, attributes, (of): Durations => ({
      attributes: of,
      counts: Array.from({ length: bounds.length + 1 }, () => 0),
      sum: 0,
      min: Infinity,
      max: 0,
    }))
    const at = bounds.findIndex((bound) => seconds <= bound)
    const bucket = at === -1 ? bounds.length : at
    found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
    found.sum += seconds
    found.min = Math.min(found.min, seconds)
    found.max = Math.max(found.max, seconds)
  }

  return {
    jobRunEnded: (run: JobRunFacts): void => ended(run.job_name, run),
    /** Runs of job runs are parts of their pipeline, not pipelines. */
    runEnded(run: RunFacts): void {
      const code = run.status === 'failed' ? run.error_code : null
      if (code !== null && systemErrors.has(code)) failures.set(code, (failures.get(code) ?? 0) + 1)
      if (run.job_run_id === null) ended(run.task_name, run)
    },

    /** What there is to be told at a moment. `active`: what is pending and executing now. */
    at(now: string, active: readonly ActivePipeline[], workers: WorkerCounts): Record<string, unknown>[] {
      const time = { startTimeUnixNano: unixNano(startedAt), timeUnixNano: unixNano(now) }
      const sum = (points: { attributes: Attributes; value: number }[], isMonotonic: boolean) => ({
        aggregationTemporality: 2,
        isMonotonic,
        dataPoints: points.map(({ attributes, value }) => ({
          attributes: keyValues(attributes),
          ...time,
          asInt: String(value),
        })),
      })
      const metrics = [
        {
          name: 'cicd.pipeline.run.duration',
          unit: 's',
          description: 'Duration of a pipeline run.',
          histogram: {
            aggregationTemporality: 2,
            dataPoints: [...durations.values()].map(({ attributes, counts, sum: total, min, max }) => ({
              attributes: keyValues(attributes),
              ...time,
              count: String(counts.reduce((all, count) => all + count, 0)),
              sum: total,
              min,
              max,
              bucketCounts: counts.map(String),
              explicitBounds: bounds,
            })),
          },
        },
        {
          name: 'cicd.pipeline.run.active',
          unit: '{run}',
          description: 'Number of pipeline runs that are under way, by state.',
          sum: sum(activePoints(active), false),
        },
        {
          name: 'cicd.pipeline.run.errors',
          unit: '{error}',
          description: 'Number of pipeline runs that failed.',
          sum: sum(
            [...errors.values()].map(({ attributes, count }) => ({ attributes, value: count })),
            true,
          ),
        },
        {
          name: 'cicd.system.errors',
          unit: '{error}',
          description: 'Number of runs that failed because an executor or the server failed.',
          sum: sum(
            [...failures].map(([code, value]) => ({
              attributes: { 'cicd.system.component': 'executor', 'error.type': code },
              value,
            })),
            true,
          ),
        },
        {
          name: 'cicd.worker.count',
          unit: '{count}',
          description: 'Number of executors, by state.',
          sum: sum(
            Object.entries(workers).map(([state, value]) => ({ attributes: { 'cicd.worker.state': state }, value })),
            false,
          ),
        },
      ]
      return metrics.filter(({ histogram, sum: counted }) => (histogram ?? counted)?.dataPoints.length !== 0)
    },
  }
}
