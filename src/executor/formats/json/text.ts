import type { Column } from '../../../contract/common.ts'
import { isoYears, name, text, wordsOf } from '../../engine/sql-text.ts'
import { partsOf } from '../../targets/nested-type.ts'
import { isMoment, valueKindOf } from '../../targets/type-map.ts'

/**
 * JSON as text, written by SQL of our own: DuckDB's `to_json` and its JSON files write the numbers of a document anew (1.10 becomes 1.1)
 * and know NaN, which JSON does not. A document of type JSON stands there as it is.
 */

/** How scalars are written, at the top and inside of what is nested: SQL of JSON text, NULL for NULL. */
export type ScalarText = (type: string, value: string) => string

/** A value of any type as JSON text; NULL for NULL. `place`: what a refusal says first, as of `placeOf`. */
export function jsonText(type: string, value: string, scalar: ScalarText, place: string, depth = 0): string {
  if (type === 'JSON') return soundDocument(value, place)
  const parts = partsOf(type)
  const item = `item_${depth}`
  const inside = (inner: string, of: string): string =>
    `coalesce(${jsonText(inner, of, scalar, place, depth + 1)}, 'null')`
  switch (parts.kind) {
    case 'scalar':
      return scalar(type, value)
    case 'list':
      return `'[' || array_to_string(list_transform(CAST(${value} AS ${parts.item}[]), lambda ${item}: ${inside(parts.item, item)}), ',') || ']'`
    case 'map': {
      const key = `to_json(CAST(${item}.key AS VARCHAR))`
      return `'{' || array_to_string(list_transform(map_entries(${value}), lambda ${item}: CAST(${key} AS VARCHAR) || ':' || ${inside(parts.value, `${item}.value`)}), ',') || '}'`
    }
    case 'struct': {
      const fields = parts.fields.map(
        (field) =>
          `${text(`${JSON.stringify(field.name)}:`)} || ${inside(field.type, `struct_extract(${value}, ${text(field.name)})`)}`,
      )
      return `CASE WHEN ${value} IS NOT NULL THEN '{' || ${fields.join(` || ',' || `)} || '}' END`
    }
  }
}

/** DuckDB takes NaN, infinities and commas at the end for JSON, which nobody else does. */
function soundDocument(value: string, place: string): string {
  const written = `CAST(${value} AS VARCHAR)`
  const odd = text(String.raw`(?i)nan|inf|,\s*[\]}]`)
  const bare = `regexp_replace(${written}, ${text(String.raw`"(?:[^"\\]|\\.)*"`)}, '""', 'g')`
  const refusal = `${text(`${place}A document holds NaN, an infinity or a comma too many, which JSON does not know: `)} || left(${written}, 200)`
  return `CASE WHEN regexp_matches(${written}, ${odd}) AND regexp_matches(${bare}, ${odd}) THEN error(${refusal}) ELSE ${written} END`
}

/** A row as the text of a JSON object. */
export function jsonRow(columns: readonly Column[], scalar: ScalarText): string {
  if (columns.length === 0) return `'{}'`
  const fields = columns.map(
    (column) =>
      `${text(`${JSON.stringify(column.name)}:`)} || coalesce(${jsonText(column.type, name(column.name), scalar, placeOf(column.name))}, 'null')`,
  )
  return `'{' || ${fields.join(` || ',' || `)} || '}'`
}

/** As PostgreSQL writes them, and as a cast to `binary` reads them. */
export function bytesAsText(value: string): string {
  return `'\\x' || lower(hex(${value}))`
}

/** As DuckDB has them, but for bytes: for files and databases. `nonFinite`: what becomes of NaN and infinities, SQL of JSON text. */
export function duckDbScalar(nonFinite: (value: string) => string): ScalarText {
  return (type, value) => {
    if (/^DECIMAL\((\d+),\1\)$/.test(type)) return wordsOf(type, value)
    if (type === 'BLOB') return `CAST(to_json(${bytesAsText(value)}) AS VARCHAR)`
    // Nothing in them is to be escaped.
    if (isMoment(type)) return `'"' || ${isoYears(type, value)} || '"'`
    const written = `CAST(to_json(${value}) AS VARCHAR)`
    if (valueKindOf(type) !== 'float') return written
    return `CASE WHEN isfinite(${value}) THEN ${written} WHEN ${value} IS NOT NULL THEN ${nonFinite(value)} END`
  }
}

/** JSON in a database is read by others. `place`: as of `jsonText`. */
export const databaseScalar = (place: string): ScalarText =>
  duckDbScalar(
    (value) =>
      `error(${text(`${place}A document would hold `)} || CAST(${value} AS VARCHAR) || ${text(', which JSON does not know')})`,
  )

/** The beginning of a refusal that a column's value is the reason of. */
export const placeOf = (column: string): string => `Column \`${column}\`: `
