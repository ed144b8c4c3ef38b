/** What requests and their answers look like, for the operations that scripts and agents use most. A test holds each against its schema. */
import { generateQuery, generateTask } from '../../../contract/ai.ts'
import {
  createConnector,
  getResource,
  listConnectors,
  listResources,
  testConnectorById,
} from '../../../contract/connectors.ts'
import { createJobTemplate, validateJobTemplate } from '../../../contract/job-templates.ts'
import { runJob } from '../../../contract/job-run-control.ts'
import { getJobRun } from '../../../contract/job-runs.ts'
import { createJob } from '../../../contract/jobs.ts'
import { queryMetrics } from '../../../contract/metrics.ts'
import type { BodyOf, Operation, ResultOf } from '../../../contract/operation.ts'
import { queryConnector } from '../../../contract/queries.ts'
import { getRun, listRunSteps, listRuns, triggerRun } from '../../../contract/runs.ts'
import { previewTask, validateTask } from '../../../contract/task-preview.ts'
import { createTask, getTask, listTasks } from '../../../contract/tasks.ts'

export interface OperationExample {
  body?: unknown
  answer?: unknown
}
const of = <O extends Operation>(
  { id }: O,
  example: { body?: BodyOf<O>; answer?: ResultOf<O> },
): [string, OperationExample] => [id, example]

const page = <T>(result: T[]) => ({ result, nextCursor: null, prevCursor: null, total: result.length })
const at = (time: string) => `2026-03-02T${time}.000Z`

const yaml_content = `etl: 1
kind: pipeline
name: sales.open_orders
description: Open orders of the shop as CSV
connectors:
  shop: {type: postgres, access: read}
  out: {type: file, access: write}
source:
  connector: shop
  sql: {table: orders}
steps:
  - filter: "status = 'open'"
target:
  connector: out
  file: {path: open_orders.csv}
`
const slots = { shop: { types: ['postgres'], access: 'read' }, out: { types: ['file'], access: 'write' } }
const task = {
  id: 7,
  name: 'sales.open_orders',
  description: 'Open orders of the shop as CSV',
  current_version: 1,
  connector_refs: JSON.stringify(slots),
  tags: ['sales'],
  archived: 0 as const,
  created_by: 1,
  created_at: at('08:00:00'),
  updated_at: null,
}
const connector_mapping = { shop: 1, out: 2 }

const jobYaml = `etl: 1
kind: job
name: sales.nightly
description: Exports the open orders
connectors:
  shop: {type: postgres}
  out: {type: file}
tasks:
  export: {task: sales.open_orders, connectors: {shop: shop, out: out}}
`
const jobRun: ResultOf<typeof getJobRun> = {
  id: 31,
  job_id: 4,
  job_name: 'Sales of Berlin',
  status: 'completed',
  trigger_type: 'api',
  trigger_id: null,
  event_trigger_id: null,
  logical_date: at('00:00:00'),
  timezone: 'Europe/Berlin',
  arguments: null,
  parameters: '{}',
  selected_tasks: JSON.stringify(['export']),
  skip_deps: null,
  full_refresh: false,
  priority: 0,
  started_at: at('08:10:00'),
  completed_at: at('08:10:02'),
  duration_ms: 2000,
  ran_ms: 2000,
  running_since: null,
  error_message: null,
  error_params: null,
  run_state: JSON.stringify({ export: 'success' }),
  pause_reason: null,
  cancel_requested: false,
  template_version: 1,
  task_counts: { success: 1 },
  rerun_of: null,
  backfill_id: null,
  created_by: 1,
  created_by_name: 'ada',
  created_at: at('08:10:00'),
  updated_at: at('08:10:02'),
}

const shop: ResultOf<typeof createConnector> = {
  id: 1,
  name: 'Shop',
  type: 'postgres',
  description: null,
  config: { host: 'db.example.com', port: 5432, database: 'shop', user: 'reader' },
  secrets: { password: { set: true } },
  environment: 'production',
  viewer_raw: false,
  archived: 0,
  last_test: null,
  last_test_at: null,
  created_at: at('07:50:00'),
  updated_at: null,
}
const orders = { name: 'public.orders', kind: 'table' as const, row_estimate: 8, bytes: 16_384 }
const columns = [
  { name: 'id', type: 'integer' },
  { name: 'status', type: 'text' },
]

const started: ResultOf<typeof getRun> = {
  id: 17,
  task_id: 7,
  task_name: 'sales.open_orders',
  task_version: 1,
  job_run_id: null,
  job_id: null,
  task_key: null,
  item_index: null,
  overridden: false,
  trigger_type: 'api',
  status: 'pending',
  arguments: '{}',
  connector_mapping: JSON.stringify(connector_mapping),
  started_at: null,
  completed_at: null,
  duration_ms: null,
  item_count: null,
  reject_count: null,
  error_message: null,
  error_params: null,
  error_code: null,
  log_file: null,
  metrics_summary: null,
  outputs: null,
  attempt: 1,
  max_attempts: 1,
  next_attempt_at: null,
  executor_id: null,
  executor_name: null,
  retried_from: null,
  full_refresh: false,
  created_by: 1,
  created_at: at('08:05:00'),
  updated_at: at('08:05:00'),
}
const ended: ResultOf<typeof getRun> = {
  ...started,
  status: 'success',
  started_at: at('08:05:00'),
  completed_at: at('08:05:01'),
  duration_ms: 1000,
  item_count: 3,
  reject_count: 0,
  log_file: 'run-17.log',
  metrics_summary: JSON.stringify({ rows_in: 8, rows_out: 3, rejected: 0 }),
  outputs: JSON.stringify({ rows: 3 }),
  executor_id: 1,
  executor_name: 'local',
  updated_at: at('08:05:01'),
}
const step = { status: 'success' as const, rows_rejected: 0, bytes: null, started_at: at('08:05:00'), columns }

