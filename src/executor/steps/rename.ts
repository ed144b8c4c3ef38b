import type { StepRunner } from '../engine/lane.types.ts'
import { findColumn, name, refuseDuplicates } from '../engine/sql-text.ts'
import { projected } from '../engine/stream.ts'

export const renameStep: StepRunner<'rename'> = {
  kind: 'rename',
  async apply(step, stream, { stage }) {
    const renamed = new Map(
      Object.entries(step.columns).map(([from, to]) => [findColumn(stream.columns, from).name, to] as const),
    )
    const columns = stream.columns.map((column) => ({ ...column, name: renamed.get(column.name) ?? column.name }))
    refuseDuplicates(columns.map((column) => column.name))
    const fields = stream.columns.map((column) => {
      const to = renamed.get(column.name)
      return to === undefined ? name(column.name) : `${name(column.name)} AS ${name(to)}`
    })
    return projected(stream, stage, `SELECT ${fields.join(', ')} FROM (${stream.sql})`, columns)
  },
}
