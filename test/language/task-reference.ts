import { parse } from 'yaml'
import { alternatives, jsonText, typeLabel } from '../../src/language/editor/schema-walk.ts'
import type { JsonSchema } from '../../src/language/shape/json-schema.ts'

/** docs/task-language.md: every key of the task language, out of the schema that its own reader is made of. */
export function taskReference(schema: JsonSchema): string {
  const kinds = schema.anyOf ?? []
  const [pipeline] = kinds
  const { source, inputs, steps, target, hooks, ...common } = pipeline?.properties ?? {}
  return [
    '# The task language',
    '',
    '<!-- Written by test/language/task-reference.test.ts: `UPDATE_DOCS=1 npm test -- test/language/task-reference`. -->',
    '',
    'All keys of a task. The editor shows the same text on hover, completes keys and values, and underlines errors. `headgate schema task` prints the',
    'JSON Schema. Values of keys marked *template* can contain `${{ … }}`. SQL uses `:name` binds.',
    '',
    ...kinds.flatMap((kind) => kindSection(kind, new Set(Object.keys(common)))),
    '## Keys common to all kinds',
    '',
    ...table(
      withEveryKind(
        only(pipeline, (key) => key in common && key !== 'state' && key !== 'dead_letter'),
        kinds,
      ),
    ),
    '## Sources',
    '',
    paragraph(source),
    '',
    ...(source?.anyOf ?? []).flatMap((variant) => variantSection(variant)),
    '## Inputs',
    '',
    paragraph(inputs),
    '',
    '## Steps',
    '',
    paragraph(steps),
    '',
    ...Object.entries(steps?.items?.properties ?? {}).flatMap(([key, step]) => stepSection(key, step)),
    '## Targets',
    '',
    paragraph(target),
    '',
    ...(target?.anyOf ?? []).flatMap((variant) => variantSection(variant)),
    '## Hooks',
    '',
    paragraph(hooks),
    '',
    ...table(hooks ?? {}),
  ].join('\n')
}

const paragraph = (schema: JsonSchema | undefined): string => schema?.description ?? ''

function only(schema: JsonSchema | undefined, keep: (key: string) => boolean): JsonSchema {
  const properties = Object.fromEntries(Object.entries(schema?.properties ?? {}).filter(([key]) => keep(key)))
  return { ...schema, properties }
}

function withEveryKind(schema: JsonSchema, kinds: readonly JsonSchema[]): JsonSchema {
  const names = kinds.flatMap((kind) => kind.properties?.['kind']?.const ?? [])
  return { ...schema, properties: { ...schema.properties, kind: { enum: names, description: 'What the task does.' } } }
}

function kindSection(kind: JsonSchema, common: ReadonlySet<string>): string[] {
  const name = kind.properties?.['kind']
  const own = only(kind, (key) => (!common.has(key) && key !== 'hooks') || key === 'state' || key === 'dead_letter')
  const label = name?.const ?? name?.enum?.[0]
  return [`## kind: ${label === undefined ? '' : jsonText(label)}`, '', paragraph(kind), '', ...table(own)]
}

/** A source or target: told by the one key that is not shared by all. */
function variantSection(variant: JsonSchema): string[] {
  const required = variant.required ?? Object.keys(variant.properties ?? {})
  const key = required.find((name) => name !== 'connector') ?? ''
  return [`### ${key}`, '', paragraph(variant), '', ...table(variant)]
}

function stepSection(key: string, step: JsonSchema): string[] {
  const forms = alternatives(step)
  const map = forms.flatMap((form) => [form, ...alternatives(form.items ?? {})]).find((form) => form.properties)
  return [
    `### ${key}`,
    '',
    paragraph(step) || forms.map(paragraph).join(' '),
    '',
    ...examples(step.examples ?? forms.flatMap((form) => form.examples ?? []), key),
    ...(map ? table(map) : []),
  ]
}

function examples(values: NonNullable<JsonSchema['examples']>, key: string): string[] {
  const [first] = values
  return first === undefined ? [] : ['```yaml', `- ${key}: ${asYaml(first)}`, '```', '']
}

/** A text that YAML would take for something else stands in quotes. */
function asYaml(value: NonNullable<JsonSchema['examples']>[number]): string {
  const text = jsonText(value)
  return typeof value === 'string' && parse(text) !== value ? `'${text.replaceAll("'", "''")}'` : text
}

interface Row {
  path: string
  schema: JsonSchema
  required: boolean
}

export function table(schema: JsonSchema): string[] {
  const rows = rowsOf(schema, '', 0)
  if (rows.length === 0) return []
  return ['| Key | Type | Description |', '|---|---|---|', ...rows.map(line), '']
}

/** The keys of a map, with those inside of maps behind them; what repeats itself elsewhere is not unfolded. */
function rowsOf(schema: JsonSchema, path: string, depth: number): Row[] {
  const required = new Set(schema.required)
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const place = path === '' ? key : `${path}.${key}`
    const row = { path: place, schema: property, required: required.has(key) }
    if (depth >= 3 || unfoldedElsewhere.has(key)) return [row]
    const inner = [property, property.items ?? {}].flatMap(alternatives).filter((one) => one.properties)
    const nested = new Map<string, Row>()
    for (const one of inner)
      for (const each of rowsOf(one, place, depth + 1)) if (!nested.has(each.path)) nested.set(each.path, each)
    return [row, ...nested.values()]
  })
}

const unfoldedElsewhere = new Set(['source', 'target', 'steps', 'inputs', 'hooks'])

function line({ path, schema, required }: Row): string {
  const notes = [
    schema.default === undefined || schema.default === null ? '' : `default \`${JSON.stringify(schema.default)}\``,
    schema['x-template'] ? '*template*' : '',
  ].filter((note) => note !== '')
  const meanings = alternatives(schema).flatMap((form) =>
    (form.enum ?? []).flatMap((value, index) => {
      const meaning = form['x-enum-descriptions']?.[index]
      return meaning === undefined ? [] : [`\`${jsonText(value)}\`: ${meaning}`]
    }),
  )
  const [example] = schema.examples ?? []
  const more = [
    example === undefined ? '' : `Example:\u00a0\`${jsonText(example)}\``,
    notes.length === 0 ? '' : `(${notes.join(', ')})`,
  ]
  const joined = (words: readonly string[], by: string) => words.filter((word) => word !== '').join(by)
  // Each meaning is a line of its own, so that a value is found.
  const words =
    meanings.length === 0
      ? joined([schema.description ?? '', ...more], ' ')
      : joined([schema.description ?? '', ...meanings, joined(more, ' ')], '<br>')
  return `| \`${path}\`${required ? ' *(required)*' : ''} | ${escaped(typeLabel(schema, (value) => `\`${value}\``))} | ${escaped(words)} |`
}

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
