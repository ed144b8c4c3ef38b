/** A field of a form. */
import { listOf, object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, flag, number, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../../yaml/yaml-tree.ts'
import { msg } from '../../messages.ts'
import type { FieldKind, FieldValue, FormField } from '../dashboard.types.ts'
import { MAX_CHOSEN } from '../limits.ts'
import { fileConnector, jobParameter, ownName } from '../name-shapes.ts'
import { checkChoices, day, isAnOption, optionsShape, optionsSource } from '../options.ts'

const oneText = text({ description: 'A text.', maxLength: 1_000 })
/** The value at the start, by how the field is entered. */
export const defaultShapes: Readonly<Record<FieldKind, Shape<NonNullable<FieldValue>>>> = {
  text: oneText,
  number: number({ description: 'A number.' }),
  date: day('A date.'),
  select: oneText,
  multiselect: listOf(oneText, { description: 'A list of texts.', max: MAX_CHOSEN, unique: true }),
  switch: flag({ description: 'True or false.' }),
  file: oneText,
}

/** It is read when it is known how the field is entered. */
const unread: Shape<YamlNode> = {
  schema: {
    description:
      'The value at the start, until someone enters another one: of `multiselect` a list, of `switch` true or false, of a field with `options` one of them.',
    examples: ['2026-01-31'],
    anyOf: [oneText, defaultShapes.number, defaultShapes.switch, defaultShapes.multiselect].map(({ schema }) => schema),
  },
  read: (node) => node,
}

function readDefault(
  { widget, options, default: written }: NonNullable<ReturnType<typeof fieldShape.read>>,
  node: YamlMap,
  path: string,
  context: ReadContext,
): FieldValue | undefined {
  if (!written) return null
  const value = defaultShapes[widget].read(written, joinPath(path, 'default'), context)
  return value !== undefined && isAnOption(value, options, node, path, context) ? value : undefined
}

const fieldShape = object(
  {
    key: required(ownName('Name of the field, unique in the form. Options of other fields can bind it.', ['day'])),
    param: required(jobParameter),
    label: optional(text({ description: 'What people see; by default the key.', maxLength: 200 })),
    description: optional(text({ description: 'What to enter.', maxLength: 1_000 })),
    widget: withDefault(
      choice('How it is entered.', {
        text: 'Text.',
        number: 'A number.',
        date: 'A date.',
        select: 'One of several values.',
        multiselect: 'Any number of values.',
        switch: 'True or false.',
        file: 'A file of a connector.',
      }),
      'text',
    ),
    required: withDefault(flag({ description: 'Whether it must be filled in.' }), false),
    options: optional(optionsShape),
    options_source: optional(optionsSource),
    connector: optional(fileConnector),
    default: optional(unread),
  },
  { noun: msg('a_field'), description: 'A field for a parameter of the job.' },
)

export const formField: Shape<FormField> = {
  schema: fieldShape.schema,
  read(node, path, context) {
    const values = fieldShape.read(node, path, context)
    if (!values || node.kind !== 'map' || !checkField(values, node, path, context)) return undefined
    const start = readDefault(values, node, path, context)
    if (start === undefined) return undefined
    const { label, description, options, options_source, connector, ...rest } = values
    return {
      ...rest,
      label: label ?? null,
      description: description ?? null,
      options: options ?? null,
      options_source: options_source ?? null,
      connector: connector ?? null,
      default: start,
    }
  },
}

function checkField(
  values: NonNullable<ReturnType<typeof fieldShape.read>>,
  node: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  const { widget } = values
  const isChoice = widget === 'select' || widget === 'multiselect'
  if (isChoice && !checkChoices(values, node, path, context)) return false
  const odd = isChoice ? undefined : (entryOf(node, 'options') ?? entryOf(node, 'options_source'))
  const oddConnector = widget === 'file' ? undefined : entryOf(node, 'connector')
  const first = odd ?? oddConnector
  if (first) {
    context.report({
      code: 'option_not_applicable',
      message: odd ? msg('only_of_choice', { key: odd.key }) : msg('only_of_file'),
      hint: msg('remove_it'),
      path: joinPath(path, first.key),
      at: first.keySpan,
    })
    return false
  }
  if (widget !== 'file' || values.connector !== undefined) return true
  context.report({
    code: 'missing_field',
    message: msg('file_needs_connector'),
    hint: msg('add_connector'),
    path,
    at: node.mark,
  })
  return false
}
