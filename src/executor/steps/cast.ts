import { runMessage } from '../../contract/run-messages.ts'
import type { CastStep } from '../../language/task/steps/step.types.ts'
import { isThere } from '../engine/cast-faults.ts'
import { castExpression, castsExactly, type CastTarget } from '../engine/casts.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { reportChanges } from '../engine/changes.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { castColumns, castWith, quarantineCasts } from '../engine/cast-columns.ts'
import { duckDbType, findColumn, name } from '../engine/sql-text.ts'
import { projected, type RowStream } from '../engine/stream.ts'

export const castStep: StepRunner<'cast'> = {
  kind: 'cast',
  async apply(step, stream, context) {
    const casts = castsOf(step, stream)
    const rows = await reportChanges([...casts.values()].flatMap(lossOf), stream, context)
    switch (step.on_error) {
      case 'fail':
        return castColumns(rows, context.stage, casts, false)
      case 'quarantine':
        return quarantineCasts(rows, context, casts)
      case 'null':
        return emptyingCasts(rows, context, casts)
    }
  },
}

/** The values that `rounding` lets through. */
function lossOf(cast: CastTarget): ChangeTest[] {
  const [exact, lossy] = [castExpression({ ...cast, rounding: undefined }), castExpression(cast)]
  if (cast.rounding === undefined || exact === lossy) return []
  const change =
    cast.rounding === 'round'
      ? runMessage('change_rounded_to_fit', { type: cast.type })
      : runMessage('change_truncated_to_fit', { type: cast.type })
  return [{ column: cast.column, change, when: `(${exact}) IS NULL AND (${lossy}) IS NOT NULL` }]
}

/** Casts all, and reports how many values have become NULL. Each is cast once, next to what it was: counting alone would cast all of them again. */
async function emptyingCasts(
  stream: RowStream,
  context: StageContext,
  casts: Map<string, CastTarget>,
): Promise<RowStream> {
  const { session, stage } = context
  const emptying = [...casts.values()].filter(({ from, to }) => !castsExactly(from, to))
  if (emptying.length === 0) return castColumns(stream, stage, casts, true)
  const made = new Map(emptying.map(({ column }) => [column, session.newName('cast')]))
  const madeOf = (column: string): string => name(made.get(column) ?? column)
  const both = projected(
    stream,
    stage,
    `SELECT *, ${emptying.map((cast) => `${castExpression(cast)} AS ${madeOf(cast.column)}`).join(', ')} FROM (${stream.sql})`,
    [...stream.columns, ...emptying.map(({ column, to }) => ({ name: made.get(column) ?? column, type: to }))],
  )
  const tests = emptying.map((cast) => ({
    column: cast.column,
    change: runMessage('change_cast_to_null', { type: cast.type }),
    when: `${madeOf(cast.column)} IS NULL AND ${isThere(cast)}`,
  }))
  const counted = await reportChanges(tests, both, context, 'lost')
  return castWith({ ...counted, columns: stream.columns }, stage, casts, (cast) =>
    made.has(cast.column) ? madeOf(cast.column) : castExpression(cast),
  )
}

function castsOf(step: CastStep, stream: RowStream): Map<string, CastTarget> {
  return new Map(
    Object.entries(step.columns).map(([wanted, type]) => {
      const column = findColumn(stream.columns, wanted)
      const rounding = Object.hasOwn(step.rounding, wanted) ? step.rounding[wanted] : undefined
      return [column.name, { column: column.name, from: column.type, type, to: duckDbType(type), rounding }]
    }),
  )
}
