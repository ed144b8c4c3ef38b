import { msg } from '../../../contract/messages.ts'
import { createHash } from 'node:crypto'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import type {
  EventTrigger,
  EventTriggerWithToken,
  callHook,
  createEventTrigger,
  listEventTriggers,
  updateEventTrigger,
} from '../../../contract/event-triggers.ts'
import type { BodyOf, QueryOf, ResultOf } from '../../../contract/operation.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { recordName } from '../../platform/record-name.ts'
import { keptError } from '../../platform/kept-error.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'
import { Refusal, conflict, invalidState, notFound, rateLimited } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { SchedulerPause } from '../scheduler/scheduler.service.ts'
import { type JobStarts, type StartableJobs, createStartTargets } from '../triggers/start-targets.service.ts'
import { createEventStarts } from './event-starts.ts'
import { createEventTriggerChecks, listable } from './event-trigger-checks.ts'
import { visibleHeaders } from './event-triggers.rules.ts'
import { createEventTriggersStore } from './event-triggers.store.ts'
import type { AfterJob, EventConfig, EventTriggerRow, FileArrival } from './event-triggers.table.ts'
import { createFileWatcher } from './file-watcher.ts'
import { createSeenFilesStore } from './seen-files.store.ts'

/** What this needs of the end of a job run. */
interface JobRunEnd {
  id: number
  job_id: number
  status: JobRunStatus
  logical_date: string
  timezone: string
  completed_at: string | null
  error_message: string | null
  failed_task_keys: string[]
}
interface Dependencies {
  jobs: StartableJobs & { onArchived(listener: (jobId: number, archived: boolean) => void): void }
  jobRuns: JobStarts & { onEnded(listener: (end: JobRunEnd) => void): void }
  connectors: ConnectorsService
  calls: CallsService
  pause: SchedulerPause
}
const tokenPrefix = 'hook_'
/** Calls of one webhook: at once, and a second from then on. */
const hookBurst = 60
const hookPerSecond = 10
/** When a caller whom the pause has turned away may ask again. */
const pausedRetrySeconds = 60

