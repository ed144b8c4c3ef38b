import { listOf, object, optional, withDefault } from '../shape/collections.ts'
import { record } from '../shape/record.ts'
import { reportType } from '../shape/report-value.ts'
import { choice, duration, number, refuseTemplate, text } from '../shape/scalars.ts'
import type { ReadContext, Shape } from '../shape/shape.types.ts'
import { defineTyped, typedMap } from '../shape/typed.ts'
import { isDate } from '../task/argument-values.ts'
import { NAME, NAME_WANTED } from '../task/connector-slots.ts'
import { entryOf, joinPath, type YamlMap } from '../yaml/yaml-tree.ts'
import { msg } from '../messages.ts'
import type { DashboardFilter, RangeValue, TimeWindow } from './dashboard.types.ts'
import { MAX_CHOSEN, MAX_FILTERS } from './limits.ts'
import { checkChoices, day, isAnOption, optionsShape, optionsSource } from './options.ts'

const common = {
  label: optional(text({ description: 'What people see; by default the name.', maxLength: 200 })),
  description: optional(text({ description: 'What it is for.', maxLength: 1_000 })),
}
const commonOf = ({ label, description }: { label: string | undefined; description: string | undefined }) => ({
  label: label ?? null,
  description: description ?? null,
})

/** A number or a date: which, `of` says, and is checked with it. */
const bound = (description: string): Shape<string | number> => ({
  schema: { description, examples: [0, '2026-01-01'] },
  read(node, path, context) {
    if (!refuseTemplate(node, path, context)) return undefined
    if (node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'string')) return node.value
    return reportType(node, path, context, msg('a_number_or_date'))
  },
})

const rangeDefault = object(
  { from: optional(bound('Start, included.')), to: optional(bound('End, included.')) },
  { noun: msg('named', { name: 'default' }), description: 'The range at the start. Without an end it is open.' },
)

const dateFilter = defineTyped({
  type: 'date',
  noun: msg('a_filter'),
  description: 'A date.',
  fields: {
    default: optional(day('The date at the start.')),
    min: optional(day('First date that can be chosen.')),
    max: optional(day('Last date that can be chosen.')),
    ...common,
  },
  build(values, node, path, context): DashboardFilter | undefined {
    if (!checkBounds(values, node, path, context)) return undefined
    const { default: start, min, max } = values
    return { type: 'date', default: start ?? null, min: min ?? null, max: max ?? null, ...commonOf(values) }
  },
})

const rangeFilter = defineTyped({
  type: 'range',
  noun: msg('a_filter'),
  description: 'From and to: `${{ filters.name.from }}` and `${{ filters.name.to }}`.',
  fields: {
    of: withDefault(choice('What the range is of.', { date: 'Dates.', number: 'Numbers.' }), 'date'),
    default: optional(rangeDefault),
    min: optional(bound('Smallest value that can be chosen.')),
    max: optional(bound('Largest value that can be chosen.')),
    ...common,
  },
  build(values, node, path, context): DashboardFilter | undefined {
    const { of, min, max } = values
    const { from = null, to = null } = values.default ?? {}
    const parts = [
      ['min', min, entryOf(node, 'min')],
      ['max', max, entryOf(node, 'max')],
      ['default', from, entryOf(node, 'default')],
      ['default', to, entryOf(node, 'default')],
    ] as const
    for (const [key, value, entry] of parts) {
      if (value === undefined || value === null) continue
      if (of === 'number' ? typeof value === 'number' : typeof value === 'string' && isDate(value)) continue
      return reportType(
        entry?.value ?? node,
        joinPath(path, key),
        context,
        of === 'number' ? msg('a_number') : msg('a_date'),
      )
    }
    if (!checkBounds({ min, max }, node, path, context)) return undefined
    const start: RangeValue = { from, to }
    if (from !== null && to !== null && from > to) return reversed('default', from, to, node, path, context)
    if (!within(start.from, min, max) || !within(start.to, min, max)) return outside(node, path, context)
    return { type: 'range', of, default: start, min: min ?? null, max: max ?? null, ...commonOf(values) }
  },
})

function reversed(
  key: string,
  min: string | number,
  max: string | number,
  node: YamlMap,
  path: string,
  context: ReadContext,
): undefined {
  context.report({
    code: 'range_reversed',
    message: key === 'default' ? msg('from_after_to', { from: min, to: max }) : msg('range_reversed', { min, max }),
    hint: msg('swap'),
    path: joinPath(path, key),
    at: entryOf(node, key)?.value.mark ?? node.mark,
  })
}

const within = (value: string | number | null, min?: string | number, max?: string | number): boolean =>
  value === null || ((min === undefined || value >= min) && (max === undefined || value <= max))

