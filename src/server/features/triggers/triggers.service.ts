import { setImmediate as otherRequests } from 'node:timers/promises'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import type {
  Trigger,
  createTrigger,
  listTriggerFirings,
  listTriggers,
  previewTrigger,
  updateTrigger,
} from '../../../contract/triggers.ts'
import type { Caller } from '../../platform/caller.ts'
import { instant } from '../../platform/instant.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import { localTime } from '../../platform/zones.ts'
import type { SchedulerPause } from '../scheduler/scheduler.service.ts'
import { createCalendar } from './calendar.ts'
import { timetable } from './firing.rules.ts'
import { type Schedule, keptExpression, readSchedule } from './schedule.rules.ts'
import { createScheduler } from './scheduler.ts'
import { type JobStarts, type StartableJobs, createStartTargets } from './start-targets.service.ts'
import { createTriggerFiring, nextFrom, timetableOf, waitingFor } from './trigger-firing.ts'
import { createFiringsStore } from './trigger-firings.store.ts'
import { createTriggersStore } from './triggers.store.ts'
import type { TriggerRow } from './triggers.table.ts'

interface Dependencies {
  jobs: StartableJobs & {
    noteNextFire(jobId: number, at: string | null): void
    onArchived(listener: (jobId: number, archived: boolean) => void): void
  }
  jobRuns: JobStarts
  pause: SchedulerPause
}
type Settings = Pick<TriggerRow, 'type' | 'cron_expression' | 'timezone' | 'enabled' | 'jitter_seconds'>

const never = { next_fire_at: null, due_at: null }

