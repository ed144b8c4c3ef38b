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
    '# The language of job templates',
    '',
    '<!-- Written by test/language/job-reference.test.ts: `UPDATE_DOCS=1 npm test -- test/language/job-reference`. -->',
    '',
    'A job template wires [tasks](task-language.md) into a DAG. What becomes of it as a job and as a job run: [jobs](jobs.md). The editor says',
    'the same on hover, completes it and underlines what does not fit; `headgate schema job` gives it as JSON Schema.',
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
    `${tasks?.description ?? ''} A key is made of letters, digits and \`_\`, with a letter or \`_\` first; there may be ${tasks?.maxProperties ?? ''} of them.`,
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
    'A task or gate is decided once everything in its `depends_on` has ended: first `run_if`, then `when`. What does not run is `skipped`, which',
    'for `all_success` is not a success: what depends on it is skipped as well. `tasks` in expressions are only those upstream, directly or through others.',
    '',
    'Of a `for_each` each item is a run of its own, with `retries` of its own. The task is `success` when all items were, `completed` when some',
    'failed and `on_item_error` is `continue`, `failed` when all failed or one did and it is `fail`. A cursor in the saved state is kept for each',
    'item by its value, so a list may be put into another order.',
    '',
    '## Expressions',
    '',
    'Everything is literal except `${{ … }}`, as in [tasks](task-language.md). A text that is one expression keeps the type of its value.',
    '',
    '| name | |',
    '|---|---|',
    ...scopeRows(scope),
    '',
    '`when` must give true or false; nothing and null count as false. What a skipped task would have put out is null.',
    '',
    '| with the example above, for instance | gives | |',
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
