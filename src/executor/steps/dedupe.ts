import type { StepRunner } from '../engine/lane.types.ts'
import { findColumn, name, names } from '../engine/sql-text.ts'
import { resized } from '../engine/stream.ts'

export const dedupeStep: StepRunner<'dedupe'> = {
  kind: 'dedupe',
  async apply(step, stream, context) {
    const all = stream.columns.map((column) => column.name)
    const key = step.key.length === 0 ? all : step.key.map((column) => findColumn(stream.columns, column).name)
    const order = step.order_by === null ? null : findColumn(stream.columns, step.order_by).name
    // Numbered as they are read: that is the order, and which row it is.
    const { table } = await context.materialise(stream)
    const best = step.keep === 'first' ? 'min' : 'max'
    // A row without a value in `order_by` is chosen only where no other is there.
    const chosen =
      order === null
        ? `${best}(rowid)`
        : `coalesce((${best}({value: ${name(order)}, "row": rowid}) FILTER (${name(order)} IS NOT NULL))."row", ${best}(rowid))`
    const kept = `SELECT ${chosen} AS kept FROM ${name(table)} GROUP BY ${names(key)}`
    const at = name(context.session.newName('at'))
    const sql = `SELECT ${names(all)} FROM (SELECT ${names(all)}, rowid AS ${at} FROM ${name(table)}) SEMI JOIN (${kept}) ON ${at} = kept ORDER BY ${at}`
    return resized(
      { sql, columns: stream.columns, rows: null, open: [], trail: [] },
      context.stage,
      'query',
      sql,
      stream.columns,
    )
  },
}
