import type { MetricsConfig, updateMetricsConfig } from '../../../contract/metrics.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { contentTag } from '../../platform/content-tag.ts'
import type { Platform } from '../../platform/platform.ts'
import type { RunsService, RunRow } from '../runs/runs.service.ts'
import { keptSince } from './metrics-config.rules.ts'
import { createMetricSettingsStore } from './metric-settings.store.ts'
import { createMetricsQuery } from './metrics-query.ts'
import { listed } from './metrics.rules.ts'
import { createPrometheus } from './prometheus.ts'
import { createRollupsStore } from './rollups.store.ts'
import type { EndedRun } from './rollup.rules.ts'

interface Dependencies {
  attempts: Pick<RunsService['attempts'], 'follow'>
}

const rollupsAtOnce = 50
/** How often old roll-ups are looked for. */
const lettingGoMs = 6 * 3_600_000

export function createMetricsService({ store, clock, logger, events, version }: Platform, { attempts }: Dependencies) {
  const rollups = createRollupsStore(store.sqlite)
  const ended = store.collector<RunRow>(rollups.note)
  const left = store.collector<EndedRun>(rollups.keep)
  const settings = createMetricSettingsStore(store.sqlite)
  let letGoAt = -Infinity

  attempts.follow({ started: () => {}, ended })

  const oldest = () => keptSince(settings.read().retention_days, clock.now().getTime())

  function rebuild(): void {
    const began = clock.monotonic()
    const { runs } = store.transaction(() => rollups.rebuild(oldest()))
    if (runs > 0)
      logger.info({ runs, ms: Math.round(clock.monotonic() - began) }, 'The metrics were rebuilt from the runs')
  }

  return {
    list: () => [...listed],
    query: createMetricsQuery(store),
    scrape: createPrometheus(store, version, () => settings.read().prometheus_tasks),

    config: (): MetricsConfig => settings.read(),
    etag: (): string => contentTag(settings.read()),
    /** `guard` sees the ETag of the settings before anything changes, and refuses a stale one. */
    configure: (change: BodyOf<typeof updateMetricsConfig>, guard: (etag: string) => void): MetricsConfig =>
      store.transaction(() => {
        const before = settings.read()
        guard(contentTag(before))
        settings.save({ ...before, ...change })
        events.append('server.changed', 1, { what: 'metrics' })
        // A shorter time is let go soon, not in some hours.
        letGoAt = -Infinity
        return settings.read()
      }),

    start(): void {
      if (rollups.rebuildNeeded()) rebuild()
    },

    /** In the transaction in which the run is removed, before it is: it stays counted. */
    runLeaving(id: number): void {
      const run = rollups.run(id)
      if (run) left(run)
    },

    /** What is older than metrics are kept, task by task. */
    lettingGo(): (() => boolean)[] {
      if (clock.monotonic() - letGoAt < lettingGoMs) return []
      letGoAt = clock.monotonic()
      const before = oldest()
      return rollups.owners().map((task) => () => rollups.dropBefore(task, before, rollupsAtOnce))
    },
  }
}
export type MetricsService = ReturnType<typeof createMetricsService>
