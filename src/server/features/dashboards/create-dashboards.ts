import type { Platform } from '../../platform/platform.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { JobRunReadsService } from '../job-runs/job-run-reads.service.ts'
import type { JobRunsService } from '../job-runs/job-runs.service.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { MetricsService } from '../metrics/metrics.service.ts'
import type { ResultsService } from '../queries/results.service.ts'
import { createDataCache } from './data-cache.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { createDashboardsService } from './dashboards.service.ts'
import { createQuerySlots } from './query-slots.ts'
import { createSharesService } from './shares.service.ts'
import { createWidgetExportService } from './widget-export.service.ts'
import { createWidgetOptionsService } from './widget-options.service.ts'
import { createWidgetSources } from './widget-sources.ts'
import { createWidgetSubmitService } from './widget-submit.service.ts'
import { createWidgetsService } from './widgets.service.ts'

interface Dependencies {
  readings: ReadingsService
  jobs: JobsService
  jobRuns: JobRunsService
  jobRunReads: JobRunReadsService
  connectors: ConnectorsService
  results: ResultsService
  metrics: MetricsService
}

/** Everything about the dashboards of jobs. */
export function createDashboards(
  platform: Platform,
  { readings, jobs, jobRuns, jobRunReads, connectors, results, metrics }: Dependencies,
) {
  const cache = createDataCache(platform.clock)
  // What was made before the job run ended may be old now.
  jobRuns.onEnded(({ job_id }) => cache.forgetJob(job_id))
  const sources = createWidgetSources(platform, {
    jobs,
    connectors,
    results,
    metrics,
    cache,
    slots: createQuerySlots(),
  })
  const dashboards = createDashboardsService(platform, { jobs, readings })
  return {
    dashboards,
    widgets: createWidgetsService(platform, { sources }),
    widgetExport: createWidgetExportService(platform, { sources }),
    widgetOptions: createWidgetOptionsService(platform, { sources, connectors }),
    widgetSubmit: createWidgetSubmitService({ dashboards, jobs, jobRuns, reads: jobRunReads }),
    shares: createSharesService(platform, { dashboards }),
  }
}
