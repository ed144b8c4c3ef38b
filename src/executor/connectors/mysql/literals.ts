import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { ChangeTest } from '../../engine/change-test.ts'
import { everyValueTest, minusZeroTest, singlePrecisionTest } from '../../engine/changes.ts'
import { name } from '../../engine/sql-text.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { textValue, withItsBlanks } from '../../targets/encode.ts'
import { refusal, type RowsOf } from '../../targets/refusal.ts'
import { valueKindOf, type ValueKind } from '../../targets/type-map.ts'

/**
 * SQL by which DuckDB writes rows as MySQL's literals, whole columns at once: several times as fast as the driver's own way, value by
 * value. Text is safe in quotes because the session's mode and character set are ours (mysql-client.ts): backslashes escape, and no byte
 * of a character in UTF-8 looks like a quote. What the server would round without a word is refused here.
 */
export function mysqlRow(writes: ColumnPlan['writes'], types: ReadonlyMap<string, string>, rows: RowsOf): string {
  const values = writes.map(({ from, to }) => {
    const declared = types.get(to.toLowerCase()) ?? ''
    return `coalesce(${literal(from, { column: to, declared, rows })}, 'NULL')`
  })
  return `'(' || ${values.join(" || ',' || ")} || ')'`
}

/** Values that the table's columns change. */
export function mysqlChanges(
  writes: ColumnPlan['writes'],
  columns: readonly { name: string; type: string }[],
): ChangeTest[] {
  return writes.flatMap(({ from, to }): ChangeTest[] => {
    const declared = columns.find((column) => column.name === to)?.type ?? ''
    const kind = valueKindOf(from.type)
    if (kind === 'json' && declared === 'json') return [everyValueTest(from.name, runMessage('change_mysql_json'))]
    if (kind === 'timestamptz' && declared.startsWith('datetime'))
      return [everyValueTest(from.name, runMessage('change_without_zone'))]
    if (kind !== 'float') return []
    return declared.startsWith('float') && from.type === 'DOUBLE'
      ? [singlePrecisionTest(from.name, declared), minusZeroTest(from.name)]
      : /^(float|double)/.test(declared)
        ? [minusZeroTest(from.name)]
        : []
  })
}

interface Into {
  column: string
  /** As the table declares it: `datetime(3)`. */
  declared: string
  rows: RowsOf
}

function literal(column: Column, into: Into): string {
  const sql = plainLiteral(column, into)
  const fits = fitsOf(column, into.declared)
  const value = name(column.name)
  const words =
    isPadded(into.declared) && column.type === 'VARCHAR' ? withItsBlanks(value) : `CAST(${value} AS VARCHAR)`
  return fits === null ? sql : onlyWhere(fits, sql, words, into)
}

function plainLiteral(column: Column, into: Into): string {
  const { type } = column
  const value = name(column.name)
  const words = `CAST(${value} AS VARCHAR)`
  switch (valueKindOf(type)) {
    case 'boolean':
      return number(`CAST(CAST(${value} AS TINYINT) AS VARCHAR)`, into)
    case 'integer':
    case 'decimal':
      return number(words, into)
    case 'float': {
      // With an exponent it is a double to the server, too, not a decimal.
      const double = `CASE WHEN contains(${words}, 'e') THEN ${words} ELSE ${words} || 'e0' END`
      return onlyWhere(`isfinite(${value})`, isMembers(into) ? quoted(words) : double, words, into)
    }
    case 'date':
      return quoted(words)
    case 'time':
    case 'timestamp':
      return moment(words, into)
    case 'timestamptz':
      return moment(`CAST(${value} AT TIME ZONE 'UTC' AS VARCHAR)`, into)
    case 'blob':
      return `'x''' || hex(${value}) || ''''`
    case 'json':
    case 'text':
      // To the server the text of a number in a column of bits is the codes of its characters.
      if (into.declared.startsWith('bit')) return textValue(column)
      return quoted(`replace(replace(${textValue(column)}, '\\', '\\\\'), '''', '''''')`)
  }
}

