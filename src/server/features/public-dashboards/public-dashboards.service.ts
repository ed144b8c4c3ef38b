import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { PublicDashboard, getPublicWidgetData } from '../../../contract/public-dashboards.ts'
import { columnsAt } from '../../../contract/query-cells.ts'
import { shownColumns } from '../../../contract/widget-columns.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { publicView } from '../../../language/dashboard/dashboard-view.ts'
import { resolveFilters } from '../../../language/dashboard/filter-values.ts'
import type { Platform } from '../../platform/platform.ts'
import { createBrief } from '../../platform/brief.ts'
import { createRateLimiter } from '../../platform/rate-limit.ts'
import { Refusal, invalid, notFound, rateLimited, unavailable } from '../../platform/refusal.ts'
import type { BrandingService } from '../branding/branding.service.ts'
import type { DashboardsService, OpenDashboard } from '../dashboards/dashboards.service.ts'
import type { SharesService } from '../dashboards/shares.service.ts'
import { type WidgetsService, scopeOf } from '../dashboards/widgets.service.ts'

interface Dependencies {
  dashboards: Pick<DashboardsService, 'open'>
  shares: Pick<SharesService, 'byToken' | 'noteView'>
  widgets: Pick<WidgetsService, 'data'>
  branding: Pick<BrandingService, 'read'>
}

type Share = NonNullable<ReturnType<SharesService['byToken']>>

interface Answer {
  data: WidgetData
  /** Of its rows, before columns were left out. */
  bytes: number
}

/** Requests of one link, from wherever: the address alone would let many visitors of one link take the places of all. */
const perLink = { perSecond: 2_000, burst: 4_000 } as const
/** Rows of one link that are made rather than taken from the cache: a stranger who tries filters must not busy a database. */
const making = { perSecond: 1, burst: 30 } as const
/** Bytes of rows that one link gives: large answers take the server's thread from everyone else. */
const giving = { perSecond: 16 * 1_048_576, burst: 64 * 1_048_576 } as const
/** Answers of more bytes are written one after the other, with everyone else's requests in between. */
const largeBytes = 131_072

/** Answers are made anew after so long, so that a page that a thousand people look at costs as much as one. Whether the link works is looked up each time. */
const answersKeptMs = 1_000

/** Whether the rows of a widget are runs. */
const isOfRuns = (widget: Widget, { document }: OpenDashboard): boolean =>
  widget.type === 'run_status' ||
  widget.type === 'run_list' ||
  ('data' in widget && Object.hasOwn(document.data, widget.data) && document.data[widget.data]?.kind === 'runs')

/** Some of the columns, in their order. */
function only({ fields, rows }: Pick<WidgetData, 'fields' | 'rows'>, isKept: (at: number) => boolean) {
  const at = [...fields.keys()].filter(isKept)
  return at.length === fields.length
    ? { fields, rows }
    : { fields: at.map((index) => fields[index]!), rows: rows.map((row) => at.map((index) => row[index])) }
}

/** Columns that the widget doesn't show, types of a database, and numbers of runs are of no use outside. */
function asShown(data: WidgetData, widget: Widget, ofRuns: boolean): WidgetData {
  const numberless = ofRuns ? only(data, (at) => data.fields[at]!.name !== 'id') : data
  const named = new Set(columnsAt(numberless.fields, shownColumns(widget, numberless)))
  const { fields, rows: shown } = only(numberless, (at) => named.has(at))
  return {
    ...data,
    fields: fields.map((field) => ({ ...field, native: '' })),
    // Those of runs begin with the newest, and without its number nothing else would tell.
    rows: ofRuns && widget.type === 'kpi' ? shown.toReversed() : shown,
    run: null,
  }
}

