/** What each kind of note leads to. */
export interface Followers {
  /** Nodes of a job run have ended (`all`: anything may have happened to it). */
  advance(jobRunId: number, ended: ReadonlySet<string> | 'all'): void
  /** A pool has room. */
  fillPool(pool: string): void
  /** A job run may start more. */
  fill(jobRunId: number): void
  /** The next job run of a job may begin. */
  beginNext(jobId: number): void
}

/**
 * What is still to be looked at within the transaction under way. Decisions come first, then pools (what is freed goes to whoever
 * waits for it longest, in whatever job run), then the job runs that may start more, then those that may begin.
 */
export function createJobRunWorklist(follow: Followers) {
  const runs = new Map<number, Set<string> | 'all'>()
  const pools = new Set<string>()
  const hungry = new Set<number>()
  const jobs = new Set<number>()
  let depth = 0

  function settle(): void {
    for (;;) {
      const [entry] = runs
      const [pool] = pools
      const [run] = hungry
      const [job] = jobs
      if (entry) {
        runs.delete(entry[0])
        follow.advance(...entry)
      } else if (pool !== undefined) {
        pools.delete(pool)
        follow.fillPool(pool)
      } else if (run !== undefined) {
        hungry.delete(run)
        follow.fill(run)
      } else if (job !== undefined) {
        jobs.delete(job)
        follow.beginNext(job)
      } else return
    }
  }

  return {
    /** In a transaction: makes a change, then everything that follows from it. A change within a change waits for the outer one. */
    change<T>(make: () => T): T {
      depth += 1
      try {
        const value = make()
        if (depth === 1) settle()
        return value
      } finally {
        depth -= 1
        // Left over only where the transaction is undone.
        if (depth === 0) for (const notes of [runs, pools, hungry, jobs]) notes.clear()
      }
    },

    /** Without a key: at all of it. */
    lookAt(jobRunId: number, key?: string): void {
      const known = runs.get(jobRunId)
      if (key === undefined) runs.set(jobRunId, 'all')
      else if (known !== 'all') runs.set(jobRunId, (known ?? new Set()).add(key))
    },
    mayStartMore: (jobRunId: number) => void hungry.add(jobRunId),
    hasRoom: (pool: string) => void pools.add(pool),
    lookAtJob: (jobId: number) => void jobs.add(jobId),
  }
}
