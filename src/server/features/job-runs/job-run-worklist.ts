import type { Platform } from '../../platform/platform.ts'

/** What each kind of note leads to. */
export interface Followers {
  /** Nodes of a job run have ended (`all`: anything may have happened to it). */
  advance(jobRunId: number, ended: Ended): void
  /** A pool has room. */
  fillPool(pool: string): void
  /** A job run may start more. */
  fill(jobRunId: number): void
  /** The next job run of a job may begin. */
  beginNext(jobId: number): void
}

type Ended = ReadonlySet<string> | 'all'

/** What is still to be looked at. To look once too often is harmless. */
const emptyNotes = () => ({
  runs: new Map<number, Ended>(),
  pools: new Set<string>(),
  hungry: new Set<number>(),
  jobs: new Set<number>(),
})
type Notes = ReturnType<typeof emptyNotes>

function noteRun({ runs }: Notes, id: number, ended: Ended): void {
  const known = runs.get(id)
  runs.set(id, known === 'all' || ended === 'all' ? 'all' : new Set([...(known ?? []), ...ended]))
}

function move(from: Notes, to: Notes): void {
  for (const [id, ended] of from.runs) noteRun(to, id, ended)
  for (const pool of from.pools) to.pools.add(pool)
  for (const id of from.hungry) to.hungry.add(id)
  for (const id of from.jobs) to.jobs.add(id)
  clear(from)
}

function clear({ runs, pools, hungry, jobs }: Notes): void {
  for (const notes of [runs, pools, hungry, jobs]) notes.clear()
}

/** One change does at least so many steps, and no further one after so long. */
const limit = { steps: 32, ms: 25 }
/** After the store could not be written. */
const retryMs = 5_000

/**
 * What is still to be looked at within the transaction under way. Decisions come first, then pools (what is freed goes to whoever
 * waits for it longest, in whatever job run), then the job runs that may start more, then those that may begin. What would hold the
 * thread for too long goes on in transactions of its own, with requests in between. A server that is killed in between finds it again
 * when it starts, as it looks at all job runs then.
 */
export function createJobRunWorklist(
  { store, clock, logger, draining }: Pick<Platform, 'store' | 'clock' | 'logger' | 'draining'>,
  follow: Followers,
) {
  const notes = emptyNotes()
  /** For the next turns of the event loop. A transaction that is undone leaves notes that lead to nothing. */
  const later = emptyNotes()
  let isWaiting = false
  let depth = 0
  let steps = 0
  let began = 0

  const isEnough = (): boolean => steps >= limit.steps && clock.monotonic() - began > limit.ms

  function putOff(): void {
    move(notes, later)
    if (isWaiting) return
    isWaiting = true
    setImmediate(goOn)
  }

  function goOn(): void {
    isWaiting = false
    if (draining.aborted) return
    const rest = emptyNotes()
    move(later, rest)
    try {
      store.transaction(() => change(() => move(structuredClone(rest), notes)))
    } catch (error) {
      logger.error({ err: error }, 'Job runs could not go on; this is tried again')
      move(rest, later)
      isWaiting = true
      setTimeout(goOn, retryMs).unref()
    }
  }

  /** What waits for a later turn keeps its order: whatever else is noted of it waits, too. */
  function settle(): void {
    for (; ; steps += 1) {
      if (isEnough()) return putOff()
      const [entry] = notes.runs
      const [pool] = notes.pools
      const [run] = notes.hungry
      const [job] = notes.jobs
      if (entry) {
        notes.runs.delete(entry[0])
        if (later.runs.has(entry[0])) noteRun(later, ...entry)
        else follow.advance(...entry)
      } else if (pool !== undefined) {
        notes.pools.delete(pool)
        if (!later.pools.has(pool)) follow.fillPool(pool)
      } else if (run !== undefined) {
        notes.hungry.delete(run)
        if (!later.hungry.has(run)) follow.fill(run)
      } else if (job !== undefined) {
        notes.jobs.delete(job)
        if (!later.jobs.has(job)) follow.beginNext(job)
      } else return
    }
  }

  function change<T>(make: () => T): T {
    depth += 1
    try {
      const value = make()
      if (depth === 1) {
        steps = 0
        began = clock.monotonic()
        settle()
      }
      return value
    } finally {
      depth -= 1
      // Left over only where the transaction is undone.
      if (depth === 0) clear(notes)
    }
  }

  return {
    /** In a transaction: makes a change, then everything that follows from it. A change within a change waits for the outer one. */
    change,
    /** After each step that frees what it had taken, of which there may be many. True: the rest waits for a later turn, if it is noted. */
    isEnough(): boolean {
      steps += 1
      return isEnough()
    },

    /** Without a key: at all of it. */
    lookAt: (jobRunId: number, key?: string) => noteRun(notes, jobRunId, key === undefined ? 'all' : new Set([key])),
    mayStartMore: (jobRunId: number) => void notes.hungry.add(jobRunId),
    hasRoom: (pool: string) => void notes.pools.add(pool),
    lookAtJob: (jobId: number) => void notes.jobs.add(jobId),
  }
}
