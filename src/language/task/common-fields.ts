import { listOf, object, optional, required, withDefault, type FieldValues } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { jsonValue } from '../shape/json-value.ts'
import { duration, nameText, number, text } from '../shape/scalars.ts'
import { reportType } from '../shape/report-value.ts'
import type { Shape } from '../shape/shape.types.ts'
import { suggest } from '../nearest.ts'
import { argumentSpecs } from './arguments.ts'
import { connectorSlots, NAME, NAME_WANTED } from './connector-slots.ts'
import { hooksShape } from './hooks.ts'
import type { TaskDocument } from './kinds/task-document.types.ts'
import type { Json, TaskBase } from './task.types.ts'
import { msg } from '../messages.ts'

/** The fields that every kind of task has. */

/** `etl: 1`. `language` is "task" or "job template". */
export const languageVersion = (language: string): Shape<1> => ({
  schema: { const: 1, description: `Version of the ${language} language.`, examples: [1] },
  read(node, path, context) {
    if (node.kind === 'scalar' && node.value === 1) return 1
    if (node.kind !== 'scalar' || typeof node.value !== 'number')
      return reportType(node, path, context, msg('the_number_one'), msg('write_etl'))
    context.report({
      code: 'unsupported_version',
      message: msg('unsupported_version', { version: node.value }),
      hint: msg('write_version'),
      path,
      at: node.mark,
    })
    return undefined
  },
})

export const kinds: Record<TaskDocument['kind'], string> = {
  pipeline: 'Rows from a source, through steps, into a target.',
  sql: 'Statements inside one database, or a table created from a query.',
  http: 'One call to an HTTP API.',
  script: 'JavaScript that computes something, without access to files or the network.',
  command: 'A program on the executor’s machine, without a shell.',
}

export const kind: Shape<TaskDocument['kind']> = {
  schema: { enum: Object.keys(kinds), 'x-enum-descriptions': Object.values(kinds), description: 'What the task does.' },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string')
      return reportType(node, path, context, msg('text_task_kind'))
    // Own keys of the table are exactly the kinds.
    if (Object.hasOwn(kinds, node.value)) return node.value as TaskDocument['kind']
    const names = Object.keys(kinds)
    context.report({
      code: 'not_one_of',
      message: msg('unknown_task_kind', { kind: node.value.slice(0, 60), kinds: names }),
      hint:
        node.value === 'job'
          ? msg('save_as_job_template')
          : node.value === 'dashboard'
            ? msg('save_as_dashboard_template')
            : suggest(node.value, names, 'kinds'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

/** The kind as the schema of one kind of task describes it. */
function kindIs(one: TaskDocument['kind']): Shape<TaskDocument['kind']> {
  return {
    ...kind,
    schema: { const: one, description: `${kind.schema.description ?? ''} \`${one}\`: ${kinds[one]}`, examples: [one] },
  }
}

export const retryPolicy = (description: string) =>
  object(
    {
      max: required(
        number({
          description: 'Number of attempts after the first one failed.',
          integer: true,
          min: 0,
          max: 100,
          examples: [3],
        }),
      ),
      delay: withDefault(duration({ description: 'How long to wait before the first retry.', min: 0 }), 10_000, '10s'),
      backoff: withDefault(
        number({ description: 'Factor by which the wait grows with each retry.', min: 1, max: 100 }),
        2,
      ),
    },
    { noun: msg('named', { name: 'retries' }), description },
  )

const outputValues = record(
  jsonValue({ description: 'A value, usually an expression.', template: true, examples: ['${{ run.item_count }}'] }),
  {
    description: 'Values for downstream tasks, evaluated when the run has succeeded; at most 64 KB as JSON.',
    examples: [{ rows: '${{ run.item_count }}' }],
    max: 100,
    key: { pattern: NAME, wanted: NAME_WANTED },
  },
)
const outputs: Shape<Record<string, Json>> = {
  schema: outputValues.schema,
  read: (node, path, context) => outputValues.read(node, path, { ...context, scope: context.outputScope }),
}

const shared = {
  etl: required(languageVersion('task')),
  name: required(
    nameText({
      description: 'Unique name of the task. Dots and slashes group tasks in lists.',
      examples: ['crm.contacts'],
    }),
  ),
  description: optional(text({ description: 'What the task is for.', maxLength: 4_000 })),
  tags: withDefault(
    listOf(text({ description: 'A keyword to find the task by.', maxLength: 60 }), {
      description: 'Keywords to find the task by.',
      max: 50,
      unique: true,
      examples: [['crm', 'nightly']],
    }),
    [],
  ),
  connectors: withDefault(connectorSlots, {}, null),
  args: withDefault(argumentSpecs, {}, null),
  hooks: withDefault(hooksShape, { before: [], after: [], on_error: [] }, null),
  outputs: withDefault(outputs, {}, null),
  retries: optional(retryPolicy('What happens if an attempt fails. By default it is not retried.')),
  timeout: optional(
    duration({ description: 'An attempt that takes longer is stopped and fails.', min: 100, examples: ['30m', '2h'] }),
  ),
}

/** The fields of a document of one kind, `kind` behind `etl`. */
export function commonFields(one: TaskDocument['kind']) {
  const { etl, ...others } = shared
  return { etl, kind: required(kindIs(one)), ...others }
}

export type CommonValues = FieldValues<ReturnType<typeof commonFields>>

/** What every kind has, in its normalised form. */
export function normalizeBase(values: CommonValues): TaskBase {
  const { etl, name, description, tags, connectors, args, hooks, outputs: written, retries, timeout } = values
  return {
    etl,
    name,
    description: description?.trim() ?? null,
    tags,
    connectors,
    args,
    hooks,
    outputs: written,
    retries: retries
      ? { max: retries.max, delay_ms: retries.delay, backoff: retries.backoff }
      : { max: 0, delay_ms: 10_000, backoff: 2 },
    timeout_ms: timeout ?? null,
  }
}
