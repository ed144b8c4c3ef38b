import type { StepRunner } from '../engine/lane.types.ts'
import { findColumn, names, refuseDuplicates } from '../engine/sql-text.ts'
import { projected } from '../engine/stream.ts'

export const selectStep: StepRunner<'select'> = {
  kind: 'select',
  async apply(step, stream, { stage }) {
    const columns = step.columns.map((wanted) => findColumn(stream.columns, wanted))
    const kept = columns.map((column) => column.name)
    refuseDuplicates(kept)
    return projected(stream, stage, `SELECT ${names(kept)} FROM (${stream.sql})`, columns)
  },
}
