import { object, optional, withDefault } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import { number, text } from '../../shape/scalars.ts'
import { expectColumn } from '../column-flow.ts'
import { defineStep } from '../definitions.ts'
import type { FlattenStep } from './step.types.ts'
import { columnList } from './column-list.ts'

const description = [
  'Objects become columns of their own: `address` with `city` gives `address_city`.',
  '`true` takes every column with objects apart; lists stay as they are.',
  'In JSON columns the keys are those of all rows, in the order in which they first appear, and each column’s type follows from its values.',
].join(' ')

const columns = columnList('These columns only. Each must hold objects, or nothing.', [
  'address',
  ['address', 'customer'],
])
const separator = '_'
const depth = 10

const long = object(
  {
    columns: optional(columns),
    separator: withDefault(
      text({ description: 'Stands between the names.', examples: ['_', '.'], minLength: 0, maxLength: 10 }),
      separator,
    ),
    depth: withDefault(
      number({ description: 'How many levels of objects are taken apart.', integer: true, min: 1, max: 50 }),
      depth,
    ),
  },
  { noun: '`flatten`', description: 'Takes objects apart into columns.' },
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
        return reportType(
          node,
          path,
          context,
          '`true`, columns or a map',
          'Write `flatten: true`, or name the columns.',
        )
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
