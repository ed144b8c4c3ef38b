import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { storeSecret } from '../../platform/meta.store.ts'
import type { Platform } from '../../platform/platform.ts'
import type { LineageService } from '../lineage/lineage.service.ts'
import type { Fact } from './facts.ts'
import { type OpenLineageContext, jobRunEvents, runEvent } from './openlineage.rules.ts'
import { type Outbox, createOutbox } from './outbox.ts'
import { postJson } from './post-json.ts'
import type { TelemetryStore } from './telemetry.store.ts'

/** Events of OpenLineage, to an endpoint and to a folder. */
export function createOpenLineage(
  platform: Platform,
  { telemetry, lineage }: { telemetry: TelemetryStore; lineage: Pick<LineageService, 'ofRun'> },
): Outbox[] {
  const { config, logger, version, draining, ids, store } = platform
  let known: string | null = null
  const context = (): OpenLineageContext => {
    known ??= storeSecret(store.sqlite, ids, 'telemetry_id')
    return { namespace: config.telemetry.namespace, store: known, version }
  }

  async function eventsOf(fact: Fact): Promise<Record<string, unknown>[]> {
    if (fact.kind === 'job_run_started' || fact.kind === 'job_run_ended') return jobRunEvents(context(), fact)
    const { run } = fact
    const type = fact.kind === 'run_started' ? 'started' : 'ended'
    const jobName = run.job_run_id === null ? null : telemetry.jobNameOf(run.job_run_id)
    const steps = type === 'ended' ? telemetry.steps(run.id) : []
    return [runEvent(context(), run, type, jobName, await lineage.ofRun(run), steps)]
  }

  const toUrl = createOutbox(platform, {
    sink: 'openlineage_url',
    telemetry,
    enabled: () => config.telemetry.openlineageUrl !== null,
    async send(entries, arrived) {
      for (const entry of entries) {
        for (const event of await eventsOf(entry.fact)) {
          const { openlineageUrl: url, openlineageKey: key } = config.telemetry
          if (url === null) return
          const { refused } = await postJson({ url, key, version, signal: draining }, event)
          if (refused !== null) {
            logger.error({ event, reason: refused }, 'The OpenLineage endpoint refused an event; it is not sent again')
          }
        }
        arrived(entry)
      }
    },
  })
  const toFolder = createOutbox(platform, {
    sink: 'openlineage_folder',
    telemetry,
    enabled: () => config.telemetry.openlineageFolder !== null,
    async send(entries) {
      const { openlineageFolder: folder } = config.telemetry
      if (folder === null) return
      const events = (await Promise.all(entries.map(({ fact }) => eventsOf(fact)))).flat()
      await mkdir(folder, { recursive: true })
      const day = platform.clock.iso().slice(0, 10)
      const file = await open(join(folder, `openlineage-${day}.ndjson`), 'a')
      try {
        await file.appendFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
        // On disk before it is forgotten here.
        await file.datasync()
      } finally {
        await file.close()
      }
    },
  })
  return [toUrl, toFolder]
}
