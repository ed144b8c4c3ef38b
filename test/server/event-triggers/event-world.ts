import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { createCallsService } from '../../../src/server/features/calls/calls.service.ts'
import { createConnectorsService } from '../../../src/server/features/connectors/connectors.service.ts'
import { createEventTriggersService } from '../../../src/server/features/event-triggers/event-triggers.service.ts'
import { openWorld } from '../triggers/trigger-world.ts'

type Service = ReturnType<typeof createEventTriggersService>
export type JobRunEnd = Parameters<
  Parameters<Parameters<typeof createEventTriggersService>[1]['jobRuns']['onEnded']>[0]
>[0]

/** Event triggers with a real store, real connectors, and the engine of an executor that lists real files. */
export async function eventWorld(start?: (jobId: number) => void | 'overlap') {
  const world = await openWorld(start)
  const folder = mkdtempSync(join(tmpdir(), 'headgate-arrivals-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const calls = createCallsService(world.platform)
  const executor = { online: true }
  calls.attach({
    anyOnline: () => executor.online,
    nameOf: () => 'local',
    queued: () => setImmediate(work),
    cancelled: () => true,
  })
  function work(): void {
    for (const plan of calls.take(1, 10)) {
      void runCall(plan.work, { signal: new AbortController().signal, tempDir: folder }).then(
        (result) => calls.report(plan.call_id, 1, { result }),
        (error: { code: 'CONNECTOR_ERROR'; message: string }) =>
          calls.report(plan.call_id, 1, { error: { code: error.code, message: error.message } }),
      )
    }
  }
  const connectors = createConnectorsService(world.platform, { calls })
  const connector = connectors.create({ name: 'inbox', type: 'file', config: { root: folder } })
  const listeners: ((end: JobRunEnd) => void)[] = []
  const jobRuns = { ...world.jobRuns, onEnded: (listener: (end: JobRunEnd) => void) => void listeners.push(listener) }
  const service = (): Service => createEventTriggersService(world.platform, { ...world, jobRuns, connectors, calls })
  const triggers = service()
  return {
    ...world,
    folder,
    executor,
    connectors,
    connectorId: connector.id,
    service,
    triggers,
    /** A job run has ended. */
    end(job_id: number, more: Partial<JobRunEnd> = {}): void {
      const end: JobRunEnd = {
        id: 500,
        job_id,
        status: 'completed',
        logical_date: '2026-02-28T00:00:00.000Z',
        timezone: 'UTC',
        completed_at: world.clock.iso(),
        error_message: null,
        failed_task_keys: [],
        ...more,
      }
      world.platform.store.transaction(() => {
        for (const listener of listeners) listener(end)
      })
    },
  }
}
export type EventWorld = Awaited<ReturnType<typeof eventWorld>>