export function createPublicDashboardsService(
  { clock, logger }: Pick<Platform, 'clock' | 'logger'>,
  { dashboards, shares, widgets, branding }: Dependencies,
) {
  const requests = createRateLimiter(clock, perLink)
  const makes = createRateLimiter(clock, making)
  const gives = createRateLimiter(clock, giving)
  const pages = createBrief<PublicDashboard>(clock, answersKeptMs)
  const answers = createBrief<Answer>(clock, answersKeptMs)

  let turn: Promise<void> = Promise.resolve()
  const ownTurn = () => (turn = turn.then(() => setImmediate()))

  /** Every token that does not work gets the same answer. */
  function admit(token: string) {
    const share = shares.byToken(token) ?? notFound()
    const wait = requests.take(String(share.id))
    if (wait > 0) rateLimited(wait)
    return share
  }

  function read(id: number): OpenDashboard {
    try {
      return dashboards.open(id)
    } catch (error) {
      // A text that can’t be read any more is nobody's business outside.
      if (error instanceof Refusal) notFound()
      throw error
    }
  }

  function page(share: Share): PublicDashboard {
    const dashboard = read(share.dashboard_id)
    const { branding: own } = branding.read()
    const view = publicView(dashboard.document)
    const { values } = resolveFilters(dashboard.document.filters, share.filter_values)
    return {
      name: dashboard.document.name,
      description: dashboard.document.description,
      filters: share.filters,
      // Of what viewers can see.
      filter_values: Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(view.filters, name))),
      expires_at: share.expires_at,
      product_name: own.product_name,
      primary_color: own.primary_color,
      view,
    }
  }

  async function answerTo(share: Share, widgetId: string, body: BodyOf<typeof getPublicWidgetData>): Promise<Answer> {
    const dashboard = read(share.dashboard_id)
    const view = publicView(dashboard.document)
    const shown = view.widgets.find(({ id }) => id === widgetId)
    const widget = shown && dashboard.document.widgets.find(({ id }) => id === widgetId)
    if (!widget || widget.type === 'text' || widget.type === 'filter') notFound()
    const { filters = {}, time_window } = body
    const given = Object.keys(filters).length > 0 ? 'body.filters' : time_window && 'body.time_window'
    if (share.filters === 'locked' && given) invalid([{ path: given, ...msg('share_locked') }])
    // The viewer's own mistakes. Whatever is wrong after this is nobody's business outside.
    scopeOf({ ...dashboard, document: { ...dashboard.document, filters: view.filters } }, body, clock.now().getTime())
    const choice = { filters: { ...share.filter_values, ...filters }, ...(time_window && { time_window }) }
    let bytes = 0
    try {
      const data = await widgets.data(dashboard, widget, choice, {
        mayMake() {
          const wait = makes.take(String(share.id))
          if (wait > 0) rateLimited(wait)
        },
        onRows: (rows) => {
          bytes = rows.bytes
        },
      })
      return { data: asShown(data, widget, isOfRuns(widget, dashboard)), bytes }
    } catch (error) {
      if (error instanceof Refusal && error.code === 'RATE_LIMITED') throw error
      logger.warn(
        { dashboard: dashboard.row.id, widget: widgetId, err: error },
        'A widget of a public link can’t be loaded',
      )
      return unavailable(msg('widget_unavailable'))
    }
  }

  return {
    /** `isView`: it is for someone who will see it. */
    get(token: string, isView: boolean): PublicDashboard {
      const share = admit(token)
      const dashboard = pages.get(String(share.id)) ?? pages.keep(String(share.id), page(share))
      if (isView) shares.noteView(share.id)
      return dashboard
    },

    async data(token: string, widgetId: string, body: BodyOf<typeof getPublicWidgetData>): Promise<WidgetData> {
      const share = admit(token)
      // A hash, as bodies may be as long as strangers like.
      const key = createHash('sha256')
        .update(JSON.stringify([share.id, widgetId, body]))
        .digest('base64url')
      let answer = answers.get(key)
      try {
        answer ??= answers.keep(key, await answerTo(share, widgetId, body))
        const wait = gives.take(String(share.id), answer.bytes)
        if (wait > 0) rateLimited(wait)
        if (answer.bytes > largeBytes) await ownTurn()
      } finally {
        // It may have been revoked, or have expired, meanwhile.
        if (!shares.byToken(token)) notFound()
      }
      return answer.data
    },

    /** Which sites may show the page in a frame; null: the token does not work. */
    framedBy: (token: string): readonly string[] | null => shares.byToken(token)?.allowed_origins ?? null,
  }
}
export type PublicDashboardsService = ReturnType<typeof createPublicDashboardsService>