export function createEventTriggersService(platform: Platform, deps: Dependencies) {
  const { store, clock, ids } = platform
  const { jobs, jobRuns, connectors, calls, pause } = deps
  const triggers = createEventTriggersStore(store)
  const seen = createSeenFilesStore(store)
  const targets = createStartTargets(jobs)
  const checks = createEventTriggerChecks({ triggers, targets, jobs, connectors })
  const starts = createEventStarts(platform, { triggers, jobRuns, targets })
  const limiter = createRateLimiter(clock, { perSecond: hookPerSecond, burst: hookBurst })
  const watcher = createFileWatcher(platform, {
    triggers,
    seen,
    starts,
    calls,
    connector: (id) => connectors.bind({ connector: id }, listable).connector ?? notFound(),
    isArchived: targets.isArchived,
    isPaused: pause.isPaused,
  })
  pause.onChanged((paused) => {
    if (!paused) watcher.lookNow()
  })

  const need = (id: number): EventTriggerRow => triggers.get(id) ?? notFound()
  const shown = (id: number): EventTrigger => triggers.shown(id) ?? notFound()
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
  function changed(row: EventTriggerRow): void {
    starts.changed(row)
    watcher.changed(row.id)
  }

  function keepNameUnique(jobId: number, name: string, besides: number): void {
    const other = triggers.named(jobId, name, besides)
    if (other) {
      conflict(msg('event_trigger_name_taken', { name, id: other.id }))
    }
  }
  function newToken(): { token: string; token_hash: string } {
    const token = `${tokenPrefix}${ids.hex(32)}`
    return { token, token_hash: hashOf(token) }
  }

  jobRuns.onEnded((end) => {
    for (const row of triggers.after(end.job_id)) {
      const { on } = row.config as AfterJob // with a source_job_id it is one
      if (!on.some((status) => status === end.status) || targets.isArchived(row.job_id)) continue
      if (pause.isPaused()) {
        starts.noteError(row, keptError(msg('paused_at_end', { id: end.id })))
        continue
      }
      const { id: job_run_id, job_id, status, logical_date, completed_at, error_message, failed_task_keys } = end
      const event = { job_run_id, job_id, status, logical_date, completed_at, error_message, failed_task_keys }
      try {
        // It goes on with the same day.
        const result = starts.start(row, event, { logical_date, timezone: end.timezone })
        // Nobody asks again for this end: that it started nothing must be seen somewhere.
        if (result.kind === 'overlap')
          starts.noteError(row, keptError(msg('job_run_not_ended', { id: result.job_run_id })))
      } catch (error) {
        // Whatever it is that cannot be started, the job run before it has ended.
        if (!(error instanceof Refusal)) throw error
        starts.noteError(row, refusalKept(error))
      }
    }
  })
  // What came while the job was archived is not made up for.
  jobs.onArchived((jobId) => {
    for (const row of triggers.watchingOf(jobId)) {
      seen.forget(row.id)
      changed(triggers.update(row.id, { looked: 0 }))
    }
  })

  return {
    /** From now on files are looked for. */
    start: () => watcher.start(),
    /** The machine was asleep: files may have come long ago. */
    lookNow: () => watcher.lookNow(),
    /** Looks for files wherever it is time to. A timer does this. */
    look: () => watcher.run(),

    list(query: QueryOf<typeof listEventTriggers>) {
      const { rows, ...page } = triggers.list(query)
      return { result: rows, ...page }
    },
    get: shown,
    etag: (id: number) => etagOf(need(id)),

    create: (body: BodyOf<typeof createEventTrigger>, caller: Caller): EventTriggerWithToken =>
      store.transaction(() => {
        const { job_id, type, task_key = null } = body
        const name = recordName(body.name)
        const config = checks.config(type, body.config ?? {})
        checks.start({ job_id, task_key }, body.arguments ?? null)
        keepNameUnique(job_id, name, 0)
        const { token, token_hash } = type === 'webhook' ? newToken() : { token: null, token_hash: null }
        const at = clock.iso()
        const row = triggers.insert({
          job_id,
          name,
          type,
          config,
          task_key,
          arguments: body.arguments ? JSON.stringify(body.arguments) : null,
          enabled: body.enabled === false ? 0 : 1,
          token_hash,
          source_job_id: checks.source(type, config, job_id, 0),
          created_by: caller.user_id,
          created_at: at,
          updated_at: at,
        })
        changed(row)
        return { ...shown(row.id), token }
      }),

    /** `guard` sees the ETag of the stored event trigger before anything changes, and refuses a stale one. */
    update: (id: number, body: BodyOf<typeof updateEventTrigger>, guard: (etag: string) => void): EventTrigger =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const name = body.name === undefined ? row.name : recordName(body.name, { before: row.name })
        const config = body.config ? checks.config(row.type, body.config) : row.config
        const enabled = body.enabled === undefined ? row.enabled : body.enabled ? (1 as const) : (0 as const)
        const task_key = body.task_key === undefined ? row.task_key : body.task_key
        const given = body.arguments ? JSON.stringify(body.arguments) : row.arguments
        const switchedOn = enabled === 1 && row.enabled === 0
        if (body.task_key !== undefined || body.arguments !== undefined || switchedOn) {
          // Written from a validated body.
          checks.start(
            { job_id: row.job_id, task_key },
            given === null ? null : (JSON.parse(given) as Record<string, unknown>),
          )
        }
        keepNameUnique(row.job_id, name, id)
        // Other files, or files that came while nobody was to look, are no news.
        const anew = row.type === 'file_arrival' && (switchedOn || !sameFiles(row.config, config))
        if (anew) seen.forget(id)
        const saved = triggers.update(id, {
          name,
          config,
          task_key,
          enabled,
          arguments: given,
          source_job_id: body.config ? checks.source(row.type, config, row.job_id, id) : row.source_job_id,
          updated_at: clock.iso(),
          ...(anew && { looked: 0, last_error: null, last_error_params: null }),
        })
        changed(saved)
        return shown(id)
      }),

    remove: (id: number) =>
      store.transaction(() => {
        const row = need(id)
        triggers.remove(id)
        changed(row)
        return { success: true }
      }),

    rotateToken: (id: number): EventTriggerWithToken =>
      store.transaction(() => {
        const row = need(id)
        if (row.type !== 'webhook') invalidState(msg('not_a_webhook', { name: row.name }))
        const { token, token_hash } = newToken()
        changed(triggers.update(id, { token_hash, updated_at: clock.iso() }))
        return { ...shown(id), token }
      }),

    /** Whoever asks learns nothing of a token but whether it starts something now. */
    callHook(
      token: string,
      body: unknown,
      headers: Record<string, string | string[] | undefined>,
      remember: (answer: ResultOf<typeof callHook>) => void = () => {},
    ) {
      const token_hash = hashOf(token)
      const wait = limiter.take(token_hash)
      if (wait > 0) rateLimited(wait)
      const row = triggers.byTokenHash(token_hash)
      if (!row || row.enabled === 0 || targets.isArchived(row.job_id)) notFound()
      if (pause.isPaused()) {
        throw new Refusal('UNAVAILABLE', msg('schedules_paused'), { retryAfterSeconds: pausedRetrySeconds })
      }
      try {
        return store.transaction(() => {
          const result = starts.start(row, { body, headers: visibleHeaders(headers), received_at: clock.iso() })
          const answer =
            result.kind === 'started'
              ? { job_run_id: result.job_run.id, outcome: 'started' as const }
              : { job_run_id: null, outcome: 'overlap' as const }
          remember(answer)
          return answer
        })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        store.transaction(() => starts.noteError(row, refusalKept(error)))
        throw new Refusal('VALIDATION_ERROR', msg('job_not_started', { reason: error.reason ?? error.message }), {
          details: error.details,
        })
      }
    },
  }
}
export type EventTriggersService = ReturnType<typeof createEventTriggersService>

const etagOf = (row: EventTriggerRow) => `event-trigger-${row.id}-${row.revision}`

/** How often and how long is no other question. */
function sameFiles(before: EventConfig, after: EventConfig): boolean {
  // Asked of file_arrival only.
  const [a, b] = [before as FileArrival, after as FileArrival]
  return a.connector_id === b.connector_id && a.glob === b.glob
}
