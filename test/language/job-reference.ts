import type { ScopeDescription } from '../../src/language/expressions/references.ts'
import type { JsonSchema } from '../../src/language/shape/json-schema.ts'
import { table } from './task-reference.ts'

/** An expression of the page with what it gives; the test evaluates each. */
export interface Evaluated {
  expression: string
  gives: string
  note: string
}

/** docs/job-language.md: every key of a job template, out of the schema that its own reader is made of. */
export function jobReference(
  schema: JsonSchema,
  scope: ScopeDescription,
  { example, evaluated }: { example: string; evaluated: readonly Evaluated[] },
): string {
  const { tasks, ...keys } = schema.properties ?? {}
  const [task, gate] = valuesOf(tasks).anyOf ?? []
  return [
    '# The job template language',
    '',
    '<!-- Written by test/language/job-reference.test.ts: `UPDATE_DOCS=1 npm test -- test/language/job-reference`. -->',
    '',
    'A job template combines [tasks](task-language.md) into a DAG. For jobs and job runs, see [jobs](jobs.md). The editor shows the same text on hover,',
    'completes keys and values, and underlines errors. `headgate schema job` prints the JSON Schema.',
    '',
    '```yaml',
    example.trim(),
    '```',
    '',
    '## The template',
    '',
    ...table({ ...schema, properties: keys }),
    '### A parameter',
    '',
    ...table(valuesOf(keys['parameters'])),
    '### A connector',
    '',
    ...table(valuesOf(keys['connectors'])),
    '## Tasks',
    '',
    `${tasks?.description ?? ''} A key consists of letters, digits, and \`_\`, and starts with a letter or \`_\`. A template can have up to ${tasks?.maxProperties ?? ''} of them.`,
    '',
    '### task',
    '',
    task?.description ?? '',
    '',
    ...table(task ?? {}),
    '### gate',
    '',
    gate?.description ?? '',
    '',
    ...table(gate ?? {}),
    '## What runs, and when',
    '',
    'When everything in the `depends_on` of a task or gate has ended, `run_if` is checked first, then `when`. If it doesn’t run, it is `skipped`. For `all_success`,',
    'a skipped task is not a success, so tasks that depend on it are skipped too. In expressions, `tasks` contains only direct and indirect upstream tasks.',
    '',
    'Each item of a `for_each` is a separate run with its own `retries`. The status of the task is:',
    '',
    '- `success` if all items succeeded',
    '- `completed` if some items failed and `on_item_error` is `continue`',
    '- `failed` if all items failed, or one failed and `on_item_error` is `fail`',
    '',
    'A cursor in the saved state is kept per item value, so the order of the list can change.',
    '',
    '## Expressions',
    '',
    'Everything is literal except `${{ … }}`, as in [tasks](task-language.md). A value that is a single expression keeps the type of its result.',
    '',
    '| name | |',
    '|---|---|',
    ...scopeRows(scope),
    '',
    '`when` must return true or false; nothing and null count as false. Outputs of a skipped task are null.',
    '',
    '| expression, with the example above | result | |',
    '|---|---|---|',
    ...evaluated.map(
      ({ expression, gives, note }) => `| \`${escaped(expression)}\` | \`${escaped(gives)}\` | ${note} |`,
    ),
    '',
  ].join('\n')
}

/** What stands under each key of a map whose keys are the author's own. */
function valuesOf(schema: JsonSchema | undefined): JsonSchema {
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : {}
}

function scopeRows(scope: ScopeDescription): string[] {
  return Object.entries(scope).flatMap(([name, root]) => {
    const fields = root.inner
      ? Object.entries(root.inner).map(([field, what]) => [`${name}.<key>.${field}`, what])
      : Object.entries(root.fields ?? {}).map(([field, what]) => [`${name}.${field}`, what])
    return [[name, root.description], ...fields].map(([what = '', text = '']) => `| \`${what}\` | ${escaped(text)} |`)
  })
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')
