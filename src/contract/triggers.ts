import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Flag,
  Id,
  IdParams,
  JsonString,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  SortOrder,
  Success,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { ErrorParams } from './errors.ts'
import { operation, ref } from './operation.ts'

export const triggerKinds = ['cron', 'one_off'] as const
/** What becomes of firings whose time passed while nobody could fire: none, one for all of them, or each (the newest 100). */
export const misfirePolicies = ['skip', 'fire_once', 'fire_all'] as const
export const overlapPolicies = ['skip', 'queue', 'cancel_running'] as const

export const Trigger = Type.Object(
  {
    id: Id,
    job_id: Id,
    job_name: Type.String(),
    task_key: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Run only this task; null: all tasks',
    }),
    type: Type.Enum([...triggerKinds]),
    cron_expression: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Five fields for cron; an ISO 8601 datetime for one_off, in UTC even without `Z`',
      examples: ['0 6 * * 1-5', '2026-03-01T08:30:00.000Z'],
    }),
    arguments: JsonString('job parameters; they override the job’s own'),
    enabled: Flag,
    timezone: Type.String({ description: 'IANA time zone of the five fields' }),
    misfire_policy: Type.Enum([...misfirePolicies]),
    jitter_seconds: Type.Integer({
      minimum: 0,
      description: 'Each start is delayed by a random time up to this',
    }),
    on_overlap: Type.Unsafe<(typeof overlapPolicies)[number] | null>({
      type: ['string', 'null'],
      enum: [...overlapPolicies, null],
      description: 'Overrides the template’s; null: the template’s applies',
    }),
    next_fire_at: NullableTimestamp,
    last_triggered_at: NullableTimestamp,
    created_by: NullableInteger,
    created_at: Timestamp,
    updated_at: Timestamp,
    hint: Type.Optional(
      Type.String({ description: 'In responses to a change: why the trigger will not fire as expected' }),
    ),
  },
  { $id: 'Trigger' },
)
export type Trigger = Static<typeof Trigger>

export const firingOutcomes = ['started', 'overlap', 'missed', 'failed'] as const
/** What became of one firing. */
export const TriggerFiring = Type.Object(
  {
    id: Id,
    trigger_id: Id,
    job_id: Id,
    scheduled_at: Timestamp,
    fired_at: Timestamp,
    outcome: Type.Enum([...firingOutcomes]),
    job_run_id: NullableInteger,
    message: NullableString,
    message_params: ErrorParams,
  },
  { $id: 'TriggerFiring' },
)
export type TriggerFiring = Static<typeof TriggerFiring>

export const CalendarEntry = Type.Object(
  {
    at: Timestamp,
    trigger_id: Id,
    job_id: Id,
    job_name: Type.String(),
    task_key: NullableString,
    enabled: Flag,
    outcome: Type.Unsafe<(typeof firingOutcomes)[number] | null>({
      type: ['string', 'null'],
      enum: [...firingOutcomes, null],
      description: 'null: in the future',
    }),
    job_run_id: NullableInteger,
    message: NullableString,
    message_params: ErrorParams,
  },
  { $id: 'CalendarEntry' },
)
export type CalendarEntry = Static<typeof CalendarEntry>

const base = { tag: 'Triggers', security: 'caller' } as const
const closed = { additionalProperties: false } as const
const TaskKey = Type.Unsafe<string | null>({ type: ['string', 'null'], minLength: 1, maxLength: 63 })
const CronExpression = Type.String({ minLength: 1, maxLength: 200 })
export const Timezone = Type.String({ minLength: 1, maxLength: 64, examples: ['Europe/Berlin'] })
const settings = {
  task_key: Type.Optional(TaskKey),
  arguments: Type.Optional(AnyObject),
  enabled: Type.Optional(Type.Boolean()),
  timezone: Type.Optional(Timezone),
  misfire_policy: Type.Optional(Type.Enum([...misfirePolicies])),
  jitter_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
  on_overlap: Type.Optional(
    Type.Unsafe<(typeof overlapPolicies)[number] | null>({
      type: ['string', 'null'],
      enum: [...overlapPolicies, null],
    }),
  ),
}

