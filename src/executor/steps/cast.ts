import type { CastStep } from '../../language/task/task.types.ts'
import { EngineError, cap } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { duckDbType, findColumn, name, text } from '../engine/sql-text.ts'
import { mapped, tableStream, type RowStream } from '../engine/stream.ts'
import { castExpression, type CastTarget } from '../engine/casts.ts'

export const castStep: StepRunner<'cast'> = {
  kind: 'cast',
  async apply(step, stream, context) {
    const casts = castsOf(step, stream)
    if (step.on_error !== 'fail') {
      return step.on_error === 'null' ? casted(stream, context.stage, casts, true) : quarantined(stream, context, casts)
    }
    return casted(stream, context.stage, casts, false)
  },
}

function castsOf(step: CastStep, stream: RowStream): Map<string, CastTarget> {
  return new Map(
    Object.entries(step.columns).map(([wanted, type]) => {
      const column = findColumn(stream.columns, wanted)
      return [column.name, { column: column.name, from: column.type, type, to: duckDbType(type) }]
    }),
  )
}

/** `lenient`: what does not fit becomes NULL. Else it stops the run, with the value that did not fit. */
function casted(stream: RowStream, stage: number, casts: Map<string, CastTarget>, lenient: boolean): RowStream {
  const fields = stream.columns.map((column) => {
    const cast = casts.get(column.name)
    if (!cast) return name(column.name)
    const value = castExpression(cast)
    return `${lenient ? value : orStop(cast, value)} AS ${name(column.name)}`
  })
  const columns = stream.columns.map((column) => ({ ...column, type: casts.get(column.name)?.to ?? column.type }))
  return mapped(stream, stage, `SELECT ${fields.join(', ')} FROM (${stream.sql})`, columns)
}

function orStop(cast: CastTarget, value: string): string {
  const original = name(cast.column)
  const message = `${text(`Column \`${cast.column}\` holds “`)} || left(CAST(${original} AS VARCHAR), 200) || ${text(`”, which is no ${cast.type}`)}`
  return `CASE WHEN ${original} IS NULL THEN NULL ELSE coalesce(${value}, error(${text(castMark)} || ${message})) END`
}

/** Marks the messages that our own SQL raises. */
export const castMark = 'headgate:cast:'

export function readCastFailure(error: EngineError): EngineError {
  const at = error.message.indexOf(castMark)
  if (at === -1) return error
  return new EngineError('CAST_FAILED', cap(error.message.slice(at + castMark.length), 1000), {
    hint: '`on_error: quarantine` sends such rows to the run’s rejects, `on_error: null` empties the value.',
    stage: error.stage,
    cause: error,
  })
}

async function quarantined(
  stream: RowStream,
  context: StageContext,
  casts: Map<string, CastTarget>,
): Promise<RowStream> {
  const { session, stage } = context
  const reason = session.newName('reason')
  const reasons = [...casts.values()].map((cast) => {
    const original = name(cast.column)
    const words = `${text(`column \`${cast.column}\` holds “`)} || left(CAST(${original} AS VARCHAR), 200) || ${text(`”, which is no ${cast.type}`)}`
    return `CASE WHEN ${original} IS NOT NULL AND ${castExpression(cast)} IS NULL THEN ${words} END`
  })
  const flagged = mapped(
    stream,
    stage,
    `SELECT *, nullif(concat_ws('; ', ${reasons.join(', ')}), '') AS ${name(reason)} FROM (${stream.sql})`,
    [...stream.columns, { name: reason, type: 'VARCHAR' }],
  )
  const { table, rows } = await context.materialise(flagged)
  const rejected = await context.reject(
    `SELECT ${name(reason)}, * EXCLUDE (${name(reason)}) FROM ${name(table)} WHERE ${name(reason)} IS NOT NULL`,
  )
  const good = {
    ...tableStream(table, stream.columns, (rows ?? 0) - rejected),
    sql: `SELECT * EXCLUDE (${name(reason)}) FROM ${name(table)} WHERE ${name(reason)} IS NULL`,
  }
  return casted(good, stage, casts, true)
}
