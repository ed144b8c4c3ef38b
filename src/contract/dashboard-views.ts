/** What a window draws of a dashboard, and the rows of its widgets: the same for people who are signed in and for links. */
import Type, { type Static } from 'typebox'
import type { DashboardFilter, TimeWindow, Widget } from '../language/dashboard/dashboard.types.ts'
import { NullableString, Row, Timestamp } from './common.ts'
import { ref } from './operation.ts'
import { QueryField } from './query-values.ts'

const Placed = Type.Unsafe<Widget>({
  type: 'object',
  description: 'A widget as the language defines it, with all defaults: `id`, `type`, `at`, and the keys of its type',
  properties: {
    id: { type: 'string' },
    type: { type: 'string' },
    title: { type: ['string', 'null'] },
    at: { type: 'array', items: { type: 'integer' }, minItems: 4, maxItems: 4 },
  },
  required: ['id', 'type', 'at'],
  additionalProperties: true,
})
const Filter = Type.Unsafe<DashboardFilter>({
  type: 'object',
  description: 'A filter as the language defines it, with all defaults',
  properties: { type: { type: 'string' } },
  required: ['type'],
  additionalProperties: true,
})

export const DashboardView = Type.Object(
  {
    time_window: Type.Unsafe<TimeWindow | null>({
      type: ['object', 'null'],
      description: 'Lengths in milliseconds; null: the dashboard has no time window',
      properties: { default_ms: { type: 'integer' }, max_ms: { type: 'integer' } },
      required: ['default_ms', 'max_ms'],
      additionalProperties: false,
    }),
    filters: Type.Record(Type.String(), Filter),
    widgets: Type.Array(Placed, { description: 'In the order of the keyboard' }),
  },
  { $id: 'DashboardView' },
)
export type DashboardView = Static<typeof DashboardView>

/** Where a widget stands in the YAML. */
export const WidgetLines = Type.Object(
  {
    id: Type.String(),
    type: Type.String(),
    line: Type.Integer({ description: 'Line in the YAML, from 1' }),
    end_line: Type.Integer(),
  },
  { $id: 'WidgetLines' },
)
export type WidgetLines = Static<typeof WidgetLines>

const closed = { additionalProperties: false } as const
const Moment = Type.String({ format: 'date-time' })

/** What viewers have chosen. */
export const viewerChoice = {
  filters: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Filter → value: text, of `multiselect` a list of texts, of `range` `{from, to}`, null for none. By default what the template says.',
      examples: [{ from: '2026-01-01' }],
    }),
  ),
  time_window: Type.Optional(
    Type.Union(
      [
        Type.Object({ last_ms: Type.Integer({ minimum: 60_000, description: 'Up to now, in milliseconds' }) }, closed),
        Type.Object({ from: Moment, to: Moment }, closed),
      ],
      { description: 'By default what the template says' },
    ),
  ),
}

export const WidgetDataBody = Type.Object(
  {
    ...viewerChoice,
    refresh: Type.Optional(
      Type.Boolean({ default: false, description: 'Make the rows again, even if they are in the cache' }),
    ),
    drill: Type.Optional(Type.Boolean({ default: false, description: 'The rows of `drill` instead of `data`' })),
    drill_by: Type.Optional(
      Type.Record(Type.String(), NullableString, {
        maxProperties: 20,
        description:
          'With `drill`: only the rows with these exact values, as text, in columns of the same name; null is NULL. They are looked for in all rows of the query, and names of no column are ignored.',
        examples: [{ region: 'eu', month: null }],
      }),
    ),
  },
  closed,
)
export type WidgetDataBody = Static<typeof WidgetDataBody>

export const mostRows = 10_000
export const mostBytes = 2 * 1_048_576

export interface Truncated {
  by: 'rows' | 'bytes'
  limit: number
}
export const truncated = (description: string) =>
  Type.Unsafe<Truncated | null>({
    type: ['object', 'null'],
    description,
    properties: { by: { enum: ['rows', 'bytes'] }, limit: { type: 'integer' } },
    required: ['by', 'limit'],
    additionalProperties: false,
  })

export const WidgetData = Type.Object(
  {
    widget_id: Type.String(),
    fields: Type.Array(ref(QueryField)),
    rows: Type.Array(Row, { description: 'Arrays in the order of `fields`' }),
    truncated: truncated(
      `There are more rows than these: a widget gets \`max_rows\` of its data, ${mostRows.toLocaleString('en')} rows, or 2 MiB at most. null: these are all`,
    ),
    as_of: { ...Timestamp, description: 'When the rows were made' },
    fresh_until: { ...Timestamp, description: 'From then on they are made again when someone asks' },
    window: Type.Unsafe<{ from: string; to: string } | null>({
      type: ['object', 'null'],
      description: 'The time window that the rows were made with',
      properties: { from: Timestamp, to: Timestamp },
      required: ['from', 'to'],
      additionalProperties: false,
    }),
    run: Type.Unsafe<{ kind: 'job_run' | 'run'; id: number; status: string } | null>({
      type: ['object', 'null'],
      description: 'Of widgets about runs: the newest one',
      properties: { kind: { enum: ['job_run', 'run'] }, id: { type: 'integer' }, status: { type: 'string' } },
      required: ['kind', 'id', 'status'],
      additionalProperties: false,
    }),
  },
  { $id: 'WidgetData' },
)
export type WidgetData = Static<typeof WidgetData>
