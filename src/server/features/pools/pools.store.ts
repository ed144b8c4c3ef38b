import { asc, eq } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { type PoolRow, pools } from './pools.table.ts'

interface Count {
  pool: string
  n: number
}

export function createPoolsStore({ db, sqlite }: Store) {
  const used = sqlite.prepare<[], Count>(
    "SELECT pool, count(*) AS n FROM runs WHERE pool IS NOT NULL AND status IN ('pending', 'running') GROUP BY pool",
  )
  // What is queued in a job run that is paused waits for something else.
  const waiting = sqlite.prepare<[], Count>(`
    SELECT tasks.pool AS pool, sum(tasks.n_queued) AS n FROM job_run_tasks AS tasks
    JOIN job_runs ON job_runs.id = tasks.job_run_id
    WHERE tasks.pool IS NOT NULL AND tasks.n_queued > 0 AND job_runs.status = 'running' GROUP BY tasks.pool`)
  const slots = db.select({ name: pools.name, slots: pools.slots }).from(pools).orderBy(asc(pools.name)).prepare()

  return {
    list: (): PoolRow[] => db.select().from(pools).orderBy(asc(pools.name)).all(),
    get: (name: string): PoolRow | undefined => db.select().from(pools).where(eq(pools.name, name)).get(),
    slots: (): { name: string; slots: number }[] => slots.all(),
    used: (): Map<string, number> => byPool(used.all()),
    waiting: (): Map<string, number> => byPool(waiting.all()),

    insert: (pool: Omit<PoolRow, 'id' | 'updated_at'>): PoolRow => db.insert(pools).values(pool).returning().get(),
    update: (name: string, change: Pick<PoolRow, 'slots' | 'description' | 'updated_at'>): PoolRow | undefined =>
      db.update(pools).set(change).where(eq(pools.name, name)).returning().get(),
    remove: (name: string): PoolRow | undefined => db.delete(pools).where(eq(pools.name, name)).returning().get(),
  }
}

const byPool = (counts: Count[]) => new Map(counts.map(({ pool, n }) => [pool, n]))
