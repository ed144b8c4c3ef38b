import type { Metric, MetricsConfig, updateMetricsConfig } from '../../../contract/metrics.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { contentTag } from '../../platform/content-tag.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, unavailable } from '../../platform/refusal.ts'
import type { LineageService } from '../lineage/lineage.service.ts'
import type { NotificationsService } from '../notifications/notifications.service.ts'
import type { QueriesService } from '../queries/queries.service.ts'
import type { RunsService, RunRow } from '../runs/runs.service.ts'
import { createCustomMetrics } from './custom-metrics.ts'
import { createMetricQueries } from './metric-queries.ts'
import { keptSince } from './metrics-config.rules.ts'
import { createMetricSettingsStore } from './metric-settings.store.ts'
import { createMetricsQuery } from './metrics-query.ts'
import { listed } from './metrics.rules.ts'
import { createPrometheus } from './prometheus.ts'
import { type LeavingRun, createRollupsStore } from './rollups.store.ts'

interface Dependencies {
  attempts: Pick<RunsService['attempts'], 'follow'>
  lineage: Pick<LineageService, 'writtenBy' | 'lastWrite' | 'hasDataset'>
  queries: Pick<QueriesService, 'few'>
  notifications: Pick<NotificationsService, 'metricChanged'>
}

const rollupsAtOnce = 50
/** Runs that are counted in a piece: so many that it takes about as long as this, also on a busy machine or disk. */
const pieces = { first: 200, least: 20, most: 2_000, ms: 10 }
/** How often old roll-ups are looked for. */
const lettingGoMs = 6 * 3_600_000
/** How often deadlines and queries that are due are looked for. */
const watchMs = 5_000

export function createMetricsService(platform: Platform, { attempts, lineage, queries, notifications }: Dependencies) {
  const { store, clock, logger, events, version, draining } = platform
  const rollups = createRollupsStore(store.sqlite)
  const ended = store.collector<RunRow>(rollups.note)
  const left = store.collector<LeavingRun>(rollups.keep)
  const settings = createMetricSettingsStore(store.sqlite)
  const own = createCustomMetrics(platform, { lineage, notify: notifications.metricChanged })
  const ownQueries = createMetricQueries(platform, {
    custom: own.custom,
    queries,
    onValue: (row, value, at) => own.take(row, value, at, null),
    onFailure: (row, error) => own.custom.noteFailure(row.id, error),
  })
  const scrape = createPrometheus(store, version, () => settings.read().prometheus_tasks, own.listed)
  let letGoAt = -Infinity
  let recounted = 0
  let runsAtOnce = pieces.first
  let timer: NodeJS.Timeout | undefined
  draining.addEventListener('abort', () => clearInterval(timer), { once: true })

  attempts.follow({
    started: () => {},
    ended(run) {
      ended(run)
      own.runEnded(run)
    },
  })

  const oldest = () => keptSince(settings.read().retention_days, clock.now().getTime())
  const config = (): MetricsConfig => ({ ...settings.read(), custom: own.definitions() })

  /** A piece at a time, so that requests don't wait for it. */
  function countRuns(): void {
    if (draining.aborted) return
    const began = clock.monotonic()
    try {
      const counted = store.transaction(() => rollups.countSome(oldest(), runsAtOnce))
      if (counted === null) {
        if (recounted > 0) {
          logger.info({ runs: recounted }, 'The metrics were rebuilt from the runs')
          events.append('server.changed', 1, { what: 'metrics' })
        }
        return
      }
      recounted += counted
    } catch (error) {
      logger.error({ err: error }, 'The metrics could not be rebuilt; this is tried again soon')
      setTimeout(countRuns, watchMs).unref()
      return
    }
    const took = clock.monotonic() - began
    const inTime = Math.round((runsAtOnce * pieces.ms) / Math.max(took, 1))
    // A single slow commit says little.
    runsAtOnce = Math.max(pieces.least, Math.min(pieces.most, inTime, runsAtOnce * 2))
    // Half of the time is for others.
    setTimeout(countRuns, took).unref()
  }

  /** Deadlines that have passed, and queries that are due. */
  function watch(): void {
    try {
      own.watch()
      ownQueries.startDue()
    } catch (error) {
      logger.error({ err: error }, 'Custom metrics could not be checked; they are checked again soon')
    }
  }

  return {
    /** Built-in metrics, then custom ones with their state. */
    list: (): Metric[] => [...listed, ...own.listed()],
    query: createMetricsQuery(store, own, rollups.counted),
    /** Refused while runs are counted anew: to Prometheus, they would have ended now. */
    scrape: () => (rollups.counted() === null ? scrape() : unavailable(msg('metrics_counting'))),

    config,
    etag: (): string => contentTag(config()),
    /** `guard` sees the ETag of the settings before anything changes, and refuses a stale one. */
    async configure(body: BodyOf<typeof updateMetricsConfig>, guard: (etag: string) => void): Promise<MetricsConfig> {
      const { custom, ...change } = body
      const mistakes = custom ? await own.mistakes(custom) : []
      if (mistakes.length > 0) invalid(mistakes)
      return store.transaction(() => {
        guard(contentTag(config()))
        settings.save({ ...settings.read(), ...change })
        if (custom) own.configure(custom)
        events.append('server.changed', 1, { what: 'metrics' })
        // A shorter time is let go soon, not in some hours.
        letGoAt = -Infinity
        return config()
      })
    },
    /** Runs the query of a custom metric once. */
    async test(asked: { connector_id: number; query: string }, signal: AbortSignal) {
      const { connector_id: id } = asked
      if (!own.custom.exists('connector', id)) invalid([{ path: 'body.connector_id', ...msg('no_connector', { id }) }])
      const began = performance.now()
      const answer = await ownQueries.ask(asked, signal)
      return { ...answer, duration_ms: Math.round(performance.now() - began) }
    },

    /** In the transaction in which a job run ends. */
    jobRunEnded: own.jobRunEnded,
    /** Custom metrics that need someone. */
    amiss: own.amiss,
    /** Rules of how old datasets may become. */
    datasetRules: own.datasetRules,
    /** What `start` does again and again: for tests, which do not wait. */
    watch,

    start(): void {
      countRuns()
      watch()
      timer = setInterval(watch, watchMs)
      timer.unref()
    },
    ended: ownQueries.ended,

    /** In the transaction in which the run is removed, before it is: it stays counted. */
    runLeaving(id: number): void {
      const run = rollups.leaving(id)
      if (run) left(run)
    },

    /** What is older than metrics are kept, task by task. */
    lettingGo(): (() => boolean)[] {
      if (clock.monotonic() - letGoAt < lettingGoMs) return []
      letGoAt = clock.monotonic()
      const before = oldest()
      return [
        ...rollups.owners().map((task) => () => rollups.dropBefore(task, before, rollupsAtOnce)),
        ...own.lettingGo(before, rollupsAtOnce),
      ]
    },
  }
}
export type MetricsService = ReturnType<typeof createMetricsService>
