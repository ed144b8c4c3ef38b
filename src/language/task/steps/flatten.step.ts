import { object, optional, withDefault } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import { number, text } from '../../shape/scalars.ts'
import { expectColumn } from '../column-flow.ts'
import { defineStep } from '../definitions.ts'
import type { FlattenStep } from './step.types.ts'
import { columnList } from './column-list.ts'
import { msg } from '../../messages.ts'

const description = [
  'Turns the fields of objects into columns: `address` with `city` becomes `address_city`.',
  '`true` flattens every column with objects; lists are not changed.',
  'In JSON columns, the keys of all rows are used, in the order in which they first appear, and each column’s type is detected from its values.',
].join(' ')

const columns = columnList('Only these columns. Each must contain objects or NULL.', [
  'address',
  ['address', 'customer'],
])
const separator = '_'
const depth = 10

const long = object(
  {
    columns: optional(columns),
    separator: withDefault(
      text({ description: 'Text between the names.', examples: ['_', '.'], minLength: 0, maxLength: 10 }),
      separator,
    ),
    depth: withDefault(
      number({ description: 'How many levels of objects to flatten.', integer: true, min: 1, max: 50 }),
      depth,
    ),
  },
  { noun: msg('named', { name: 'flatten' }), description: 'Flattens objects into columns.' },
)

export const flattenStep = defineStep<FlattenStep>({
  kind: 'flatten',
  shape: {
    schema: {
      description,
      examples: [true, ['address'], { columns: ['address'], separator: '.', depth: 1 }],
      anyOf: [{ const: true, description: 'Every column with objects.' }, ...(columns.schema.anyOf ?? []), long.schema],
    },
    read(node, path, context) {
      if (node.kind === 'map') {
        const values = long.read(node, path, context)
        return values && { kind: 'flatten', ...values, columns: values.columns ?? null }
      }
      if (node.kind === 'scalar' && node.value === true) return { kind: 'flatten', columns: null, separator, depth }
      if (node.kind === 'scalar' && typeof node.value !== 'string')
        return reportType(node, path, context, msg('flag_columns_or_map'), msg('write_flatten'))
      const names = columns.read(node, path, context)
      return names && { kind: 'flatten', columns: names, separator, depth }
    },
  },
  flow(step, known, report) {
    for (const [index, column] of (step.columns ?? []).entries()) {
      const places = [['flatten', 'columns', index], ['flatten', 'columns'], ['flatten', index], ['flatten']]
      expectColumn(column, known, places, report)
    }
    return null // what the objects hold only shows when it runs
  },
  resolve: (step) => step,
})
