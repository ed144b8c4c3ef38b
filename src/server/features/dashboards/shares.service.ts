/** Public links: who may see a dashboard without signing in, and until when. */
import { createHash } from 'node:crypto'
import type {
  DashboardShare,
  NewDashboardShare,
  createDashboardShare,
  listAllShares,
  listDashboardShares,
} from '../../../contract/dashboards.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import { resolveFilters } from '../../../language/dashboard/filter-values.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { recordName } from '../../platform/record-name.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import { problemsIn } from '../../platform/versioned-text.ts'
import type { DashboardsService } from './dashboards.service.ts'
import { originProblem } from './share-origins.rules.ts'
import { type ShareWithDashboard, createSharesStore } from './shares.store.ts'

interface Dependencies {
  dashboards: Pick<DashboardsService, 'open' | 'get'>
}

const defaultDays = 30
const prefixLength = 6
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

export function createSharesService(
  { store, clock, ids, events }: Pick<Platform, 'store' | 'clock' | 'ids' | 'events'>,
  { dashboards }: Dependencies,
) {
  const shares = createSharesStore(store)
  /** Views that are not written yet: a page that is opened often must not write each time. */
  const views = new Map<number, { count: number; at: string }>()

  const isActive = ({ revoked_at, expires_at, shown }: ShareWithDashboard, now: string): boolean =>
    revoked_at === null && (expires_at === null || expires_at > now) && shown === 1

  function present(row: ShareWithDashboard): DashboardShare {
    const { token_hash: _, shown: __, ...share } = row
    const noted = views.get(row.id)
    return {
      ...share,
      view_count: share.view_count + (noted?.count ?? 0),
      last_viewed_at: noted?.at ?? share.last_viewed_at,
      active: isActive(row, clock.iso()),
    }
  }

  return {
    list(dashboardId: number, { cursor, limit, active }: QueryOf<typeof listDashboardShares>) {
      dashboards.get(dashboardId)
      const { rows, ...page } = shares.list({ dashboard_id: dashboardId, active }, { cursor, limit }, clock.iso())
      return { result: rows.map(present), ...page }
    },
    listAll({ cursor, limit, active, q }: QueryOf<typeof listAllShares>) {
      const { rows, ...page } = shares.list({ active, q }, { cursor, limit }, clock.iso())
      return { result: rows.map(present), ...page }
    },

    /** The token is in this answer and nowhere else. */
    create: (dashboardId: number, body: BodyOf<typeof createDashboardShare>, caller: Caller): NewDashboardShare =>
      store.transaction(() => {
        const { row, document } = dashboards.open(dashboardId)
        if (row.job_status === 'archived') invalidState(msg('share_job_archived'))
        const { filters = 'locked', filter_values = {}, allowed_origins = [], expires_in_days = defaultDays } = body
        const wrong = allowed_origins.flatMap((origin, at) => {
          const problem = originProblem(origin)
          return problem ? [{ path: `body.allowed_origins[${at}]`, ...problem }] : []
        })
        if (wrong.length > 0) invalid(wrong)
        // Viewers of a free link begin with these; filters that they don't see stay at them.
        const { problems } = resolveFilters(document.filters, filter_values)
        if (problems.length > 0) invalid(problemsIn(problems, 'body.filter_values'))
        const token = ids.token(32)
        const now = clock.now().getTime()
        const id = shares.insert({
          dashboard_id: dashboardId,
          name: body.name?.trim() ? recordName(body.name) : null,
          token_hash: hashOf(token),
          prefix: token.slice(0, prefixLength),
          filters,
          filter_values,
          allowed_origins,
          view_count: 0,
          last_viewed_at: null,
          expires_at: expires_in_days === null ? null : new Date(now + expires_in_days * 86_400_000).toISOString(),
          revoked_at: null,
          created_by: caller.user_id,
          created_at: clock.iso(),
        })
        events.append('dashboard.changed', dashboardId, { job_id: row.job_id, name: row.name })
        return { ...present(shares.get(id) ?? notFound()), token, path: `/public/dashboards/${token}` }
      }),

    revoke: (dashboardId: number, shareId: number) =>
      store.transaction(() => {
        const row = shares.get(shareId)
        if (row?.dashboard_id !== dashboardId) notFound()
        if (row.revoked_at === null) {
          shares.revoke(shareId, clock.iso())
          events.append('dashboard.changed', dashboardId, { job_id: row.job_id, name: row.dashboard_name })
        }
        return { success: true }
      }),

    /** The link of a token that works now; null for every other one, whatever is wrong with it. */
    byToken(token: string): ShareWithDashboard | null {
      const hash = hashOf(token)
      const row = shares.nearHash(hash)
      return row && isActive(row, clock.iso()) && row.token_hash === hash ? row : null
    },
    noteView(id: number): void {
      const at = clock.iso()
      views.set(id, { count: (views.get(id)?.count ?? 0) + 1, at })
    },
    /** Writes the views noted so far. */
    flush(): void {
      if (views.size === 0) return
      store.transaction(() => {
        for (const [id, { count, at }] of views) shares.noteViews(id, count, at)
      })
      views.clear()
    },
  }
}
export type SharesService = ReturnType<typeof createSharesService>
