/** How an executor comes, stays and asks for work: runs and calls, and what of them to stop. */
import Type, { type Static } from 'typebox'
import { Id, IdParams } from './common.ts'
import { CallPlan } from './executor-calls.ts'
import { ExecutorHeaders, RunPlan } from './executor-protocol.ts'
import { ResultPlan } from './executor-results.ts'
import { operation, ref } from './operation.ts'

/** Raised when an older executor could not understand the plans any more, or would ignore what it must not open. */
export const executorProtocolVersion = 4

/** Runs that an executor may hold beyond its slots. */
export const mostAhead = 100

const closed = { additionalProperties: false } as const

const AttemptKeys = Type.Array(Type.Object({ run_id: Id, attempt: Type.Integer() }, closed), { maxItems: 1000 })

export const Cancellation = Type.Object(
  { run_id: Id, attempt: Type.Integer(), reason: Type.Enum(['cancelled', 'lost', 'shutdown']) },
  { $id: 'Cancellation' },
)
export type Cancellation = Static<typeof Cancellation>

/** A folder of the control plane that no connector may reach, by any path. */
export const ProtectedPlace = Type.Object(
  {
    path: Type.String(),
    id: Type.String({
      description: 'Device and inode. If they differ, the path is on another machine and is not protected',
    }),
  },
  { $id: 'ProtectedPlace' },
)
export type ProtectedPlace = Static<typeof ProtectedPlace>

export const registerExecutor = operation({
  id: 'registerExecutor',
  method: 'POST',
  path: '/api/executors/register',
  tag: 'Executors',
  summary: 'Register an executor, or register again under the same name',
  description: 'If the name is online with another credential, registration is refused with 409 until its lease ends.',
  security: 'executor',
  body: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
        'x-wanted': 'letters, digits, `.`, `_`, and `-`, starting with a letter or digit',
      }),
      version: Type.String({ maxLength: 50 }),
      protocol: Type.Integer(),
      capabilities: Type.Array(Type.String({ maxLength: 50 }), {
        maxItems: 100,
        description: 'Connector types and task kinds that it supports',
      }),
      labels: Type.Optional(Type.Record(Type.String(), Type.String())),
      slots: Type.Integer({ minimum: 1, maximum: 1000 }),
      instance: Type.String({
        maxLength: 100,
        description: 'Random, one per process: the same process can register again immediately',
      }),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      id: Id,
      credential: Type.String({ description: 'Send it with every later call as X-Executor-Credential' }),
      lease_ms: Type.Integer({ description: 'Without a heartbeat for this long, the executor counts as lost' }),
      heartbeat_ms: Type.Integer(),
      most_ahead: Type.Optional(
        Type.Integer({ description: 'Runs that it may claim beyond its free slots. Absent: none' }),
      ),
    }),
  },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'UNAVAILABLE'],
})
export const heartbeatExecutor = operation({
  id: 'heartbeatExecutor',
  method: 'POST',
  path: '/api/executors/{id}/heartbeat',
  tag: 'Executors',
  summary: 'Report that the executor is alive and what it runs; get what to stop',
  security: 'executor',
  params: IdParams,
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      running: AttemptKeys,
      draining: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  responses: { 200: Type.Object({ cancel: Type.Array(ref(Cancellation)), drain: Type.Boolean() }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})
export const beginRuns = operation({
  id: 'beginRuns',
  method: 'POST',
  path: '/api/executors/{id}/begin',
  tag: 'Executors',
  summary: 'Begin runs that were claimed ahead, or give them back',
  description:
    'A run claimed ahead begins only after this has been accepted. Until then it can be given to another executor, without an attempt lost, when this one is lost or gives it back.',
  security: 'executor',
  params: IdParams,
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      begin: AttemptKeys,
      give_back: Type.Array(
        Type.Object({ run_id: Id, attempt: Type.Integer(), lease_token: Type.String({ maxLength: 200 }) }, closed),
        { maxItems: 1000, description: 'Nothing of them has begun, and nothing will' },
      ),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      cancel: Type.Array(ref(Cancellation), { description: 'Runs of `begin` that must not begin' }),
    }),
  },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})
export const claimWork = operation({
  id: 'claimWork',
  method: 'POST',
  path: '/api/executors/{id}/claim',
  tag: 'Executors',
  summary: 'Wait for work: up to `slots` runs, up to `call_slots` calls, result sessions, and cancellations',
  security: 'executor',
  params: IdParams,
  headers: ExecutorHeaders,
  body: Type.Object(
    {
      slots: Type.Integer({ minimum: 0, maximum: 1000 }),
      ahead: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: mostAhead,
          default: 0,
          description:
            'Runs that it takes beyond `slots`, given only after the free slots of every waiting executor. They wait until beginRuns is accepted for them',
        }),
      ),
      call_slots: Type.Integer({ minimum: 0, maximum: 100 }),
      result_slots: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 100,
          default: 0,
          description: 'Result sessions that it holds at a time, those under way included',
        }),
      ),
      wait_ms: Type.Integer({ minimum: 0, maximum: 30000 }),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      runs: Type.Array(ref(RunPlan)),
      ahead: Type.Optional(
        Type.Integer({ description: 'This many of `runs`, the last ones, are claimed ahead. Absent: none' }),
      ),
      calls: Type.Array(ref(CallPlan)),
      results: Type.Array(ref(ResultPlan)),
      cancel: Type.Array(ref(Cancellation)),
      cancel_calls: Type.Array(Type.String()),
      protected_places: Type.Array(ref(ProtectedPlace), { description: 'Apply to the work in this response' }),
    }),
  },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
})
