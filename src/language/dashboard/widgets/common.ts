import { object, optional, required } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import { number, text } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { defineTyped } from '../../shape/typed.ts'
import type { FieldValues, Fields } from '../../shape/collections.ts'
import { joinPath } from '../../yaml/yaml-tree.ts'
import { msg } from '../../messages.ts'
import type { Placement, Widget } from '../dashboard.types.ts'
import { GRID_COLUMNS, MAX_GRID_ROWS, MAX_WIDGET_HEIGHT } from '../limits.ts'
import { filterName, ownName } from '../name-shapes.ts'

const bounds = [
  { min: 0, max: GRID_COLUMNS - 1 },
  { min: 0, max: MAX_GRID_ROWS },
  { min: 1, max: GRID_COLUMNS },
  { min: 1, max: MAX_WIDGET_HEIGHT },
] as const
const parts = bounds.map((bound) => number({ description: 'A whole number.', integer: true, ...bound }))

const placement: Shape<Placement> = {
  schema: {
    type: 'array',
    description: `Where it is: \`[column, row, width, height]\` on a grid of ${GRID_COLUMNS} columns, from 0.`,
    items: { type: 'integer', minimum: 0, maximum: MAX_GRID_ROWS },
    minItems: 4,
    maxItems: 4,
    examples: [[0, 0, 6, 4]],
  },
  read(node, path, context) {
    if (node.kind !== 'list' || node.items.length !== 4)
      return reportType(node, path, context, msg('a_placement'), msg('give_value', { wanted: msg('a_placement') }))
    const read = node.items.map((item, index) => parts[index]?.read(item, joinPath(path, index), context))
    const [x, y, w, h] = read
    if (x === undefined || y === undefined || w === undefined || h === undefined) return undefined
    if (x + w <= GRID_COLUMNS) return [x, y, w, h]
    context.report({
      code: 'out_of_range',
      message: msg('placement_outside', { end: x + w, columns: GRID_COLUMNS }),
      hint: msg('move_or_shrink'),
      path,
      at: node.mark,
    })
    return undefined
  },
}

const widgetFields = {
  id: required(ownName('Name of the widget, unique in the dashboard.', ['revenue'])),
  at: required(placement),
  title: optional(text({ description: 'Heading of the widget.', maxLength: 200 })),
  description: optional(text({ description: 'A sentence or two about it.', maxLength: 2_000 })),
}
type Own<W extends Widget> = Omit<W, 'id' | 'at' | 'title' | 'description'>

/** A type of widget: its own keys, and what they become. */
export function defineWidget<W extends Widget, F extends Fields>(
  type: W['type'],
  description: string,
  fields: F,
  build: (
    values: FieldValues<F>,
    ...rest: Parameters<Parameters<typeof defineTyped<W, F>>[0]['build']> extends [unknown, ...infer Rest]
      ? Rest
      : never
  ) => Own<W> | undefined,
) {
  return defineTyped<W, Fields>({
    type,
    noun: msg('a_widget_of_type', { type }),
    description,
    fields: { ...widgetFields, ...fields },
    build(values, ...rest) {
      // Read by `widgetFields` and `fields`.
      const { id, at, title, description: note } = values as unknown as FieldValues<typeof widgetFields>
      const own = build(values as unknown as FieldValues<F>, ...rest)
      if (!own) return undefined
      return { id, at, title: title ?? null, description: note?.trim() ?? null, ...own } as W // `Own` is the rest of it
    },
  })
}

export const column = (description: string, examples = ['total']): Shape<string> =>
  text({ description, examples, maxLength: 200 })

export const numberFormat = {
  unit: optional(
    text({
      description: 'Shown after the number. `ms`, `bytes`, and `ratio` are shown as durations, sizes, and percentages.',
      examples: ['€', 'rows', 'ms'],
      maxLength: 20,
    }),
  ),
  decimals: optional(number({ description: 'Digits after the decimal point.', integer: true, min: 0, max: 10 })),
}
export const formatOf = ({ unit, decimals }: { unit: string | undefined; decimals: number | undefined }) => ({
  unit: unit ?? null,
  decimals: decimals ?? null,
})

export const crossFilter = object(
  {
    filter: required(filterName),
    column: optional(
      column('Column with the value; by default `x` of a chart, the first column of a table.', ['region']),
    ),
  },
  {
    noun: msg('named', { name: 'cross_filter' }),
    description: 'A click on a mark, or a double click on a row, sets a filter to its value.',
  },
)
