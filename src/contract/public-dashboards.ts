/** What a public link gives: stored queries from the cache, and nothing else. */
import Type, { type Static } from 'typebox'
import { DashboardView, WidgetData, viewerChoice } from './dashboard-views.ts'
import { NullableString, NullableTimestamp } from './common.ts'
import { operation, ref } from './operation.ts'

// Without a longest one: a token that is too long is as wrong as any other.
const Token = Type.String({ minLength: 1 })
const base = { tag: 'Public Dashboards', security: 'none' } as const

export const PublicDashboard = Type.Object(
  {
    name: Type.String(),
    description: NullableString,
    filters: Type.Enum(['locked', 'free']),
    filter_values: Type.Record(Type.String(), Type.Unknown(), { description: 'What the link was created with' }),
    expires_at: NullableTimestamp,
    product_name: Type.String(),
    primary_color: NullableString,
    view: ref(DashboardView),
  },
  { $id: 'PublicDashboard' },
)
export type PublicDashboard = Static<typeof PublicDashboard>

export const getPublicDashboard = operation({
  ...base,
  id: 'getPublicDashboard',
  method: 'GET',
  path: '/api/public/dashboards/{token}',
  summary: 'Get a dashboard by its public link',
  description:
    'Widgets for entering values, starting jobs, and reading logs are not part of it. A wrong, expired, or revoked token, and the token of an archived job, get the same 404.',
  params: Type.Object({ token: Token }),
  responses: { 200: ref(PublicDashboard) },
  errors: ['NOT_FOUND', 'RATE_LIMITED'],
})

export const getPublicWidgetData = operation({
  ...base,
  id: 'getPublicWidgetData',
  method: 'POST',
  path: '/api/public/dashboards/{token}/widgets/{widgetId}/data',
  summary: 'Get the rows of a widget by a public link',
  description:
    'Answers from the cache, or makes the rows once for everyone. If that fails, the answer is a 503 that does not say why.',
  audited: false,
  params: Type.Object({ token: Token, widgetId: Type.String({ minLength: 1, maxLength: 63 }) }),
  body: Type.Object(viewerChoice, { additionalProperties: false }),
  bodyOptional: true,
  responses: { 200: ref(WidgetData) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
})
