import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Column,
  Id,
  IdParams,
  JsonString,
  NullableCount,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  Success,
  Timestamp,
  WaitQuery,
  listLimit,
  listQuery,
  oneOrMore,
  paginated,
} from './common.ts'
import { listedSort } from './listed-sort.ts'
import { operation, ref } from './operation.ts'
import { ColumnDrift } from './schema-drift.ts'
import { ValueChange } from './value-change.ts'
import { ConnectorMapping } from './tasks.ts'
import { ErrorParams, madeBy } from './errors.ts'

export const runStatuses = ['pending', 'running', 'success', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof runStatuses)[number]
/** As lists sorted by status have them, ascending. */
export const statusOrder = [
  'running',
  'pending',
  'failed',
  'completed',
  'success',
  'cancelled',
] as const satisfies RunStatus[]
export const triggerTypes = ['manual', 'cron', 'api'] as const
export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export const Run = Type.Object(
  {
    id: Id,
    task_id: Id,
    task_name: Type.String(),
    task_version: Type.Integer(),
    job_run_id: NullableInteger,
    job_id: NullableInteger,
    task_key: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Key in the DAG of its job run' }),
    item_index: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Item of a for_each, from 0' }),
    overridden: Type.Boolean({ description: 'Used YAML of its job or job run instead of the version’s' }),
    trigger_type: Type.Enum([...triggerTypes]),
    status: Type.Enum([...runStatuses]),
    arguments: JsonString('runtime arguments'),
    connector_mapping: JsonString('slot → connector id'),
    started_at: NullableTimestamp,
    completed_at: NullableTimestamp,
    duration_ms: NullableInteger,
    item_count: NullableInteger,
    reject_count: NullableInteger,
    error_message: NullableString,
    error_params: ErrorParams,
    error_code: NullableString,
    log_file: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'File name of the log in /logs/download; null before the first line, and after the log was removed',
    }),
    log_removed_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When retention removed its log or rejected rows; omitted if nothing was removed',
      }),
    ),
    metrics_summary: JsonString('rows_in, rows_out, rejected, bytes, lane, …'),
    outputs: JsonString('outputs for downstream tasks'),
    attempt: Type.Integer({ description: 'Current or last attempt, from 1' }),
    max_attempts: Type.Integer(),
    next_attempt_at: NullableTimestamp,
    executor_id: NullableInteger,
    executor_name: NullableString,
    retried_from: NullableInteger,
    rejects_of: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Reran rejected rows of this run; omitted for all other runs' }),
    ),
    full_refresh: Type.Boolean({
      description: 'Reads from the start: the task’s saved state is ignored',
    }),
    created_by: NullableInteger,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Run' },
)
export type Run = Static<typeof Run>

export const LogLine = Type.Object(
  {
    line: Type.Integer({ description: 'From 1, without gaps, across all attempts of the run' }),
    at: Timestamp,
    level: Type.Enum([...logLevels]),
    attempt: Type.Integer(),
    step: NullableString,
    message: Type.String(),
  },
  { $id: 'LogLine' },
)
export type LogLine = Static<typeof LogLine>
export const LogPage = Type.Object(
  {
    lines: Type.Array(ref(LogLine)),
    next_after: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Pass it as `after` for the next page; null at the current end',
    }),
    total_lines: Type.Integer({ description: 'Lines in the complete log, regardless of filters' }),
    finished: Type.Boolean({ description: 'The run has ended; no lines will be added' }),
  },
  { $id: 'LogPage' },
)
export type LogPage = Static<typeof LogPage>

export const RunStep = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: '0 is the source; the target is last' }),
    key: Type.String({ description: 'source, the key of the step, or target' }),
    label: Type.String(),
    ...madeBy,
    status: Type.Enum(['pending', 'running', 'success', 'completed', 'failed', 'cancelled', 'skipped']),
    rows_in: NullableCount,
    rows_out: NullableCount,
    rows_rejected: NullableCount,
    rows_inserted: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Targets with `mode: upsert` only: rows that were new' }),
    ),
    rows_updated: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Targets with `mode: upsert` only: rows that existed and were changed' }),
    ),
    bytes: NullableCount,
    started_at: NullableTimestamp,
    duration_ms: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    columns: Type.Array(ref(Column)),
    drift: Type.Optional(
      Type.Array(ref(ColumnDrift), {
        description: 'Table targets only: columns in which the rows and the table differed; omitted if there are none',
      }),
    ),
    changes: Type.Optional(
      Type.Array(ref(ValueChange), { description: 'Values that arrive differently here; omitted if there are none' }),
    ),
  },
  { $id: 'RunStep' },
)
export type RunStep = Static<typeof RunStep>

const idRange = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

