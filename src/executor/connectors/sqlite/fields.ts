import { runMessage } from '../../../contract/run-messages.ts'
import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import type { Column } from '../../../contract/common.ts'
import type { ChangeTest } from '../../engine/change-test.ts'
import { everyValueTest, minusZeroTest } from '../../engine/changes.ts'
import { decimalOfExponent, decimalText, exactDigits } from '../../engine/cast-decimals.ts'
import { castsExactly } from '../../engine/casts.ts'
import { name, wordsOf } from '../../engine/sql-text.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { textValue } from '../../targets/encode.ts'
import { refusal, type RowsOf } from '../../targets/refusal.ts'
import { affinityOf, takesNumbers } from './table.ts'
import { isMoment, logicalTypeOf, valueKindOf } from '../../targets/type-map.ts'

/** How a column's values reach SQLite: what DuckDB makes of them, and what is bound of that. */
export interface SqliteField {
  /** SQL over the incoming column. */
  sql: string
  /** Absent: what DuckDB gives is bound as it is. */
  bind?: (value: DuckDBValue) => DuckDBValue
  /** The driver may be given numbers instead of BigInt: the column makes integers of them again. */
  smallIntegers: boolean
}

/**
 * Whole numbers are bound as 64 bits, moments as text, decimals as numbers where the column takes numbers: as integers where they are whole,
 * else as the floating-point number that reads back as exactly that decimal. What SQLite would round is refused: mixed with text a column
 * would not compare.
 */
export function sqliteField(from: StreamColumn, to: { name: string; type: string }, rows: RowsOf): SqliteField {
  const affinity = affinityOf(to.type)
  const smallIntegers = takesNumbers(to.type)
  const kind = valueKindOf(from.type)
  if (kind === 'decimal' && smallIntegers) return { ...decimalField(from, to, affinity, rows), smallIntegers }
  const value = name(from.name)
  if (kind === 'integer' && affinity === 'REAL') {
    const same = `TRY_CAST(CAST(${value} AS DOUBLE) AS HUGEINT) = ${value}`
    const written = from.type === 'HUGEINT' ? `CAST(${value} AS DOUBLE)` : `CAST(${value} AS BIGINT)`
    return { sql: onlyWhere(same, written, from, to, rows), smallIntegers }
  }
  if (from.type === 'HUGEINT')
    return {
      sql: smallIntegers
        ? onlyWhere(`TRY_CAST(${value} AS BIGINT) IS NOT NULL`, `CAST(${value} AS BIGINT)`, from, to, rows)
        : `CAST(${value} AS VARCHAR)`,
      smallIntegers,
    }
  // SQLite's own text of a number differs from the one that it has everywhere else.
  if (kind === 'float' && affinity === 'TEXT')
    return { sql: `CAST(${plainField(from, to, rows)} AS VARCHAR)`, smallIntegers }
  if (kind === 'text' || kind === 'json') return { ...textField(from, to, rows), smallIntegers }
  return { sql: plainField(from, to, rows), ...(kind === 'blob' ? { bind: blobBytes } : {}), smallIntegers }
}

