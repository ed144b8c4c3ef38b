/** Widgets that people fill in. */
import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { text } from '../../shape/scalars.ts'
import { entryOf, joinPath } from '../../yaml/yaml-tree.ts'
import { msg } from '../../messages.ts'
import { MAX_CHOSEN, MAX_FIELDS } from '../limits.ts'
import { jobParameter } from '../name-shapes.ts'
import { optionsSource } from '../options.ts'
import { defineWidget } from './common.ts'
import { formField } from './form-field.ts'

export const form = defineWidget(
  'form',
  'Values for the job’s parameters. A `run_button` starts the job with them; what is entered is kept.',
  {
    fields: required(
      listOf(formField, {
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
