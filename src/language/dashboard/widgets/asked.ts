/** Widgets that people fill in. */
import { listOf, object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, flag, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap } from '../../yaml/yaml-tree.ts'
import { msg } from '../../messages.ts'
import type { FormField } from '../dashboard.types.ts'
import { MAX_CHOSEN, MAX_FIELDS } from '../limits.ts'
import { fileConnector, jobParameter, ownName } from '../name-shapes.ts'
import { checkChoices, optionsShape, optionsSource } from '../options.ts'
import { defineWidget } from './common.ts'

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
  },
  { noun: msg('a_field'), description: 'A field for a parameter of the job.' },
)

const field: Shape<FormField> = {
  schema: fieldShape.schema,
  read(node, path, context) {
    const values = fieldShape.read(node, path, context)
    if (!values || node.kind !== 'map' || !checkField(values, node, path, context)) return undefined
    const { label, description, options, options_source, connector, ...rest } = values
    return {
      ...rest,
      label: label ?? null,
      description: description ?? null,
      options: options ?? null,
      options_source: options_source ?? null,
      connector: connector ?? null,
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

export const form = defineWidget(
  'form',
  'Values for the job’s parameters. A `run_button` starts the job with them; what is entered is kept.',
  {
    fields: required(
      listOf(field, {
        description: 'The fields.',
        min: 1,
        max: MAX_FIELDS,
        examples: [[{ key: 'day', param: 'day', widget: 'date' }]],
      }),
    ),
  },
  ({ fields }, node, path, context) => {
    const written = entryOf(node, 'fields')?.value
    const keys = new Set<string>()
    let usable = true
    for (const [index, { key }] of fields.entries()) {
      if (keys.has(key)) {
        usable = false
        const item = written?.kind === 'list' ? written.items[index] : undefined
        context.report({
          code: 'duplicate_item',
          message: msg('duplicate_field', { key }),
          hint: msg('choose_other_name'),
          path: joinPath(joinPath(joinPath(path, 'fields'), index), 'key'),
          at: (item?.kind === 'map' ? entryOf(item, 'key')?.value.mark : undefined) ?? node.mark,
        })
      }
      keys.add(key)
    }
    return usable ? { type: 'form', fields } : undefined
  },
)

const side = (description: string) =>
  object(
    { options_source: required(optionsSource) },
    { noun: msg('a_widget_of_type', { type: 'field_mapping' }), description },
  )

export const fieldMapping = defineWidget(
  'field_mapping',
  'Which field goes into which. The mapping is kept, and given to a parameter of the job: a map from target to source.',
  {
    param: required(jobParameter),
    source: required(side('Fields to map from.')),
    target: required(side('Fields to map to.')),
    required: withDefault(
      listOf(text({ description: 'A target.', maxLength: 1_000 }), {
        description: 'Targets that must be mapped.',
        max: MAX_CHOSEN,
        unique: true,
        examples: [['id', 'email']],
      }),
      [],
    ),
  },
  (values) => ({
    type: 'field_mapping',
    param: values.param,
    source: values.source.options_source,
    target: values.target.options_source,
    required: values.required,
  }),
)
