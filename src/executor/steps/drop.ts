import { EngineError } from '../engine/errors.ts'
import type { StepRunner } from '../engine/lane.types.ts'
import { findColumn, names } from '../engine/sql-text.ts'
import { projected } from '../engine/stream.ts'
import { runMessage } from '../../contract/run-messages.ts'

export const dropStep: StepRunner<'drop'> = {
  kind: 'drop',
  async apply(step, stream, { stage }) {
    const dropped = new Set(step.columns.map((wanted) => findColumn(stream.columns, wanted)))
    const columns = stream.columns.filter((column) => !dropped.has(column))
    if (columns.length === 0) {
      throw new EngineError('COLUMN_NOT_FOUND', runMessage('no_column_left'), {
        hint: runMessage('no_column_left_fix'),
      })
    }
    return projected(
      stream,
      stage,
      `SELECT ${names(columns.map((column) => column.name))} FROM (${stream.sql})`,
      columns,
    )
  },
}
