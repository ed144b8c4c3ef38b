import { msg } from '../../../contract/messages.ts'
import type { Platform } from '../../platform/platform.ts'
import { type KeptError, keptError, shownParams } from '../../platform/kept-error.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Timetable, planFiring, timetable } from './firing.rules.ts'
import type { SchedulerPause } from '../scheduler/scheduler.service.ts'
import { readSchedule } from './schedule.rules.ts'
import { type JobStarts, type StartTargets } from './start-targets.service.ts'
import type { FiringsStore } from './trigger-firings.store.ts'
import type { TriggersStore } from './triggers.store.ts'
import type { TriggerFiringRow, TriggerRow } from './triggers.table.ts'

interface Dependencies {
  triggers: TriggersStore
  firings: FiringsStore
  jobRuns: JobStarts
  targets: Pick<StartTargets, 'checkTask'>
  jobs: { noteNextFire(jobId: number, at: string | null): void }
  pause: Pick<SchedulerPause, 'missedUntil'>
}
type FiringMessage = Pick<TriggerFiringRow, 'message' | 'message_params'>
type Outcome = Pick<TriggerFiringRow, 'outcome' | 'job_run_id' | 'message' | 'message_params'>

const noMessage: FiringMessage = { message: null, message_params: null }
const keptMessage = ({ message, params }: KeptError): FiringMessage => ({
  message,
  message_params: shownParams(params),
})
const iso = (at: number) => new Date(at).toISOString()
const missedMessage = keptMessage(keptError(msg('time_missed')))

/** When this trigger fires. Its schedule was read before it was saved. */
export function timetableOf(row: Pick<TriggerRow, 'id' | 'type' | 'cron_expression' | 'timezone' | 'jitter_seconds'>) {
  const verdict = readSchedule(row)
  // Zones come and go with the releases of what knows them.
  if (!verdict.ok)
    throw new Refusal('INVALID_STATE', msg('schedule_invalid', { field: verdict.field, problem: verdict.problem }))
  return timetable(verdict.schedule, row)
}

/** The next firing as it is stored. */
export function nextFrom(table: Timetable, after: number) {
  return waitingFor(table, table.next(after))
}
type NextFiring = Pick<TriggerRow, 'next_fire_at' | 'due_at'>
/** A scheduled time as it is stored with when it is to be started. */
export function waitingFor(table: Timetable, next: number | null): NextFiring {
  return next === null
    ? { next_fire_at: null, due_at: null }
    : { next_fire_at: iso(next), due_at: iso(table.due(next)) }
}

export function createTriggerFiring({ store, events, clock, logger }: Platform, deps: Dependencies) {
  const { triggers, firings, jobRuns, targets, jobs, pause } = deps

  function start(row: TriggerRow, scheduled: string): Outcome {
    try {
      const result = store.transaction(() => {
        targets.checkTask(row.job_id, row.task_key)
        return jobRuns.start(
          row.job_id,
          {
            trigger_id: row.id,
            logical_date: scheduled,
            // A moment in UTC says nothing of a day: the template may.
            ...(row.type === 'cron' && { timezone: row.timezone }),
            // Written by a save that has checked it.
            ...(row.arguments !== null && { arguments: JSON.parse(row.arguments) as Record<string, unknown> }),
            ...(row.task_key !== null && { selected_tasks: [row.task_key], skip_deps: true }),
            ...(row.on_overlap !== null && { on_overlap: row.on_overlap }),
          },
          { trigger_type: 'cron', created_by: null },
        )
      })
      if (result.kind === 'started') return { outcome: 'started', job_run_id: result.job_run.id, ...noMessage }
      const { job_run_id } = result
      return { outcome: 'overlap', job_run_id, ...keptMessage(keptError(msg('job_run_not_ended', { id: job_run_id }))) }
    } catch (error) {
      return { outcome: 'failed', job_run_id: null, ...explain(error, row) }
    }
  }
  /** A fault of ours is in the log; it must not keep the other triggers waiting. A store that cannot be written is no outcome. */
  function explain(error: unknown, row: TriggerRow): FiringMessage {
    if (error instanceof Refusal) return keptMessage(refusalKept(error))
    if (isOfStore(error)) throw error
    logger.error({ err: error, trigger_id: row.id }, 'A trigger could not start its job')
    return keptMessage(keptError(msg('internal_error')))
  }

  /** Stores what is waited for, where nothing has been fired. */
  function wait(row: TriggerRow, next: NextFiring): void {
    triggers.waitFor(row.id, next)
    jobs.noteNextFire(row.job_id, triggers.nextOfJob(row.job_id))
    events.append('trigger.changed', row.id, {
      job_id: row.job_id,
      enabled: row.enabled,
      next_fire_at: next.next_fire_at,
    })
  }

  return {
    /** Does what is due about one trigger, in the transaction under way: at most one start. */
    fire(row: TriggerRow): void {
      const waited = row.next_fire_at
      if (waited === null) return
      const now = clock.now().getTime()
      const table = timetableOf(row)
      const plan = planFiring(row.misfire_policy, table, Date.parse(waited), now, pause.missedUntil())
      const at = iso(now)
      const of = (scheduled: number) => ({
        trigger_id: row.id,
        job_id: row.job_id,
        task_key: row.task_key,
        scheduled_at: iso(scheduled),
        fired_at: at,
      })
      const missed = plan.missed.map((scheduled) => ({
        ...of(scheduled),
        outcome: 'missed' as const,
        job_run_id: null,
        ...missedMessage,
      }))
      firings.record(missed)
      // After the clock was set back a time may come again that was fired already.
      const starts = plan.start !== null && !firings.has(row.id, iso(plan.start))
      if (plan.start !== null && starts) {
        firings.record([{ ...of(plan.start), ...start(row, iso(plan.start)) }])
      }
      const next = waitingFor(table, plan.next)
      const ended = row.type === 'one_off' && next.next_fire_at === null
      triggers.advance({ id: row.id, waited, next, fired: starts ? at : null, ended })
      jobs.noteNextFire(row.job_id, triggers.nextOfJob(row.job_id))
      events.append('trigger.changed', row.id, {
        job_id: row.job_id,
        enabled: ended ? 0 : row.enabled,
        next_fire_at: next.next_fire_at,
      })
    },
    /** Takes a trigger that cannot be read out of the way of the others, until it is saved anew. */
    giveUp(row: TriggerRow, error: unknown): void {
      if (row.next_fire_at === null) return
      const explained = explain(error, row)
      const at = clock.iso()
      const { id: trigger_id, job_id, task_key, next_fire_at: scheduled_at } = row
      const none = { job_run_id: null, outcome: 'failed' as const, ...explained }
      firings.record([{ trigger_id, job_id, task_key, scheduled_at, fired_at: at, ...none }])
      wait(row, { next_fire_at: null, due_at: null })
    },
    /** Works out anew what a trigger waits for that is to fire later. */
    realign(row: TriggerRow): void {
      const next = nextFrom(timetableOf(row), clock.now().getTime())
      if (next.next_fire_at !== row.next_fire_at || next.due_at !== row.due_at) wait(row, next)
    },
  }
}
export type TriggerFiring = ReturnType<typeof createTriggerFiring>

/** The disk is full, the file cannot be written: nothing that another trigger would not meet, too. */
export const isOfStore = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|CORRUPT)/.test(String(error.code))
