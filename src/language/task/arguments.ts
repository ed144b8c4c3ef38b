import type { ScopeDescription } from '../expressions/references.ts'
import { hasExpression } from '../expressions/template.ts'
import { compilePattern } from '../pattern.ts'
import { listOf, object, optional, required } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { jsonValue } from '../shape/json-value.ts'
import { reportType } from '../shape/report-value.ts'
import { choice, flag, refuseTemplate, text } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap } from '../yaml/yaml-tree.ts'
import { boundOf, checkArgumentValue } from './argument-values.ts'
import { NAME, NAME_WANTED } from './connector-slots.ts'
import { runScope } from './task-scope.ts'
import type { ArgumentSpec, ArgumentType, Json } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

const simpleTypes = {
  string: 'Text.',
  integer: 'A whole number up to ±9007199254740991.',
  number: 'A number.',
  boolean: 'true or false.',
  date: 'A date, e.g. 2024-12-31.',
  datetime: 'A date and time, e.g. 2024-12-31T23:59:59Z; UTC if it has no offset.',
  duration: 'A duration, e.g. 10s, 5m, PT1H.',
  json: 'Any JSON value.',
} as const
const types = { ...simpleTypes, list: 'A list; `items` sets the type of its items.' } as const

const bound = (description: string): Shape<Json> => ({
  schema: { description, examples: [1, '2024-01-01'] },
  read(node, path, context) {
    if (!refuseTemplate(node, path, context)) return undefined
    if (node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'string')) return node.value
    return reportType(node, path, context, msg('a_number_date_or_duration'))
  },
})

const specFields = {
  type: required(choice('Type of the value.', types)),
  required: optional(
    flag({
      description:
        'A run without a value is refused. If neither `required` nor `default` is set, a missing value is null.',
    }),
  ),
  default: optional(
    jsonValue({
      description: 'The value to use if none is given. An expression can use `run`, e.g. `${{ run.logical_date }}`.',
      template: true,
    }),
  ),
  enum: optional(
    listOf(jsonValue({ description: 'An allowed value.', template: false }), {
      description: 'The allowed values; for a list, the allowed items.',
      min: 1,
      examples: [['eu', 'us']],
    }),
  ),
  min: optional(bound('Minimum value; for text its length, for a list its number of items.')),
  max: optional(bound('Maximum value; for text its length, for a list its number of items.')),
  pattern: optional(
    text({
      description:
        'Regular expression that the text, or each text of a list, must match from start to end. Without back-references, lookaround, or repetition inside repetition.',
      examples: ['[A-Z]{2}-[0-9]+'],
      maxLength: 500,
    }),
  ),
  items: optional(choice("Type of a list's items; by default `json`.", simpleTypes)),
  description: optional(text({ description: 'What it is for. Shown where the value is entered.', maxLength: 1_000 })),
}

const applies: Record<'min' | 'max' | 'pattern' | 'items', readonly ArgumentType[]> = {
  min: ['string', 'integer', 'number', 'date', 'datetime', 'duration', 'list'],
  max: ['string', 'integer', 'number', 'date', 'datetime', 'duration', 'list'],
  pattern: ['string', 'list'],
  items: ['list'],
}

/** A typed value: an argument of a task, a parameter of a job template. `scope`: what its default may refer to. */
export function typedValue(noun: Message, description: string, scope: ScopeDescription): Shape<ArgumentSpec> {
  const fields = object(specFields, { noun, description })
  return {
    schema: { ...fields.schema, examples: [{ type: 'date', default: '${{ run.logical_date }}' }] },
    read(node, path, outer) {
      const context: ReadContext = { ...outer, scope }
      const values = fields.read(node, path, context)
      if (!values || node.kind !== 'map') return undefined
      const { min, max, required: isRequired, ...rest } = values
      const spec: ArgumentSpec = { ...withoutUndefined(rest), type: rest.type, required: isRequired ?? false }
      if (typeof min === 'number' || typeof min === 'string') spec.min = min
      if (typeof max === 'number' || typeof max === 'string') spec.max = max
      return checkSpec(spec, node, path, context) ? spec : undefined
    },
  }
}

// Defaults are evaluated before arguments exist, so only the run is there to refer to.
const argument = typedValue(
  msg('an_argument'),
  'An argument of the task: a typed value given when a run starts.',
  runScope,
)

