import Type, { type Static } from 'typebox'
import { NullableString, Timestamp } from './common.ts'
import { jobRunStatuses } from './jobs.ts'
import { operation, ref } from './operation.ts'
import { runStatuses } from './runs.ts'

/** No failure is counted beyond this. */
export const mostFailuresCounted = 1000

export const Failure = Type.Object(
  {
    kind: Type.Enum(['job', 'task']),
    id: Type.Integer({ minimum: 1, description: 'Of the job or the task' }),
    name: Type.String(),
    run_id: Type.Integer({ minimum: 1, description: 'Its newest job run (or run, of a task) that failed' }),
    failed_task_keys: Type.Array(Type.String(), { description: 'Of a job: its tasks that failed in that job run' }),
    error_message: NullableString,
    failed_at: Timestamp,
    count: Type.Integer({
      description: `How many failed since \`from\`; ${mostFailuresCounted} means at least so many`,
    }),
    status: Type.Enum([...new Set([...jobRunStatuses, ...runStatuses])], {
      description: 'How the newest job run or run stands, which may have come after the one that failed',
    }),
  },
  { $id: 'Failure' },
)
export type Failure = Static<typeof Failure>

export const listFailures = operation({
  id: 'listFailures',
  method: 'GET',
  path: '/api/failures',
  tag: 'Runs',
  security: 'caller',
  summary: 'Jobs and tasks that failed, once each with their newest failure, newest first',
  description: 'Tasks: runs of their own. What failed within a job run stands under its job.',
  query: Type.Object(
    {
      from: Type.String({ format: 'date-time', description: 'Failed at or after' }),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    },
    { additionalProperties: false },
  ),
  responses: { 200: Type.Array(ref(Failure)) },
  errors: ['VALIDATION_ERROR'],
})
