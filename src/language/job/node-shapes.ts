import { isOneExpression } from '../expressions/template.ts'
import { listOf, optional, required, withDefault } from '../shape/collections.ts'
import { jsonValue } from '../shape/json-value.ts'
import { record } from '../shape/record.ts'
import { reportType } from '../shape/report-value.ts'
import { choice, duration, number, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { defineVariant, oneOf } from '../shape/variants.ts'
import { retryPolicy } from '../task/common-fields.ts'
import { NAME, NAME_WANTED } from '../task/connector-slots.ts'
import { forEach } from './for-each.ts'
import type { GateNode, TaskNode } from './job.types.ts'
import { MAX_TASKS } from './limits.ts'
import { connectorName, knownName, taskKey } from './name-shapes.ts'
import { msg } from '../messages.ts'

const whenText = text({
  description:
    'An expression that must be true for it to run; otherwise it is skipped. Evaluated when the tasks it depends on have ended and `run_if` is met.',
  examples: ['${{ tasks.orders.outputs.rows > 0 }}'],
  template: true,
  maxLength: 4_000,
})
const when: Shape<string> = {
  schema: whenText.schema,
  read(node, path, context) {
    if (node.kind === 'scalar' && typeof node.value === 'boolean')
      return reportType(node, path, context, msg('an_expression'), msg('write_when'))
    const value = whenText.read(node, path, context)
    if (value === undefined || isOneExpression(value)) return value
    context.report({
      code: 'invalid_value',
      message: msg('when_not_one_expression'),
      hint: msg('write_when'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

const shared = {
  depends_on: withDefault(
    listOf(taskKey, {
      description: 'Tasks and gates that must end before it starts.',
      max: MAX_TASKS,
      unique: true,
      examples: [['orders']],
    }),
    [],
  ),
  run_if: withDefault(
    choice('How the tasks in `depends_on` must have ended for it to run; otherwise it is skipped.', {
      all_success: 'All ended as `success` or `completed`; skipped does not count.',
      none_failed: 'None failed or was canceled; skipped ones don’t matter.',
      all_done: 'They ended with any status.',
      any_failed: 'At least one failed or was canceled. For cleanup and alerts.',
    }),
    'all_success',
  ),
  when: optional(when),
}
const description = optional(text({ description: 'What it is for.', maxLength: 4_000 }))

const argumentValues = record(jsonValue({ description: 'A value, or an expression.', template: true }), {
  description: 'Arguments of the task by name. Expressions are evaluated when the run is created.',
  examples: [{ day: '${{ parameters.day }}' }],
  max: 100,
  key: { pattern: NAME, wanted: NAME_WANTED, complete: 'task-argument' },
})
const args: Shape<TaskNode['args']> = {
  schema: argumentValues.schema,
  read: (node, path, context) =>
    argumentValues.read(node, path, { ...context, scope: context.job?.argsScope ?? context.scope }),
}

/** Without the key it stands under. */
type Keyless<T> = Omit<T, 'key'>

const taskVariant = defineVariant({
  key: 'task',
  noun: msg('a_job_task'),
  description: 'Runs a task.',
  fields: {
    task: required(knownName({ description: 'Name of the task to run.', examples: ['crm.contacts'] }, 'task')),
    version: optional(
      number({
        description: 'Version of the task. By default the current one when the job is created or upgraded.',
        integer: true,
        min: 1,
        examples: [3],
      }),
    ),
    ...shared,
    for_each: optional(forEach),
    connectors: withDefault(
      record(connectorName, {
        description: 'The task’s slots, each with the name of one of the template’s connectors.',
        examples: [{ db: 'warehouse' }],
        max: 50,
        key: { pattern: NAME, wanted: NAME_WANTED, complete: 'task-slot' },
      }),
      {},
      null,
    ),
    args: withDefault(args, {}, null),
    retries: optional(retryPolicy('What happens if an attempt fails. Overrides the task’s own `retries`.')),
    timeout: optional(
      duration({
        description: 'An attempt that takes longer is stopped and fails. Overrides the task’s own `timeout`.',
        min: 100,
        examples: ['30m', '2h'],
      }),
    ),
    on_failure: withDefault(
      choice('What its failure means for the job run.', {
        fail: 'The job run fails at the end; branches that don’t depend on it continue.',
        continue: 'The job run doesn’t fail because of it. Downstream tasks still see that it failed.',
        stop: 'No new tasks start; running tasks finish.',
      }),
      'fail',
    ),
    pool: optional(
      knownName(
        { description: 'Pool in which each of its runs takes a slot; shared by all jobs.', examples: ['warehouse'] },
        'pool',
      ),
    ),
    priority: withDefault(
      number({
        description: 'Higher values start first if runs wait for capacity.',
        integer: true,
        min: -100,
        max: 100,
      }),
      0,
    ),
    description,
  },
  build: ({ timeout, retries, ...values }): Keyless<TaskNode> => ({
    kind: 'task',
    task: values.task,
    version: values.version ?? null,
    description: values.description?.trim() ?? null,
    depends_on: values.depends_on,
    run_if: values.run_if,
    when: values.when ?? null,
    connectors: values.connectors,
    args: values.args,
    for_each: values.for_each ?? null,
    retries: retries ? { max: retries.max, delay_ms: retries.delay, backoff: retries.backoff } : null,
    timeout_ms: timeout ?? null,
    on_failure: values.on_failure,
    pool: values.pool ?? null,
    priority: values.priority,
  }),
})

const gateVariant = defineVariant({
  key: 'gate',
  noun: msg('a_gate'),
  description: 'Waits until a person opens it.',
  fields: {
    gate: required(
      text({
        description: 'The question to ask. The branch waits until someone approves or rejects it.',
        examples: ['Publish these figures?'],
        template: true,
        maxLength: 2_000,
      }),
    ),
    ...shared,
    description,
  },
  build: (values): Keyless<GateNode> => ({
    kind: 'gate',
    message: values.gate,
    description: values.description?.trim() ?? null,
    depends_on: values.depends_on,
    run_if: values.run_if,
    when: values.when ?? null,
  }),
})

/** Every key of a task or gate. */
export const nodeKeys: readonly string[] = [
  ...new Set([taskVariant, gateVariant].flatMap(({ fields }) => Object.keys(fields))),
]

/** What stands under one key of `tasks`. */
export const nodeShape: Shape<Keyless<TaskNode> | Keyless<GateNode>> = oneOf<Keyless<TaskNode> | Keyless<GateNode>>({
  noun: msg('task'),
  description: 'A task to run, or a gate.',
  variants: [taskVariant, gateVariant],
})
