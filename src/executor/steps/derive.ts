import { EngineError } from '../engine/errors.ts'
import type { StepRunner } from '../engine/lane.types.ts'
import { placesAfter } from '../engine/places.ts'
import { emptyRelation, name, oneRow } from '../engine/sql-text.ts'
import { mapped } from '../engine/stream.ts'
import { bindSql, checkScalar, type ScalarUse } from '../engine/user-sql.ts'
import { runMessage } from '../../contract/run-messages.ts'

export const deriveStep: StepRunner<'derive'> = {
  kind: 'derive',
  async apply(step, stream, { stage, session }) {
    const derived: { to: string; sql: string; use: ScalarUse | null }[] = []
    for (const [to, expression] of Object.entries(step.columns)) {
      const sql = await bindSql(session, expression, step.params)
      try {
        derived.push({ to, sql, use: await checkScalar(session, sql) })
      } catch (error) {
        throw inColumn(to, error)
      }
    }
    const taken = new Map(derived.map((column) => [column.to.toLowerCase(), column]))
    // A derived column that exists keeps its place; new ones follow in the order they are written.
    const fields = stream.columns.map((column) => {
      const own = taken.get(column.name.toLowerCase())
      return own ? `(${own.sql}\n) AS ${name(own.to)}` : name(column.name)
    })
    const existing = new Set(stream.columns.map((column) => column.name.toLowerCase()))
    const added = derived
      .filter((column) => !existing.has(column.to.toLowerCase()))
      .map((column) => `(${column.sql}\n) AS ${name(column.to)}`)
    const list = [...fields, ...added].join(', ')
    const columns = await describeDerived()
    const uses = derived.map(({ use }) => use)
    return { ...mapped(stream, stage, `SELECT ${list} FROM (${stream.sql})`, columns), ...placesAfter(stream, uses) }

    async function describeDerived() {
      try {
        // With the row's own columns beside it an aggregate is refused, also where every column is replaced by one.
        const beside = derived.map(({ sql }) => `, (${sql}\n)`).join('')
        await session.describe(`SELECT *${beside} FROM ${emptyRelation(stream.columns)}`)
        await requireOneRow()
        const described = await session.describe(`SELECT ${list} FROM ${emptyRelation(stream.columns)}`)
        // What is not derived is as it was, also where nothing has told its type.
        return described.map((column, at) => {
          const before = stream.columns[at]
          return before && !taken.has(before.name.toLowerCase()) ? before : column
        })
      } catch (error) {
        for (const { to, sql } of derived) {
          await session
            .describe(`SELECT *, (${sql}\n) FROM ${emptyRelation(stream.columns)}`)
            .catch((own: unknown) => Promise.reject(inColumn(to, own)))
        }
        throw error
      }
    }

    /** Functions that return rows may hide in a macro: `regexp_split_to_table`. One row must stay one row. */
    async function requireOneRow() {
      for (const { to, sql } of derived) {
        const rows = await session
          .rows(`SELECT count(*) FROM (SELECT (${sql}\n) FROM ${oneRow(stream.columns)})`)
          .catch((error: unknown) => {
            if (error instanceof EngineError && error.code !== 'CANCELLED') return null // of a row without values; not of this look
            throw error
          })
        if (rows === null || Number(rows[0]?.[0]) === 1) continue
        throw new EngineError('SQL_NOT_ALLOWED', runMessage('expression_returns_rows', { to }), {
          hint: runMessage('expression_returns_rows_fix'),
        })
      }
    }
  },
}

function inColumn(column: string, thrown: unknown): unknown {
  if (!(thrown instanceof EngineError)) return thrown
  const aggregate = /must appear in the GROUP BY|aggregate/i.test(thrown.message)
  return new EngineError(thrown.code, runMessage('in_column', { column, cause: thrown.reason }), {
    hint: aggregate ? runMessage('totals_need_sql') : thrown.fix,
    cause: thrown,
  })
}
