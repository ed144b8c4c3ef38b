import type { ColumnType } from '../../language/task/column-types.ts'
import { name } from './sql-text.ts'

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
  return `TRY_CAST(${isText ? `trim(${value})` : value} AS ${to})`
}
