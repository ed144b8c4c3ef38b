import type { Column } from '../../../contract/common.ts'
import { wordsOf } from '../../engine/sql-text.ts'
import { textValueOf } from '../../targets/encode.ts'
import { jsonRow } from '../../formats/json/text.ts'
import { valueKindOf } from '../../targets/type-map.ts'

/**
 * A row as JSON, written by DuckDB: integers and decimals with all their digits, dates and moments in ISO 8601 (moments in UTC), bytes in
 * base64, what JSON has no word for (infinity) as text; the same inside of lists and objects.
 */
export function jsonRowSql(columns: readonly Column[]): string {
  return jsonRow(columns, scalar)
}

function scalar(type: string, value: string): string {
  const quoted = (written: string): string => `CAST(to_json(${written}) AS VARCHAR)`
  switch (valueKindOf(type)) {
    case 'boolean':
    case 'integer':
    case 'json':
      return quoted(value)
    case 'decimal':
      return wordsOf(type, value)
    case 'float':
      return `CASE WHEN isfinite(${value}) THEN CAST(${value} AS VARCHAR) ELSE ${quoted(`CAST(${value} AS VARCHAR)`)} END`
    case 'timestamp':
      return `CASE WHEN isfinite(${value}) THEN ${quoted(`${textValueOf(type, value, '')} || 'Z'`)} ELSE ${quoted(textValueOf(type, value, ''))} END`
    case 'timestamptz':
    case 'date':
    case 'time':
    case 'text':
      return quoted(textValueOf(type, value, ''))
    case 'blob':
      return quoted(`base64(${value})`)
  }
}
