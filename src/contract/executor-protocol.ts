/**
 * What executors and the control plane say to each other about runs (`executor-lifecycle.ts`: how they are handed out;
 * `executor-calls.ts`: interactive work). At-least-once in, exactly-once effect: every callback carries the attempt and the lease
 * token of its run; the same one twice gets the same answer, a stale one 409.
 */
import Type, { type Static } from 'typebox'
import { AnyObject, Column, Id, IdParams, NullableCount, NullableInteger, NullableString, Timestamp } from './common.ts'
import { MessageParams } from './errors.ts'
import { operation, ref } from './operation.ts'
import { RunStep, logLevels, triggerTypes } from './runs.ts'
import { rejectForms } from './run-rejects.ts'

const closed = { additionalProperties: false } as const

/** A connector as a run gets it: with its secrets, for that run alone. */
export const BoundConnector = Type.Object(
  {
    id: Id,
    name: Type.String(),
    type: Type.String(),
    config: AnyObject,
    secrets: Type.Record(Type.String(), Type.String()),
  },
  { $id: 'BoundConnector' },
)
export type BoundConnector = Static<typeof BoundConnector>

/** Where a task's source has got to, kept from run to run. */
export const SourceState = Type.Object(
  {
    cursor: Type.Optional(
      Type.Union([Type.String({ maxLength: 4000 }), Type.Number()], {
        description:
          'Greatest value of the cursor field so far, in full precision: timestamps as ISO 8601, large integers as text',
      }),
    ),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Files processed so far: path in the connector’s folder → size and time',
      }),
    ),
  },
  { $id: 'SourceState', additionalProperties: false },
)
export type SourceState = Static<typeof SourceState>

/** Rows that a run has rejected, edited or not: read by another run instead of its task’s source. */
export const RejectedInput = Type.Object(
  {
    run_id: Type.Integer({ description: 'The run that rejected them' }),
    stage: Type.Integer({
      minimum: 0,
      description: 'The stage that they enter. 0, the source: each row has its line, as `text`; else its values',
    }),
    columns: Type.Array(Type.Array(ref(Column)), {
      description:
        'Columns that each stage gave there, in order: the rows that enter a stage have those of the one before it',
    }),
    rows: Type.Array(AnyObject),
  },
  { $id: 'RejectedInput' },
)
export type RejectedInput = Static<typeof RejectedInput>

export const RunPlan = Type.Object(
  {
    run_id: Id,
    attempt: Type.Integer({ minimum: 1 }),
    lease_token: Type.String(),
    task: Type.Object({ id: Id, name: Type.String(), version: Type.Integer(), yaml_content: Type.String() }),
    arguments: AnyObject,
    connectors: Type.Record(Type.String(), ref(BoundConnector), { description: 'By slot' }),
    logical_date: Timestamp,
    trigger_type: Type.Enum([...triggerTypes]),
    job_run_id: NullableInteger,
    timeout_ms: NullableInteger,
    state: Type.Union([ref(SourceState), Type.Null()], { description: 'null: none yet, or full_refresh' }),
    full_refresh: Type.Boolean({ description: 'Read from the start, as if nothing had been read before' }),
    rejected: Type.Optional(
      Type.Unsafe<RejectedInput>({
        ...ref(RejectedInput),
        description: 'Only these rows are read. Saved state is neither read nor saved',
      }),
    ),
  },
  { $id: 'RunPlan' },
)
export type RunPlan = Static<typeof RunPlan>

export const ExecutorHeaders = Type.Object({ 'x-executor-credential': Type.String({ minLength: 1, maxLength: 200 }) })
const lease = { attempt: Type.Integer({ minimum: 1 }), lease_token: Type.String({ maxLength: 200 }) }
export const Accepted = Type.Object({ accepted: Type.Boolean() }, { $id: 'Accepted' })

export const LogEntry = Type.Object(
  {
    at: Timestamp,
    level: Type.Enum([...logLevels]),
    step: NullableString,
    message: Type.String({ maxLength: 65536 }),
  },
  closed,
)
export type LogEntry = Static<typeof LogEntry>
/** Batches are numbered from 1 within an attempt; a batch out of turn is a 409 whose details say which one is expected. */
const LogBatch = Type.Object(
  { seq: Type.Integer({ minimum: 1 }), lines: Type.Array(LogEntry, { maxItems: 10000 }) },
  closed,
)
const RejectEntry = Type.Object(
  {
    step: Type.String({ maxLength: 200 }),
    reason: Type.String({ maxLength: 4000 }),
    /** Absent: an executor of an earlier release. */
    code: Type.Optional(Type.String({ maxLength: 200 })),
    params: Type.Optional(MessageParams),
    row: AnyObject,
    form: Type.Optional(
      Type.Enum([...rejectForms], { description: 'How `row` can be read once more; absent: not exactly' }),
    ),
  },
  closed,
)
export type RejectEntry = Static<typeof RejectEntry>