function decimalField(
  from: Column,
  to: { name: string; type: string },
  affinity: string,
  rows: RowsOf,
): Omit<SqliteField, 'smallIntegers'> {
  const isDecimal = from.type.startsWith('DECIMAL(')
  const type = isDecimal ? from.type : 'DECIMAL(38,0)'
  // Of a BIGNUM that is too large even TRY_CAST fails.
  const value = isDecimal ? name(from.name) : decimalText(`CAST(${name(from.name)} AS VARCHAR)`, type)
  const declared = logicalTypeOf('sqlite', to.type)
  const narrow =
    declared?.startsWith('DECIMAL(') && !castsExactly(type, declared)
      ? `TRY_CAST(${value} AS ${declared}) = ${value}`
      : null
  const digits = Number(/^DECIMAL\((\d+),/.exec(type)?.[1])
  if (digits <= exactDigits) {
    const double = `CAST(${value} AS DOUBLE)`
    return { sql: narrow === null ? double : onlyWhere(narrow, double, from, to, rows) }
  }
  const fits = narrow === null ? '' : `${narrow} AND `
  const double = `CAST(CAST(${value} AS VARCHAR) AS DOUBLE)`
  const whole =
    affinity === 'REAL'
      ? ''
      : `WHEN ${fits}TRY_CAST(${value} AS BIGINT) = ${value} THEN CAST(CAST(${value} AS BIGINT) AS VARCHAR) `
  const back = `${fits}${decimalOfExponent(`CAST(${double} AS VARCHAR)`, type)} = ${value}`
  return {
    sql: `CASE ${whole}WHEN ${back} THEN CAST(${double} AS VARCHAR) ${elseRefused(from, to, rows)} END`,
    bind: numberOf,
  }
}

/** Values that the columns change: decimals in columns of text, -0.0 in those of numbers, and years whose text sorts in another way. */
export function sqliteChanges(
  writes: ColumnPlan['writes'],
  columns: readonly { name: string; type: string }[],
): ChangeTest[] {
  return writes.flatMap(({ from, to }) => {
    const isNumber = takesNumbers(columns.find((column) => column.name === to)?.type ?? '')
    const kind = valueKindOf(from.type)
    if (kind === 'decimal' && !isNumber) return [everyValueTest(from.name, runMessage('change_text_decimals'))]
    if (isMoment(from.type)) return outsideYears(from)
    return kind === 'float' && isNumber ? [minusZeroTest(from.name)] : []
  })
}

/** `-0043-03-15` comes after `-0044-03-15` as time does not, and `12345-01-01` before `2024-01-01`. */
function outsideYears({ name: column, type }: Column): ChangeTest[] {
  if (type === 'TIMESTAMP_NS') return []
  const value = name(column)
  return [
    {
      column,
      change: runMessage('change_text_years'),
      when: `isfinite(${value}) AND (${value} < '0000-01-01' OR ${value} >= '10000-01-01')`,
      // The fifth character of a text with another year is no hyphen, as that of `infinity`.
      holds: (written) =>
        typeof written === 'string' && written.charCodeAt(4) !== hyphen && !written.endsWith('infinity'),
    },
  ]
}

const hyphen = 45

/** SQLite reads integers out of text exactly; of fractions it may miss the nearest number. */
function numberOf(value: DuckDBValue): DuckDBValue {
  return typeof value === 'string' && /^-?\d+(\.\d+(e[-+]?\d+)?|e[-+]?\d+)$/.test(value) ? Number(value) : value
}

function onlyWhere(fits: string, sql: string, from: Column, to: { name: string; type: string }, rows: RowsOf): string {
  return `CASE WHEN ${fits} THEN ${sql} ${elseRefused(from, to, rows)} END`
}

function elseRefused(from: Column, to: { name: string; type: string }, rows: RowsOf): string {
  const value = name(from.name)
  const refused = refusal(to.name, `is ${to.type}, which SQLite keeps as a number and which cannot hold`, rows, {
    words: wordsOf(from.type, value),
    hint: `Add a \`cast\` step: \`${from.name}: {type: number, rounding: round}\` accepts rounding, \`${from.name}: string\` keeps every digit as text.`,
  })
  return `WHEN ${value} IS NOT NULL THEN ${refused}`
}

/**
 * SQLite turns texts that read as numbers into numbers in every column that is declared neither for texts nor for bytes, JSON included. Where
 * the number would have another text, it is refused. From a column declared the same, texts of numbers are numbers that came beside texts.
 */
function textField(
  from: StreamColumn,
  to: { name: string; type: string },
  rows: RowsOf,
): Omit<SqliteField, 'smallIntegers'> {
  const value = textValue(from)
  if (!takesNumbers(to.type)) return { sql: value }
  const wereNumbers = originOf(from, 'sqlite')?.type === to.type
  const refused = refusal(to.name, `is ${to.type}, where SQLite turns texts into numbers, which would change`, rows, {
    words: value,
    hint: 'SQLite cannot change the type of a column: create the table again, with the column declared as TEXT or JSON_TEXT.',
  })
  const isText = `NOT regexp_full_match(${value}, '${numberOfSqlite}')`
  const isWhole = `CAST(TRY_CAST(${value} AS BIGINT) AS VARCHAR) = ${value}`
  // SQLite reads fractions of so few digits exactly.
  const short = `strlen(${value}) <= ${exactDigits} AND regexp_full_match(${value}, '.*\\.[0-9]*[1-9]') AND `
  const isFraction = `${wereNumbers ? '' : short}CAST(TRY_CAST(${value} AS DOUBLE) AS VARCHAR) = ${value}`
  const kept = `${isText} OR coalesce(${isWhole} OR (${isFraction}), false)`
  return {
    sql: `CASE WHEN ${value} IS NULL OR ${kept} THEN ${value} ELSE ${refused} END`,
    ...(wereNumbers ? { bind: numberOf } : {}),
  }
}

/** What SQLite takes for a number. */
const numberOfSqlite = String.raw`[\x09-\x0d ]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?[\x09-\x0d ]*`

function plainField(column: Column, to: { name: string }, rows: RowsOf): string {
  const value = name(column.name)
  switch (valueKindOf(column.type)) {
    case 'boolean':
    case 'integer':
      return `CAST(${value} AS BIGINT)`
    case 'float':
      return notNan(column, to, rows)
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

/** SQLite keeps NULL for NaN: it is refused rather than lost. */
function notNan(column: Column, to: { name: string }, rows: RowsOf): string {
  const value = `CAST(${name(column.name)} AS DOUBLE)`
  const refused = refusal(to.name, 'holds a value that SQLite cannot keep:', rows, {
    words: `CAST(${value} AS VARCHAR)`,
  })
  return `CASE WHEN isnan(${value}) THEN ${refused} ELSE ${value} END`
}

function blobBytes(value: DuckDBValue): DuckDBValue {
  // Typed as DuckDB's values only because they share the columns' array.
  return value instanceof DuckDBBlobValue ? (value.bytes as unknown as DuckDBValue) : value
}
