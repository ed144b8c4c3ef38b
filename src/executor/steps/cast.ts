import type { CastStep } from '../../language/task/steps/step.types.ts'
import { castExpression, type CastTarget } from '../engine/casts.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { changes, reportChanges } from '../engine/changes.ts'
import type { StepRunner } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { duckDbType, findColumn } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'

export const castStep: StepRunner<'cast'> = {
  kind: 'cast',
  async apply(step, stream, context) {
    const casts = castsOf(step, stream)
    const rows = await reportChanges([...casts.values()].flatMap(lossOf), stream, context)
    if (step.on_error !== 'fail') {
      return step.on_error === 'null'
        ? castColumns(rows, context.stage, casts, true)
        : quarantineCasts(rows, context, casts)
    }
    return castColumns(rows, context.stage, casts, false)
  },
}

/** The values that `rounding` lets through. */
function lossOf(cast: CastTarget): ChangeTest[] {
  const [exact, lossy] = [castExpression({ ...cast, rounding: undefined }), castExpression(cast)]
  if (cast.rounding === undefined || exact === lossy) return []
  const change = cast.rounding === 'round' ? changes.castRounded(cast.type) : changes.castTruncated(cast.type)
  return [{ column: cast.column, change, when: `(${exact}) IS NULL AND (${lossy}) IS NOT NULL` }]
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
