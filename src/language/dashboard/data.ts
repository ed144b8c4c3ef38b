import { findBinds } from '../sql-binds.ts'
import { object, optional, required, withDefault } from '../shape/collections.ts'
import { choice, duration, number, text } from '../shape/scalars.ts'
import { record } from '../shape/record.ts'
import { defineVariant, oneOf } from '../shape/variants.ts'
import { NAME, NAME_WANTED } from '../task/connector-slots.ts'
import { paramsShape, queryWords, sqlText, warnUnusedParams, withSlotDialect } from '../task/sql-text.ts'
import { entryOf, joinPath } from '../yaml/yaml-tree.ts'
import { msg } from '../messages.ts'
import type { DashboardData, MetricData, OutputData, QueryData, RunsData } from './dashboard.types.ts'
import { MAX_DATA, MAX_DATA_ROWS } from './limits.ts'
import { dashboardMetrics } from './metric-names.ts'
import { databaseConnector, jobTaskKey } from './name-shapes.ts'

const common = {
  description: optional(text({ description: 'What it holds.', maxLength: 1_000 })),
  ttl: withDefault(
    duration({
      description: 'How long a result is used before it is made again.',
      min: 1_000,
      examples: ['5m', '30s'],
    }),
    300_000,
    '5m',
  ),
}
const commonOf = ({ description, ttl }: { description: string | undefined; ttl: number }) => ({
  description: description?.trim() ?? null,
  ttl_ms: ttl,
})

/** What options sources bind besides `params`. */
export const pagingBinds = ['search', 'cursor', 'limit'] as const

const queryVariant = defineVariant({
  key: 'query',
  noun: msg('a_data_source'),
  description: 'Rows of a query.',
  fields: {
    connector: required(databaseConnector),
    query: required(
      sqlText({
        description: "One statement that reads, in the database's own SQL. `:name` binds one of `params`.",
        examples: ['SELECT day, sum(total) AS total FROM daily WHERE day >= :from GROUP BY day ORDER BY day'],
        form: queryWords,
      }),
    ),
    params: withDefault(
      {
        ...paramsShape,
        schema: {
          ...paramsShape.schema,
          description: 'Values for `:name`. A list fills `IN (:name)`.',
          examples: [{ from: '${{ filters.from }}' }],
        },
      },
      {},
    ),
    max_rows: withDefault(
      number({
        description: 'Most rows of a widget. A result with more is shown as truncated. Options have no such limit.',
        integer: true,
        min: 1,
        max: MAX_DATA_ROWS,
      }),
      1_000,
    ),
    timeout: withDefault(
      duration({ description: 'How long the database may take.', min: 1_000, examples: ['30s'] }),
      30_000,
      '30s',
    ),
    ...common,
  },
  context: (node, context) => withSlotDialect(entryOf(node, 'connector')?.value, node, context),
  build({ connector, query, params, max_rows, timeout, ...values }, node, path, context): QueryData | undefined {
    const names = new Set(findBinds(query, context.dialect).map(({ name }) => name))
    warnUnusedParams(names, node, path, context)
    const paging = pagingBinds.filter((name) => names.has(name) && !Object.hasOwn(params, name))
    if (paging.length > 0 && paging.length < pagingBinds.length) {
      context.report({
        code: 'option_paging_incomplete',
        message: msg('option_paging_incomplete', {
          used: paging.map((name) => `:${name}`),
          missing: pagingBinds.filter((name) => !paging.includes(name)).map((name) => `:${name}`),
        }),
        hint: msg('use_all_or_none'),
        path: joinPath(path, 'query'),
        at: entryOf(node, 'query')?.value.mark ?? node.mark,
      })
      return undefined
    }
    return { kind: 'query', connector, query, params, max_rows, timeout_ms: timeout, ...commonOf(values) }
  },
})

const metricVariant = defineVariant({
  key: 'metric',
  noun: msg('a_data_source'),
  description: 'A metric of the job over time. Its rows have the columns `from`, `value`, and, if grouped, `group`.',
  fields: {
    metric: required(choice('The metric.', dashboardMetrics)),
    task: optional(jobTaskKey),
    bucket: withDefault(
      choice('Length of time of a value.', { hour: 'An hour.', day: 'A day.', week: 'A week.', month: 'A month.' }),
      'day',
    ),
    last: optional(
      number({
        description: 'Number of values, up to now. Without it the time window counts; without a time window it is 30.',
        integer: true,
        min: 1,
        max: 500,
      }),
    ),
    group_by: optional(
      choice('Separate values.', { task: 'One series for each task.', status: 'One series for each status.' }),
    ),
    ...common,
  },
  build: ({ metric, task, bucket, last, group_by, ...values }): MetricData => ({
    kind: 'metric',
    metric: metric === 'item_count' ? 'rows' : metric,
    task: task ?? null,
    bucket,
    last: last ?? null,
    group_by: group_by ?? null,
    ...commonOf(values),
  }),
})

const runsFields = object(
  {
    task: optional(jobTaskKey),
    last: withDefault(number({ description: 'Number of runs.', integer: true, min: 1, max: 200 }), 10),
  },
  { noun: msg('named', { name: 'runs' }), description: 'The last job runs, or the last runs of a task.' },
)
const runsVariant = defineVariant({
  key: 'runs',
  noun: msg('a_data_source'),
  description:
    'Runs, newest first. Their rows have the columns `id`, `status`, `started_at`, `completed_at`, `duration_ms`, and `item_count`.',
  fields: { runs: required(runsFields), ...common },
  build: ({ runs, ...values }): RunsData => ({
    kind: 'runs',
    task: runs.task ?? null,
    last: runs.last,
    ...commonOf(values),
  }),
})

const outputFields = object(
  {
    task: required(jobTaskKey),
    name: optional(text({ description: 'Name of the output; by default all.', maxLength: 200 })),
  },
  { noun: msg('named', { name: 'output' }), description: 'What the last run of a task put out.' },
)
const outputVariant = defineVariant({
  key: 'output',
  noun: msg('a_data_source'),
  description: 'An output of the last run of a task. A list of maps gives rows, anything else one row.',
  fields: { output: required(outputFields), ...common },
  build: ({ output, ...values }): OutputData => ({
    kind: 'output',
    task: output.task,
    output: output.name ?? null,
    ...commonOf(values),
  }),
})

const dataShape = oneOf<DashboardData>({
  noun: msg('data_source'),
  description: 'Where rows come from.',
  variants: [queryVariant, metricVariant, runsVariant, outputVariant],
})

export const dataRecord = record(dataShape, {
  description: 'Data by name. Widgets show it; several widgets can show the same.',
  examples: [{ revenue: { connector: 'dw', query: 'SELECT day, total FROM daily ORDER BY day' } }],
  max: MAX_DATA,
  key: { pattern: NAME, wanted: NAME_WANTED },
  // What the SQL under `key` may bind: of an options source also the page and the other fields of its form.
  contextOf: (context, { key }) => ({ ...context, binds: [...(context.dashboard?.optionBinds.get(key) ?? [])] }),
})
