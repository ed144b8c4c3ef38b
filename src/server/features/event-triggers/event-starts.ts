import type { KeptError } from '../../platform/kept-error.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import type { JobStarts, StartTargets } from '../triggers/start-targets.service.ts'
import { fillArguments } from './event-triggers.rules.ts'
import type { EventTriggersStore } from './event-triggers.store.ts'
import type { EventTriggerRow } from './event-triggers.table.ts'

interface Dependencies {
  triggers: EventTriggersStore
  jobRuns: JobStarts
  targets: Pick<StartTargets, 'checkTask'>
}
export type EventStarts = ReturnType<typeof createEventStarts>

/** Starts the job of an event trigger, in the transaction of the event. */
export function createEventStarts({ store, events, clock }: Platform, { triggers, jobRuns, targets }: Dependencies) {
  function changed({ id, job_id, enabled }: EventTriggerRow): void {
    events.append('event_trigger.changed', id, { job_id, enabled })
  }

  return {
    changed,
    /** A Refusal says why it could not be started; nothing of the start stays then. */
    start: (
      row: EventTriggerRow,
      event: Record<string, unknown>,
      more: { logical_date?: string; timezone?: string } = {},
    ) =>
      store.transaction(() => {
        targets.checkTask(row.job_id, row.task_key)
        // Written by a save that has checked it.
        const given = row.arguments === null ? {} : (JSON.parse(row.arguments) as Record<string, unknown>)
        const filled = fillArguments(given, event, clock.iso())
        if (!filled.ok) invalid(filled.details)
        const result = jobRuns.start(
          row.job_id,
          {
            ...more,
            event_trigger_id: row.id,
            ...(row.arguments !== null && { arguments: filled.values }),
            ...(row.task_key !== null && { selected_tasks: [row.task_key], skip_deps: true }),
          },
          { trigger_type: 'api', created_by: null },
        )
        if (result.kind === 'started') {
          triggers.noteStarted(row.id, clock.iso())
          changed(row)
        }
        return result
      }),
    /** Why it last could not look or start; null: it can. Tells of it where it has changed. */
    noteError(row: EventTriggerRow, error: KeptError | null): void {
      if (row.last_error === (error?.message ?? null)) return
      triggers.noteError(row.id, error)
      changed(row)
    },
  }
}
