/**
 * What the retention settings let go, as pieces of work: each removes a little and says whether there may be more. Whoever runs
 * them does so in short transactions with pauses in between. Never removed: what has not ended, the newest run of a task, the
 * newest job run of a job, a job run that a rerun of it still speaks of, and single runs of a job run that stays.
 */
import type { Config } from '../../platform/config.ts'
import { IDEMPOTENCY_MS } from '../../platform/idempotency.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Place, type RetentionStore, beginning } from './retention.store.ts'

export interface Removed {
  runs: number
  job_runs: number
  log_lines: number
  rejects: number
  deliveries: number
}
export const nothingRemoved = (): Removed => ({ runs: 0, job_runs: 0, log_lines: 0, rejects: 0, deliveries: 0 })

/** One unit of work; true: there may be more to do. It is small, as it is counted on to be. */
export type Piece = () => boolean

const chunksAtOnce = 8
const rowsAtOnce = 100
const pageSize = 20
const never = '9999'

/** Told of a run just before it is removed, in the same transaction. */
export type Leaving = (runId: number) => void

type Parts = Pick<Platform, 'clock'> & { rows: RetentionStore; config: Config; removed: Removed; leaving: Leaving }

/** In the order in which they are to be done; each is called until it says that it is done. */
export function retentionPieces(parts: Parts): Piece[] {
  const { rows, config, clock, removed } = parts
  const { runsMs, runsMax, logsMs, logBytes } = config.retention
  const ago = (ms: number) => new Date(clock.now().getTime() - ms).toISOString()
  const runs = createRunRemoval(parts)
  return [
    // What an earlier pass, or an earlier server, has begun.
    runs.finishJobRun,
    ...(runsMs > 0 ? [runs.jobRunsBefore(ago(runsMs)), runs.finishJobRun, runs.runsBefore(ago(runsMs))] : []),
    ...(runsMax > 0 ? [runs.beyond(runsMax), runs.finishJobRun] : []),
    ...(logsMs > 0 ? [runs.detailsBefore(ago(logsMs))] : []),
    ...(logBytes > 0 ? [runs.logsBeyond(logBytes)] : []),
    ...(runsMs > 0
      ? [
          deliveriesBefore(rows, removed, ago(runsMs)),
          firingsBefore(rows, ago(runsMs)),
          snapshotsBefore(rows, ago(runsMs)),
        ]
      : []),
    () => rows.dropKeys(ago(IDEMPOTENCY_MS), rowsAtOnce) === rowsAtOnce,
  ]
}

