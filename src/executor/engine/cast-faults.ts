import type { ColumnType } from '../../language/task/column-types.ts'
import { typeInFormat } from './cast-formats.ts'
import { castExpression, castsExactly, isCut, type CastTarget } from './casts.ts'
import { EngineError } from './errors.ts'
import { messageIn, messageSql, param } from './sql-reasons.ts'
import { name, text } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Marks the messages that our own SQL raises, of values anywhere and of those in files: whoever reads the file knows the line or the row. */
const castMark = 'headgate:cast:'
export const textMark = 'headgate:text:'
export const storedMark = 'headgate:stored:'
/** Of a type that the source declares, in files whose rows `on_error` of the source can reject, and in others. */
export const rowMark = 'headgate:row:'
export const documentMark = 'headgate:document:'
/** Of a type that nobody has declared: several files have it together. */
export const joinedMark = 'headgate:joined:'

const isRounded = (type: ColumnType): boolean => ['integer', 'number'].includes(type) || type.startsWith('decimal')

/** What is wrong with the value of a column, as SQL of a message. */
function castFault(cast: CastTarget): string {
  const { column, type } = cast
  const shown = {
    column: param(column),
    value: `left(CAST(${name(column)} AS VARCHAR), 200)`,
    type: param(cast.format && !cast.inferred ? typeInFormat(cast.format, type) : type),
  }
  if (cast.inferred) return messageSql('value_unlike_before', shown)
  const unfit = messageSql('value_of_other_type', shown)
  if (!isRounded(type) && !isCut(type)) return unfit
  const loosely = castExpression({ ...cast, rounding: isRounded(type) ? 'round' : 'truncate' })
  const lost = messageSql('value_loses', { ...shown, type: param(type) })
  return `CASE WHEN ${loosely} IS NULL THEN ${unfit} ELSE ${lost} END`
}

/** SQL of a message; NULL where the value can be cast. */
export function castReason(cast: CastTarget): string {
  return `CASE WHEN (${castExpression(cast)}) IS NULL AND ${isThere(cast)} THEN ${castFault(cast)} END`
}

/** Whether there is a value at all: the null of JSON is none where it is to become something else. */
export function isThere({ column, from, type, emptyIsNull }: CastTarget): string {
  const value = name(column)
  if (emptyIsNull) return `${value} <> ''`
  const alone = from !== 'JSON' || type === 'json' || type === 'string'
  return alone ? `${value} IS NOT NULL` : `(${value} IS NOT NULL AND json_type(${value}) <> 'NULL')`
}

/** The same, but a value that does not fit stops the run, and is named. */
export function strictCast(cast: CastTarget, mark = castMark): string {
  if (castsExactly(cast.from, cast.to)) return castExpression(cast)
  // All rows go through the cast at once: below a condition DuckDB takes it several times as long.
  return `coalesce(${castExpression(cast)}, CASE WHEN ${isThere(cast)} THEN error(${text(mark)} || ${castFault(cast)}) END)`
}

export function readCastFailure(error: EngineError): EngineError {
  const [, mark, json] = /(headgate:(?:cast|row|document|text|stored|joined):)([\s\S]*)$/.exec(error.message) ?? []
  if (json === undefined) return error
  const reason = messageIn(json)
  const { stage } = error
  if (mark === textMark) {
    const { column } = reason.params
    return new EngineError('FILE_UNREADABLE', reason, {
      hint: runMessage('set_column_type', { column: typeof column === 'string' ? column : 'name' }),
      stage,
      vague: true,
      cause: error,
    })
  }
  if (mark === joinedMark)
    return new EngineError('CAST_FAILED', reason, {
      hint: runMessage('parquet_types_differ_fix', { column: String(reason.params['column']) }),
      stage,
      vague: true,
      cause: error,
    })
  if (mark === storedMark)
    return new EngineError('CAST_FAILED', reason, {
      hint: runMessage('cast_in_a_step'),
      stage,
      vague: true,
      cause: error,
    })
  const loses = reason.code === 'value_loses'
  let hint = runMessage(loses ? 'cast_may_round' : 'cast_may_reject')
  if (mark === rowMark) hint = runMessage(loses ? 'source_may_round' : 'source_may_reject')
  if (mark === documentMark) hint = runMessage('cast_in_a_step')
  return new EngineError('CAST_FAILED', reason, { hint, stage, cause: error })
}