export const operationExamples: ReadonlyMap<string, OperationExample> = new Map([
  of(listConnectors, { answer: page([shop]) }),
  of(createConnector, {
    body: {
      name: 'Shop',
      type: 'postgres',
      config: { host: 'db.example.com', port: 5432, database: 'shop', user: 'reader' },
      secrets: { password: 'the password' },
      environment: 'production',
    },
    answer: shop,
  }),
  of(testConnectorById, {
    answer: {
      ok: true,
      checks: [
        { name: 'connect', ok: true, duration_ms: 12 },
        { name: 'authenticate', ok: true, duration_ms: 8 },
      ],
    },
  }),
  of(listResources, { answer: { resources: [orders], truncated: false } }),
  of(getResource, {
    answer: {
      ...orders,
      columns: [
        { name: 'id', type: 'integer', nullable: false, primary_key: true, default: null },
        { name: 'status', type: 'text', nullable: true, primary_key: false, default: null },
      ],
      indexes: [{ name: 'orders_pkey', columns: ['id'], unique: true }],
      foreign_keys: [],
      referenced_by: [],
      sample: { columns, rows: [[1, 'open']] },
    },
  }),
  of(queryConnector, {
    body: {
      resource: 'public.orders',
      definition: {
        mode: 'visual',
        action: 'find',
        filters: [{ field: 'status', operator: '=', value: 'open' }],
        columns: ['id', 'status'],
        sort: 'id',
        order: 'desc',
        limit: '100',
      },
    },
    answer: {
      query_id: 'q_3f9a1c',
      statement:
        'SELECT "id", "status"\nFROM "public"."orders"\nWHERE "status" = :status\nORDER BY "id" DESC\nLIMIT 100',
      fields: [
        { name: 'id', type: 'integer', native: 'int4' },
        { name: 'status', type: 'text', native: 'text' },
      ],
      duration_ms: 14,
      offset: 0,
      rows: [[8, 'open']],
      cut: [],
      nextCursor: null,
      row_count: 1,
      complete: true,
      first_row: 0,
    },
  }),
  of(listTasks, { answer: page([task]) }),
  of(createTask, {
    body: { yaml_content, change_summary: 'First version', tags: ['sales'] },
    answer: { ...task, yaml_content },
  }),
  of(getTask, { answer: { ...task, yaml_content } }),
  of(validateTask, {
    body: { yaml_content },
    answer: { valid: true, diagnostics: [], sql_checked: true, connector_refs: slots, arguments: {} },
  }),
  of(previewTask, {
    body: { yaml_content, connector_mapping, limit: 20 },
    answer: {
      stages: [
        {
          index: 0,
          key: 'source',
          label: 'source',
          columns,
          rows: [
            [1, 'open'],
            [2, 'paid'],
          ],
          row_count: 2,
          truncated: false,
          rejected: 0,
          rejects: [],
          duration_ms: 15,
        },
        {
          index: 1,
          key: 'filter',
          label: 'filter',
          columns,
          rows: [[1, 'open']],
          row_count: 1,
          truncated: false,
          rejected: 0,
          rejects: [],
          duration_ms: 1,
        },
      ],
      sampled_rows: 2,
      duration_ms: 21,
    },
  }),
  of(triggerRun, { body: { connector_mapping }, answer: started }),
  of(listRuns, { answer: page([ended]) }),
  of(getRun, { answer: ended }),
  of(listRunSteps, {
    answer: [
      { ...step, index: 0, key: 'source', label: 'source', rows_in: null, rows_out: 8, duration_ms: 400 },
      { ...step, index: 1, key: 'filter', label: 'filter', rows_in: 8, rows_out: 3, duration_ms: 2 },
      { ...step, index: 2, key: 'target', label: 'target', rows_in: 3, rows_out: 3, duration_ms: 90, bytes: 52 },
    ],
  }),
  of(validateJobTemplate, { body: { yaml_content: jobYaml } }),
  of(createJobTemplate, { body: { yaml_content: jobYaml, change_summary: 'First version' } }),
  of(createJob, { body: { name: 'Sales of Berlin', connector_mapping } }),
  of(runJob, {
    body: { selected_tasks: ['export'], logical_date: '2026-03-02T00:00:00Z' },
    answer: {
      ...jobRun,
      status: 'pending',
      started_at: null,
      completed_at: null,
      duration_ms: null,
      run_state: null,
      task_counts: { pending: 1 },
      updated_at: at('08:10:00'),
    },
  }),
  of(getJobRun, { answer: jobRun }),
  of(queryMetrics, {
    body: {
      metric: 'failed_runs',
      from: '2026-03-01T00:00:00Z',
      to: '2026-03-03T00:00:00Z',
      bucket: 'day',
      timezone: 'UTC',
      group_by: ['task'],
    },
    answer: {
      metric: 'failed_runs',
      unit: 'runs',
      timezone: 'UTC',
      counted: null,
      buckets: [
        { from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' },
        { from: '2026-03-02T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' },
      ],
      series: [{ group: { task: 7 }, names: { task: 'sales.open_orders' }, values: [0, 1], total: 1 }],
    },
  }),
  of(generateTask, { body: { prompt: 'Write the open orders to a CSV file', connector_ids: [1, 2] } }),
  of(generateQuery, { body: { prompt: 'Which ten customers have the most orders?', connector_id: 1, builder: true } }),
])
