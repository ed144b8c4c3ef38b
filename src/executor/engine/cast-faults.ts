import { shortened } from '../../language/shortened.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import { formatWords } from './cast-formats.ts'
import { castExpression, castsExactly, isCut, type CastTarget } from './casts.ts'
import { EngineError, asTold } from './errors.ts'
import { name, text } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** Marks the messages that our own SQL raises, of values anywhere and of those in files: whoever reads the file knows the line or the row. */
const castMark = 'headgate:cast:'
export const textMark = 'headgate:text:'
export const storedMark = 'headgate:stored:'

const isRounded = (type: ColumnType): boolean => ['integer', 'number'].includes(type) || type.startsWith('decimal')

/** What is wrong with the value of a column, as SQL that gives the end of a sentence. */
function castFault(cast: CastTarget): string {
  const { column, type } = cast
  const unfit = `, which is no ${cast.format ? formatWords(cast.format, type) : type}`
  const shown = `'“' || left(CAST(${name(column)} AS VARCHAR), 200) || '”'`
  if (cast.inferred) return `${shown} || ${text(`, which does not read as ${type} like the rows before it`)}`
  if (!isRounded(type) && !isCut(type)) return `${shown} || ${text(unfit)}`
  const loosely = castExpression({ ...cast, rounding: isRounded(type) ? 'round' : 'truncate' })
  const lost = `, which ${type} cannot hold without loss`
  return `${shown} || CASE WHEN ${loosely} IS NULL THEN ${text(unfit)} ELSE ${text(lost)} END`
}

/** The whole sentence for the rejects; NULL where the value can be cast. */
export function castReason(cast: CastTarget): string {
  const words = `${text(`column \`${cast.column}\` holds `)} || ${castFault(cast)}`
  return `CASE WHEN (${castExpression(cast)}) IS NULL AND ${isThere(cast)} THEN ${words} END`
}

/** Whether there is a value at all: the null of JSON is none where it is to become something else. */
function isThere({ column, from, type, emptyIsNull }: CastTarget): string {
  const value = name(column)
  if (emptyIsNull) return `${value} <> ''`
  const alone = from !== 'JSON' || type === 'json' || type === 'string'
  return alone ? `${value} IS NOT NULL` : `(${value} IS NOT NULL AND json_type(${value}) <> 'NULL')`
}

/** The same, but a value that does not fit stops the run, and is named. */
export function strictCast(cast: CastTarget, mark = castMark): string {
  if (castsExactly(cast.from, cast.to)) return castExpression(cast)
  const words = `${text(`${mark}Column \`${cast.column}\` holds `)} || ${castFault(cast)}`
  // All rows go through the cast at once: below a condition DuckDB takes it several times as long.
  return `coalesce(${castExpression(cast)}, CASE WHEN ${isThere(cast)} THEN error(${words}) END)`
}

export function readCastFailure(error: EngineError): EngineError {
  const inText = error.message.indexOf(textMark)
  if (inText !== -1) {
    const message = shortened(error.message.slice(inText + textMark.length), 1000)
    const column = /^Column `(.*?)` holds/.exec(message)?.[1] ?? 'name'
    return new EngineError('FILE_UNREADABLE', castMessage(message), {
      hint: runMessage('set_column_type', { column }),
      stage: error.stage,
      vague: true,
      cause: error,
    })
  }
  const inFile = error.message.indexOf(storedMark)
  if (inFile !== -1)
    return new EngineError(
      'CAST_FAILED',
      castMessage(shortened(error.message.slice(inFile + storedMark.length), 1000)),
      {
        hint: runMessage('cast_in_a_step'),
        stage: error.stage,
        vague: true,
        cause: error,
      },
    )
  const at = error.message.indexOf(castMark)
  if (at === -1) return error
  const message = shortened(error.message.slice(at + castMark.length), 1000)
  return new EngineError('CAST_FAILED', castMessage(message), {
    hint: runMessage(message.endsWith('without loss') ? 'cast_may_round' : 'cast_may_reject'),
    stage: error.stage,
    cause: error,
  })
}

/** The end of a sentence of `castFault`, and what it says. */
const castEndings = [
  [/, which does not read as (.+) like the rows before it$/, 'value_unlike_before'],
  [/, which (.+) cannot hold without loss$/, 'value_loses'],
  [/, which is no (.+)$/, 'value_of_other_type'],
] as const

/** What our own SQL says of a value, as a message. */
export function castMessage(sentence: string): Message {
  const [, column, rest] = /^[Cc]olumn `(.*?)` holds “([\s\S]*)$/.exec(sentence) ?? []
  for (const [pattern, code] of castEndings) {
    const end = pattern.exec(rest ?? '')
    if (column !== undefined && rest !== undefined && end && rest[end.index - 1] === '”')
      return runMessage(code, { column, value: rest.slice(0, end.index - 1), type: end[1] ?? '' })
  }
  return asTold(sentence)
}
