import { listOf } from '../../shape/collections.ts'
import { expectColumn } from '../column-flow.ts'
import { columnName } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { SelectStep } from './step.types.ts'

const columns = listOf(columnName, {
  description: 'Keeps these columns, in this order.',
  examples: [['id', 'email']],
  min: 1,
  unique: 'columns',
})

export const selectStep = defineStep<SelectStep>({
  kind: 'select',
  shape: {
    schema: columns.schema,
    read(node, path, context) {
      const names = columns.read(node, path, context)
      return names && { kind: 'select', columns: names }
    },
  },
  flow(step, known, report) {
    for (const [index, column] of step.columns.entries()) expectColumn(column, known, [['select', index]], report)
    return step.columns
  },
  resolve: (step) => step,
})
