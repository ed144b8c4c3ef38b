import type { StepRunner } from '../engine/lane.types.ts'
import { placesWhere } from '../engine/places.ts'
import { emptyRelation } from '../engine/sql-text.ts'
import { resized } from '../engine/stream.ts'
import { bindSql, checkScalar } from '../engine/user-sql.ts'

export const filterStep: StepRunner<'filter'> = {
  kind: 'filter',
  async apply(step, stream, { stage, session }) {
    const where = await bindSql(session, step.where, step.params)
    const use = await checkScalar(session, where)
    await session.describe(`SELECT * FROM ${emptyRelation(stream.columns)} WHERE (${where}\n)`)
    const sql = `SELECT * FROM (${stream.sql}) WHERE (${where}\n)`
    return {
      ...resized(stream, stage, 'filter', sql, stream.columns),
      ...placesWhere(stream, where, use, session),
    }
  },
}
