import type { Platform } from '../../platform/platform.ts'
import type { ExecutorsService } from '../executors/executors.service.ts'
import type { LineageService } from '../lineage/lineage.service.ts'
import type { JobRunUpdate } from '../notifications/notifications.service.ts'
import type { RunsService } from '../runs/runs.service.ts'
import { type Fact, type JobRunFacts, factsOfJobRun, factsOfRun } from './facts.ts'
import { createOpenLineage } from './openlineage.ts'
import { createOtlp } from './otlp.ts'
import { createTelemetryStore } from './telemetry.store.ts'

interface Dependencies {
  runs: Pick<RunsService, 'attempts'>
  lineage: Pick<LineageService, 'ofRun'>
  executors: () => Pick<ExecutorsService, 'summary'>
}

/** Tells other systems of runs; off until a receiver is set. */
export function createTelemetryService(platform: Platform, { runs, lineage, executors }: Dependencies) {
  const telemetry = createTelemetryStore(platform.store)
  const lineageOutboxes = createOpenLineage(platform, { telemetry, lineage })
  const otlp = createOtlp(platform, { telemetry, executors })
  const outboxes = [...lineageOutboxes, otlp.traces]
  const begun = (fact: Fact) => lineageOutboxes.forEach((outbox) => outbox.add(fact))
  const ended = (fact: Fact) => outboxes.forEach((outbox) => outbox.add(fact))

  runs.attempts.follow({
    // Further attempts belong to the same run.
    started(run) {
      if (run.attempt === 1) begun({ kind: 'run_started', run: factsOfRun(run) })
    },
    ended(row) {
      const run = factsOfRun(row)
      ended({ kind: 'run_ended', run })
      platform.store.afterCommit(() => otlp.metrics.runEnded(run))
    },
  })

  return {
    /** In the transaction in which it begins. */
    jobRunStarted: (run: JobRunFacts): void => begun({ kind: 'job_run_started', run: factsOfJobRun(run) }),
    /** In the transaction in which it ends. */
    jobRunEnded(update: JobRunUpdate): void {
      const run = factsOfJobRun(update)
      ended({ kind: 'job_run_ended', run })
      platform.store.afterCommit(() => otlp.metrics.jobRunEnded(run))
    },
    /** Once the server listens: what is sent may have its address. */
    start(): void {
      outboxes.forEach((outbox) => outbox.start())
      otlp.start()
    },
    sendMetrics: otlp.sendMetrics,
    ended: async (): Promise<void> => void (await Promise.all(outboxes.map((outbox) => outbox.ended()))),
  }
}
