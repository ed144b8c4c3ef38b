import { type SQL, and, eq, getTableColumns, isNull, lte, or, sql } from 'drizzle-orm'
import type { JobRunStatus, listJobs } from '../../../contract/jobs.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage, sortOf } from '../../platform/keyset.ts'
import { searched, startsWith } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type JobRow, jobs } from './jobs.table.ts'

/** A job with what its template is called now, and how far it has got. */
export type JobWithTemplate = JobRow & { job_template_name: string; newest_template_version: number }
type NewJob = Omit<
  typeof jobs.$inferInsert,
  'id' | 'search_text' | 'revision' | 'last_run_id' | 'last_run_status' | 'last_run_at' | 'next_fire_at'
>

const searchText = (job: { name: string; description?: string | null }) =>
  `${job.name}\n${job.description ?? ''}`.toLowerCase()

export function createJobsStore(store: Store) {
  const { db } = store
  // Names are written out: inside of a selection columns would otherwise lose the name of their table.
  const ofTemplate = (column: string) =>
    sql.raw(`(SELECT ${column} FROM job_templates WHERE job_templates.id = jobs.job_template_id)`)
  const fields = {
    ...getTableColumns(jobs),
    // What retention has removed is no place to go.
    last_run_id: sql<
      number | null
    >`(SELECT id FROM job_runs WHERE job_runs.id = jobs.last_run_id AND job_runs.removed_at IS NULL)`.as('last_run_id'),
    job_template_name: sql<string>`${ofTemplate('name')}`.as('job_template_name'),
    newest_template_version: sql<number>`${ofTemplate('current_version')}`.as('newest_template_version'),
  }
  const sortColumns = { created_at: jobs.id, name: jobs.name, updated_at: jobs.updated_at } as const
  // Every start of a job run asks these.
  const one = db
    .select(fields)
    .from(jobs)
    .where(eq(jobs.id, sql.placeholder('id')))
    .prepare()

  function page(query: QueryOf<typeof listJobs>, where: SQL | undefined) {
    return keysetPage<JobWithTemplate>({
      store,
      table: jobs,
      select: fields,
      where,
      sort: sortOf(query, sortColumns),
      cursor: query.cursor,
      limit: query.limit,
    })
  }

  return {
    list: (query: QueryOf<typeof listJobs>) =>
      page(
        query,
        and(
          query.status ? eq(jobs.status, query.status) : undefined,
          query.job_template_id ? eq(jobs.job_template_id, query.job_template_id) : undefined,
          searched(jobs.search_text, query.q),
          startsWith(jobs.search_text, query.starts_with),
        ),
      ),

    get: (id: number): JobWithTemplate | undefined => one.get({ id }),
    getByName: (name: string) => db.select().from(jobs).where(eq(jobs.name, name)).get(),

    insert: (job: NewJob): number =>
      db
        .insert(jobs)
        .values({ ...job, search_text: searchText(job), revision: 1 })
        .returning({ id: jobs.id })
        .get().id,
    /** Only for the job that is being made. */
    setSnapshot: (id: number, snapshotId: number) =>
      db.update(jobs).set({ snapshot_id: snapshotId }).where(eq(jobs.id, id)).run(),

    update(
      id: number,
      change: Partial<Omit<NewJob, 'created_at'>>,
      text?: { name: string; description: string | null },
    ): void {
      db.update(jobs)
        .set({ ...change, ...(text && { search_text: searchText(text) }), revision: sql`${jobs.revision} + 1` })
        .where(eq(jobs.id, id))
        .run()
    },

    // What job runs and triggers tell is no edit: it makes no ETag stale.
    noteRun(id: number, run: { id: number; status: JobRunStatus; at: string }): void {
      db.update(jobs)
        .set({ last_run_id: run.id, last_run_status: run.status, last_run_at: run.at })
        .where(and(eq(jobs.id, id), or(isNull(jobs.last_run_id), lte(jobs.last_run_id, run.id))))
        .run()
    },
    noteNextFire: (id: number, at: string | null) =>
      db.update(jobs).set({ next_fire_at: at }).where(eq(jobs.id, id)).run(),
  }
}
