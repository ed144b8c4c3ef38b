import Type, { type Static } from 'typebox'
import {
  Id,
  IdParams,
  JsonString,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  Timestamp,
  WaitQuery,
  listQuery,
  oneOrMore,
  paginated,
} from './common.ts'
import { jobRunStatuses } from './jobs.ts'
import { listedSort } from './listed-sort.ts'
import { operation, ref } from './operation.ts'
import { Run, triggerTypes } from './runs.ts'
import { ErrorParams } from './errors.ts'

/** How a task or gate of a job run stands. `pending`: waits for others; `queued`: may start as soon as there is room. */
export const nodeStatuses = [
  'pending',
  'queued',
  'running',
  'paused',
  'success',
  'completed',
  'failed',
  'cancelled',
  'skipped',
] as const
export type NodeStatus = (typeof nodeStatuses)[number]

export const JobRun = Type.Object(
  {
    id: Id,
    job_id: Id,
    job_name: Type.String(),
    status: Type.Enum([...jobRunStatuses]),
    trigger_type: Type.Enum([...triggerTypes]),
    trigger_id: NullableInteger,
    event_trigger_id: NullableInteger,
    logical_date: Timestamp,
    timezone: Type.String({
      description:
        'IANA time zone of the logical date: from the trigger, backfill, or job template. Expressions see local time in this zone.',
    }),
    arguments: JsonString('parameters given at the start; they override those of the job'),
    parameters: JsonString('parameters that it uses: given at the start, else of the job, else the template’s default'),
    selected_tasks: JsonString('array of task keys to run; null means all'),
    skip_deps: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: '1: the selected tasks run without their upstream tasks',
    }),
    full_refresh: Type.Boolean(),
    priority: Type.Integer(),
    started_at: NullableTimestamp,
    completed_at: NullableTimestamp,
    duration_ms: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Time it was running, without pauses; null until it has ended',
    }),
    ran_ms: Type.Integer({ description: 'Time it was running before `running_since`, without pauses' }),
    running_since: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'When it was started or resumed; null while it isn’t running',
    }),
    error_message: NullableString,
    error_params: ErrorParams,
    run_state: JsonString('execution state: task key → status'),
    pause_reason: Type.Unsafe<'asked' | 'gate' | null>({ type: ['string', 'null'], enum: ['asked', 'gate', null] }),
    cancel_requested: Type.Boolean(),
    template_version: Type.Integer(),
    task_counts: Type.Record(Type.String(), Type.Integer(), { description: 'Status of a task or gate → count' }),
    rerun_of: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Job run whose outputs it reuses' }),
    backfill_id: NullableString,
    created_by: NullableInteger,
    created_by_name: {
      ...NullableString,
      description: 'Name of the user who started it; null if no user did, or if they don’t exist any more',
    },
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'JobRun' },
)
export type JobRun = Static<typeof JobRun>

/** One unit of work of a task: itself, or one item of its `for_each`. */
export const JobRunItem = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    item: Type.Unknown({ description: 'The value of `each`; null without for_each' }),
    status: Type.Enum([...nodeStatuses]),
    run_id: NullableInteger,
    started_at: NullableTimestamp,
    completed_at: NullableTimestamp,
    duration_ms: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'As its run has it' }),
    error_message: NullableString,
    error_params: ErrorParams,
    item_count: NullableInteger,
  },
  { $id: 'JobRunItem' },
)
export type JobRunItem = Static<typeof JobRunItem>

export const JobRunNode = Type.Object(
  {
    key: Type.String(),
    kind: Type.Enum(['task', 'gate']),
    status: Type.Enum([...nodeStatuses]),
    /** Why it is as it is. */
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        '`upstream`, `when`, `not_selected`, `stopped`, `reused`, `empty`; for a queued task, what it waits for: `concurrency`, `pool`, `for_each`',
    }),
    pool: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The pool whose slots its runs take',
    }),
    depends_on: Type.Array(Type.String()),
    task_id: NullableInteger,
    task_name: NullableString,
    task_version: NullableInteger,
    overridden: Type.Boolean(),
    for_each: Type.Boolean(),
    message: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The gate’s question' }),
    decided_by: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Who approved or rejected a gate',
    }),
    note: NullableString,
    run_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Its newest run; for a for_each, the first failed run, otherwise the newest',
    }),
    item_total: NullableInteger,
    item_counts: Type.Record(Type.String(), Type.Integer()),
    item_count: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Rows written, for all items' }),
    reject_count: NullableInteger,
    attempt: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    run_count: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Its runs in this job run, more than one after it was resumed; null for a gate and a for_each',
    }),
    started_at: NullableTimestamp,
    completed_at: NullableTimestamp,
    duration_ms: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'Of its newest run, as that has it; for a for_each, from the start of its first item to the end of its last; for a gate, how long it waited',
    }),
    error_message: NullableString,
    error_params: ErrorParams,
    outputs: JsonString('outputs of the task; for a for_each, the list of its items’ outputs'),
    items: Type.Array(ref(JobRunItem), {
      description: 'Items of a for_each: running, failed, and the first ones; at most 200',
    }),
  },
  { $id: 'JobRunNode' },
)
export type JobRunNode = Static<typeof JobRunNode>

