import type { Platform } from '../../platform/platform.ts'
import type { JobRunsStore } from './job-runs.store.ts'

/** It looks at least this often, so that a machine that slept, or whose clock was changed, is not waited for. */
const longestWaitMs = 30_000

/** Wakes when the next job run is late or its time is up; the store says when that is. */
export function createJobRunTimer(
  { store, clock, logger, draining }: Pick<Platform, 'store' | 'clock' | 'logger' | 'draining'>,
  jobRuns: Pick<JobRunsStore, 'nextDue'>,
  sweep: () => void,
) {
  let timer: NodeJS.Timeout | undefined
  let wakeAt = Infinity

  function wait(): void {
    clearTimeout(timer)
    timer = undefined
    wakeAt = Infinity
    if (draining.aborted) return
    const next = jobRuns.nextDue()
    if (next === null) return
    wakeAt = Date.parse(next)
    timer = setTimeout(wake, Math.min(Math.max(0, wakeAt - clock.now().getTime()), longestWaitMs))
    timer.unref()
  }
  function safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      logger.error({ err: error }, 'Job runs that are late or whose time is up could not be told')
      timer = setTimeout(wake, longestWaitMs)
      timer.unref()
    }
  }
  function wake(): void {
    safely(() => {
      sweep()
      wait()
    })
  }
  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })

  return {
    /** A job run may be due at this time. */
    at(...times: (string | null)[]): void {
      const earliest = Math.min(...times.map((time) => (time === null ? Infinity : Date.parse(time))))
      if (earliest < wakeAt) store.afterCommit(() => safely(wait))
    },
    wait: () => safely(wait),
  }
}
