import { listOf, object, optional, required, withDefault } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { choice, duration, nameText, number, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { nearest } from '../nearest.ts'
import { typedValue } from '../task/arguments.ts'
import { languageVersion } from '../task/common-fields.ts'
import { typedConnector, NAME, NAME_WANTED } from '../task/connector-slots.ts'
import type { JobTask } from './job.types.ts'
import { defaultScope } from './job-scope.ts'
import { MAX_PARALLEL, MAX_TASKS } from './limits.ts'
import { knownName } from './name-shapes.ts'
import { nodeShape } from './node-shapes.ts'
import { contextOfNode } from './node-context.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

export const kindJob: Shape<'job'> = {
  schema: { const: 'job', description: 'A job template: tasks and the order they run in.', examples: ['job'] },
  read(node, path, context) {
    if (node.kind === 'scalar' && node.value === 'job') return 'job'
    context.report({
      code: 'not_one_of',
      message: msg('not_a_job_template'),
      hint: msg('write_kind_job'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

export const parameterSpecs = record(
  typedValue(msg('a_parameter'), 'A typed value, given when a job is created or started.', defaultScope),
  {
    description:
      'Parameters by name: `${{ parameters.name }}` in expressions. A job sets their values, and each start can override them.',
    examples: [{ day: { type: 'date', default: '${{ run.logical_date }}' } }],
    max: 100,
    key: { pattern: NAME, wanted: NAME_WANTED },
  },
)

export const templateConnectors = record(
  typedConnector({
    noun: msg('a_template_connector'),
    description: 'A connector of the template: a job binds a connector to it, and tasks use it in their slots.',
    access: { description: 'How the tasks access it. By default what their slots need.', default: null },
  }),
  {
    description:
      'Connectors by their name in this template. A job binds a connector to each name; tasks refer to the names under their `connectors`. By default, `access` is what the tasks need.',
    examples: [{ crm: { type: 'http' }, warehouse: { types: ['postgres', 'sqlite'] } }],
    max: 50,
    key: { pattern: NAME, wanted: NAME_WANTED },
  },
)

function isTimeZone(timeZone: string): boolean {
  try {
    return /^[A-Za-z]/.test(timeZone) && Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function notTimeZone(name: string): TextProblem {
  const near = nearest(name, ['UTC', ...Intl.supportedValuesOf('timeZone')])
  return {
    code: 'invalid_value',
    message: msg('no_time_zone', { name }),
    hint: near === null ? msg('write_time_zone') : msg('did_you_mean', { near }),
  }
}

const concurrency = object(
  {
    tasks: withDefault(
      number({
        description: 'Maximum number of runs of one job run at the same time.',
        integer: true,
        min: 1,
        max: MAX_PARALLEL,
      }),
      8,
    ),
    on_overlap: withDefault(
      choice('What happens if the job is started while an earlier job run has not ended.', {
        skip: 'The start is refused. A trigger records it as overlapping.',
        queue: 'The new job run waits for the earlier one.',
        cancel_running: 'The earlier one is canceled first.',
      }),
      'queue',
    ),
  },
  { noun: msg('named', { name: 'concurrency' }), description: 'How much can run at the same time.' },
)

const nodes = record(nodeShape, {
  description: 'Tasks and gates by key: the DAG. `depends_on` and expressions refer to these keys.',
  examples: [{ orders: { task: 'erp.orders', connectors: { db: 'warehouse' } } }],
  min: 1,
  max: MAX_TASKS,
  key: { pattern: NAME, wanted: NAME_WANTED },
  contextOf: contextOfNode,
})

const tasks: Shape<Record<string, JobTask>> = {
  schema: nodes.schema,
  read(node, path, context) {
    const read = nodes.read(node, path, context)
    return read && Object.fromEntries(Object.entries(read).map(([key, value]) => [key, { key, ...value }]))
  },
}

const notifyRule = object(
  {
    on: required(
      listOf(
        choice('Events to notify about.', {
          failed: 'A job run failed.',
          recovered: 'A job run completed after one that failed.',
          late: 'A job run did not end by its `deadline`.',
          finished: 'A job run ended with any status.',
          completed_with_rejects: 'A job run completed, and at least one of its tasks rejected rows.',
          schema_drift: 'A job run ended in which the columns of the rows and of their target table differed.',
          waiting_for_approval: 'A gate of a job run waits for approval.',
        }),
        { description: 'Events to notify about.', min: 1, unique: true, examples: [['failed', 'recovered']] },
      ),
    ),
    channel: required(knownName({ description: 'Name of a notification channel.', examples: ['ops'] }, 'channel')),
  },
  { noun: msg('a_notify_rule'), description: 'Events, and the channel to notify.' },
)

export const jobShape = object(
  {
    etl: required(languageVersion('job template')),
    kind: required(kindJob),
    name: required(nameText({ description: 'Unique name of the job template.', examples: ['nightly'] })),
    description: optional(text({ description: 'What the job is for.', maxLength: 4_000 })),
    timezone: optional(
      text({
        description:
          'IANA time zone of `run.logical_date`, which determines its day, unless a cron trigger or backfill sets one. By default UTC.',
        maxLength: 64,
        examples: ['Europe/Berlin'],
        check: (value) => (isTimeZone(value) ? null : notTimeZone(value)),
      }),
    ),
    parameters: withDefault(parameterSpecs, {}, null),
    connectors: withDefault(templateConnectors, {}, null),
    concurrency: withDefault(concurrency, { tasks: 8, on_overlap: 'queue' }, null),
    timeout: optional(
      duration({
        description: 'A job run that takes longer is stopped and fails. Pauses don’t count.',
        min: 100,
        examples: ['2h'],
      }),
    ),
    deadline: optional(
      duration({
        description: 'A job run that has not ended this long after it was created is late; `notify` can report this.',
        min: 100,
        examples: ['6h'],
      }),
    ),
    priority: withDefault(
      number({
        description: 'Higher values run first if executors or pools are busy. Tasks can set their own.',
        integer: true,
        min: -100,
        max: 100,
      }),
      0,
    ),
    tasks: required(tasks),
    notify: withDefault(
      listOf(notifyRule, {
        description: 'Notifications for every job created from this template.',
        max: 50,
        examples: [[{ on: ['failed', 'recovered'], channel: 'ops' }]],
      }),
      [],
    ),
  },
  { noun: msg('a_job_template'), description: 'A job template: tasks wired into a DAG.' },
)
