import Type, { type Static } from 'typebox'
import type { NotifyEvent } from '../language/job/job.types.ts'
import {
  Flag,
  Id,
  IdParams,
  Name,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  Success,
  Timestamp,
  AnyObject,
  listQuery,
  paginated,
  someOf,
} from './common.ts'
import { ErrorParams } from './errors.ts'
import { operation, ref } from './operation.ts'

export const notifyEvents = [
  'failed',
  'recovered',
  'late',
  'finished',
  'completed_with_rejects',
  'schema_drift',
  'waiting_for_approval',
] as const satisfies readonly NotifyEvent[]
/** Of custom metrics, whichever jobs a channel is for. */
export const metricEvents = ['metric_violated', 'metric_recovered'] as const
export type MetricEvent = (typeof metricEvents)[number]
/** What a channel can be told. */
export const channelEvents = [...notifyEvents, ...metricEvents] as const
export const notificationTypes = ['webhook', 'email', 'desktop'] as const

/** A channel: where notifications about job runs go. Templates name it in `notify`. */
export const Notification = Type.Object(
  {
    id: Id,
    name: Name,
    type: Type.Enum([...notificationTypes]),
    config: AnyObject,
    secrets: Type.Record(Type.String(), Type.Object({ set: Type.Boolean() }), {
      description: 'webhook: signing_secret, authorization, url; email: password. Values are never returned',
    }),
    on: Type.Array(Type.Enum([...channelEvents]), {
      description:
        'Events reported for every job in `job_ids`, and for all custom metrics; templates can add more by the channel’s name',
    }),
    job_ids: Type.Unsafe<number[] | null>({
      type: ['array', 'null'],
      items: { type: 'integer' },
      description: 'null: all jobs',
    }),
    enabled: Flag,
    last_delivery: Type.Unsafe<{ status: string; at: string } | null>({
      anyOf: [Type.Object({ status: Type.String(), at: Timestamp }), { type: 'null' }],
    }),
    created_by: NullableInteger,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'Notification' },
)
export type Notification = Static<typeof Notification>

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export const NotificationDelivery = Type.Object(
  {
    id: Id,
    notification_id: Id,
    event: Type.Enum([...channelEvents, 'test']),
    job_id: NullableInteger,
    job_run_id: NullableInteger,
    status: Type.Enum([...deliveryStatuses]),
    attempts: Type.Integer(),
    next_attempt_at: NullableTimestamp,
    delivered_at: NullableTimestamp,
    error_message: NullableString,
    error_params: ErrorParams,
    created_at: Timestamp,
  },
  { $id: 'NotificationDelivery' },
)
export type NotificationDelivery = Static<typeof NotificationDelivery>

const closed = { additionalProperties: false } as const
/** What the body of a webhook is made for. */
export const webhookFormats = ['headgate', 'slack', 'teams'] as const
export const WebhookConfig = Type.Object(
  {
    url: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, examples: ['https://ops.example/hooks/headgate'] }),
    ),
    format: Type.Optional(Type.Enum([...webhookFormats], { default: 'headgate' })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 2000 }))),
  },
  closed,
)
export const EmailConfig = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    tls: Type.Optional(Type.Enum(['none', 'starttls', 'implicit'], { default: 'starttls' })),
    user: Type.Optional(Type.String({ maxLength: 255 })),
    from: Type.String({ minLength: 3, maxLength: 320 }),
    to: Type.Array(Type.String({ minLength: 3, maxLength: 320 }), { minItems: 1, maxItems: 50 }),
  },
  closed,
)
export const DesktopConfig = Type.Object({}, closed)
const fields = {
  // Checked by the type of the channel, so that each mistake is told at its field.
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'webhook: `url` (or the secret `url`), `format` (headgate, slack, teams), `headers`; email: `host`, `port`, `tls` (none, starttls, implicit), `user`, `from`, `to`; desktop: empty',
      examples: [{ url: 'https://ops.example/hooks/headgate' }],
    }),
  ),
  secrets: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
      description:
        'webhook: `signing_secret`, `authorization` (value of that header), `url` if the address itself is secret; email: `password`. An empty string removes a secret',
    }),
  ),
  on: Type.Optional(someOf(channelEvents)),
  job_ids: Type.Optional(
    Type.Unsafe<number[] | null>({ type: ['array', 'null'], items: { type: 'integer', minimum: 1 }, maxItems: 1000 }),
  ),
  enabled: Type.Optional(Type.Boolean()),
}
const base = { tag: 'Notifications', security: 'caller' } as const

export const listNotifications = operation({
  ...base,
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  summary: 'List notification channels',
  query: listQuery({}),
  responses: { 200: paginated(ref(Notification)) },
  errors: ['VALIDATION_ERROR'],
})
export const createNotification = operation({
  ...base,
  id: 'createNotification',
  method: 'POST',
  path: '/api/notifications',
  summary: 'Create a notification channel',
  body: Type.Object({ name: Name, type: Type.Enum([...notificationTypes]), ...fields }, closed),
  idempotent: true,
  responses: { 201: ref(Notification) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const getNotification = operation({
  ...base,
  id: 'getNotification',
  method: 'GET',
  path: '/api/notifications/{id}',
  summary: 'Get a notification channel',
  params: IdParams,
  etag: true,
  responses: { 200: ref(Notification) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateNotification = operation({
  ...base,
  id: 'updateNotification',
  method: 'PUT',
  path: '/api/notifications/{id}',
  summary: 'Change a notification channel; omitted fields and secrets keep their value',
  params: IdParams,
  body: Type.Object({ name: Type.Optional(Name), ...fields }, closed),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(Notification) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteNotification = operation({
  ...base,
  id: 'deleteNotification',
  method: 'DELETE',
  path: '/api/notifications/{id}',
  summary: 'Delete a notification channel and its deliveries',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const testNotification = operation({
  ...base,
  id: 'testNotification',
  method: 'POST',
  path: '/api/notifications/{id}/test',
  summary: 'Send a test message now and return the result',
  params: IdParams,
  responses: { 200: ref(NotificationDelivery) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listNotificationDeliveries = operation({
  ...base,
  id: 'listNotificationDeliveries',
  method: 'GET',
  path: '/api/notifications/{id}/deliveries',
  summary: 'List deliveries, newest first',
  params: IdParams,
  query: listQuery({ status: Type.Optional(Type.Enum([...deliveryStatuses])) }),
  responses: { 200: paginated(ref(NotificationDelivery)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const retryNotificationDelivery = operation({
  ...base,
  id: 'retryNotificationDelivery',
  method: 'POST',
  path: '/api/notifications/{id}/deliveries/{deliveryId}/retry',
  summary: 'Send a failed delivery again',
  params: Type.Object({ id: Id, deliveryId: Id }),
  responses: { 200: ref(NotificationDelivery) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
