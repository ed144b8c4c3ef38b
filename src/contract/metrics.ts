import Type, { type Static } from 'typebox'
import { Id, Nullable, NullableString, Timestamp, someOf } from './common.ts'
import { CustomMetric, CustomMetricState, mostCustomMetrics } from './custom-metrics.ts'
import { operation, ref } from './operation.ts'
import { Timezone } from './triggers.ts'

export const metricBuckets = ['total', 'quarter_hour', 'hour', 'day', 'week', 'month'] as const
export const metricDimensions = ['task', 'job', 'executor', 'trigger_type', 'status', 'error_code'] as const
export type MetricDimension = (typeof metricDimensions)[number]
/** Of built-in metrics; custom ones have any. */
export const metricUnits = ['runs', 'rows', 'bytes', 'attempts', 'ms', 'ratio'] as const
const Unit = Type.String({
  description: `${metricUnits.map((unit) => `\`${unit}\``).join(', ')}, or the unit of a custom metric`,
  examples: ['ms'],
})

/** Of one query. */
export const mostBuckets = 1000
export const mostSeries = 200

export const Metric = Type.Object(
  {
    name: Type.String({ examples: ['duration_p95'] }),
    unit: Unit,
    empty: Type.Unsafe<0 | null>({
      enum: [0, null],
      description:
        'Value of a bucket without runs or values: 0 for counts and sums, null for ratios, averages, and percentiles',
    }),
    custom: Type.Unsafe<CustomMetricState | null>({
      anyOf: [ref(CustomMetricState), { type: 'null' }],
      description: 'null: a built-in metric',
    }),
  },
  { $id: 'Metric' },
)
export type Metric = Static<typeof Metric>

const base = { tag: 'Metrics', security: 'caller' } as const

export const listMetrics = operation({
  ...base,
  id: 'listMetrics',
  method: 'GET',
  path: '/api/metrics',
  summary: 'List the metrics that can be queried, and the state of custom metrics',
  responses: { 200: Type.Array(ref(Metric)) },
  errors: [],
})

const GroupValue = Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })
const Value = Nullable(Type.Number())

export const MetricResult = Type.Object(
  {
    metric: Type.String(),
    unit: Unit,
    timezone: Type.String(),
    counted: Type.Unsafe<number | null>({
      ...Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      description:
        'Share of the runs that are counted so far, while metrics are rebuilt after an upgrade. Null: all of them',
    }),
    buckets: Type.Array(Type.Object({ from: Timestamp, to: Timestamp }), {
      description: 'The first and last bucket are complete, even if `from` or `to` is inside them',
    }),
    series: Type.Array(
      Type.Object({
        group: Type.Record(Type.String(), GroupValue, {
          description: 'Value of each dimension in `group_by`: an id for task, job, and executor. Null: none',
        }),
        names: Type.Record(Type.String(), Type.String(), { description: 'Names of the task, job, and executor' }),
        values: Type.Array(Value, { description: 'One for each bucket' }),
        total: Type.Unsafe<number | null>({ ...Value, description: 'Value for all buckets together' }),
      }),
      { description: 'Sorted by `total`, highest first; without `group_by`, exactly one' },
    ),
  },
  { $id: 'MetricResult' },
)
export type MetricResult = Static<typeof MetricResult>
export type MetricSeries = MetricResult['series'][number]

export const queryMetrics = operation({
  ...base,
  id: 'queryMetrics',
  method: 'POST',
  path: '/api/metrics/query',
  summary: 'Query a metric over time',
  description: `Runs count at the time they ended. Percentiles are calculated from merged histograms and are off by 2.2 % at most. More than ${mostBuckets} buckets or ${mostSeries} groups are refused. Grouped by job, runs outside of jobs aren’t counted, except for groups of tasks. Custom metrics have one series: they can’t be grouped or filtered.`,
  audited: false,
  body: Type.Object(
    {
      metric: Type.String({ maxLength: 100, examples: ['runs'] }),
      from: Type.String({ format: 'date-time', examples: ['2026-03-01T00:00:00Z'] }),
      to: Type.String({ format: 'date-time', examples: ['2026-03-08T00:00:00Z'] }),
      bucket: Type.Enum([...metricBuckets], {
        description: 'Hours, days, weeks (from Monday), and months start as in the time zone',
      }),
      timezone: Type.Optional(Timezone),
      group_by: Type.Optional(someOf(metricDimensions, { maxItems: 3 })),
      filters: Type.Optional(
        Type.Object(
          {
            task_id: Type.Optional(Id),
            task_ids: Type.Optional(
              Type.Array(Id, {
                minItems: 1,
                maxItems: mostSeries,
                uniqueItems: true,
                description: 'Any of these tasks',
              }),
            ),
            job_id: Type.Optional(Id),
            executor_id: Type.Optional(Id),
            trigger_type: Type.Optional(Type.String({ maxLength: 20 })),
            status: Type.Optional(Type.String({ maxLength: 20 })),
            error_code: Type.Optional(Type.String({ maxLength: 200 })),
          },
          { additionalProperties: false },
        ),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostSeries, description: 'Only the groups with the highest totals' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: ref(MetricResult) },
  errors: ['VALIDATION_ERROR'],
})

export const scrapeMetrics = operation({
  ...base,
  id: 'scrapeMetrics',
  method: 'GET',
  path: '/api/metrics/prometheus',
  summary: 'Get the metrics in the text format of Prometheus',
  description:
    'Counters and histograms count since the first run and are not reset by retention. The tasks with the most runs have separate series, up to the limit in the settings; all others are `_other`. While metrics are rebuilt after an upgrade, this answers with 503.',
  responses: {},
  streams: { 200: 'text/plain' },
  errors: ['UNAVAILABLE'],
})

const settings = {
  retention_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    description: 'Days that metrics are kept after the runs ended; 0: forever',
  }),
  prometheus_tasks: Type.Integer({
    minimum: 0,
    maximum: 5000,
    description: 'Tasks with separate series for Prometheus; a lower number takes effect with the next scrape',
  }),
}
/** Settings of metrics. */
export const MetricsConfig = Type.Object(
  { ...settings, custom: Type.Array(ref(CustomMetric), { description: 'Sorted by name' }) },
  { $id: 'MetricsConfig' },
)
export type MetricsConfig = Static<typeof MetricsConfig>

export const getMetricsConfig = operation({
  ...base,
  id: 'getMetricsConfig',
  method: 'GET',
  path: '/api/metrics/config',
  summary: 'Get the settings of metrics',
  etag: true,
  responses: { 200: ref(MetricsConfig) },
  errors: [],
})
export const updateMetricsConfig = operation({
  ...base,
  id: 'updateMetricsConfig',
  method: 'PUT',
  path: '/api/metrics/config',
  summary: 'Change the settings of metrics; omitted settings keep their value',
  body: Type.Object(
    {
      retention_days: Type.Optional(settings.retention_days),
      prometheus_tasks: Type.Optional(settings.prometheus_tasks),
      custom: Type.Optional(
        Type.Array(ref(CustomMetric), {
          maxItems: mostCustomMetrics,
          description: 'Replaces all custom metrics. One that is omitted is deleted with its values',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(MetricsConfig) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})

export const testMetricQuery = operation({
  ...base,
  id: 'testMetricQuery',
  method: 'POST',
  path: '/api/metrics/config/test',
  summary: 'Run the query of a custom metric once; nothing is stored',
  body: Type.Object(
    { connector_id: Id, query: Type.String({ minLength: 1, maxLength: 100_000 }) },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      value: Type.Unsafe<number | null>({
        type: ['number', 'null'],
        description: 'null: the query returned NULL, which isn’t stored',
      }),
      field: Type.Unsafe<string | null>({ ...NullableString, description: 'Name of the column' }),
      duration_ms: Type.Integer(),
    }),
  },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
})