export function createTriggersService(platform: Platform, { jobs, jobRuns, pause }: Dependencies) {
  const { store, events, clock } = platform
  const triggers = createTriggersStore(store)
  const firings = createFiringsStore(store)
  const targets = createStartTargets(jobs)
  const firing = createTriggerFiring(platform, { triggers, firings, jobRuns, targets, jobs, pause })
  const scheduler = createScheduler(platform, { triggers, firing, pause })

  const need = (id: number): TriggerRow => triggers.get(id) ?? notFound()
  const shown = (id: number): Trigger => triggers.shown(id) ?? notFound()
  const now = () => clock.now().getTime()

  /** After every change of a trigger, in its transaction. */
  function changed(row: TriggerRow): void {
    jobs.noteNextFire(row.job_id, triggers.nextOfJob(row.job_id))
    events.append('trigger.changed', row.id, {
      job_id: row.job_id,
      enabled: row.enabled,
      next_fire_at: row.next_fire_at,
    })
    scheduler.changed()
  }
  function scheduleOf(settings: Pick<Settings, 'type' | 'cron_expression' | 'timezone'>): Schedule {
    const verdict = readSchedule(settings)
    return verdict.ok ? verdict.schedule : invalid([{ path: `body.${verdict.field}`, ...verdict.problem }])
  }
  function refusePast(schedule: Schedule, { type, cron_expression }: Settings): void {
    if (type !== 'one_off' || schedule.next(now()) !== null) return
    invalid([{ path: 'body.cron_expression', ...msg('time_has_passed', { time: cron_expression, now: clock.iso() }) }])
  }
  /** Firings from now on: what has passed meanwhile is not made up for. */
  const waitFrom = (schedule: Schedule, settings: Settings & { id: number }) =>
    settings.enabled ? nextFrom(timetable(schedule, settings), now()) : never

  // An archived job starts nothing, and misses nothing either.
  jobs.onArchived((jobId, archived) => {
    for (const row of triggers.ofJob(jobId)) {
      const waits = archived || !row.enabled ? never : nextFrom(timetableOf(row), now())
      triggers.waitFor(row.id, waits)
      changed({ ...row, ...waits })
    }
  })

  return {
    scheduler,
    list(query: QueryOf<typeof listTriggers>) {
      const { rows, ...page } = triggers.list(query)
      return { result: rows, ...page }
    },
    get: shown,
    etag: (id: number) => etagOf(need(id)),

    create: (body: BodyOf<typeof createTrigger>, caller: Caller): Trigger =>
      store.transaction(() => {
        const { job_id, type, task_key = null, jitter_seconds = 0 } = body
        const settings = {
          type,
          cron_expression: keptExpression(type, body.cron_expression),
          timezone: body.timezone ?? 'UTC',
          enabled: body.enabled === false ? (0 as const) : (1 as const),
          jitter_seconds,
        }
        const schedule = scheduleOf(settings)
        refusePast(schedule, settings)
        targets.check({ job_id, task_key, arguments: body.arguments ?? null })
        const at = clock.iso()
        const row = triggers.insert({
          ...settings,
          ...never,
          job_id,
          task_key,
          arguments: body.arguments ? JSON.stringify(body.arguments) : null,
          misfire_policy: body.misfire_policy ?? 'fire_once',
          on_overlap: body.on_overlap ?? null,
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        const waits = waitFrom(schedule, row)
        triggers.waitFor(row.id, waits)
        changed({ ...row, ...waits })
        return withHint(shown(row.id))
      }),

    /** `guard` sees the ETag of the stored trigger before anything changes, and refuses a stale one. */
    update: (id: number, body: BodyOf<typeof updateTrigger>, guard: (etag: string) => void): Trigger =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const settings = {
          id,
          type: body.type ?? row.type,
          cron_expression: keptExpression(body.type ?? row.type, body.cron_expression ?? row.cron_expression),
          timezone: body.timezone ?? row.timezone,
          enabled: body.enabled === undefined ? row.enabled : body.enabled ? (1 as const) : (0 as const),
          jitter_seconds: body.jitter_seconds ?? row.jitter_seconds,
        }
        const schedule = scheduleOf(settings)
        const otherTime = settings.type !== row.type || settings.cron_expression !== row.cron_expression
        if (otherTime) refusePast(schedule, settings)
        const switchedOn = settings.enabled === 1 && row.enabled === 0
        if (switchedOn && schedule.next(now()) === null) {
          invalidState(msg('trigger_time_passed', { time: settings.cron_expression }))
        }
        const task_key = body.task_key === undefined ? row.task_key : body.task_key
        const given = body.arguments ? JSON.stringify(body.arguments) : row.arguments
        if (body.task_key !== undefined || body.arguments !== undefined || switchedOn) {
          // Written from a validated body.
          const args = given === null ? null : (JSON.parse(given) as Record<string, unknown>)
          targets.check({ job_id: row.job_id, task_key, arguments: args })
        }
        const otherZone = settings.type === 'cron' && settings.timezone !== row.timezone
        // Another jitter moves the firing that is waited for, whose time may have come already.
        const waited = otherTime || otherZone || settings.enabled !== row.enabled ? null : row.next_fire_at
        const archived = targets.isArchived(row.job_id)
        const saved = triggers.update(id, {
          ...settings,
          task_key,
          arguments: given,
          misfire_policy: body.misfire_policy ?? row.misfire_policy,
          on_overlap: body.on_overlap === undefined ? row.on_overlap : body.on_overlap,
          updated_at: clock.iso(),
          ...(archived
            ? never
            : waited === null
              ? waitFrom(schedule, settings)
              : waitingFor(timetable(schedule, settings), Date.parse(waited))),
          // A new time is to fire whatever was fired before.
          ...(otherTime && settings.type === 'one_off' && { last_triggered_at: null }),
        })
        changed(saved)
        return withHint(shown(id))
      }),

    remove: (id: number) =>
      store.transaction(() => {
        const row = need(id)
        triggers.remove(id)
        changed({ ...row, ...never })
        return { success: true }
      }),

    async preview(body: BodyOf<typeof previewTrigger>) {
      const { type = 'cron', cron_expression, timezone = 'UTC', count = 5, from } = body
      const schedule = scheduleOf({ type, cron_expression: cron_expression.trim(), timezone })
      const found = await firstFirings(schedule, Date.parse(instant(from, 'body.from') ?? clock.iso()), count)
      return { firings: found.map((one) => ({ at: new Date(one).toISOString(), local: localTime(one, timezone) })) }
    },
    firings(id: number, query: QueryOf<typeof listTriggerFirings>) {
      const { rows, ...page } = firings.list(need(id).id, query)
      return { result: rows, ...page }
    },
    calendar: createCalendar(platform, firings),
  }
}
export type TriggersService = ReturnType<typeof createTriggersService>

/** Says what a caller would not expect of a moment that was saved: it has no effect while the trigger is disabled. */
function withHint(trigger: Trigger): Trigger {
  if (trigger.type !== 'one_off' || trigger.enabled === 1 || trigger.last_triggered_at !== null) return trigger
  return {
    ...trigger,
    hint: 'The trigger is disabled, so it will not fire at this time. Send `enabled: true` to enable it.',
  }
}

const etagOf = (row: TriggerRow) => `trigger-${row.id}-${row.revision}`

/** A schedule's first firings after `from`. A rare one is searched for through years of days, so others get their turn in between. */
export async function firstFirings(schedule: Schedule, from: number, count: number): Promise<number[]> {
  const found: number[] = []
  for (let at = schedule.next(from); at !== null; at = schedule.next(at)) {
    found.push(at)
    if (found.length >= count) break
    await otherRequests()
  }
  return found
}
