/**
 * What executors and the control plane say to each other. At-least-once in, exactly-once effect: every callback carries the
 * attempt and the lease token of its run; the same one twice gets the same answer, a stale one 409.
 */
import Type, { type Static } from 'typebox'
import { AnyObject, Id, IdParams, NullableInteger, NullableString, Timestamp } from './common.ts'
import { ConnectorTestResult, ResourceDetail, ResourceList } from './connectors.ts'
import { operation, ref } from './operation.ts'
import { RunStep, logLevels, triggerTypes } from './runs.ts'
import { TaskPreview } from './tasks.ts'

/** Raised when an older executor could not understand the plans any more. */
export const executorProtocolVersion = 1

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
          'Greatest value of the cursor field so far, in full precision: moments as ISO 8601, large integers as text',
      }),
    ),
    files: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Files taken so far: path below the connector’s folder → size and time',
      }),
    ),
  },
  { $id: 'SourceState', additionalProperties: false },
)
export type SourceState = Static<typeof SourceState>

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
    full_refresh: Type.Boolean({ description: 'Read as if nothing had been read before' }),
  },
  { $id: 'RunPlan' },
)
export type RunPlan = Static<typeof RunPlan>

/** A short piece of interactive work that somebody waits for: never stored, never retried. */
export const CallPlan = Type.Object(
  {
    call_id: Type.String(),
    timeout_ms: Type.Integer(),
    work: Type.Union([
      Type.Object({
        kind: Type.Literal('preview'),
        yaml_content: Type.String(),
        arguments: AnyObject,
        connectors: Type.Record(Type.String(), ref(BoundConnector)),
        step: NullableInteger,
        limit: Type.Integer(),
      }),
      Type.Object({ kind: Type.Literal('test'), connector: ref(BoundConnector) }),
      Type.Object({ kind: Type.Literal('list_resources'), connector: ref(BoundConnector), q: NullableString }),
      Type.Object({ kind: Type.Literal('get_resource'), connector: ref(BoundConnector), name: Type.String() }),
    ]),
  },
  { $id: 'CallPlan' },
)
export type CallPlan = Static<typeof CallPlan>

export const Cancellation = Type.Object(
  { run_id: Id, attempt: Type.Integer(), reason: Type.Enum(['cancelled', 'lost', 'shutdown']) },
  { $id: 'Cancellation' },
)
export type Cancellation = Static<typeof Cancellation>

const lease = { attempt: Type.Integer({ minimum: 1 }), lease_token: Type.String({ maxLength: 200 }) }
const Accepted = Type.Object({ accepted: Type.Boolean() }, { $id: 'Accepted' })

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
  { step: Type.String({ maxLength: 200 }), reason: Type.String({ maxLength: 4000 }), row: AnyObject },
  closed,
)
export type RejectEntry = Static<typeof RejectEntry>

const ErrorInfo = Type.Object(
  {
    code: Type.String({ maxLength: 200 }),
    message: Type.String({ maxLength: 20000 }),
    hint: Type.Optional(Type.String({ maxLength: 4000 })),
    step: Type.Optional(Type.String({ maxLength: 200 })),
    retryable: Type.Boolean({
      description: 'False for mistakes in the task or its data: another attempt would give the same',
    }),
  },
  closed,
)
export type ErrorInfo = Static<typeof ErrorInfo>

