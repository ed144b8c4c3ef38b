import { object, required, withDefault } from '../../shape/collections.ts'
import { choice } from '../../shape/scalars.ts'
import { entryOf } from '../../yaml/yaml-tree.ts'
import { expectColumn, expectDistinct } from '../column-flow.ts'
import { columnTypes } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { CastStep } from './step.types.ts'

const short = columnTypes({
  description: 'Gives columns a type: column → type.',
  examples: [{ id: 'integer', updated_at: 'datetime' }],
  min: 1,
})

const long = object(
  {
    columns: required(short),
    on_error: withDefault(
      choice('What happens with a value that does not fit its type.', {
        fail: 'The run fails and names column and value.',
        null: 'The value becomes NULL.',
        quarantine: "The row goes to the run's rejects.",
      }),
      'fail',
    ),
  },
  { noun: '`cast`', description: 'Gives columns a type, and says what happens with values that do not fit.' },
)

export const castStep = defineStep<CastStep>({
  kind: 'cast',
  shape: {
    schema: {
      description: long.schema.description,
      examples: short.schema.examples,
      anyOf: [short.schema, long.schema],
    },
    read(node, path, context) {
      // `columns` with a map below it cannot be a column's type, so the forms never meet.
      if (node.kind === 'map' && entryOf(node, 'columns')?.value.kind === 'map') {
        const values = long.read(node, path, context)
        return values && { kind: 'cast', ...values }
      }
      const columns = short.read(node, path, context)
      return columns && { kind: 'cast', columns, on_error: 'fail' }
    },
  },
  flow(step, known, report) {
    const names = Object.keys(step.columns)
    const places = (column: string): string[][] => [
      ['cast', 'columns', column],
      ['cast', column],
    ]
    for (const column of names) expectColumn(column, known, places(column), report)
    expectDistinct(names, places, report)
    return known
  },
  resolve: (step) => step,
})
