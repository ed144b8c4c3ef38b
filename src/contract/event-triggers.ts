import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Flag,
  Id,
  IdParams,
  JsonString,
  Name,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  Success,
  Timestamp,
  listQuery,
  paginated,
  SortOrder,
  someOf,
} from './common.ts'
import { ErrorParams } from './errors.ts'
import { operation, ref } from './operation.ts'

export const eventTriggerTypes = ['webhook', 'file_arrival', 'after_job'] as const

/** Files of a connector that nobody has seen before. */
const FileArrivalConfig = Type.Object(
  {
    connector_id: Id,
    glob: Type.String({ minLength: 1, maxLength: 500, examples: ['inbox/*.csv'] }),
    poll_seconds: Type.Optional(Type.Integer({ minimum: 5, maximum: 86_400, default: 60 })),
    settle_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        default: 10,
        description: 'A file’s size and time must be unchanged for this long',
      }),
    ),
  },
  { additionalProperties: false },
)
const AfterJobConfig = Type.Object(
  {
    job_id: Id,
    on: Type.Optional(
      someOf(['completed', 'failed', 'cancelled'], {
        minItems: 1,
        default: ['completed'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type FileArrivalConfig = Static<typeof FileArrivalConfig>
export type AfterJobConfig = Static<typeof AfterJobConfig>

export const EventTrigger = Type.Object(
  {
    id: Id,
    job_id: Id,
    job_name: Type.String(),
    name: Name,
    type: Type.Enum([...eventTriggerTypes]),
    config: AnyObject,
    task_key: NullableString,
    arguments: JsonString('job parameters; strings can contain `${{ event.… }}`'),
    enabled: Flag,
    last_triggered_at: NullableTimestamp,
    last_error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why its last check or start failed',
    }),
    last_error_params: ErrorParams,
    created_by: NullableInteger,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'EventTrigger' },
)
export type EventTrigger = Static<typeof EventTrigger>
export const EventTriggerWithToken = Type.Object(
  {
    ...EventTrigger.properties,
    token: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Webhooks only, shown only once: call POST /api/hooks/{token}',
    }),
  },
  { $id: 'EventTriggerWithToken' },
)
export type EventTriggerWithToken = Static<typeof EventTriggerWithToken>

const base = { tag: 'Event Triggers', security: 'caller' } as const
const closed = { additionalProperties: false } as const
const config = Type.Union([FileArrivalConfig, AfterJobConfig, Type.Object({}, closed)])
const settings = {
  task_key: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 63 })),
  arguments: Type.Optional(AnyObject),
  enabled: Type.Optional(Type.Boolean()),
}

export const listEventTriggers = operation({
  ...base,
  id: 'listEventTriggers',
  method: 'GET',
  path: '/api/event-triggers',
  summary: 'List event triggers',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    job_id: Type.Optional(Id),
    type: Type.Optional(Type.Enum([...eventTriggerTypes])),
    enabled: Type.Optional(Type.Boolean()),
    sort: Type.Optional(Type.Enum(['created_at', 'name', 'last_triggered_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(EventTrigger)) },
  errors: ['VALIDATION_ERROR'],
})
export const createEventTrigger = operation({
  ...base,
  id: 'createEventTrigger',
  method: 'POST',
  path: '/api/event-triggers',
  summary: 'Create an event trigger: start a job on a webhook, when files arrive, or after another job',
  body: Type.Object(
    { job_id: Id, name: Name, type: Type.Enum([...eventTriggerTypes]), config: Type.Optional(config), ...settings },
    closed,
  ),
  idempotent: true,
  etag: true,
  responses: { 201: ref(EventTriggerWithToken) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const getEventTrigger = operation({
  ...base,
  id: 'getEventTrigger',
  method: 'GET',
  path: '/api/event-triggers/{id}',
  summary: 'Get an event trigger',
  params: IdParams,
  etag: true,
  responses: { 200: ref(EventTrigger) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateEventTrigger = operation({
  ...base,
  id: 'updateEventTrigger',
  method: 'PUT',
  path: '/api/event-triggers/{id}',
  summary: 'Change an event trigger; omitted fields keep their value',
  params: IdParams,
  body: Type.Object({ name: Type.Optional(Name), config: Type.Optional(config), ...settings }, closed),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(EventTrigger) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteEventTrigger = operation({
  ...base,
  id: 'deleteEventTrigger',
  method: 'DELETE',
  path: '/api/event-triggers/{id}',
  summary: 'Delete an event trigger; its job runs are kept',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const rotateEventTriggerToken = operation({
  ...base,
  id: 'rotateEventTriggerToken',
  method: 'POST',
  path: '/api/event-triggers/{id}/rotate-token',
  summary: 'Rotate a webhook token; the old one stops working immediately',
  params: IdParams,
  responses: { 200: ref(EventTriggerWithToken) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const callHook = operation({
  id: 'callHook',
  method: 'POST',
  path: '/api/hooks/{token}',
  tag: 'Event Triggers',
  summary: 'Start a job with a webhook',
  description:
    'The body is `event.body` in the arguments of the event trigger. An unknown token, a disabled trigger, and an archived job get the same 404. While triggers are paused, nothing starts: 503 with Retry-After, so that the caller retries.',
  security: 'none',
  params: Type.Object({ token: Type.String({ minLength: 16, maxLength: 200 }) }),
  body: Type.Unknown({ description: 'Any JSON' }),
  bodyOptional: true,
  bodyLimit: 1_048_576,
  idempotent: true,
  responses: { 202: Type.Object({ job_run_id: NullableInteger, outcome: Type.Enum(['started', 'overlap']) }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMITED', 'PAYLOAD_TOO_LARGE', 'UNAVAILABLE'],
})
