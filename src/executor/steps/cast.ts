import type { CastStep } from '../../language/task/steps/step.types.ts'
import type { CastTarget } from '../engine/casts.ts'
import type { StepRunner } from '../engine/lane.types.ts'
import { castColumns, quarantineCasts } from '../engine/cast-columns.ts'
import { duckDbType, findColumn } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'

export const castStep: StepRunner<'cast'> = {
  kind: 'cast',
  async apply(step, stream, context) {
    const casts = castsOf(step, stream)
    if (step.on_error !== 'fail') {
      return step.on_error === 'null'
        ? castColumns(stream, context.stage, casts, true)
        : quarantineCasts(stream, context, casts)
    }
    return castColumns(stream, context.stage, casts, false)
  },
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
