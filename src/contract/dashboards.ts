import Type, { type Static } from 'typebox'
import { DashboardView, WidgetData, WidgetDataBody, WidgetLines, truncated, viewerChoice } from './dashboard-views.ts'
import {
  Id,
  IdParams,
  Name,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  NamePrefix,
  Success,
  Timestamp,
  listQuery,
  oneOrMore,
  paginated,
  SortOrder,
} from './common.ts'
import { FormulaGuard } from './formula.ts'
import { JobRun } from './job-runs.ts'
import { operation, ref } from './operation.ts'

const closed = { additionalProperties: false } as const

const dashboardFields = {
  id: Id,
  job_id: Id,
  job_name: Type.String(),
  job_status: Type.Enum(['active', 'archived']),
  name: Name,
  description: NullableString,
  dashboard_template_id: Id,
  template_version: Type.Integer(),
  widget_count: Type.Integer(),
  share_count: Type.Integer({ description: 'Public links that work now' }),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Dashboard = Type.Object(dashboardFields, { $id: 'Dashboard' })
export type Dashboard = Static<typeof Dashboard>

export const DashboardDetail = Type.Object(
  {
    ...dashboardFields,
    yaml_content: Type.String({ description: 'Of the version that the job holds' }),
    state: Type.String({ description: 'JSON-encoded: see `DashboardState`' }),
    view: ref(DashboardView),
    lines: Type.Array(ref(WidgetLines)),
  },
  { $id: 'DashboardDetail' },
)
export type DashboardDetail = Static<typeof DashboardDetail>

/** Of the state of a dashboard, as JSON. */
export const mostStateBytes = 256 * 1024

/** What people have entered. It stays when the dashboard is upgraded, as far as its widgets are still there. */
export const DashboardState = Type.Object(
  {
    forms: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
        description: 'Form → field → value: the drafts',
      }),
    ),
    mappings: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ maxLength: 1000 })), {
        description: 'Field mapping → target → source',
      }),
    ),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ maxLength: 1000 })), {
        description: '`widget/side` → value → label, so that a chosen value keeps its label',
      }),
    ),
  },
  { $id: 'DashboardState', additionalProperties: false },
)
export type DashboardState = Static<typeof DashboardState>

const base = { tag: 'Dashboards', security: 'caller' } as const
const one = { ...base, path: '/api/dashboards/{id}', params: IdParams } as const
const WidgetId = Type.String({ minLength: 1, maxLength: 63 })
const widgetParams = Type.Object({ id: Id, widgetId: WidgetId })

