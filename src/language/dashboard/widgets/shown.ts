/** Widgets that show data. */
import { listOf, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, flag, number, text } from '../../shape/scalars.ts'
import { entryOf, joinPath } from '../../yaml/yaml-tree.ts'
import { msg } from '../../messages.ts'
import { dataName, filterName } from '../name-shapes.ts'
import { column, crossFilter, defineWidget, formatOf, numberFormat } from './common.ts'

const crossFilterOf = (read: { filter: string; column: string | undefined } | undefined) =>
  read ? { filter: read.filter, column: read.column ?? null } : null

export const kpi = defineWidget(
  'kpi',
  'One number, with its change and a sparkline.',
  {
    data: required(dataName),
    value: optional(column('Column with the number; by default the first one with numbers.')),
    compare: withDefault(
      choice('What the number is compared with.', {
        none: 'Nothing.',
        previous: 'The row before it: of a metric the time before.',
      }),
      'none',
    ),
    good: withDefault(
      choice('Which direction is good news.', { up: 'More is better.', down: 'Less is better.' }),
      'up',
    ),
    sparkline: withDefault(flag({ description: 'Whether earlier rows are drawn as a line.' }), true),
    ...numberFormat,
  },
  (values) => ({
    type: 'kpi',
    data: values.data,
    value: values.value ?? null,
    compare: values.compare,
    good: values.good,
    sparkline: values.sparkline,
    ...formatOf(values),
  }),
)

export const chart = defineWidget(
  'chart',
  'A chart.',
  {
    chart: required(
      choice('Its form.', {
        line: 'A line for each series.',
        area: 'Lines with the area below them.',
        bar: 'Bars side by side.',
        stacked: 'Bars on top of each other.',
        pie: 'Parts of a whole.',
        scatter: 'Points.',
        heatmap: 'Colored cells: `x`, `y`, and `value`.',
      }),
    ),
    data: required(dataName),
    x: required(column('Column of the horizontal axis; of a pie, of the names of its parts.', ['day'])),
    y: required(
      listOf(column('A column with numbers; of a heatmap, of the vertical axis.'), {
        description: 'Columns of the vertical axis, a series each.',
        min: 1,
        max: 20,
        unique: true,
        examples: [['total']],
      }),
    ),
    series: optional(column('Column with a series for each of its values.', ['region'])),
    value: optional(column('Of a heatmap: the column that gives the color.')),
    legend: withDefault(flag({ description: 'Whether the names of the series are shown.' }), true),
    cross_filter: optional(crossFilter),
    drill: optional(dataName),
    ...numberFormat,
  },
  (values, node, path, context) => {
    const { chart: form, value, y } = values
    if (form === 'heatmap' && value === undefined) {
      context.report({
        code: 'missing_field',
        message: msg('heatmap_needs_value'),
        hint: msg('add_value'),
        path,
        at: node.mark,
      })
      return undefined
    }
    const odd = form === 'heatmap' ? undefined : entryOf(node, 'value')
    if (odd) {
      context.report({
        code: 'option_not_applicable',
        message: msg('only_of_heatmap'),
        hint: msg('remove_it'),
        path: joinPath(path, 'value'),
        at: odd.keySpan,
      })
      return undefined
    }
    if (y.length > 1 && (form === 'pie' || form === 'heatmap')) {
      context.report({
        code: 'wrong_length',
        message: msg('one_y_only', { chart: form, count: y.length }),
        hint: msg('keep_one_y'),
        path: joinPath(path, 'y'),
        at: entryOf(node, 'y')?.value.mark ?? node.mark,
      })
      return undefined
    }
    return {
      type: 'chart',
      chart: form,
      data: values.data,
      x: values.x,
      y,
      series: values.series ?? null,
      value: value ?? null,
      legend: values.legend,
      cross_filter: crossFilterOf(values.cross_filter),
      drill: values.drill ?? null,
      ...formatOf(values),
    }
  },
)

export const table = defineWidget(
  'table',
  'Rows.',
  {
    data: required(dataName),
    columns: optional(
      listOf(column('A column.'), {
        description: 'The columns, in this order; by default all.',
        min: 1,
        max: 200,
        unique: true,
        examples: [['day', 'total']],
      }),
    ),
    sort: optional(column('Column that the rows are sorted by at the start.')),
    order: withDefault(choice('Direction of `sort`.', { asc: 'Ascending.', desc: 'Descending.' }), 'asc'),
    page_size: withDefault(number({ description: 'Rows of a page.', integer: true, min: 1, max: 500 }), 50),
    search: withDefault(flag({ description: 'Whether the rows can be searched.' }), true),
    cross_filter: optional(crossFilter),
    drill: optional(dataName),
  },
  (values) => ({
    type: 'table',
    data: values.data,
    columns: values.columns ?? null,
    sort: values.sort ?? null,
    order: values.order,
    page_size: values.page_size,
    search: values.search,
    cross_filter: crossFilterOf(values.cross_filter),
    drill: values.drill ?? null,
  }),
)

export const textWidget = defineWidget(
  'text',
  'Text in Markdown.',
  {
    text: required(
      text({ description: 'Markdown. HTML in it is shown as text.', examples: ['## Figures'], maxLength: 20_000 }),
    ),
  },
  (values) => ({ type: 'text', text: values.text }),
)

export const filterWidget = defineWidget(
  'filter',
  'The control of a filter, instead of its place in the bar.',
  { filter: required(filterName) },
  (values) => ({ type: 'filter', filter: values.filter }),
)