export const JobRunGraph = Type.Object(
  {
    job_run: ref(JobRun),
    nodes: Type.Array(ref(JobRunNode), { description: 'In the order of the template' }),
  },
  { $id: 'JobRunGraph' },
)
export type JobRunGraph = Static<typeof JobRunGraph>

const base = { tag: 'Job Runs', security: 'caller' } as const
export const TaskKey = Type.String({ minLength: 1, maxLength: 63 })
/** As a list sorted by status has them, ascending. */
export const jobRunStatusOrder = [
  'paused',
  'running',
  'pending',
  'failed',
  'completed',
  'cancelled',
] as const satisfies (typeof jobRunStatuses)[number][]
export const listAllJobRuns = operation({
  ...base,
  id: 'listAllJobRuns',
  method: 'GET',
  path: '/api/job-runs',
  summary: 'List job runs, newest first unless sorted otherwise',
  description: 'Status `success`: completed, and every task run is `success`.',
  query: listQuery({
    job_id: Type.Optional(oneOrMore(Id)),
    status: Type.Optional(oneOrMore(Type.Enum([...jobRunStatuses, 'success']))),
    trigger_type: Type.Optional(oneOrMore(Type.Enum([...triggerTypes]))),
    trigger_id: Type.Optional(Id),
    backfill_id: Type.Optional(Type.String({ maxLength: 40 })),
    pool: Type.Optional(Type.String({ maxLength: 63, description: 'With tasks waiting for a slot in this pool' })),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Created at or after' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Created before' })),
    ...listedSort(jobRunStatusOrder),
  }),
  responses: { 200: paginated(ref(JobRun)) },
  errors: ['VALIDATION_ERROR'],
})
export const getJobRun = operation({
  ...base,
  id: 'getJobRun',
  method: 'GET',
  path: '/api/job-runs/{id}',
  summary: 'Get a job run',
  description:
    'With `wait`, the response is sent when the job run has ended or is paused, or after that time with its current state.',
  params: IdParams,
  query: WaitQuery,
  responses: { 200: ref(JobRun) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getJobRunGraph = operation({
  ...base,
  id: 'getJobRunGraph',
  method: 'GET',
  path: '/api/job-runs/{id}/graph',
  summary: 'List the tasks and gates of a job run with status and times; while it is queued, the plan',
  params: IdParams,
  responses: { 200: ref(JobRunGraph) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listJobRunRuns = operation({
  ...base,
  id: 'listJobRunRuns',
  method: 'GET',
  path: '/api/job-runs/{id}/runs',
  summary: 'List the task runs of a job run, newest first',
  params: IdParams,
  query: listQuery({ task_key: Type.Optional(TaskKey) }),
  responses: { 200: paginated(ref(Run)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listJobRunItems = operation({
  ...base,
  id: 'listJobRunItems',
  method: 'GET',
  path: '/api/job-runs/{id}/tasks/{key}/items',
  summary: 'List the items of a for_each, in order',
  params: Type.Object({ id: Id, key: TaskKey }),
  query: listQuery({ status: Type.Optional(Type.Enum([...nodeStatuses])) }),
  responses: { 200: paginated(ref(JobRunItem)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
/** Tasks × job runs, for the history grid of a job. */
export const JobHistory = Type.Object(
  {
    task_keys: Type.Array(Type.String()),
    job_runs: Type.Array(
      Type.Object({
        job_run: ref(JobRun),
        tasks: Type.Record(
          Type.String(),
          Type.Object({
            status: Type.Enum([...nodeStatuses]),
            duration_ms: NullableInteger,
            run_id: NullableInteger,
            reason: NullableString,
          }),
        ),
      }),
    ),
    nextCursor: NullableString,
  },
  { $id: 'JobHistory' },
)
export type JobHistory = Static<typeof JobHistory>
export const getJobHistory = operation({
  ...base,
  id: 'getJobHistory',
  method: 'GET',
  path: '/api/jobs/{id}/history',
  summary: 'List the newest job runs with the status of each task',
  params: IdParams,
  query: listQuery({}),
  responses: { 200: ref(JobHistory) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
