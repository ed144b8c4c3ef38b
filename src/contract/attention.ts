import Type, { type Static } from 'typebox'
import { AnyObject, NullableInteger, NullableString, Timestamp } from './common.ts'
import { Failure, mostFailuresCounted } from './failures.ts'
import { ErrorParams } from './errors.ts'
import { operation, ref } from './operation.ts'

/** `gate`: a job run waits for a decision. `outcome`: a task waits to hear whether a run committed. `missed`: a trigger did not start its job. `executor`: it stopped responding. `metric`: a custom metric violates its threshold or deadline, or can’t be measured. */
export const attentionKinds = ['gate', 'outcome', 'failure', 'missed', 'metric', 'executor'] as const

export const AttentionItem = Type.Object(
  {
    kind: Type.Enum([...attentionKinds]),
    key: Type.String({ description: 'Unique in the list and the same each time', examples: ['gate 12 approve'] }),
    name: Type.String({ description: 'Job, task, metric, or executor' }),
    task_keys: Type.Array(Type.String(), {
      description: 'The gate, the tasks that failed, or the task of the trigger',
    }),
    message: Type.Unsafe<string | null>({
      ...NullableString,
      description:
        'The gate’s question, the error, why the trigger did not start the job, or what is wrong with the metric',
    }),
    message_params: ErrorParams,
    status: Type.Unsafe<Failure['status'] | null>({
      anyOf: [Failure.properties.status, { type: 'null' }],
      description: 'Failures: status of the newest job run or run, for example `running` while it is retried',
    }),
    since: Timestamp,
    count: Type.Integer({
      description: `How often it failed or was missed in the last 7 days; ${mostFailuresCounted} means at least that many`,
    }),
    task_id: NullableInteger,
    job_id: NullableInteger,
    job_run_id: Type.Unsafe<number | null>({
      ...NullableInteger,
      description: 'The job run that waits or failed',
    }),
    run_id: Type.Unsafe<number | null>({
      ...NullableInteger,
      description: 'The failed run of a task that ran on its own, or the run with the unknown outcome',
    }),
    trigger_id: NullableInteger,
    executor_id: NullableInteger,
    start: Type.Unsafe<Record<string, unknown> | null>({
      anyOf: [AnyObject, { type: 'null' }],
      description: 'Missed runs: the body with which `POST /api/jobs/{id}/run` makes up for the newest one',
    }),
  },
  { $id: 'AttentionItem' },
)
export type AttentionItem = Static<typeof AttentionItem>

export const Attention = Type.Object(
  {
    items: Type.Array(ref(AttentionItem)),
    truncated: Type.Boolean({ description: 'Whether there are more items' }),
  },
  { $id: 'Attention' },
)
export type Attention = Static<typeof Attention>

export const getAttention = operation({
  id: 'getAttention',
  method: 'GET',
  path: '/api/attention',
  tag: 'Runs',
  security: 'caller',
  summary:
    'List what needs someone: waiting gates, unknown outcomes, failures without a success since, missed runs, violated metrics, lost executors',
  description:
    'Gates, unknown outcomes, and metrics are listed however long they have waited, everything else from the last 7 days. Items are grouped by kind, newest first. An item disappears when it is resolved.',
  query: Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })) },
    { additionalProperties: false },
  ),
  responses: { 200: ref(Attention) },
  errors: ['VALIDATION_ERROR'],
})
