import Type, { type Static } from 'typebox'
import { AnyObject, Id, IdParams, NullableString, NullableTimestamp, Success, Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'

export const executorStatuses = ['online', 'draining', 'lost', 'offline'] as const
/** The last hour is told in as many spans. */
export const loadSpans = 30

export const Executor = Type.Object(
  {
    id: Id,
    name: Type.String(),
    version: Type.String(),
    status: Type.Enum([...executorStatuses]),
    answering: Type.Boolean({
      description:
        'Whether its connection is open and its heartbeats arrive. If not, runs continue until the lease ends or the executor reconnects.',
    }),
    labels: AnyObject,
    slots: Type.Integer(),
    busy: Type.Integer(),
    run_ids: Type.Array(Id, { description: 'The runs it works on' }),
    load: Type.Array(Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0, maximum: 1 }), {
      description:
        'Share of its slots that were busy in each two minutes of the last hour, oldest first. null: not measured, for example because the server had not started.',
    }),
    last_heartbeat_at: NullableTimestamp,
    address: NullableString,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'Executor' },
)
export type Executor = Static<typeof Executor>

export const listExecutors = operation({
  id: 'listExecutors',
  method: 'GET',
  path: '/api/server/executors',
  tag: 'Server',
  summary: 'List all executors that have ever registered',
  security: 'caller',
  responses: { 200: Type.Array(ref(Executor)) },
  errors: [],
})
export const drainExecutor = operation({
  id: 'drainExecutor',
  method: 'POST',
  path: '/api/server/executors/{id}/drain',
  tag: 'Server',
  summary: 'Drain an executor: it finishes its runs and takes no new ones',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
