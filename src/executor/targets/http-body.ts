import type { Column } from '../../contract/common.ts'
import { name, text } from '../engine/sql-text.ts'
import { textValue } from './encode.ts'
import { valueKindOf } from './type-map.ts'

/**
 * A row as JSON, written by DuckDB: integers and decimals with all their digits, dates and moments in ISO 8601 (moments in UTC), bytes in
 * base64, what JSON has no word for (infinity) as text.
 */
export function jsonRowSql(columns: readonly Column[]): string {
  if (columns.length === 0) return `'{}'`
  const fields = columns.map(
    (column) => `${text(`${JSON.stringify(column.name)}:`)} || coalesce(${jsonField(column)}, 'null')`,
  )
  return `'{' || ${fields.join(` || ',' || `)} || '}'`
}

function jsonField(column: Column): string {
  const value = name(column.name)
  const quoted = (written: string): string => `CAST(to_json(${written}) AS VARCHAR)`
  switch (valueKindOf(column.type)) {
    case 'boolean':
    case 'integer':
    case 'decimal':
      return quoted(value)
    case 'float':
      return `CASE WHEN isfinite(${value}) THEN CAST(${value} AS VARCHAR) ELSE ${quoted(`CAST(${value} AS VARCHAR)`)} END`
    case 'timestamp':
      return `CASE WHEN isfinite(${value}) THEN ${quoted(`${textValue(column)} || 'Z'`)} ELSE ${quoted(textValue(column))} END`
    case 'timestamptz':
    case 'date':
    case 'time':
    case 'text':
      return quoted(textValue(column))
    case 'blob':
      return quoted(`base64(${value})`)
    case 'json':
      return column.type === 'JSON' ? `CAST(${value} AS VARCHAR)` : quoted(value)
  }
}