function withoutUndefined<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T> // same keys
}

export const argumentSpecs = record(argument, {
  description: 'Arguments by name, given when a run starts: `${{ args.name }}` in expressions, `:name` in SQL.',
  examples: [{ since: { type: 'datetime', default: '2024-01-01T00:00:00Z' } }],
  max: 100,
  key: { pattern: NAME, wanted: NAME_WANTED },
})

function checkSpec(spec: ArgumentSpec, node: YamlMap, path: string, context: ReadContext): boolean {
  const fail = (
    code: Parameters<ReadContext['report']>[0]['code'],
    key: string,
    message: Message,
    hint: Message,
  ): false => {
    context.report({ code, message, hint, path: joinPath(path, key), at: entryOf(node, key)?.value.mark ?? node.mark })
    return false
  }
  for (const key of ['min', 'max', 'pattern', 'items'] as const) {
    if (spec[key] === undefined || applies[key].includes(spec.type)) continue
    return fail(
      'constraint_not_applicable',
      key,
      msg('constraint_not_applicable', { key, type: spec.type }),
      msg('constraint_goes_with', { types: applies[key] }),
    )
  }
  for (const key of ['min', 'max'] as const) {
    const value = spec[key]
    const kind = spec.type === 'string' || spec.type === 'list' ? 'integer' : spec.type
    if (value === undefined || boundOf(kind, value) !== null) continue
    return fail(
      'invalid_value',
      key,
      kind === spec.type ? msg('constraint_of_type', { key, type: kind }) : msg('constraint_whole', { key }),
      msg('write_of_type'),
    )
  }
  if (spec.min !== undefined && spec.max !== undefined) {
    const [low, high] = [
      boundOf(spec.type === 'list' ? 'integer' : spec.type, spec.min),
      boundOf(spec.type === 'list' ? 'integer' : spec.type, spec.max),
    ]
    if (low !== null && high !== null && low > high) {
      return fail('range_reversed', 'min', msg('range_reversed', { min: spec.min, max: spec.max }), msg('swap'))
    }
  }
  if (spec.pattern !== undefined) {
    const pattern = compilePattern(spec.pattern)
    if (!pattern.ok) return fail(pattern.problem.code, 'pattern', pattern.problem.message, pattern.problem.hint)
  }
  return checkEnum(spec, node, path, context) && checkDefault(spec, fail)
}

function checkEnum(spec: ArgumentSpec, node: YamlMap, path: string, context: ReadContext): boolean {
  const enumNode = entryOf(node, 'enum')?.value
  if (!spec.enum || enumNode?.kind !== 'list') return true
  // Of a list the items are meant; each allowed value must itself be of the type and within the other constraints.
  const one: ArgumentSpec = {
    ...spec,
    type: spec.type === 'list' ? (spec.items ?? 'json') : spec.type,
    enum: undefined,
  }
  if (spec.type === 'list') Object.assign(one, { min: undefined, max: undefined })
  for (const [index, value] of spec.enum.entries()) {
    const checked = checkArgumentValue(one, value)
    if (checked.ok) continue
    context.report({
      code: 'invalid_value',
      message: msg('value_never_allowed', { problem: checked.problem.message }),
      hint: msg('correct_or_remove'),
      path: `${path}.enum[${index}]`,
      at: enumNode.items[index]?.mark ?? enumNode.mark,
    })
    return false
  }
  return true
}

function checkDefault(
  spec: ArgumentSpec,
  fail: (code: 'required_with_default' | 'default_not_allowed', key: string, message: Message, hint: Message) => false,
): boolean {
  if (spec.default === undefined) return true
  if (spec.required) {
    return fail('required_with_default', 'default', msg('required_with_default'), msg('remove_required_or_default'))
  }
  if (spec.default === null || holdsExpression(spec.default)) return true
  const checked = checkArgumentValue(spec, spec.default)
  if (checked.ok) return true
  return fail(
    'default_not_allowed',
    'default',
    msg('default_not_allowed', { problem: checked.problem.message }),
    msg('change_default'),
  )
}

export function holdsExpression(value: Json): boolean {
  if (typeof value === 'string') return hasExpression(value)
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some((part: Json) => holdsExpression(part))
}
