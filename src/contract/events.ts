import Type, { type Static } from 'typebox'
import { AnyObject, Id, Timestamp } from './common.ts'
import { operation } from './operation.ts'

/** `record.verb`; the window refreshes what the event names. */
export const eventTypes = [
  'run.created',
  'run.changed',
  'run.progress',
  'task.changed',
  'connector.changed',
  'explorer_preset.changed',
  'ai_reference.changed',
  'executor.changed',
  'job_template.changed',
  'dashboard_template.changed',
  'dashboard.changed',
  'job.changed',
  'job_run.created',
  'job_run.changed',
  'job_run.progress',
  'trigger.changed',
  'event_trigger.changed',
  'scheduler.changed',
  'pool.changed',
  'notification.changed',
  'notification.desktop',
  'user.changed',
  'server.changed',
] as const

/** One change, as `GET /api/events` sends it: the SSE `id` is `id`, the SSE `event` is `type`, the data is this object. */
export const ServerEvent = Type.Object(
  {
    id: Id,
    type: Type.Enum([...eventTypes]),
    at: Timestamp,
    entity_id: Id,
    data: AnyObject,
  },
  { $id: 'ServerEvent' },
)
export type ServerEvent = Static<typeof ServerEvent>

export const streamEvents = operation({
  id: 'streamEvents',
  method: 'GET',
  path: '/api/events',
  tag: 'Events',
  summary: 'Stream all changes as they happen (server-sent events)',
  description:
    'Resumable with Last-Event-ID. If the id is older than the oldest kept event, a `reset` event tells the client to reload. The data of `run.*` and `job_run.*` is the status fields; `job_run.progress` contains the task keys that have changed. `server.changed` contains what has changed (`data.what`: branding, config, backups, store, secrets, uploads); `user.changed` contains only the id.',
  security: 'caller',
  query: Type.Object(
    {
      run_id: Type.Optional(Id),
      job_run_id: Type.Optional(Id),
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Start after this event, for a client that has no Last-Event-ID yet' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: {},
  streams: { 200: 'text/event-stream' },
  errors: ['VALIDATION_ERROR'],
})
