import type { KeptError } from '../../platform/kept-error.ts'
import { and, eq, ne, or, sql } from 'drizzle-orm'
import type { EventTrigger, listEventTriggers } from '../../../contract/event-triggers.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage, sortOf } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { holdsText } from '../../platform/text-search.ts'
import { type EventTriggerRow, eventTriggers } from './event-triggers.table.ts'

type NewEventTrigger = Omit<
  EventTriggerRow,
  'id' | 'revision' | 'looked' | 'last_triggered_at' | 'last_error' | 'last_error_params'
>
type EventTriggerChange = Partial<Omit<NewEventTrigger, 'job_id' | 'type' | 'created_by' | 'created_at'>> & {
  looked?: 0 | 1
  last_error?: string | null
  last_error_params?: null
}

const jobName = sql<string>`(SELECT name FROM jobs WHERE jobs.id = ${eventTriggers.job_id})`

const shown = {
  id: eventTriggers.id,
  job_id: eventTriggers.job_id,
  job_name: jobName.as('job_name'),
  name: eventTriggers.name,
  type: eventTriggers.type,
  config: eventTriggers.config,
  task_key: eventTriggers.task_key,
  arguments: eventTriggers.arguments,
  enabled: eventTriggers.enabled,
  last_triggered_at: eventTriggers.last_triggered_at,
  last_error: eventTriggers.last_error,
  last_error_params: eventTriggers.last_error_params,
  created_by: eventTriggers.created_by,
  created_at: eventTriggers.created_at,
  updated_at: eventTriggers.updated_at,
}

export function createEventTriggersStore(store: Store) {
  const { db, sqlite } = store
  const one = db
    .select()
    .from(eventTriggers)
    .where(eq(eventTriggers.id, sql.placeholder('id')))
    .prepare()
  const byToken = db
    .select()
    .from(eventTriggers)
    .where(eq(eventTriggers.token_hash, sql.placeholder('hash')))
    .prepare()
  // Every end of a job run asks this.
  const after = db
    .select()
    .from(eventTriggers)
    .where(and(eq(eventTriggers.source_job_id, sql.placeholder('jobId')), eq(eventTriggers.enabled, 1)))
    .orderBy(eventTriggers.id)
    .prepare()
  const watching = sqlite
    .prepare<[], number>("SELECT id FROM event_triggers WHERE type = 'file_arrival' AND enabled = 1 ORDER BY id")
    .pluck()
  const links = sqlite.prepare<[number], { from: number; to: number }>(
    'SELECT source_job_id AS "from", job_id AS "to" FROM event_triggers WHERE source_job_id IS NOT NULL AND id <> ?',
  )
  const started = sqlite.prepare<[string, number]>(
    'UPDATE event_triggers SET last_triggered_at = ?, last_error = NULL, last_error_params = NULL WHERE id = ?',
  )
  const failed = sqlite.prepare<[string | null, string | null, number]>(
    'UPDATE event_triggers SET last_error = ?, last_error_params = ? WHERE id = ?',
  )

  return {
    list(query: QueryOf<typeof listEventTriggers>) {
      const where = and(
        query.q ? or(holdsText(jobName, query.q), holdsText(eventTriggers.name, query.q)) : undefined,
        query.job_id === undefined ? undefined : eq(eventTriggers.job_id, query.job_id),
        query.type ? eq(eventTriggers.type, query.type) : undefined,
        query.enabled === undefined ? undefined : eq(eventTriggers.enabled, query.enabled ? 1 : 0),
      )
      return keysetPage<EventTrigger>({
        store,
        table: eventTriggers,
        select: shown,
        where,
        sort: sortOf(query, {
          created_at: eventTriggers.id,
          name: eventTriggers.name,
          last_triggered_at: eventTriggers.last_triggered_at,
        }),
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    get: (id: number) => one.get({ id }),
    /** As answers have it. */
    shown: (id: number): EventTrigger | undefined =>
      db.select(shown).from(eventTriggers).where(eq(eventTriggers.id, id)).get(),
    byTokenHash: (hash: string) => byToken.get({ hash }),
    /** Those of a job by this name, but for one. */
    named: (jobId: number, name: string, besides: number) =>
      db
        .select({ id: eventTriggers.id })
        .from(eventTriggers)
        .where(and(eq(eventTriggers.job_id, jobId), eq(eventTriggers.name, name), ne(eventTriggers.id, besides)))
        .get(),
    insert: (trigger: NewEventTrigger) =>
      db
        .insert(eventTriggers)
        .values({ ...trigger, looked: 0, revision: 1 })
        .returning()
        .get(),
    update: (id: number, change: EventTriggerChange) =>
      db
        .update(eventTriggers)
        .set({ ...change, revision: sql`${eventTriggers.revision} + 1` })
        .where(eq(eventTriggers.id, id))
        .returning()
        .get(),
    remove: (id: number) => void db.delete(eventTriggers).where(eq(eventTriggers.id, id)).run(),

    /** Enabled ones that wait for the end of this job. */
    after: (jobId: number) => after.all({ jobId }),
    /** Ids of the enabled ones that wait for files. */
    watching: () => watching.all(),
    /** Those of a job that wait for files. */
    watchingOf: (jobId: number) =>
      db
        .select()
        .from(eventTriggers)
        .where(and(eq(eventTriggers.job_id, jobId), eq(eventTriggers.type, 'file_arrival')))
        .all(),
    /** Which job starts which by its end, but for one trigger's. */
    links: (besides: number) => links.all(besides),
    /** These leave the revision alone: nobody has edited anything. */
    noteStarted: (id: number, at: string) => void started.run(at, id),
    noteError: (id: number, error: KeptError | null) =>
      void failed.run(error?.message ?? null, error?.params ?? null, id),
  }
}
export type EventTriggersStore = ReturnType<typeof createEventTriggersStore>
