import { runMessage } from '../../contract/run-messages.ts'
import type { CastStep } from '../../language/task/steps/step.types.ts'
import { isThere } from '../engine/cast-faults.ts'
import { castExpression, castsExactly, type CastTarget } from '../engine/casts.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { reportChanges } from '../engine/changes.ts'
import type { StepRunner } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { duckDbType, findColumn } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'

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
      case 'null': {
        const emptied = await reportChanges([...casts.values()].flatMap(emptiedBy), rows, context, 'lost')
        return castColumns(emptied, context.stage, casts, true)
      }
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

/** The values that become NULL. */
function emptiedBy(cast: CastTarget): ChangeTest[] {
  if (castsExactly(cast.from, cast.to)) return []
  const change = runMessage('change_cast_to_null', { type: cast.type })
  return [{ column: cast.column, change, when: `(${castExpression(cast)}) IS NULL AND ${isThere(cast)}` }]
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