export const listDashboards = operation({
  ...base,
  id: 'listDashboards',
  method: 'GET',
  path: '/api/dashboards',
  summary: 'List dashboards of jobs, newest first unless sorted',
  query: listQuery({
    job_id: Type.Optional(Id),
    dashboard_template_id: Type.Optional(Id),
    q: Type.Optional(SearchQuery),
    starts_with: Type.Optional(NamePrefix),
    job_status: Type.Optional(oneOrMore(Type.Enum(['active', 'archived']))),
    sort: Type.Optional(Type.Enum(['created_at', 'name'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(Dashboard)) },
  errors: ['VALIDATION_ERROR'],
})
export const getDashboard = operation({
  ...one,
  id: 'getDashboard',
  method: 'GET',
  summary: 'Get a dashboard',
  etag: true,
  responses: { 200: ref(DashboardDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateDashboard = operation({
  ...one,
  id: 'updateDashboard',
  method: 'PUT',
  summary: 'Save what was entered in forms and field mappings',
  description:
    'At most 256 KiB as JSON. Forms, fields, and field mappings that the dashboard doesn’t have are refused.',
  body: Type.Object({ state: ref(DashboardState) }, closed),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(DashboardDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})

const far = ['CONNECTOR_ERROR', 'UNAVAILABLE', 'TIMEOUT'] as const

export const getWidgetData = operation({
  ...base,
  id: 'getWidgetData',
  method: 'POST',
  path: '/api/dashboards/{id}/widgets/{widgetId}/data',
  summary: 'Get the rows of a widget',
  description:
    'The same data with the same filters is made once, however many viewers ask, and is used until `fresh_until`. Queries run on executors, in read-only sessions, two per connector at most. An error concerns this widget only.',
  audited: false,
  params: widgetParams,
  body: WidgetDataBody,
  bodyOptional: true,
  responses: { 200: ref(WidgetData) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', ...far],
})

export const exportWidgetRows = operation({
  ...base,
  id: 'exportWidgetRows',
  method: 'POST',
  path: '/api/dashboards/{id}/widgets/{widgetId}/export',
  summary: 'Download all rows of a chart or table',
  description:
    'The query is run again, and its rows are sent as CSV while they are read, without the limits of `getWidgetData`: the columns of a table as it shows them. If the system fails before the last row, the connection is broken off, so that a partial file is never mistaken for a complete one.',
  params: widgetParams,
  body: Type.Object({ ...viewerChoice, formula_guard: Type.Optional(FormulaGuard) }, closed),
  bodyOptional: true,
  responses: {},
  streams: { 200: ['text/csv'] },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', ...far],
})

export const WidgetOption = Type.Object(
  { label: Type.String(), value: Type.String(), subText: Type.Optional(Type.String()) },
  { $id: 'WidgetOption' },
)
export type WidgetOption = Static<typeof WidgetOption>
export const WidgetOptionsResponse = Type.Object(
  {
    options: Type.Array(ref(WidgetOption)),
    next_cursor: NullableString,
    selected: Type.Array(ref(WidgetOption), {
      description:
        'Options of the chosen values in `value`, wherever they are in the list. A value without an option is missing here',
    }),
    truncated: truncated(
      'The system has more options than are listed here: of a query that doesn’t page, the first 10,000 rows or 2 MiB are listed and searched; of files the first 5,000, and `q` finds the others. null: these are all',
    ),
  },
  { $id: 'WidgetOptionsResponse' },
)
export type WidgetOptionsResponse = Static<typeof WidgetOptionsResponse>

export const WidgetOptionsBody = Type.Object(
  {
    side: Type.Optional(
      Type.String({
        maxLength: 63,
        description: '`source` or `target` of a field mapping, or the key of a field of a form',
      }),
    ),
    q: Type.Optional(SearchQuery),
    cursor: Type.Optional(Type.String({ maxLength: 4000, description: '`next_cursor` of an earlier page' })),
    value: Type.Optional(
      Type.Unknown({
        description:
          'The draft of the widget: of a form an object with the values of its fields by key, which dependent options use; of a field mapping target → source; of a filter its value. Options of the chosen values are in `selected`',
      }),
    ),
    filters: viewerChoice.filters,
    time_window: viewerChoice.time_window,
  },
  closed,
)

export const resolveDashboardWidgetOptions = operation({
  ...base,
  id: 'resolveDashboardWidgetOptions',
  method: 'POST',
  path: '/api/dashboards/{id}/widgets/{widgetId}/options',
  summary: 'Get a page of the options of a widget',
  description:
    'Of the filters in the bar, which have no widget, the widget id is `$filters` and `side` the name of the filter.',
  audited: false,
  params: widgetParams,
  body: WidgetOptionsBody,
  bodyOptional: true,
  responses: { 200: ref(WidgetOptionsResponse) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', ...far],
})

export const submitWidget = operation({
  ...base,
  id: 'submitWidget',
  method: 'POST',
  path: '/api/dashboards/{id}/widgets/{widgetId}/submit',
  summary: 'Start the job by a `run_button`, with the values of its form and field mappings',
  description:
    'Values that are not given are those saved in the state of the dashboard, and else the defaults of the fields; null leaves a field empty. Parameters of empty fields, and those that no field is for, keep the values of the job.',
  params: widgetParams,
  body: Type.Object(
    {
      values: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Field of the form → value' })),
      mappings: Type.Optional(
        Type.Record(Type.String(), Type.Record(Type.String(), Type.String({ maxLength: 1000 })), {
          description: 'Field mapping → target → source',
        }),
      ),
    },
    closed,
  ),
  bodyOptional: true,
  idempotent: true,
  responses: { 201: ref(JobRun) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})

const shareFields = {
  id: Id,
  dashboard_id: Id,
  dashboard_name: Type.String(),
  job_id: Id,
  job_name: Type.String(),
  name: { ...NullableString, description: 'Whom it is for' },
  prefix: Type.String({ description: 'First characters of the token, to recognize it' }),
  filters: Type.Enum(['locked', 'free'], {
    description: '`locked`: viewers see `filter_values`; `free`: viewers choose among the options of the dashboard',
  }),
  filter_values: Type.Record(Type.String(), Type.Unknown()),
  allowed_origins: Type.Array(Type.String(), { description: 'Sites that may embed it; empty: none' }),
  view_count: Type.Integer({ description: 'How often the page was opened' }),
  last_viewed_at: NullableTimestamp,
  expires_at: NullableTimestamp,
  revoked_at: NullableTimestamp,
  active: Type.Boolean({ description: 'Whether the link works now' }),
  created_by: NullableInteger,
  created_by_name: NullableString,
  created_at: Timestamp,
}
export const DashboardShare = Type.Object(shareFields, { $id: 'DashboardShare' })
export type DashboardShare = Static<typeof DashboardShare>
export const NewDashboardShare = Type.Object(
  {
    ...shareFields,
    token: Type.String({ description: 'Shown only here' }),
    path: Type.String({ description: 'Path of the page; contains the token', examples: ['/public/dashboards/…'] }),
  },
  { $id: 'NewDashboardShare' },
)
export type NewDashboardShare = Static<typeof NewDashboardShare>

const Origin = Type.String({
  maxLength: 300,
  pattern: '^https?://(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?$',
  'x-wanted': 'an origin such as https://intranet.example',
  examples: ['https://intranet.example'],
})

export const listDashboardShares = operation({
  ...one,
  id: 'listDashboardShares',
  method: 'GET',
  path: '/api/dashboards/{id}/shares',
  summary: 'List the public links of a dashboard, newest first',
  query: listQuery({ active: Type.Optional(Type.Boolean()) }),
  responses: { 200: paginated(ref(DashboardShare)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const createDashboardShare = operation({
  ...one,
  id: 'createDashboardShare',
  method: 'POST',
  path: '/api/dashboards/{id}/shares',
  summary: 'Create a public link; its token is shown only once',
  body: Type.Object(
    {
      name: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 200 })),
      expires_in_days: Type.Optional(
        Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          minimum: 1,
          maximum: 3650,
          default: 30,
          description: 'null: it works until it is revoked',
        }),
      ),
      filters: Type.Optional(Type.Enum(['locked', 'free'], { default: 'locked' })),
      filter_values: viewerChoice.filters,
      allowed_origins: Type.Optional(Type.Array(Origin, { maxItems: 20, uniqueItems: true })),
    },
    closed,
  ),
  bodyOptional: true,
  responses: { 201: ref(NewDashboardShare) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const deleteDashboardShare = operation({
  ...base,
  id: 'deleteDashboardShare',
  method: 'DELETE',
  path: '/api/dashboards/{id}/shares/{shareId}',
  summary: 'Revoke a public link, effective immediately',
  params: Type.Object({ id: Id, shareId: Id }),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listAllShares = operation({
  ...base,
  id: 'listAllShares',
  method: 'GET',
  path: '/api/dashboard-shares',
  summary: 'List the public links of all dashboards, newest first',
  query: listQuery({ active: Type.Optional(Type.Boolean()), q: Type.Optional(SearchQuery) }),
  responses: { 200: paginated(ref(DashboardShare)) },
  errors: ['VALIDATION_ERROR'],
})