const ErrorInfo = Type.Object(
  {
    code: Type.String({ maxLength: 200 }),
    /** Absent: an executor of an earlier release. */
    params: Type.Optional(MessageParams),
    message: Type.String({ maxLength: 20000 }),
    hint: Type.Optional(Type.String({ maxLength: 4000 })),
    step: Type.Optional(Type.String({ maxLength: 200 })),
    retryable: Type.Boolean({
      description: 'False for errors in the task or its data: another attempt would fail the same way',
    }),
  },
  closed,
)
export type ErrorInfo = Static<typeof ErrorInfo>

/** UNAVAILABLE: the store cannot be written right now; the same callback is to be sent again. */
const callback = ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'] as const
export const postRunState = operation({
  id: 'postRunState',
  method: 'POST',
  path: '/api/executor/runs/{id}/state',
  tag: 'Executor Callbacks',
  summary: 'Report that the task’s code has started, asks to commit, or has committed',
  description:
    'A worker commits only after `committing` was accepted. From then on the server knows that rows may have been written, and doesn’t hand out the run again unless the attempt’s outcome is known or its target can be written twice. A committed attempt is never retried. `committing` and `committed` are sent before waiting log lines and rejects.',
  security: 'executor',
  params: IdParams,
  body: Type.Object(
    {
      ...lease,
      state: Type.Enum(['running', 'committing', 'committed']),
      repeatable: Type.Optional(
        Type.Boolean({
          description: 'With `committing`: writing the same rows again gives the same result. Absent: false',
        }),
      ),
      started_at: Timestamp,
      item_count: Type.Optional(NullableCount),
      source_state: Type.Optional(
        Type.Unsafe<SourceState>({
          ...ref(SourceState),
          description:
            'With `committed`: saved. With `committing`: saved if the outcome stays unknown and someone confirms that it was committed',
        }),
      ),
    },
    closed,
  ),
  responses: { 200: ref(Accepted) },
  errors: [...callback],
})
export const postRunLogs = operation({
  id: 'postRunLogs',
  method: 'POST',
  path: '/api/executor/runs/{id}/logs',
  tag: 'Executor Callbacks',
  summary: 'Report a batch of log lines',
  security: 'executor',
  params: IdParams,
  body: Type.Object({ ...lease, ...LogBatch.properties }, closed),
  bodyLimit: 8 * 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: [...callback],
})
export const postRunProgress = operation({
  id: 'postRunProgress',
  method: 'POST',
  path: '/api/executor/runs/{id}/progress',
  tag: 'Executor Callbacks',
  summary: 'Report the progress of the steps',
  security: 'executor',
  params: IdParams,
  body: Type.Object({ ...lease, steps: Type.Array(ref(RunStep), { maxItems: 1000 }) }, closed),
  responses: { 200: ref(Accepted) },
  errors: [...callback],
})
export const postRunRejects = operation({
  id: 'postRunRejects',
  method: 'POST',
  path: '/api/executor/runs/{id}/rejects',
  tag: 'Executor Callbacks',
  summary: 'Report a batch of rejected rows',
  security: 'executor',
  params: IdParams,
  body: Type.Object(
    { ...lease, seq: Type.Integer({ minimum: 1 }), rejects: Type.Array(RejectEntry, { maxItems: 5000 }) },
    closed,
  ),
  bodyLimit: 8 * 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: [...callback],
})
export const completeRun = operation({
  id: 'completeRun',
  method: 'POST',
  path: '/api/executor/runs/{id}/complete',
  tag: 'Executor Callbacks',
  summary: 'Report the end of an attempt, with the last log lines',
  security: 'executor',
  params: IdParams,
  body: Type.Object(
    {
      ...lease,
      status: Type.Enum(['success', 'completed', 'failed', 'cancelled']),
      started_at: Timestamp,
      completed_at: Timestamp,
      duration_ms: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Measured with the executor’s monotonic clock',
      }),
      item_count: NullableCount,
      reject_count: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'A successful run fails (REJECTS_LOST) unless all of them, or the 10,000 that are kept, have arrived',
      }),
      error: Type.Optional(ErrorInfo),
      steps: Type.Array(ref(RunStep), { maxItems: 1000 }),
      outputs: Type.Optional(AnyObject),
      metrics: Type.Optional(AnyObject),
      state: Type.Optional(
        Type.Unsafe<SourceState>({
          ...ref(SourceState),
          description: 'Saved with this completion, unless another run has saved since this one started',
        }),
      ),
      logs: Type.Optional(LogBatch),
    },
    closed,
  ),
  bodyLimit: 8 * 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: [...callback],
})
