/** Metrics that an installation defines: from its runs, from a query on a schedule, or how old data is. */
import Type, { type Static } from 'typebox'
import { Id, Nullable, NullableInteger, NullableString, NullableTimestamp } from './common.ts'
import { ErrorParams } from './errors.ts'
import { ref } from './operation.ts'

const closed = { additionalProperties: false } as const

export const customMetricKinds = ['summary', 'output', 'query', 'freshness'] as const
export const metricAggregates = ['sum', 'avg', 'min', 'max', 'last'] as const
/** Of one installation. */
export const mostCustomMetrics = 200

const Field = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Key of a number; dots lead into objects',
  examples: ['rows_in'],
})

/** `summary` and `output`: a number in `metrics_summary` or in the outputs of a task’s runs. `query`: the number that a query returns. `freshness`: how long ago something was written. */
export const MetricSource = Type.Union(
  [
    Type.Object({ kind: Type.Literal('summary'), task_id: Id, field: Field }, closed),
    Type.Object({ kind: Type.Literal('output'), task_id: Id, field: Field }, closed),
    Type.Object(
      {
        kind: Type.Literal('query'),
        connector_id: Id,
        query: Type.String({
          minLength: 1,
          maxLength: 100_000,
          description: 'In the language of the system. Returns one row with one number',
        }),
        every_minutes: Type.Integer({ minimum: 1, maximum: 10_080 }),
      },
      closed,
    ),
    Type.Object(
      {
        kind: Type.Literal('freshness'),
        freshness_of: Type.Union([
          Type.Object({ dataset: Type.String({ minLength: 1, maxLength: 8192 }) }, closed),
          Type.Object({ task_id: Id }, closed),
          Type.Object({ job_id: Id }, closed),
        ]),
        deadline_minutes: Type.Integer({
          minimum: 1,
          maximum: 525_600,
          description: 'How old it may become. It is as old as its last write, or for a job its last completed job run',
        }),
      },
      closed,
    ),
  ],
  { $id: 'MetricSource' },
)
export type MetricSource = Static<typeof MetricSource>

export const MetricThreshold = Type.Object(
  {
    above: Type.Optional(Nullable(Type.Number({ description: 'Values above are violations' }))),
    below: Type.Optional(Nullable(Type.Number({ description: 'Values below are violations' }))),
  },
  { $id: 'MetricThreshold', ...closed },
)
export type MetricThreshold = Static<typeof MetricThreshold>

/** A custom metric as its settings have it. */
export const CustomMetric = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9_]{0,62}$',
      description: 'Unique. A metric with another name is another metric, without the values of this one',
      examples: ['open_orders'],
    }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    source: ref(MetricSource),
    unit: Type.Optional(
      Type.String({ maxLength: 20, description: 'Shown with values; `ms` for freshness', examples: ['EUR'] }),
    ),
    aggregate: Type.Optional(
      Type.Enum([...metricAggregates], {
        description: 'How the values of a bucket become one; `last` if omitted, `max` for freshness',
      }),
    ),
    threshold: Type.Optional(
      Type.Unsafe<MetricThreshold | null>({
        anyOf: [ref(MetricThreshold), { type: 'null' }],
        description: 'Each new value is compared; not for freshness, which has a deadline',
      }),
    ),
  },
  { $id: 'CustomMetric', ...closed },
)
export type CustomMetric = Static<typeof CustomMetric>

/** `violated`: its threshold or deadline is. `failing`: its query failed three times in a row, or more often. */
export const metricStates = ['ok', 'violated', 'failing', 'no_value'] as const
export type MetricState = (typeof metricStates)[number]

export const CustomMetricState = Type.Object(
  {
    kind: Type.Enum([...customMetricKinds]),
    aggregate: Type.Enum([...metricAggregates]),
    description: NullableString,
    state: Type.Enum([...metricStates]),
    since: NullableTimestamp,
    value: Type.Unsafe<number | null>({
      type: ['number', 'null'],
      description: 'The newest; for freshness the age in milliseconds',
    }),
    value_at: NullableTimestamp,
    run_id: Type.Unsafe<number | null>({
      ...NullableInteger,
      description: 'The run that the newest value comes from, or that wrote last',
    }),
    deadline_at: Type.Unsafe<string | null>({
      ...NullableTimestamp,
      description: 'Freshness: when it is or was to be written again',
    }),
    checked_at: Type.Unsafe<string | null>({ ...NullableTimestamp, description: 'When its query last ran' }),
    error_message: Type.Unsafe<string | null>({ ...NullableString, description: 'Why the newest value is missing' }),
    error_params: ErrorParams,
  },
  { $id: 'CustomMetricState' },
)
export type CustomMetricState = Static<typeof CustomMetricState>
