import type { ColumnType } from '../../language/task/column-types.ts'
import { EngineError, cap } from './errors.ts'
import { name, text } from './sql-text.ts'

export interface CastTarget {
  column: string
  /** DuckDB's type of the column now. */
  from: string
  type: ColumnType
  /** DuckDB's type to be. */
  to: string
}

/**
 * What a cast of the task language means, in every lane; NULL where the value does not fit.
 * - integer: numbers must be whole: `1.5` is no integer, as a number or as text (DuckDB itself would round).
 * - datetime: text with an offset, and moments with a zone, become UTC.
 * - json: text must be JSON; anything else becomes the JSON of its value.
 * - binary: text is taken as it is, in UTF-8.
 * - string: ISO for dates and moments; the rest as DuckDB writes it.
 */
export function castExpression({ column, from, type, to }: CastTarget): string {
  const value = name(column)
  const isText = from === 'VARCHAR'
  if (type === 'integer') {
    if (isText) {
      return `CASE WHEN regexp_full_match(trim(${value}), '[+-]?[0-9]+(\\.0*)?') THEN TRY_CAST(trim(${value}) AS BIGINT) END`
    }
    if (/^(DOUBLE|FLOAT|REAL|DECIMAL)/.test(from)) {
      return `CASE WHEN ${value} = trunc(${value}) THEN TRY_CAST(${value} AS BIGINT) END`
    }
  }
  if (type === 'json') {
    if (from === 'JSON') return value
    return isText ? `CASE WHEN json_valid(${value}) THEN CAST(${value} AS JSON) END` : `to_json(${value})`
  }
  if (type === 'binary' && isText) return `encode(${value})`
  if (type === 'string' && from.startsWith('TIMESTAMP')) {
    const words = `replace(CAST(${value} AS VARCHAR), ' ', 'T')`
    return from === 'TIMESTAMP WITH TIME ZONE' ? `regexp_replace(${words}, '\\+00$', 'Z')` : words
  }
  if (type === 'string' && from === 'JSON') {
    // A JSON text is its content, not the quotes around it.
    return `CASE WHEN json_type(${value}) = 'VARCHAR' THEN ${value} ->> '$' ELSE CAST(${value} AS VARCHAR) END`
  }
  if (type === 'string') return from === 'BLOB' ? `TRY(decode(${value}))` : `CAST(${value} AS VARCHAR)`
  if (type === 'datetime' && isText) return momentOfText(`trim(${value})`)
  return `TRY_CAST(${isText ? `trim(${value})` : value} AS ${to})`
}

/**
 * A text as a moment in UTC; NULL where it is none. DuckDB reads past an offset when it makes a TIMESTAMP of a text, and when it makes a
 * TIMESTAMPTZ, a text without a zone takes over the one that a text before it has named: each is read by the one that does it right.
 */
export function momentOfText(value: string): string {
  const bare = '[-+]?[0-9]+[-/ ][0-9]{1,2}[-/ ][0-9]{1,2}( \\(BC\\))?([ T][0-9]{1,2}:[0-9:.]*)?'
  return `CASE WHEN regexp_full_match(${value}, '${bare}') THEN TRY_CAST(${value} AS TIMESTAMP) ELSE TRY_CAST(${value} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END`
}

/** Marks the messages that our own SQL raises. */
const castMark = 'headgate:cast:'

/** The same, but a value that does not fit stops the run, and is named. */
export function strictCast(cast: CastTarget): string {
  const original = name(cast.column)
  const words = `${text(`${castMark}Column \`${cast.column}\` holds “`)} || left(CAST(${original} AS VARCHAR), 200) || ${text(`”, which is no ${cast.type}`)}`
  return `CASE WHEN ${original} IS NULL THEN NULL ELSE coalesce(${castExpression(cast)}, error(${words})) END`
}

export function readCastFailure(error: EngineError): EngineError {
  const at = error.message.indexOf(castMark)
  if (at === -1) return error
  return new EngineError('CAST_FAILED', cap(error.message.slice(at + castMark.length), 1000), {
    hint: 'In a `cast` step `on_error: quarantine` sends such rows to the run’s rejects, `on_error: "null"` empties the value.',
    stage: error.stage,
    cause: error,
  })
}
