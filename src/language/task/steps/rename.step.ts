import { record } from '../../shape/record.ts'
import { expectColumn, reportExisting } from '../column-flow.ts'
import { columnName, sameColumn } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { RenameStep } from './step.types.ts'

const columns = record(columnName, {
  description: 'Renames columns: old → new. All are renamed together, so two columns can swap names.',
  examples: [{ old_name: 'new_name' }],
  min: 1,
})
const schema = { ...columns.schema, propertyNames: { 'x-complete': 'column' as const } }

export const renameStep = defineStep<RenameStep>({
  kind: 'rename',
  shape: {
    schema,
    read(node, path, context) {
      const names = columns.read(node, path, context)
      return names && { kind: 'rename', columns: names }
    },
  },
  flow(step, known, report) {
    const renames = Object.entries(step.columns)
    const kept = known?.filter((column) => !renames.some(([old]) => sameColumn(old, column))) ?? []
    const taken = new Set(kept.map((column) => column.toLowerCase()))
    for (const [old, renamed] of renames) {
      expectColumn(old, known, [['rename', old]], report)
      if (taken.has(renamed.toLowerCase())) reportExisting(renamed, [['rename', old]], report)
      taken.add(renamed.toLowerCase())
    }
    return known && known.map((column) => renames.find(([old]) => sameColumn(old, column))?.[1] ?? column)
  },
  resolve: (step) => step,
})
