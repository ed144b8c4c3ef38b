import { and, eq, getTableColumns, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type ShareRow, dashboardShares as shares } from './dashboards.table.ts'

export type ShareWithDashboard = ShareRow & {
  dashboard_name: string
  job_id: number
  job_name: string
  created_by_name: string | null
  /** 1: the dashboard is there, and its job is active. */
  shown: 0 | 1
}

export function createSharesStore(store: Store) {
  const { db } = store
  const from = (column: string) =>
    sql.raw(
      `(SELECT ${column} FROM dashboards JOIN jobs ON jobs.id = job_id WHERE dashboards.id = dashboard_shares.dashboard_id)`,
    )
  const fields = {
    ...getTableColumns(shares),
    dashboard_name: sql<string>`${from('dashboards.name')}`.as('dashboard_name'),
    job_id: sql<number>`${from('jobs.id')}`.as('job_id'),
    job_name: sql<string>`${from('jobs.name')}`.as('job_name'),
    shown: sql<0 | 1>`${from("dashboards.removed = 0 AND jobs.status = 'active'")}`.as('shown'),
    created_by_name: sql<string | null>`(SELECT username FROM users WHERE users.id = dashboard_shares.created_by)`.as(
      'created_by_name',
    ),
  }
  // Of a hash that no link has, the oldest link is read, so that the time doesn’t tell the two apart. `max` looks both up each time.
  const byToken = db
    .select(fields)
    .from(shares)
    .where(
      eq(
        shares.id,
        sql`max(coalesce((SELECT id FROM dashboard_shares WHERE token_hash = ${sql.placeholder('hash')}), 0), (SELECT min(id) FROM dashboard_shares))`,
      ),
    )
    .prepare()

  return {
    list(
      filter: { dashboard_id?: number; active?: boolean | undefined; q?: string | undefined },
      page: { cursor?: string | undefined; limit?: number | undefined },
      now: string,
    ) {
      const { dashboard_id, active, q } = filter
      const works = and(
        isNull(shares.revoked_at),
        or(isNull(shares.expires_at), gt(shares.expires_at, now)),
        sql`${from("dashboards.removed = 0 AND jobs.status = 'active'")} = 1`,
      )
      const ended = or(
        isNotNull(shares.revoked_at),
        lte(shares.expires_at, now),
        sql`${from("dashboards.removed = 0 AND jobs.status = 'active'")} = 0`,
      )
      return keysetPage<ShareWithDashboard>({
        store,
        table: shares,
        select: fields,
        where: and(
          dashboard_id === undefined ? undefined : eq(shares.dashboard_id, dashboard_id),
          active === undefined ? undefined : active ? works : ended,
          q
            ? sql`instr(lower(coalesce(${shares.name}, '') || char(10) || ${from('dashboards.name')} || char(10) || ${from('jobs.name')}), ${q.toLowerCase()}) > 0`
            : undefined,
        ),
        sort: [{ column: shares.id, direction: 'desc' }],
        ...(page.cursor !== undefined && { cursor: page.cursor }),
        ...(page.limit !== undefined && { limit: page.limit }),
      })
    },
    get: (id: number): ShareWithDashboard | undefined => db.select(fields).from(shares).where(eq(shares.id, id)).get(),
    /** The link with this hash, else another one. */
    nearHash: (hash: string): ShareWithDashboard | undefined => byToken.get({ hash }),
    insert: (row: Omit<ShareRow, 'id'>): number => db.insert(shares).values(row).returning({ id: shares.id }).get().id,
    revoke: (id: number, at: string): void =>
      void db
        .update(shares)
        .set({ revoked_at: at })
        .where(and(eq(shares.id, id), isNull(shares.revoked_at)))
        .run(),
    noteViews: (id: number, views: number, at: string): void =>
      void db
        .update(shares)
        .set({ view_count: sql`${shares.view_count} + ${views}`, last_viewed_at: at })
        .where(eq(shares.id, id))
        .run(),
  }
}