const isPadded = (declared: string): boolean => /^char\b/.test(declared)
const isMembers = ({ declared }: Into): boolean => /^(enum|set)\(/.test(declared)

/** A bare number would choose a member of an ENUM or SET by its position. */
function number(words: string, into: Into): string {
  return isMembers(into) ? quoted(words) : words
}

/** Whether the server keeps a value as it is; null: it keeps every one, or refuses it itself. */
function fitsOf(column: Column, declared: string): string | null {
  const value = name(column.name)
  const kind = valueKindOf(column.type)
  const [, list, members] = /^(enum|set)\((.*)\)$/s.exec(declared) ?? []
  if (members !== undefined) {
    // By its letters: the server would take another case as well, and for digits that are no member the member at that position.
    const written = kind === 'boolean' ? `CAST(CAST(${value} AS TINYINT) AS VARCHAR)` : textValue(column)
    return list === 'enum'
      ? `${written} IN (${members})`
      : `(${written} = '' OR list_has_all([${members}], string_split(${written}, ',')))`
  }
  if (declared.startsWith('bit')) return fitsBits(value, kind)
  // 70 would become 1970.
  if (declared.startsWith('year') && kind === 'integer') return `(${value} = 0 OR ${value} BETWEEN 1901 AND 2155)`
  if (declared.startsWith('year') && kind === 'boolean') return `NOT ${value}`
  // The server drops blanks at the end, and fills up with zeros.
  if (isPadded(declared) && kind === 'text' && column.type !== 'UUID') return `NOT ends_with(${value}, ' ')`
  const bytes = /^binary\((\d+)\)/.exec(declared)?.[1]
  if (bytes !== undefined && kind === 'blob') return `octet_length(${value}) = ${bytes}`
  return fitsNumber(column, declared)
}

function fitsBits(value: string, kind: ValueKind): string | null {
  if (kind === 'text' || kind === 'json') return `CAST(TRY_CAST(${value} AS UBIGINT) AS VARCHAR) = ${value}`
  if (kind === 'integer') return `${value} >= 0`
  return kind === 'decimal' || kind === 'float' ? `(${value} >= 0 AND ${value} = trunc(${value}))` : null
}

/** What the server would round: fractions, and digits that floating point does not hold. (`float` rounds doubles, which is told: `mysqlChanges`.) */
function fitsNumber({ name: column, type }: Column, declared: string): string | null {
  const value = name(column)
  const floating = type === 'DOUBLE' || type === 'FLOAT'
  const given = Number(/^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1] ?? 0)
  if (/^(tiny|small|medium|big)?int/.test(declared)) return floating || given > 0 ? `${value} = trunc(${value})` : null
  const float = /^(float|double)/.exec(declared)?.[1]
  return float !== undefined && /^(U?INTEGER|BIGINT|HUGEINT)$/.test(type)
    ? `CAST(CAST(${value} AS ${float}) AS HUGEINT) = ${value}`
    : null
}

function quoted(sql: string): string {
  return `'''' || ${sql} || ''''`
}

/** Fractions of a second beyond what the column keeps would be rounded. */
function moment(words: string, into: Into): string {
  const places = /^(?:datetime|timestamp|time)(?:\((\d)\))?/.exec(into.declared)
  if (!places) return quoted(words)
  const kept = Number(places[1] ?? 0)
  return onlyWhere(`length(rtrim(split_part(${words}, '.', 2), '0')) <= ${kept}`, quoted(words), words, into)
}

function onlyWhere(fits: string, sql: string, words: string, { column, declared, rows }: Into): string {
  const refused = refusal(column, `is ${declared}, which cannot hold`, rows, { words })
  return `CASE WHEN ${fits} THEN ${sql} WHEN ${words} IS NOT NULL THEN ${refused} END`
}
