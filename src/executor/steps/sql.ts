import type { StepRunner } from '../engine/lane.types.ts'
import { emptyRelation, name, refuseDuplicates } from '../engine/sql-text.ts'
import { resized } from '../engine/stream.ts'
import { bindSql, checkSelect } from '../engine/user-sql.ts'

export const sqlStep: StepRunner<'sql'> = {
  kind: 'sql',
  async apply(step, stream, context) {
    const { stage, session } = context
    const query = await bindSql(session, step.query, step.params)
    const shape = await checkSelect(session, query, context.inputs)
    const tables: string[] = []
    for (const input of shape.inputs) tables.push(`, ${name(input)} AS (${(await context.input(input)).sql})`)
    const over = (rows: string): string =>
      `SELECT * FROM (WITH stream AS (${rows})${tables.join('')} SELECT * FROM (${query}\n))`
    const columns = await session.describe(over(`SELECT * FROM ${emptyRelation(stream.columns)}`))
    refuseDuplicates(columns.map((column) => column.name))
    // Read once, the query becomes a part of the stream. Read several times, and for a second query, the rows are put down first:
    // once for all readers, and with counts that the plan could not show. Beside other tables it shows none at all.
    const countable = shape.inputs.length === 0 || stream.rows !== null
    const fusable =
      shape.scans === 1 && !shape.crossJoins && countable && !stream.open.some((count) => count.kind === 'query')
    const input = fusable ? stream : await context.materialise(stream)
    return resized(input, stage, 'query', over(input.sql), columns)
  },
}