/** So many failed runs are looked at. */
export const mostErrorsSearched = 20_000
export const searchRunErrors = operation({
  id: 'searchRunErrors',
  method: 'GET',
  path: '/api/run-errors',
  tag: 'Runs',
  summary: 'Find failed runs by their error, newest first',
  description: `Searches the error messages of the newest ${mostErrorsSearched} failed runs, for at most one second.`,
  security: 'caller',
  query: Type.Object(
    {
      q: Type.String({ minLength: 1, maxLength: 200, description: 'Case-insensitive search' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: listLimit.maximum, default: listLimit.default })),
    },
    { additionalProperties: false },
  ),
  responses: {
    200: Type.Object({
      result: Type.Array(ref(Run)),
      searched: Type.Integer({ minimum: 0, description: 'Failed runs that were searched' }),
      complete: Type.Boolean({ description: 'All failed runs were searched, or `limit` of them found' }),
    }),
  },
  errors: ['VALIDATION_ERROR'],
})
export const listRuns = operation({
  id: 'listRuns',
  method: 'GET',
  path: '/api/runs',
  tag: 'Runs',
  summary: 'List runs, newest first',
  security: 'caller',
  query: listQuery({
    task_id: Type.Optional(oneOrMore(Id)),
    job_run_id: Type.Optional(Id),
    status: Type.Optional(oneOrMore(Type.Enum([...runStatuses]))),
    trigger_type: Type.Optional(oneOrMore(Type.Enum([...triggerTypes]))),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Created at or after' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before' })),
    completed_from: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Ended at or after. With this or `completed_to`, runs are listed by when they ended, as metrics count them',
      }),
    ),
    completed_to: Type.Optional(Type.String({ format: 'date-time', description: 'Ended before' })),
    job_id: Type.Optional(
      Type.Integer({ ...idRange, description: 'Runs of this job; only with `completed_from` or `completed_to`' }),
    ),
    executor_id: Type.Optional(
      Type.Integer({
        ...idRange,
        description: 'Runs whose last attempt was on this executor; only with `completed_from` or `completed_to`',
      }),
    ),
    ...listedSort(statusOrder),
  }),
  responses: { 200: paginated(ref(Run)) },
  errors: ['VALIDATION_ERROR'],
})
export const getRun = operation({
  id: 'getRun',
  method: 'GET',
  path: '/api/runs/{id}',
  tag: 'Runs',
  summary: 'Get a run',
  description: 'With `wait`, the response is sent when the run has ended, or after that time with its current state.',
  security: 'caller',
  params: IdParams,
  query: WaitQuery,
  responses: { 200: ref(Run) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const triggerRun = operation({
  id: 'triggerRun',
  method: 'POST',
  path: '/api/runs/trigger/{taskId}',
  tag: 'Runs',
  summary: 'Create and start a run of the task',
  description: 'Runs started with an API key have trigger_type `api`, those started from a session `manual`.',
  security: 'caller',
  params: Type.Object({ taskId: Id }),
  body: Type.Object(
    {
      arguments: Type.Optional(AnyObject),
      connector_mapping: Type.Optional(ConnectorMapping),
      full_refresh: Type.Optional(
        Type.Boolean({ default: false, description: 'Ignore saved state (cursor, processed files); save new state' }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyOptional: true,
  idempotent: true,
  responses: { 201: ref(Run) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const cancelRun = operation({
  id: 'cancelRun',
  method: 'POST',
  path: '/api/runs/{id}/cancel',
  tag: 'Runs',
  summary: 'Cancel a pending or running run',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const retryRun = operation({
  id: 'retryRun',
  method: 'POST',
  path: '/api/runs/{id}/retry',
  tag: 'Runs',
  summary: 'Retry an ended run: start a new one with its arguments, connectors, and version',
  security: 'caller',
  params: IdParams,
  idempotent: true,
  responses: { 201: ref(Run) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const getRunLogs = operation({
  id: 'getRunLogs',
  method: 'GET',
  path: '/api/runs/{id}/logs',
  tag: 'Runs',
  summary: 'Page through the log, search it, or follow it',
  description:
    'With `Accept: text/event-stream`, lines arrive as `line` events (id = line number, resumable with Last-Event-ID), followed by an `end` event when the run has ended.',
  security: 'caller',
  params: IdParams,
  query: Type.Object(
    {
      after: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Start after this line number' })),
      before: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Only lines before this number (to read backward)' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 1000 })),
      level: Type.Optional(Type.Enum([...logLevels], { description: 'This level and above' })),
      q: Type.Optional(SearchQuery),
    },
    { additionalProperties: false },
  ),
  responses: { 200: ref(LogPage) },
  streams: { 200: 'text/event-stream' },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const downloadRunLogs = operation({
  id: 'downloadRunLogs',
  method: 'GET',
  path: '/api/runs/{id}/logs/download',
  tag: 'Runs',
  summary: 'Download the complete log as text',
  security: 'caller',
  params: IdParams,
  responses: {},
  streams: { 200: 'text/plain' },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listRunSteps = operation({
  id: 'listRunSteps',
  method: 'GET',
  path: '/api/runs/{id}/steps',
  tag: 'Runs',
  summary: 'List the steps of a run: rows in, out, and rejected, bytes, duration, columns, changed values',
  security: 'caller',
  params: IdParams,
  responses: { 200: Type.Array(ref(RunStep)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
