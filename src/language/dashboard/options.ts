import { listOf, object, optional, required, withDefault } from '../shape/collections.ts'
import { reportType } from '../shape/report-value.ts'
import { number, text } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap } from '../yaml/yaml-tree.ts'
import { msg } from '../messages.ts'
import { isDate } from '../task/argument-values.ts'
import type { Option, OptionsSource } from './dashboard.types.ts'
import { MAX_OPTIONS } from './limits.ts'
import { dataName } from './name-shapes.ts'

const labeled = object(
  {
    value: required(text({ description: 'The value.', examples: ['eu'], maxLength: 1_000 })),
    label: optional(text({ description: 'What people see; by default the value.', maxLength: 200 })),
  },
  { noun: msg('an_option'), description: 'A value and its label.' },
)
const bare = text({ description: 'A value.', maxLength: 1_000 })

const option: Shape<Option> = {
  schema: { description: 'A value, or a value and its label.', anyOf: [bare.schema, labeled.schema] },
  read(node, path, context) {
    if (node.kind === 'map') {
      const read = labeled.read(node, path, context)
      return read && { value: read.value, label: read.label ?? read.value }
    }
    if (node.kind === 'list') return reportType(node, path, context, msg('text_or_option'))
    const value = bare.read(node, path, context)
    return value === undefined ? undefined : { value, label: value }
  },
}

export const optionsShape = listOf(option, {
  description: 'The choices: texts, or maps with `value` and `label`.',
  min: 1,
  max: MAX_OPTIONS,
  examples: [['eu', 'us']],
})

export const day = (description: string): Shape<string> =>
  text({
    description,
    examples: ['2026-01-01'],
    check: (value) =>
      isDate(value)
        ? null
        : { code: 'invalid_value', message: msg('not_a_date', { value: value.slice(0, 40) }), hint: msg('write_date') },
  })

export const optionsSource: Shape<OptionsSource> = object(
  {
    data: required(dataName),
    page_size: withDefault(number({ description: 'Options of a page.', integer: true, min: 1, max: 200 }), 50),
  },
  {
    noun: msg('named', { name: 'options_source' }),
    description:
      'Options from a query with the columns `value`, `label`, and, if you like, `subText`. It can bind `:search`, `:cursor`, and `:limit`, and in a form the values of the other fields by their keys.',
  },
)

/** Of a choice: exactly one of `options` and `options_source`. true: so it is. */
export function checkChoices(
  values: { options?: unknown; options_source?: unknown },
  node: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  const both = values.options !== undefined && values.options_source !== undefined
  if (both || (values.options === undefined && values.options_source === undefined)) {
    const at = both ? entryOf(node, 'options_source')?.keySpan : undefined
    context.report({
      code: both ? 'several_choices' : 'missing_choice',
      message: both ? msg('options_twice') : msg('options_missing'),
      hint: both ? msg('keep_one') : msg('add_options'),
      path: both ? joinPath(path, 'options_source') : path,
      at: at ?? node.mark,
    })
    return false
  }
  return true
}

/** Of a choice with fixed options: whether its `default`, or each of several, is one of them. */
export function isAnOption(
  value: unknown,
  options: readonly Option[] | undefined,
  node: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  const chosen = Array.isArray(value) ? (value as unknown[]) : value === undefined ? [] : [value]
  const odd = options ? chosen.findIndex((one) => !options.some((option) => option.value === one)) : -1
  if (!options || odd === -1) return true
  const written = entryOf(node, 'default')?.value
  const [place, at] =
    written?.kind === 'list'
      ? [joinPath(joinPath(path, 'default'), odd), written.items[odd]]
      : [joinPath(path, 'default'), written]
  context.report({
    code: 'default_not_allowed',
    message: msg('default_not_an_option', { value: String(chosen[odd]).slice(0, 60) }),
    hint: msg('write_one_of', { values: options.slice(0, 15).map((option) => option.value) }),
    path: place,
    at: at?.mark ?? node.mark,
  })
  return false
}
