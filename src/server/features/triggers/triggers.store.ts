import { and, eq, or, sql } from 'drizzle-orm'
import type { QueryOf } from '../../../contract/operation.ts'
import type { Trigger, listTriggers } from '../../../contract/triggers.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { holdsText } from '../../platform/text-search.ts'
import { type TriggerRow, triggers } from './triggers.table.ts'

type NewTrigger = Omit<TriggerRow, 'id' | 'revision' | 'last_triggered_at' | 'fire_order'>
/** What a save may change. */
type TriggerChange = Partial<Omit<NewTrigger, 'job_id' | 'created_by' | 'created_at'>> & {
  last_triggered_at?: string | null
}
type NextFiring = Pick<TriggerRow, 'next_fire_at' | 'due_at'>

const jobName = sql<string>`(SELECT name FROM jobs WHERE jobs.id = ${triggers.job_id})`

const shown = {
  id: triggers.id,
  job_id: triggers.job_id,
  job_name: jobName.as('job_name'),
  task_key: triggers.task_key,
  type: triggers.type,
  cron_expression: triggers.cron_expression,
  arguments: triggers.arguments,
  enabled: triggers.enabled,
  timezone: triggers.timezone,
  misfire_policy: triggers.misfire_policy,
  jitter_seconds: triggers.jitter_seconds,
  on_overlap: triggers.on_overlap,
  next_fire_at: triggers.next_fire_at,
  last_triggered_at: triggers.last_triggered_at,
  created_by: triggers.created_by,
  created_at: triggers.created_at,
  updated_at: triggers.updated_at,
}

export function createTriggersStore(store: Store) {
  const { db, sqlite } = store
  const one = sqlite.prepare<[number], TriggerRow>('SELECT * FROM triggers WHERE id = ?')
  const due = sqlite.prepare<[string, number], TriggerRow>(
    'SELECT * FROM triggers WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
  )
  const earliest = sqlite.prepare<[], { due_at: string | null }>(
    'SELECT min(due_at) AS due_at FROM triggers WHERE due_at IS NOT NULL',
  )
  // Guarded by the time that was waited for: whoever comes second changes nothing.
  const advance = sqlite.prepare<{
    id: number
    waited: string
    next: string | null
    due: string | null
    fired: string | null
    ended: number
  }>(`UPDATE triggers SET next_fire_at = @next, due_at = @due,
      last_triggered_at = coalesce(@fired, last_triggered_at), enabled = CASE WHEN @ended THEN 0 ELSE enabled END
    WHERE id = @id AND next_fire_at = @waited`)
  const wait = sqlite.prepare<[string | null, string | null, number]>(
    'UPDATE triggers SET next_fire_at = ?, due_at = ? WHERE id = ?',
  )
  const nextOfJob = sqlite.prepare<[number], { at: string | null }>(
    'SELECT min(next_fire_at) AS at FROM triggers WHERE job_id = ? AND next_fire_at IS NOT NULL',
  )
  const ofJob = sqlite.prepare<[number], TriggerRow>('SELECT * FROM triggers WHERE job_id = ?')
  const waiting = sqlite.prepare<[string, number, number], TriggerRow>(
    'SELECT * FROM triggers WHERE next_fire_at > ? AND id > ? ORDER BY id LIMIT ?',
  )

  return {
    list(query: QueryOf<typeof listTriggers>) {
      const where = and(
        query.q ? or(holdsText(jobName, query.q), holdsText(triggers.cron_expression, query.q)) : undefined,
        query.type ? eq(triggers.type, query.type) : undefined,
        query.job_id === undefined ? undefined : eq(triggers.job_id, query.job_id),
        query.enabled === undefined ? undefined : eq(triggers.enabled, query.enabled ? 1 : 0),
      )
      return keysetPage<Trigger>({
        store,
        table: triggers,
        select: shown,
        where,
        sort:
          query.sort === 'next_fire_at'
            ? [
                { column: triggers.fire_order, direction: query.order ?? 'asc' },
                { column: triggers.id, direction: query.order ?? 'asc' },
              ]
            : [{ column: triggers.id, direction: query.order ?? 'desc' }],
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    get: (id: number) => one.get(id),
    /** As answers have it. */
    shown: (id: number): Trigger | undefined => db.select(shown).from(triggers).where(eq(triggers.id, id)).get(),
    insert: (trigger: NewTrigger) =>
      db
        .insert(triggers)
        .values({ ...trigger, revision: 1 })
        .returning()
        .get(),
    update: (id: number, change: TriggerChange) =>
      db
        .update(triggers)
        .set({ ...change, revision: sql`${triggers.revision} + 1` })
        .where(eq(triggers.id, id))
        .returning()
        .get(),
    remove: (id: number) => void db.delete(triggers).where(eq(triggers.id, id)).run(),
    ofJob: (jobId: number) => ofJob.all(jobId),
    /** The next firing of any trigger of the job. */
    nextOfJob: (jobId: number) => nextOfJob.get(jobId)?.at ?? null,

    /** Those whose time has come, the longest overdue first. */
    due: (now: string, limit: number) => due.all(now, limit),
    earliestDue: () => earliest.get()?.due_at ?? null,
    /** Triggers that wait for a time after `now`, by id. */
    waiting: (now: string, afterId: number, limit: number) => waiting.all(now, afterId, limit),
    /** The firing that was waited for is done with; false: somebody else has done so. */
    advance: (change: { id: number; waited: string; next: NextFiring; fired: string | null; ended: boolean }) =>
      advance.run({
        id: change.id,
        waited: change.waited,
        next: change.next.next_fire_at,
        due: change.next.due_at,
        fired: change.fired,
        ended: change.ended ? 1 : 0,
      }).changes === 1,
    /** Leaves the revision alone, as `advance` does: nobody has edited anything. */
    waitFor: (id: number, { next_fire_at, due_at }: NextFiring) => void wait.run(next_fire_at, due_at, id),
  }
}
export type TriggersStore = ReturnType<typeof createTriggersStore>
