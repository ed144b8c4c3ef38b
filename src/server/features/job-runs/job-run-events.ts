import type { JobRunStatus } from '../../../contract/jobs.ts'
import type { Platform } from '../../platform/platform.ts'
import type { JobRunRow } from './job-runs.table.ts'

/** Progress of a job run is told no more often than this; what changes meanwhile is told together. */
const progressEveryMs = 250

/** The part of a job run that `job_run.created` and `job_run.changed` events carry. */
function jobRunEvent(row: JobRunRow): Record<string, unknown> {
  return {
    id: row.id,
    job_id: row.job_id,
    job_name: row.job_name,
    status: row.status,
    pause_reason: row.pause_reason,
    cancel_requested: row.cancel_requested === 1,
    trigger_type: row.trigger_type,
    logical_date: row.logical_date,
    backfill_id: row.backfill_id,
    started_at: row.started_at,
    completed_at: row.completed_at,
    duration_ms: row.duration_ms,
    error_message: row.error_message,
  }
}

interface Progress {
  job_id: number
  keys: Set<string>
  sentAt: number
  timer: NodeJS.Timeout | undefined
}

export interface NotedJobRun {
  id: number
  status: JobRunStatus
  at: string
}

/** What is told of job runs, all of it inside the transaction of the change but for progress, which comes soon after. */
export function createJobRunEvents(
  { store, clock, events, logger, draining }: Pick<Platform, 'store' | 'clock' | 'events' | 'logger' | 'draining'>,
  noteRun: (jobId: number, run: NotedJobRun) => void,
) {
  const progress = new Map<number, Progress>()

  function sendProgress(id: number): void {
    const found = progress.get(id)
    if (!found || found.keys.size === 0) return
    const task_keys = [...found.keys]
    found.keys.clear()
    clearTimeout(found.timer)
    found.timer = undefined
    found.sentAt = clock.monotonic()
    events.append('job_run.progress', id, { id, job_id: found.job_id, task_keys })
  }

  /** On its own, after the commit: a change that is rolled back is told of by nobody. */
  function scheduleProgress(id: number): void {
    const found = progress.get(id)
    if (!found || found.timer) return
    const wait = progressEveryMs - (clock.monotonic() - found.sentAt)
    found.timer = setTimeout(() => trySendProgress(id), Math.max(0, wait))
    found.timer.unref()
  }
  function trySendProgress(id: number): void {
    if (draining.aborted) return
    try {
      store.transaction(() => sendProgress(id))
    } catch (error) {
      logger.error({ err: error, job_run_id: id }, 'Progress of a job run could not be told')
    }
  }
  draining.addEventListener('abort', () => progress.forEach(({ timer }) => clearTimeout(timer)), { once: true })

  return {
    created(row: JobRunRow): void {
      events.append('job_run.created', row.id, jobRunEvent(row))
      noteRun(row.job_id, { id: row.id, status: row.status, at: row.created_at })
    },
    changed(row: JobRunRow): void {
      // Whoever hears of the end has heard of everything before it.
      if (row.completed_at !== null) {
        sendProgress(row.id)
        store.afterCommit(() => {
          clearTimeout(progress.get(row.id)?.timer)
          progress.delete(row.id)
        })
      }
      events.append('job_run.changed', row.id, jobRunEvent(row))
      noteRun(row.job_id, { id: row.id, status: row.status, at: row.updated_at })
    },
    /** Something about one of its tasks is different. */
    progress({ id, job_id }: Pick<JobRunRow, 'id' | 'job_id'>, key: string): void {
      store.afterCommit(() => {
        const found = progress.get(id) ?? { job_id, keys: new Set(), sentAt: -Infinity, timer: undefined }
        found.keys.add(key)
        progress.set(id, found)
        scheduleProgress(id)
      })
    },
  }
}
export type JobRunEvents = ReturnType<typeof createJobRunEvents>
