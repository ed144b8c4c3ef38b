import { parseMapExpression } from '../../expressions/map-expression.ts'
import { object, required, withDefault } from '../../shape/collections.ts'
import { locateInScalar } from '../../shape/locate.ts'
import { reportType } from '../../shape/report-value.ts'
import { duration } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { expectDistinct, reportExisting } from '../column-flow.ts'
import { columnType, columnTypes, sameColumn } from '../column-types.ts'
import { defineStep, type KnownColumns } from '../definitions.ts'
import type { MapStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const rowTimeout = 5_000

const expression: Shape<string> = {
  schema: {
    type: 'string',
    description: [
      'JSONata over one row: an object returns one row, an array several, and nothing (or null) drops the row.',
      'Columns that are passed on unchanged (`"id": id`, `$`, `$merge([$, {…}])`) keep their type and every digit, including lists and objects.',
      'A column that is NULL does not exist: check with `$exists(email)` or `email ? … : …`.',
      'Computed columns get their type from the expression: arithmetic gives `number`, `$count` and similar functions `integer`, `&` and text functions `string`, comparisons `boolean`, objects and lists `json`. If the expression doesn’t show the type, as in `items[0].price`, it is detected from the values. `columns` sets it. In the expression, integers beyond ±2^53, decimals with more than 15 digits, dates and timestamps (ISO 8601), and bytes (Base64) are text.',
      'Arguments are not available: put one in a column first, with `derive: {day: ":day"}`.',
    ].join(' '),
    examples: [
      '{"id": id, "email": $lowercase(email)}',
      '$merge([$, {"total": price * quantity}])',
      'items.{"sku": sku, "quantity": quantity}',
    ],
    minLength: 1,
  },
  read(node, path, context) {
    if (node.kind !== 'scalar' || typeof node.value !== 'string') {
      return reportType(node, path, context, msg('text_jsonata'), msg('quote_jsonata'))
    }
    const { value } = node
    const template = value.indexOf('${{')
    if (template !== -1) {
      context.report({
        code: 'expression_not_allowed',
        message: msg('no_expression_in_jsonata'),
        hint: msg('use_column_instead'),
        path,
        at: locateInScalar(context.text, node, template, template + 3),
      })
      return undefined
    }
    const parsed = parseMapExpression(value)
    if (parsed.ok) return value
    const { code, message, hint, start, end } = parsed.problem
    context.report({ code, message, hint, path, at: locateInScalar(context.text, node, start, end) })
    return undefined
  },
}

const long = object(
  {
    expression: required(expression),
    timeout: withDefault(
      duration({ description: 'If a row takes longer, the run stops.', min: 10, examples: ['5s'] }),
      rowTimeout,
      '5s',
    ),
    columns: withDefault(
      columnTypes(columnType, {
        description:
          'Column types of the result. Unlisted columns keep their type, or get it from the expression, or else from the values. Required if the expression doesn’t show its columns and there may be no rows.',
        examples: [{ id: 'integer', total: 'decimal(18,2)' }],
      }),
      {},
      null,
    ),
  },
  { noun: msg('named', { name: 'map' }), description: 'An expression over each row, with its limits.' },
)

export const mapStep = defineStep<MapStep>({
  kind: 'map',
  shape: {
    schema: {
      description: expression.schema.description ?? '',
      examples: expression.schema.examples ?? [],
      anyOf: [expression.schema, long.schema],
    },
    read(node, path, context) {
      // A YAML map that has no key of the long form is an expression that lacks its quotes.
      if (node.kind === 'map' && node.entries.some(({ key }) => Object.hasOwn(long.fields, key))) {
        const values = long.read(node, path, context)
        return (
          values && { kind: 'map', expression: values.expression, timeout_ms: values.timeout, columns: values.columns }
        )
      }
      const text = expression.read(node, path, context)
      return text === undefined ? undefined : { kind: 'map', expression: text, timeout_ms: rowTimeout, columns: {} }
    },
  },
  flow(step, known, report) {
    const places = (column: string): string[][] => [['map', 'columns', column], ['map', 'expression'], ['map']]
    expectDistinct(Object.keys(step.columns), places, report)
    const columns = columnsAfter(step, known)
    if (columns === null) return null
    const seen: string[] = []
    for (const column of columns) {
      if (seen.some((other) => sameColumn(other, column))) reportExisting(column, places(column), report)
      seen.push(column)
    }
    return columns
  },
  resolve: (step) => step,
})

/** As far as the expression shows them. */
function columnsAfter(step: MapStep, known: KnownColumns): KnownColumns {
  const parsed = parseMapExpression(step.expression)
  const shape = parsed.ok ? parsed.shape : null
  if (!shape || (shape.spread && known === null)) return null
  const written = [...shape.columns.map((column) => column.name), ...Object.keys(step.columns)]
  return [...new Set([...(shape.spread ? (known ?? []) : []), ...written])]
}