function outside(node: YamlMap, path: string, context: ReadContext): undefined {
  context.report({
    code: 'default_not_allowed',
    message: msg('default_outside'),
    hint: msg('change_default'),
    path: joinPath(path, 'default'),
    at: entryOf(node, 'default')?.value.mark ?? node.mark,
  })
}

function checkBounds(
  {
    min,
    max,
    default: start,
  }: { min?: string | number | undefined; max?: string | number | undefined; default?: string | undefined },
  node: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  if (min !== undefined && max !== undefined && min > max) {
    reversed('min', min, max, node, path, context)
    return false
  }
  if (within(start ?? null, min, max)) return true
  outside(node, path, context)
  return false
}

const choices = { options: optional(optionsShape), options_source: optional(optionsSource) }

const selectFilter = defineTyped({
  type: 'select',
  noun: msg('a_filter'),
  description: 'One of several values.',
  fields: {
    ...choices,
    default: optional(text({ description: 'The value at the start.', maxLength: 1_000 })),
    ...common,
  },
  build(values, node, path, context): DashboardFilter | undefined {
    if (!checkChoices(values, node, path, context)) return undefined
    const { options, options_source } = values
    if (!isAnOption(values.default, options, node, path, context)) return undefined
    return {
      type: 'select',
      options: options ?? null,
      options_source: options_source ?? null,
      default: values.default ?? null,
      ...commonOf(values),
    }
  },
})

const multiselectFilter = defineTyped({
  type: 'multiselect',
  noun: msg('a_filter'),
  description: 'Any number of values: `IN (:name)` in SQL.',
  fields: {
    ...choices,
    default: withDefault(
      listOf(text({ description: 'A value.', maxLength: 1_000 }), {
        description: 'The values at the start.',
        max: MAX_CHOSEN,
        unique: true,
      }),
      [],
    ),
    ...common,
  },
  build(values, node, path, context): DashboardFilter | undefined {
    if (!checkChoices(values, node, path, context)) return undefined
    const { options, options_source } = values
    if (!isAnOption(values.default, options, node, path, context)) return undefined
    return {
      type: 'multiselect',
      options: options ?? null,
      options_source: options_source ?? null,
      default: values.default,
      ...commonOf(values),
    }
  },
})

const textFilter = defineTyped({
  type: 'text',
  noun: msg('a_filter'),
  description: 'Text that someone types.',
  fields: {
    default: optional(text({ description: 'The text at the start.', minLength: 0, maxLength: 1_000 })),
    max_length: withDefault(number({ description: 'Most characters.', integer: true, min: 1, max: 1_000 }), 200),
    ...common,
  },
  build(values, node, path, context): DashboardFilter | undefined {
    const start = values.default ?? null
    if (start !== null && start.length > values.max_length) return outside(node, path, context)
    return { type: 'text', default: start, max_length: values.max_length, ...commonOf(values) }
  },
})

export const filtersShape = record<DashboardFilter>(
  typedMap(msg('a_filter'), 'A value that viewers choose.', [
    dateFilter,
    rangeFilter,
    selectFilter,
    multiselectFilter,
    textFilter,
  ]),
  {
    description: 'Values that viewers choose, by name: `${{ filters.name }}` in the `params` of a query.',
    examples: [{ from: { type: 'date', default: '2026-01-01' } }],
    max: MAX_FILTERS,
    key: { pattern: NAME, wanted: NAME_WANTED },
  },
)

const minute = 60_000
const windowShape = object(
  {
    default: withDefault(
      duration({ description: 'How far back it reaches at the start.', min: minute, examples: ['7d', '24h'] }),
      7 * 24 * 60 * minute,
      '7d',
    ),
    max: withDefault(
      duration({ description: 'How long it may be at most.', min: minute, examples: ['90d'] }),
      366 * 24 * 60 * minute,
      '366d',
    ),
  },
  {
    noun: msg('named', { name: 'time_window' }),
    description:
      'A time window for all widgets: `${{ window.from }}` and `${{ window.to }}` in the `params` of a query. Metrics without `last` use it.',
  },
)
export const timeWindow: Shape<TimeWindow> = {
  schema: { ...windowShape.schema, examples: [{ default: '7d', max: '90d' }] },
  read(node, path, context) {
    const values = windowShape.read(node, path, context)
    if (!values || node.kind !== 'map') return undefined
    if (values.default <= values.max) return { default_ms: values.default, max_ms: values.max }
    context.report({
      code: 'range_reversed',
      message: msg('window_too_long'),
      hint: msg('raise_max_or_lower_default'),
      path: joinPath(path, 'default'),
      at: entryOf(node, 'default')?.value.mark ?? node.mark,
    })
    return undefined
  },
}