export const listTriggers = operation({
  ...base,
  id: 'listTriggers',
  method: 'GET',
  path: '/api/triggers',
  summary: 'List triggers',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    job_id: Type.Optional(Id),
    type: Type.Optional(Type.Enum([...triggerKinds])),
    enabled: Type.Optional(Type.Boolean()),
    sort: Type.Optional(Type.Enum(['created_at', 'next_fire_at'])),
    order: Type.Optional({
      ...SortOrder,
      description: 'By default ascending by next_fire_at, descending by created_at',
    }),
  }),
  responses: { 200: paginated(ref(Trigger)) },
  errors: ['VALIDATION_ERROR'],
})
export const createTrigger = operation({
  ...base,
  id: 'createTrigger',
  method: 'POST',
  path: '/api/triggers',
  summary: 'Create a trigger of a job',
  body: Type.Object(
    { job_id: Id, type: Type.Enum([...triggerKinds]), cron_expression: CronExpression, ...settings },
    closed,
  ),
  idempotent: true,
  etag: true,
  responses: { 201: ref(Trigger) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const getTrigger = operation({
  ...base,
  id: 'getTrigger',
  method: 'GET',
  path: '/api/triggers/{id}',
  summary: 'Get a trigger',
  params: IdParams,
  etag: true,
  responses: { 200: ref(Trigger) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateTrigger = operation({
  ...base,
  id: 'updateTrigger',
  method: 'PUT',
  path: '/api/triggers/{id}',
  summary: 'Change a trigger; omitted fields keep their value',
  description:
    'one_off datetime rules are checked against the effective type: the stored one if `type` is omitted. A new datetime for a one_off resets last_triggered_at but does not change `enabled`. A one_off that has fired is disabled, so also send `enabled: true`; otherwise the response contains a `hint`.',
  params: IdParams,
  body: Type.Object(
    { type: Type.Optional(Type.Enum([...triggerKinds])), cron_expression: Type.Optional(CronExpression), ...settings },
    closed,
  ),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(Trigger) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteTrigger = operation({
  ...base,
  id: 'deleteTrigger',
  method: 'DELETE',
  path: '/api/triggers/{id}',
  summary: 'Delete a trigger; its job runs are kept',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const previewTrigger = operation({
  ...base,
  id: 'previewTrigger',
  method: 'POST',
  path: '/api/triggers/preview',
  audited: false,
  summary: 'Preview the next times of an expression in a time zone',
  body: Type.Object(
    {
      type: Type.Optional(Type.Enum([...triggerKinds], { default: 'cron' })),
      cron_expression: CronExpression,
      timezone: Type.Optional(Timezone),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 5 })),
      from: Type.Optional(Type.String({ format: 'date-time', description: 'Times after this; by default now' })),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      firings: Type.Array(
        Type.Object({
          at: Timestamp,
          local: Type.String({
            description: 'In the time zone, with its offset',
            examples: ['2026-03-29T03:00:00+02:00'],
          }),
        }),
      ),
    }),
  },
  errors: ['VALIDATION_ERROR'],
})
export const listTriggerFirings = operation({
  ...base,
  id: 'listTriggerFirings',
  method: 'GET',
  path: '/api/triggers/{id}/firings',
  summary: 'List the times a trigger was due, with outcome, newest first, including missed ones',
  params: IdParams,
  query: listQuery({}),
  responses: { 200: paginated(ref(TriggerFiring)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getTriggerCalendar = operation({
  ...base,
  id: 'getTriggerCalendar',
  method: 'GET',
  path: '/api/triggers/calendar',
  summary: 'List the times of all triggers in a period: past ones with their outcome, and upcoming ones',
  query: Type.Object(
    {
      from: Type.String({ format: 'date-time' }),
      to: Type.String({ format: 'date-time', description: 'At most 366 days after `from`' }),
      job_id: Type.Optional(Id),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 1000 })),
    },
    closed,
  ),
  responses: {
    200: Type.Object({
      entries: Type.Array(ref(CalendarEntry)),
      truncated: Type.Boolean({ description: 'There are more than those listed' }),
    }),
  },
  errors: ['VALIDATION_ERROR'],
})
