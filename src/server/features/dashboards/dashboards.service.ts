import {
  type Dashboard,
  type DashboardDetail,
  type DashboardState,
  type listDashboards,
  mostStateBytes,
} from '../../../contract/dashboards.ts'
import { msg } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { DashboardDocument } from '../../../language/dashboard/dashboard.types.ts'
import { viewOf } from '../../../language/dashboard/dashboard-view.ts'
import { parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import type { Platform } from '../../platform/platform.ts'
import { createRecent } from '../../platform/recent.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import { errorsIn } from '../../platform/versioned-text.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { knownState, strayIn } from './dashboard-state.rules.ts'
import { type DashboardWithJob, createDashboardsStore } from './dashboards.store.ts'

const parsedKept = 200
/** Texts of at most 1 MiB; each widget of one asks. */
const previewsKept = 10

/** What rows of widgets are made of: a text, and the job that gives the rows. */
export interface RowsOfJob {
  /** `id` null: it is not saved, so nothing but the text itself says what its data is. */
  row: { id: number | null; job_id: number; template_version: number }
  document: DashboardDocument
}

/** A dashboard and what its text says. */
export interface OpenDashboard extends RowsOfJob {
  row: DashboardWithJob
}

interface Dependencies {
  jobs: Pick<JobsService, 'forRun'>
  readings: ReadingsService
}

export function createDashboardsService({ store, clock, events }: Platform, { jobs, readings }: Dependencies) {
  const dashboards = createDashboardsStore(store)
  const parsed = createRecent<ReturnType<typeof parseDashboard>>(parsedKept)
  const previewed = createRecent<ReturnType<typeof parseDashboard>>(previewsKept)
  const need = (id: number): DashboardWithJob => dashboards.get(id, clock.iso()) ?? notFound()
  const etagOf = ({ id, revision }: DashboardWithJob) => `dashboard-${id}-${revision}`
  // A version's text never changes.
  const read = ({ id, template_version, yaml_content }: DashboardWithJob) =>
    parsed.get(`${id}:${template_version}`, () => parseDashboard(yaml_content))

  const stateIn = (document: DashboardDocument, { state }: Pick<DashboardWithJob, 'state'>): DashboardState =>
    knownState(document, JSON.parse(state) as DashboardState) // written from a validated body

  function detail(row: DashboardWithJob): DashboardDetail {
    const { dashboard, widgets } = read(row)
    if (!dashboard) invalidState(msg('dashboard_unreadable'))
    const { yaml_content } = row
    const state = JSON.stringify(stateIn(dashboard, row))
    return { ...present(row), yaml_content, state, view: viewOf(dashboard), lines: widgets }
  }

  return {
    list(query: QueryOf<typeof listDashboards>) {
      const { rows, ...page } = dashboards.list(query, clock.iso())
      return { result: rows.map(present), ...page }
    },
    get: (id: number): DashboardDetail => detail(need(id)),
    etag: (id: number): string => etagOf(need(id)),

    /** `guard` sees the ETag of the stored dashboard before anything changes, and refuses a stale one. */
    saveState: (id: number, state: DashboardState, guard: (etag: string) => void): DashboardDetail =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        const { dashboard } = read(row)
        if (!dashboard) invalidState(msg('dashboard_unreadable'))
        const stray = strayIn(dashboard, state)
        if (stray.length > 0) invalid(stray)
        const text = JSON.stringify(state)
        const bytes = Buffer.byteLength(text)
        if (bytes > mostStateBytes) {
          const kib = (amount: number) => Math.ceil(amount / 1024)
          invalid([
            { path: 'body.state', ...msg('dashboard_state_large', { most: kib(mostStateBytes), size: kib(bytes) }) },
          ])
        }
        if (text === row.state) return detail(row)
        dashboards.update(id, { state: text, updated_at: clock.iso() })
        events.append('dashboard.changed', id, { job_id: row.job_id, name: row.name })
        return detail(need(id))
      }),

    /** NOT_FOUND: there is none. INVALID_STATE: its text can’t be read any more. */
    open(id: number): OpenDashboard {
      const row = need(id)
      return { row, document: read(row).dashboard ?? invalidState(msg('dashboard_unreadable')) }
    },
    /** A text that is not saved, over a job. NOT_FOUND: there is no such job. VALIDATION_ERROR: with the errors of the text. */
    preview(jobId: number, yaml: string): RowsOfJob {
      jobs.forRun(jobId)
      const { dashboard, diagnostics } = previewed.get(yaml, () => readings.now('dashboard', yaml, undefined))
      if (!dashboard) invalid(errorsIn(diagnostics), msg('dashboard_template_has_errors'))
      return { row: { id: null, job_id: jobId, template_version: 0 }, document: dashboard }
    },
    /** Reads a long text, so that `preview` needn't, until the answer is called. */
    previewAhead: (yaml: string, signal: AbortSignal) =>
      previewed.has(yaml) ? Promise.resolve(() => {}) : readings.ahead('dashboard', yaml, undefined, signal),
    stateOf: ({ document, row }: OpenDashboard): DashboardState => stateIn(document, row),
  }
}
export type DashboardsService = ReturnType<typeof createDashboardsService>

function present({
  search_text: _,
  revision: __,
  removed: ___,
  yaml_content: ____,
  state: _____,
  ...row
}: DashboardWithJob): Dashboard {
  return row
}
