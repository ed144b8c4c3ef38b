import Type, { type Static } from 'typebox'
import { Id, NullableInteger, NullableString, NullableTimestamp, Timestamp, listLimit, oneOrMore } from './common.ts'
import { ErrorParams } from './errors.ts'
import { operation, ref } from './operation.ts'

/** What has runs: a task and a connector have runs, the others have job runs. */
export const recentSubjects = ['task', 'job', 'trigger', 'event_trigger', 'connector'] as const
export type RecentSubject = (typeof recentSubjects)[number]
export const mostRecentRuns = 30

export const RecentRun = Type.Object(
  {
    id: Id,
    kind: Type.Enum(['run', 'job_run']),
    status: Type.Enum(['pending', 'running', 'paused', 'success', 'completed', 'failed', 'cancelled'], {
      description:
        'Job runs: `success` if every task run is `success`, `completed` otherwise; `pending` also while all started tasks are queued',
    }),
    pause_reason: Type.Unsafe<'asked' | 'gate' | null>({
      type: ['string', 'null'],
      enum: ['asked', 'gate', null],
      description: 'Of a paused job run',
    }),
    created_at: Timestamp,
    started_at: NullableTimestamp,
    completed_at: NullableTimestamp,
    updated_at: Timestamp,
    duration_ms: NullableInteger,
    error_message: NullableString,
    error_params: ErrorParams,
  },
  { $id: 'RecentRun' },
)
export type RecentRun = Static<typeof RecentRun>

export const RecentRuns = Type.Object(
  {
    id: Type.Integer({ description: 'The task, job, trigger, or connector' }),
    runs: Type.Array(ref(RecentRun), { description: 'Newest first' }),
    last_failure: Type.Unsafe<RecentRun | null>({
      anyOf: [ref(RecentRun), { type: 'null' }],
      description: 'The newest failed run; it can be older than `runs`',
    }),
  },
  { $id: 'RecentRuns' },
)
export type RecentRuns = Static<typeof RecentRuns>

export const listRecentRuns = operation({
  id: 'listRecentRuns',
  method: 'GET',
  path: '/api/recent-runs',
  tag: 'Runs',
  summary: 'List the newest runs of several tasks, jobs, triggers, or connectors',
  description: 'One entry for each id, in the order of the ids. An id without runs, or of no record, has none.',
  security: 'caller',
  query: Type.Object(
    {
      of: Type.Enum([...recentSubjects]),
      ids: oneOrMore(Id, listLimit.maximum),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: mostRecentRuns, default: 12, description: 'Runs of each' }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: Type.Array(ref(RecentRuns)) },
  errors: ['VALIDATION_ERROR'],
})