function createRunRemoval({ rows, clock, removed, leaving }: Parts) {
  /** A piece of a run, or at last the run itself; true: it is gone. */
  function removeRun(id: number): boolean {
    const lines = rows.dropChunks(id, chunksAtOnce)
    if (lines !== undefined) {
      removed.log_lines += lines
      return false
    }
    const rejects = rows.dropRejects(id, rowsAtOnce)
    removed.rejects += rejects
    if (rejects > 0) return false
    leaving(id)
    if (rows.dropRun(id)) removed.runs += 1
    return true
  }

  const isNewest = (run: { id: number; task_id: number }) => rows.newestOf(run.task_id)?.id === run.id
  const holdsNewest = (jobRunId: number) =>
    rows.tasksOf(jobRunId).some((task) => rows.newestOf(task)?.job_run_id === jobRunId)

  function mark({ id }: Place): void {
    if (rows.markRemoved(id, clock.iso())) removed.job_runs += 1
  }

  return {
    finishJobRun(): boolean {
      const id = rows.removedJobRun()
      if (id === undefined) return false
      const run = rows.aRunOf(id)
      if (run !== undefined) removeRun(run)
      else if (rows.dropItems(id, rowsAtOnce) === 0 && rows.dropTasks(id, rowsAtOnce) === 0) rows.dropJobRun(id)
      return true
    },

    jobRunsBefore(before: string): Piece {
      let place = beginning
      return () => {
        const [found] = rows.oldJobRuns(place, before, 1)
        if (!found) return false
        if (!holdsNewest(found.id)) mark(found)
        place = found
        return true
      }
    },

    runsBefore(before: string): Piece {
      let place = beginning
      let going: Place | undefined
      return () => {
        if (going) {
          if (removeRun(going.id)) going = undefined
          return true
        }
        const [found] = rows.oldRuns(place, before, 1)
        if (!found) return false
        place = found
        if (!isNewest(found)) going = found
        return true
      }
    },

    /** Oldest first, whether a run stands alone or belongs to a job run, until so many are left. */
    beyond(most: number): Piece {
      let excess: number | undefined
      const alone = oldest(
        (place) => rows.oldRuns(place, never, pageSize),
        (run) => !isNewest(run),
      )
      const inJobs = oldest(
        (place) => rows.oldJobRuns(place, never, 1),
        ({ id }) => !holdsNewest(id),
      )
      let going: Place | undefined
      return () => {
        if (going) {
          if (removeRun(going.id)) going = undefined
          return true
        }
        excess ??= rows.endedRuns() - most
        if (excess <= 0) return false
        if (alone.look() || inJobs.look()) return true
        const [run, jobRun] = [alone.found(), inJobs.found()]
        if (run && (!jobRun || run.created_at <= jobRun.created_at)) {
          going = run
          alone.next()
          excess -= 1
        } else if (jobRun) {
          excess -= rows.runsOf(jobRun.id)
          mark(jobRun)
          inJobs.next()
        } else return false
        return true
      }
    },

    detailsBefore(before: string): Piece {
      return () => {
        const [run] = rows.withDetails(beginning, before, 1)
        if (!run) return false
        if (run.log_lines > 0) removeLog(run.id)
        else removeRejects(run.id)
        return true
      }
    },

    logsBeyond(most: number): Piece {
      let place = beginning
      return () => {
        if (rows.logBytes() <= most) return false
        const [run] = rows.withDetails(place, never, 1)
        if (!run) return false
        if (run.log_lines === 0 || removeLog(run.id)) place = run
        return true
      }
    },
  }

  /** true: nothing of it is left. */
  function removeLog(id: number): boolean {
    const lines = rows.dropChunks(id, chunksAtOnce)
    removed.log_lines += lines ?? 0
    if (lines !== undefined) return false
    rows.noteLogRemoved(id, clock.iso())
    return true
  }
  function removeRejects(id: number): void {
    const rejects = rows.dropRejects(id, rowsAtOnce)
    removed.rejects += rejects
    if (rejects === 0) rows.noteRejectsRemoved(id, clock.iso())
  }
}

/** Goes through what may go, oldest first, a page at a time, passing over what must stay. */
function oldest<T extends Place>(page: (after: Place) => T[], mayGo: (one: T) => boolean) {
  let place = beginning
  let found: T | undefined
  let over = false
  return {
    /** Looks a little further; true: there is more to look through. */
    look(): boolean {
      if (found || over) return false
      for (const one of page(place)) {
        place = one
        if (mayGo(one)) {
          found = one
          return false
        }
      }
      over = page(place).length === 0
      return !over
    },
    found: () => found,
    next: () => void (found = undefined),
  }
}

function deliveriesBefore(rows: RetentionStore, removed: Removed, before: string): Piece {
  let after = 0
  return () => {
    const page = rows.oldDeliveries(after, rowsAtOnce)
    for (const { id, status, created_at, updated_at } of page) {
      if (created_at >= before) return false
      after = id
      if (status !== 'pending' && updated_at < before) removed.deliveries += rows.dropDelivery(id)
    }
    return page.length === rowsAtOnce
  }
}

const firingsBefore =
  (rows: RetentionStore, before: string): Piece =>
  () =>
    rows.dropFirings(before, rowsAtOnce) === rowsAtOnce

/** Of jobs, as they were: those that neither the job nor a job run holds any more. */
function snapshotsBefore(rows: RetentionStore, before: string): Piece {
  let after = 0
  return () => {
    const page = rows.oldSnapshots(after, before, rowsAtOnce)
    for (const { id, held } of page) {
      after = id
      if (!held) rows.dropSnapshot(id)
    }
    return page.length === rowsAtOnce
  }
}
