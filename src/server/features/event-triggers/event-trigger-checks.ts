import { msg } from '../../../contract/messages.ts'
import { Refusal, invalid } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { StartTargets, StartableJobs } from '../triggers/start-targets.service.ts'
import { holdsEvent, loopOf, readConfig, templateProblems } from './event-triggers.rules.ts'
import type { EventTriggersStore } from './event-triggers.store.ts'
import type { AfterJob, EventConfig, EventTriggerRow, FileArrival } from './event-triggers.table.ts'

interface Dependencies {
  triggers: EventTriggersStore
  targets: StartTargets
  jobs: StartableJobs
  connectors: ConnectorsService
}
type Type = EventTriggerRow['type']

/** Connectors whose files can be listed. */
export const listable = { connector: { types: ['file', 's3', 'sftp'], access: 'read' as const } }

/** What an event trigger must be to be saved; each refuses what is not so. */
export function createEventTriggerChecks({ triggers, targets, jobs, connectors }: Dependencies) {
  const path = 'body.config.job_id'

  function nameOf(id: number): string {
    try {
      return jobs.forRun(id).name
    } catch (error) {
      if (error instanceof Refusal && error.code === 'NOT_FOUND') invalid([{ path, ...msg('no_job', { id }) }])
      throw error
    }
  }

  return {
    config(type: Type, given: object): EventConfig {
      const verdict = readConfig(type, { ...given })
      if (!verdict.ok) invalid(verdict.details)
      if (type === 'file_arrival') {
        // It has just been read as one.
        const { connector_id } = verdict.config as FileArrival
        const problems = connectors.problems({ connector: connector_id }, listable, 'The event trigger')
        if (problems.length > 0) {
          invalid(problems.map((problem) => ({ ...problem, path: 'body.config.connector_id' })))
        }
      }
      return verdict.config
    },
    /** The job whose end is waited for; refuses one that would make jobs start each other for ever. */
    source(type: Type, config: EventConfig, target: number, besides: number): number | null {
      if (type !== 'after_job') return null
      const { job_id } = config as AfterJob // it has been read as one
      nameOf(job_id)
      const loop = loopOf(triggers.links(besides), job_id, target)
      if (loop) invalid([{ path, ...msg('job_loop', { jobs: loop.map(nameOf).join(' → ') }) }])
      return job_id
    },
    start(row: Pick<EventTriggerRow, 'job_id' | 'task_key'>, given: Record<string, unknown> | null): void {
      const details = templateProblems(given)
      if (details.length > 0) invalid(details)
      targets.check({ ...row, arguments: given }, holdsEvent)
    },
  }
}
