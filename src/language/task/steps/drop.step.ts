import { listOf } from '../../shape/collections.ts'
import { expectColumn } from '../column-flow.ts'
import { columnName, sameColumn } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { DropStep } from './step.types.ts'

const columns = listOf(columnName, {
  description: 'Removes these columns.',
  examples: [['internal_note']],
  min: 1,
  unique: 'columns',
})

export const dropStep = defineStep<DropStep>({
  kind: 'drop',
  shape: {
    schema: columns.schema,
    read(node, path, context) {
      const names = columns.read(node, path, context)
      return names && { kind: 'drop', columns: names }
    },
  },
  flow(step, known, report) {
    for (const [index, column] of step.columns.entries()) expectColumn(column, known, [['drop', index]], report)
    return known && known.filter((column) => !step.columns.some((dropped) => sameColumn(dropped, column)))
  },
  resolve: (step) => step,
})
