import type { StepRunner } from '../engine/lane.types.ts'
import { numberColumn, placesAmong } from '../engine/places.ts'
import { findColumn, name, names } from '../engine/sql-text.ts'
import { resized } from '../engine/stream.ts'
import { numberRows } from '../engine/row-numbers.ts'

export const dedupeStep: StepRunner<'dedupe'> = {
  kind: 'dedupe',
  async apply(step, stream, context) {
    const all = stream.columns.map((column) => column.name)
    const key = step.key.length === 0 ? all : step.key.map((column) => findColumn(stream.columns, column).name)
    const order = step.order_by === null ? null : findColumn(stream.columns, step.order_by).name
    const rows = await context.materialise(stream)
    const { table, at } = await numberRows(rows.table, stream.columns, context)
    const best = step.keep === 'first' ? 'min' : 'max'
    // A row without a value in `order_by` is chosen only where no other is there.
    const chosen =
      order === null
        ? `${best}(${at})`
        : `coalesce((${best}({value: ${name(order)}, "row": ${at}}) FILTER (${name(order)} IS NOT NULL))."row", ${best}(${at}))`
    const kept = `SELECT ${chosen} AS kept FROM ${name(table)} GROUP BY ${names(key)}`
    const place = name(context.session.newName('at'))
    const left = `FROM (SELECT ${names(all)}, ${at} AS ${place} FROM ${name(table)}) SEMI JOIN (${kept}) ON ${place} = kept ORDER BY ${place}`
    const sql = `SELECT ${names(all)} ${left}`
    const numbers = `SELECT ${place} AS ${name(numberColumn)} ${left}`
    const places = stream.places && placesAmong(stream.places, { numbers, decidedBy: [] }, context.session)
    const next = resized(
      { sql, columns: stream.columns, rows: null, open: [], trail: [] },
      context.stage,
      'query',
      sql,
      stream.columns,
    )
    return places ? { ...next, places } : next
  },
}
