import type { Column } from '../../contract/common.ts'
import { name } from '../engine/sql-text.ts'
import { valueKindOf } from './type-map.ts'

/** SQL that writes a column's values as SQLite is to keep them: whole numbers as 64 bits, moments and decimals as text. */
export function sqliteValue(column: Column): string {
  const value = name(column.name)
  switch (valueKindOf(column.type)) {
    case 'boolean':
    case 'integer':
      return `CAST(${value} AS BIGINT)`
    case 'float':
      return `CAST(${value} AS DOUBLE)`
    case 'blob':
      return value
    case 'decimal':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'json':
    case 'text':
      return textValue(column)
  }
}

/** A column's values as text: ISO for dates and moments, JSON for what is nested. */
export function textValue(column: Column): string {
  const value = name(column.name)
  const written = `CAST(${value} AS VARCHAR)`
  switch (valueKindOf(column.type)) {
    case 'timestamp':
      return `replace(${written}, ' ', 'T')`
    case 'timestamptz':
      return `regexp_replace(replace(${written}, ' ', 'T'), '\\+00$', 'Z')`
    case 'json':
      return column.type === 'JSON' ? written : `CAST(to_json(${value}) AS VARCHAR)`
    case 'boolean':
    case 'integer':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
    case 'blob':
    case 'text':
      return written
  }
}

/** One line of PostgreSQL's CSV for each row, encoded by DuckDB: NULL is nothing, text is quoted. */
export function copyLine(columns: readonly Column[]): string {
  return columns.map((column) => copyField(column)).join(" || ',' || ")
}

function copyField(column: Column): string {
  const value = name(column.name)
  switch (valueKindOf(column.type)) {
    case 'integer':
      return `coalesce(CAST(CAST(${value} AS BIGINT) AS VARCHAR), '')`
    case 'boolean':
    case 'float':
    case 'decimal':
    case 'date':
    case 'time':
      return `coalesce(CAST(${value} AS VARCHAR), '')`
    case 'blob':
      return `coalesce('\\x' || hex(${value}), '')`
    case 'timestamp':
    case 'timestamptz':
    case 'json':
    case 'text':
      return `coalesce('"' || replace(${textValue(column)}, '"', '""') || '"', '')`
  }
}

/** Parquet has no 128-bit integers: DuckDB would write them as floating point. */
export function parquetValue(column: Column): string {
  const value = name(column.name)
  return column.type === 'HUGEINT' ? `CAST(${value} AS BIGINT) AS ${value}` : value
}