export const registerExecutor = operation({
  id: 'registerExecutor',
  method: 'POST',
  path: '/api/executors/register',
  tag: 'Executors',
  summary: 'Register or come back under the same name',
  description: 'A name that is online under another credential is refused with 409 until its lease ends.',
  security: 'executor',
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
      version: Type.String({ maxLength: 50 }),
      protocol: Type.Integer(),
      capabilities: Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 100,
        description: 'Connector types and kinds it can work with',
      }),
      labels: Type.Optional(Type.Record(Type.String(), Type.String())),
      slots: Type.Integer({ minimum: 1, maximum: 1000 }),
      instance: Type.String({
        maxLength: 100,
        description: 'Random, one a process: the same process may register again at once',
      }),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      id: Id,
      credential: Type.String({ description: 'Sent with every later call as X-Executor-Credential' }),
      lease_ms: Type.Integer({ description: 'Without a heartbeat for so long the executor counts as lost' }),
      heartbeat_ms: Type.Integer(),
    }),
  },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'UNAVAILABLE'],
})
const ExecutorHeaders = Type.Object({ 'x-executor-credential': Type.String({ minLength: 1, maxLength: 200 }) })
export const heartbeatExecutor = operation({
  id: 'heartbeatExecutor',
  method: 'POST',
  path: '/api/executors/{id}/heartbeat',
  tag: 'Executors',
  summary: 'Say that it lives and what it runs; hear what to stop',
  security: 'executor',
  params: IdParams,
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      running: Type.Array(Type.Object({ run_id: Id, attempt: Type.Integer() }, closed), { maxItems: 1000 }),
      draining: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  responses: { 200: Type.Object({ cancel: Type.Array(ref(Cancellation)), drain: Type.Boolean() }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})
export const claimWork = operation({
  id: 'claimWork',
  method: 'POST',
  path: '/api/executors/{id}/claim',
  tag: 'Executors',
  summary: 'Wait for work: up to `slots` runs and `call_slots` calls; cancellations arrive here, too',
  security: 'executor',
  params: IdParams,
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      slots: Type.Integer({ minimum: 0, maximum: 1000 }),
      call_slots: Type.Integer({ minimum: 0, maximum: 100 }),
      wait_ms: Type.Integer({ minimum: 0, maximum: 30000 }),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      runs: Type.Array(ref(RunPlan)),
      calls: Type.Array(ref(CallPlan)),
      cancel: Type.Array(ref(Cancellation)),
      cancel_calls: Type.Array(Type.String()),
    }),
  },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})

/** UNAVAILABLE: the store cannot be written right now; the same callback is to be sent again. */
const callback = ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'] as const
export const postRunState = operation({
  id: 'postRunState',
  method: 'POST',
  path: '/api/executor/runs/{id}/state',
  tag: 'Executor Callbacks',
  summary: 'The task’s code has begun, or its target has committed',
  description:
    'An attempt that has committed is not tried again, whatever becomes of it. `committed` is told ahead of what waits of log and rejects.',
  security: 'executor',
  params: IdParams,
  body: Type.Object(
    {
      ...lease,
      state: Type.Enum(['running', 'committed']),
      started_at: Timestamp,
      item_count: Type.Optional(NullableInteger),
      source_state: Type.Optional(Type.Unsafe<SourceState>(ref(SourceState))),
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
  summary: 'A batch of log lines',
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
  summary: 'Where the steps stand',
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
  summary: 'A batch of rejected rows',
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
  summary: 'The attempt is over; the last log lines come along',
  security: 'executor',
  params: IdParams,
  body: Type.Object(
    {
      ...lease,
      status: Type.Enum(['success', 'completed', 'failed', 'cancelled']),
      started_at: Timestamp,
      completed_at: Timestamp,
      duration_ms: Type.Integer({ minimum: 0, description: 'On the executor’s monotonic clock' }),
      item_count: NullableInteger,
      reject_count: Type.Integer({ minimum: 0 }),
      error: Type.Optional(ErrorInfo),
      steps: Type.Array(ref(RunStep), { maxItems: 1000 }),
      outputs: Type.Optional(AnyObject),
      metrics: Type.Optional(AnyObject),
      state: Type.Optional(
        Type.Unsafe<SourceState>({
          ...ref(SourceState),
          description: 'Saved with this completion, unless another run has saved since this one began',
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
export const postCallResult = operation({
  id: 'postCallResult',
  method: 'POST',
  path: '/api/executor/calls/{callId}/result',
  tag: 'Executor Callbacks',
  summary: 'The answer to a call',
  security: 'executor',
  params: Type.Object({ callId: Type.String({ maxLength: 100 }) }),
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      result: Type.Optional(
        Type.Union([
          Type.Object({ kind: Type.Literal('preview'), value: ref(TaskPreview) }),
          Type.Object({ kind: Type.Literal('test'), value: ref(ConnectorTestResult) }),
          Type.Object({ kind: Type.Literal('list_resources'), value: ref(ResourceList) }),
          Type.Object({ kind: Type.Literal('get_resource'), value: ref(ResourceDetail) }),
        ]),
      ),
      error: Type.Optional(
        Type.Object(
          {
            code: Type.Enum(['VALIDATION_ERROR', 'NOT_FOUND', 'CONNECTOR_ERROR', 'TIMEOUT', 'INTERNAL_ERROR']),
            message: Type.String(),
            details: Type.Optional(
              Type.Array(
                Type.Object({
                  path: Type.String(),
                  message: Type.String(),
                  code: Type.Optional(Type.String()),
                  name: Type.Optional(Type.String()),
                  line: Type.Optional(Type.Integer()),
                  column: Type.Optional(Type.Integer()),
                }),
              ),
            ),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  bodyLimit: 32 * 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export { Accepted }
