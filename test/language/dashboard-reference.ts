import type { JsonSchema } from '../../src/language/shape/json-schema.ts'
import { table } from './task-reference.ts'

/** docs/dashboard-language.md: every key of a dashboard template, out of the schema that its own reader is made of. */
export function dashboardReference(schema: JsonSchema, example: string): string {
  const { filters, data, widgets, ...keys } = schema.properties ?? {}
  const forms = (one: JsonSchema | undefined, name: (form: JsonSchema) => string) =>
    (one?.anyOf ?? []).flatMap((form) => [`### ${name(form)}`, '', form.description ?? '', '', ...table(form)])
  const typeOf = ({ properties }: JsonSchema) => JSON.stringify(properties?.['type']?.const ?? '').replaceAll('"', '')
  const keyOf = ({ properties = {} }: JsonSchema) =>
    ['query', 'metric', 'runs', 'output'].find((key) => Object.hasOwn(properties, key)) ?? ''
  const valuesOf = (one: JsonSchema | undefined): JsonSchema =>
    typeof one?.additionalProperties === 'object' ? one.additionalProperties : {}
  return [
    '# The dashboard template language',
    '',
    '<!-- Written by test/language/dashboard-reference.test.ts: `UPDATE_DOCS=1 npm test -- test/language/dashboard-reference`. -->',
    '',
    'A dashboard template describes what a [dashboard](dashboards.md) of a job shows. The editor shows the same text on hover, completes keys and values, and underlines errors.',
    '',
    '```yaml',
    example.trim(),
    '```',
    '',
    '## The template',
    '',
    ...table({ ...schema, properties: keys }),
    '## Filters',
    '',
    filters?.description ?? '',
    '',
    ...forms(valuesOf(filters), typeOf),
    '## Data',
    '',
    data?.description ?? '',
    '',
    ...forms(valuesOf(data), keyOf),
    '## Widgets',
    '',
    widgets?.description ?? '',
    '',
    ...forms(widgets?.items, typeOf),
    '## Expressions',
    '',
    'Expressions are allowed in the `params` of a query, and nowhere else. They know `filters` and, with a `time_window`, `window.from` and `window.to`.',
    '',
  ].join('\n')
}
