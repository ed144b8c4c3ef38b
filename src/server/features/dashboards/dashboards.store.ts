import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { listDashboards } from '../../../contract/dashboards.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { keysetPage, sortOf } from '../../platform/keyset.ts'
import { searched, startsWith } from '../../platform/list-filters.ts'
import type { Store } from '../../platform/store.ts'
import { type DashboardRow, dashboards } from './dashboards.table.ts'

export type DashboardWithJob = DashboardRow & {
  job_name: string
  job_status: 'active' | 'archived'
  share_count: number
}
/** What a snapshot holds of a dashboard template. */
export interface HeldTemplate {
  id: number
  name: string
  version: number
  yaml_content: string
}

export function createDashboardsStore(store: Store) {
  const { db, sqlite } = store
  const ofJob = (column: string) => sql.raw(`(SELECT ${column} FROM jobs WHERE jobs.id = dashboards.job_id)`)
  const fields = (now: string) => ({
    ...getTableColumns(dashboards),
    job_name: sql<string>`${ofJob('name')}`.as('job_name'),
    job_status: sql<'active' | 'archived'>`${ofJob('status')}`.as('job_status'),
    share_count: sql<number>`(SELECT count(*) FROM dashboard_shares WHERE dashboard_shares.dashboard_id = dashboards.id
        AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now}))`.as('share_count'),
  })
  const jobStatus = sqlite.prepare<[number], { status: string }>('SELECT status FROM jobs WHERE id = ?')

  return {
    list(query: QueryOf<typeof listDashboards>, now: string) {
      const { job_id, dashboard_template_id, job_status } = query
      return keysetPage<DashboardWithJob>({
        store,
        table: dashboards,
        select: fields(now),
        where: and(
          eq(dashboards.removed, 0),
          job_id === undefined ? undefined : eq(dashboards.job_id, job_id),
          dashboard_template_id === undefined ? undefined : eq(dashboards.dashboard_template_id, dashboard_template_id),
          job_status && inArray(ofJob('status'), job_status),
          searched(dashboards.search_text, query.q),
          startsWith(dashboards.search_text, query.starts_with),
        ),
        sort: sortOf(query, { created_at: dashboards.id, name: dashboards.name }),
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    get: (id: number, now: string): DashboardWithJob | undefined =>
      db
        .select(fields(now))
        .from(dashboards)
        .where(and(eq(dashboards.id, id), eq(dashboards.removed, 0)))
        .get(),
    ofJob: (jobId: number): DashboardRow[] => db.select().from(dashboards).where(eq(dashboards.job_id, jobId)).all(),
    isActive: (jobId: number): boolean => jobStatus.get(jobId)?.status === 'active',
    insert: (row: Omit<DashboardRow, 'id'>): number =>
      db.insert(dashboards).values(row).returning({ id: dashboards.id }).get().id,
    update: (id: number, change: Partial<Omit<DashboardRow, 'id' | 'revision'>>): void =>
      void db
        .update(dashboards)
        .set({ ...change, revision: sql`${dashboards.revision} + 1` })
        .where(eq(dashboards.id, id))
        .run(),
  }
}
