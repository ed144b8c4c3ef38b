/** Operations that start job runs and steer them; what they are and how they are read stands in job-runs.ts. */
import Type, { type Static } from 'typebox'
import { AnyObject, Id, IdParams, JsonString, NullableInteger, Success, Timestamp } from './common.ts'
import { JobRun, TaskKey, nodeStatuses } from './job-runs.ts'
import { operation, ref } from './operation.ts'
import { YamlContent } from './documents.ts'

const base = { tag: 'Job Runs', security: 'caller' } as const
const closed = { additionalProperties: false } as const
const TaskKeys = Type.Array(TaskKey, { minItems: 1, maxItems: 2000, uniqueItems: true })
const Priority = Type.Integer({ minimum: -100, maximum: 100 })

export const runJob = operation({
  ...base,
  id: 'runJob',
  method: 'POST',
  path: '/api/jobs/{id}/run',
  summary: 'Start a job run',
  description:
    'If an earlier job run of the job has not ended, the template’s `on_overlap` decides: `skip` refuses the start (409), `queue` queues the new job run as `pending`, `cancel_running` cancels the earlier one.',
  params: IdParams,
  body: Type.Object(
    {
      selected_tasks: Type.Optional(TaskKeys),
      skip_deps: Type.Optional(Type.Boolean({ default: false })),
      arguments: Type.Optional(AnyObject),
      logical_date: Type.Optional(Type.String({ format: 'date-time' })),
      timezone: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'IANA time zone of the logical date; by default that of the job template',
        }),
      ),
      full_refresh: Type.Optional(Type.Boolean({ default: false })),
      priority: Type.Optional(Priority),
    },
    closed,
  ),
  bodyOptional: true,
  idempotent: true,
  responses: { 201: ref(JobRun) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const Backfill = Type.Object(
  {
    backfill_id: Type.String(),
    dry_run: Type.Boolean(),
    logical_dates: Type.Array(Timestamp),
    job_run_ids: Type.Array(Id),
  },
  { $id: 'Backfill' },
)
export const backfillJob = operation({
  ...base,
  id: 'backfillJob',
  method: 'POST',
  path: '/api/jobs/{id}/backfill',
  summary: 'Create one job run for each logical date of a range, oldest first, at most `max_parallel` at a time',
  params: IdParams,
  body: Type.Object(
    {
      from: Type.String({ format: 'date', description: 'First day, inclusive' }),
      to: Type.String({ format: 'date', description: 'Last day, inclusive' }),
      every: Type.Optional(Type.Enum(['day', 'week', 'month'], { default: 'day' })),
      timezone: Type.Optional(
        Type.String({
          maxLength: 64,
          description:
            'IANA time zone of the days: each logical date is the start of its day in this zone. By default that of the job template',
        }),
      ),
      max_parallel: Type.Optional(Type.Integer({ minimum: 1, maximum: 16, default: 1 })),
      arguments: Type.Optional(AnyObject),
      selected_tasks: Type.Optional(TaskKeys),
      skip_deps: Type.Optional(Type.Boolean({ default: false })),
      full_refresh: Type.Optional(Type.Boolean({ default: false })),
      dry_run: Type.Optional(Type.Boolean({ default: false })),
    },
    closed,
  ),
  idempotent: true,
  responses: { 200: ref(Backfill) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const pauseJobRun = operation({
  ...base,
  id: 'pauseJobRun',
  method: 'POST',
  path: '/api/job-runs/{id}/pause',
  summary: 'Pause a job run: no new tasks start; running tasks finish, or are stopped and run again on resume',
  params: IdParams,
  body: Type.Object({ stop_running: Type.Optional(Type.Boolean({ default: false })) }, closed),
  bodyOptional: true,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const resumeJobRun = operation({
  ...base,
  id: 'resumeJobRun',
  method: 'POST',
  path: '/api/job-runs/{id}/resume',
  summary: 'Resume a paused or failed job run: completed tasks are skipped, waiting gates are approved',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const cancelJobRun = operation({
  ...base,
  id: 'cancelJobRun',
  method: 'POST',
  path: '/api/job-runs/{id}/cancel',
  summary: 'Cancel a job run: running tasks are stopped, no new ones start',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
export const decideGate = operation({
  ...base,
  id: 'decideGate',
  method: 'POST',
  path: '/api/job-runs/{id}/gates/{key}',
  summary: 'Approve or reject a waiting gate',
  params: Type.Object({ id: Id, key: TaskKey }),
  body: Type.Object(
    {
      open: Type.Boolean({ description: 'false: the gate fails' }),
      note: Type.Optional(Type.String({ maxLength: 2000 })),
    },
    closed,
  ),
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND'],
})
const RerunChange = Type.Object({
  task_key: Type.String(),
  before: Type.String({ description: 'YAML that the job run used' }),
  after: Type.String(),
})
export const JobRunRerun = Type.Object(
  {
    dry_run: Type.Boolean(),
    job_run: Type.Unsafe<JobRun | null>({ anyOf: [ref(JobRun), { type: 'null' }] }),
    runs: Type.Array(Type.String(), { description: 'Task keys that run again' }),
    skipped: Type.Array(Type.String(), {
      description: 'Task keys that would be skipped because of their `run_if` and the reused outcomes',
    }),
    repeated: Type.Array(Type.Object({ task_key: Type.String(), items: Type.Integer({ minimum: 1 }) }), {
      description:
        'Tasks with `for_each` that run again, with the number of their items that had succeeded: these run again, too',
    }),
    reused: Type.Array(
      Type.Object({
        task_key: Type.String(),
        status: Type.Enum([...nodeStatuses]),
        run_id: NullableInteger,
        outputs: JsonString('outputs of the earlier job run'),
      }),
    ),
    overrides: Type.Array(RerunChange),
  },
  { $id: 'JobRunRerun' },
)
export type JobRunRerun = Static<typeof JobRunRerun>

export const rerunJobRun = operation({
  ...base,
  id: 'rerunJobRun',
  method: 'POST',
  path: '/api/job-runs/{id}/rerun',
  summary: 'Rerun from given tasks on, with the same snapshot; the results and outputs of the other tasks are reused',
  params: IdParams,
  body: Type.Object(
    {
      from: Type.Optional(
        Type.Array(TaskKey, {
          minItems: 1,
          maxItems: 2000,
          uniqueItems: true,
          description: 'These tasks and everything downstream; all tasks by default',
        }),
      ),
      overrides: Type.Optional(
        Type.Record(Type.String(), YamlContent, { description: 'Task key → YAML that this job run uses instead' }),
      ),
      dry_run: Type.Optional(Type.Boolean({ default: false })),
    },
    closed,
  ),
  bodyOptional: true,
  bodyLimit: 8 * 1_048_576,
  idempotent: true,
  responses: { 200: ref(JobRunRerun) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
