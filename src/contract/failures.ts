import Type, { type Static } from 'typebox'
import { NullableString, Timestamp } from './common.ts'
import { jobRunStatuses } from './jobs.ts'
import { operation, ref } from './operation.ts'
import { runStatuses } from './runs.ts'
import { ErrorParams } from './errors.ts'

/** No failure is counted beyond this. */
export const mostFailuresCounted = 1000

export const Failure = Type.Object(
  {
    kind: Type.Enum(['job', 'task']),
    id: Type.Integer({ minimum: 1, description: 'Id of the job or task' }),
    name: Type.String(),
    run_id: Type.Integer({ minimum: 1, description: 'Its newest failed job run (for a task, run)' }),
    failed_task_keys: Type.Array(Type.String(), { description: 'Jobs only: the tasks that failed in that job run' }),
    error_message: NullableString,
    error_params: ErrorParams,
    failed_at: Timestamp,
    count: Type.Integer({
      description: `Number of failures since \`from\`; ${mostFailuresCounted} means at least that many`,
    }),
    status: Type.Enum([...new Set([...jobRunStatuses, ...runStatuses])], {
      description: 'Status of the newest job run or run, which can be newer than the failed one',
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
  summary: 'List jobs and tasks that failed, each with its newest failure, newest first',
  description:
    'For tasks, only standalone runs count. Failures within a job run are listed under the job. Archived jobs and tasks are not listed.',
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
