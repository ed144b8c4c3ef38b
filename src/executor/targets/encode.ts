import type { Column } from '../../contract/common.ts'
import { isoYears, momentWords, name, text, wordsOf } from '../engine/sql-text.ts'
import { bytesAsText, databaseScalar, duckDbScalar, jsonText, placeOf } from '../formats/json/text.ts'
import { mostDigits } from './file-changes.ts'
import { isMoment, valueKindOf } from './type-map.ts'

/** A column's values as text: ISO for dates and moments, JSON for what is nested. */
export function textValue(column: Column): string {
  return textValueOf(column.type, name(column.name), placeOf(column.name))
}

/** The same of any SQL of that type. `place`: what a refusal says first. */
export function textValueOf(type: string, value: string, place: string): string {
  const written = `CAST(${value} AS VARCHAR)`
  switch (valueKindOf(type)) {
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return momentWords(type, value)
    case 'json':
      return jsonText(type, value, databaseScalar(place), place)
    case 'boolean':
    case 'integer':
    case 'float':
    case 'time':
    case 'text':
      return written
    case 'decimal':
      return wordsOf(type, value)
    case 'blob':
      return bytesAsText(value)
  }
}

/** SQL of a text for people to read, who would not see the blanks at its end. */
export function withItsBlanks(value: string): string {
  return `'“' || ${value} || CASE WHEN ends_with(${value}, ' ') THEN '” with all of its blanks' ELSE '”' END`
}

/** A column's values as PostgreSQL's COPY reads them in CSV, and whether they must be quoted: what is not quoted and empty is NULL. */
export function copyField(column: Column): { sql: string; quoted: boolean } {
  const value = name(column.name)
  switch (valueKindOf(column.type)) {
    // One of 128 bits that the column cannot hold is refused by the server, which tells the row.
    case 'integer':
    case 'boolean':
    case 'float':
    case 'decimal':
    case 'time':
      return { sql: value, quoted: false }
    case 'blob':
      return { sql: bytesAsText(value), quoted: false }
    case 'date':
    case 'timestamp':
    case 'timestamptz': {
      // It reaches from 1677 to 2262, and compares with nothing before.
      if (column.type === 'TIMESTAMP_NS') return { sql: `CAST(${value} AS VARCHAR)`, quoted: true }
      // Years before Christ are written in another way.
      const era = `CASE WHEN ${value} < '0001-01-01' THEN replace(CAST(${value} AS VARCHAR), '(BC)', 'BC') ELSE CAST(${value} AS VARCHAR) END`
      return { sql: era, quoted: true }
    }
    case 'json':
    case 'text':
      return { sql: textValue(column), quoted: true }
  }
}

/**
 * Parquet has no 128-bit integers, which are what sums of integers give: DuckDB would write them as floating point, also inside of lists and
 * objects. They are written as 64 bits.
 */
export function parquetValue(column: Column): string {
  const value = name(column.name)
  const refused = parquetRefusal(column)
  if (refused === null) return value
  const { narrow, fits, words } = refused
  return `CASE WHEN ${fits} THEN TRY_CAST(${value} AS ${narrow}) ELSE error(${words}) END AS ${value}`
}

/** What is said of a value that Parquet cannot keep, as SQL: `fits` is true of the others. null: it keeps all of the column. */
export function parquetRefusal(column: Column): { narrow: string; fits: string; words: string } | null {
  const value = name(column.name)
  const wide = /"(?:[^"]|"")*"|\bU?HUGEINT\b/g
  const narrow = column.type.replace(wide, (word) => narrower[word] ?? word)
  if (narrow === column.type) return null
  return {
    narrow,
    fits: `CAST(TRY_CAST(${value} AS ${narrow}) AS ${column.type}) IS NOT DISTINCT FROM ${value}`,
    words: `${text(`column \`${column.name}\` ${cannotKeep}: `)} || CAST(${value} AS VARCHAR)`,
  }
}

/** By these words the error of DuckDB is known. */
export const cannotKeep = 'holds integers that Parquet cannot keep exactly'

const narrower: Readonly<Record<string, string>> = { HUGEINT: 'BIGINT', UHUGEINT: 'UBIGINT' }

/** Lists and objects as JSON, and bytes in hexadecimal: DuckDB's own way of writing them is nobody else's. */
export function csvValue(column: Column): string {
  const value = name(column.name)
  switch (valueKindOf(column.type)) {
    case 'blob':
    case 'json':
    case 'decimal':
      return `${textValue(column)} AS ${value}`
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return `${isoYears(column.type, value)} AS ${value}`
    case 'boolean':
    case 'integer':
    case 'float':
    case 'time':
    case 'text':
      return value
  }
}

/**
 * A scalar of a file of JSON. JSON has no NaN and no infinities: they are text. So is a decimal of more digits than the floating-point
 * numbers of JSON's readers keep.
 */
export function jsonFileScalar(type: string, value: string): string {
  const [, digits, places] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  if (digits === undefined || Number(digits) <= mostDigits) return fileScalar(type, value)
  const exact = `abs(${value}) < 1e${mostDigits - Number(places)}`
  const quoted = `CAST(to_json(${wordsOf(type, value)}) AS VARCHAR)`
  return `CASE WHEN ${exact} THEN ${fileScalar(type, value)} WHEN ${value} IS NOT NULL THEN ${quoted} END`
}

const fileScalar = duckDbScalar((value) => `CAST(to_json(CAST(${value} AS VARCHAR)) AS VARCHAR)`)

/** The same of a column without anything nested, where DuckDB writes the file. */
export function jsonValue({ name: column, type }: Column): string {
  const value = name(column)
  if (type === 'BLOB') return `${bytesAsText(value)} AS ${value}`
  if (isMoment(type)) return `${isoYears(type, value)} AS ${value}`
  return /^(FLOAT|DOUBLE|DECIMAL)/.test(type) ? `CAST(${jsonFileScalar(type, value)} AS JSON) AS ${value}` : value
}
