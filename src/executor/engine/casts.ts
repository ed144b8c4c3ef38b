import type { ColumnType } from '../../language/task/column-types.ts'
import type { Rounding } from '../../language/task/steps/step.types.ts'
import type { ValueFormat } from '../../language/task/value-formats.ts'
import { decimalOf, decimalOfText, decimalText, exactDigits, narrowDecimal } from './cast-decimals.ts'
import { patternMoment, plainNumber } from './cast-formats.ts'
import { isoYears, momentWords, name, wordsOf } from './sql-text.ts'

export interface CastTarget {
  column: string
  /** DuckDB's type of the column now. */
  from: string
  type: ColumnType
  /** DuckDB's type to be. */
  to: string
  /** What the task allows to be lost; absent: nothing. */
  rounding?: Rounding | undefined
  /** Nobody has named the type: the text must be written as such values are, with nothing that the type does not keep. */
  inferred?: boolean
  /** An empty text is no value. */
  emptyIsNull?: boolean
  /** How texts write the value; absent: as the language does. What is not a text does not ask for it. */
  format?: ValueFormat | undefined
  /** The column that holds what DuckDB makes of the text, for all who ask; absent: each asks DuckDB. See `triedFirst`. */
  tried?: string
}

export const tryCast = ({ column, to }: CastTarget): string => `TRY_CAST(${name(column)} AS ${to})`

/**
 * What a cast of the task language means, in every lane: the value in its new type, and NULL where it does not fit or would lose something:
 * a digit, a time of day, a part of a second. `rounding` allows that. See docs/types.md.
 * - integer, decimal: text is a plain number; floating point is what its shortest text says, `0.1` and not the binary fraction near it.
 * - number: of a decimal number, 17 digits at most are taken for those of a floating-point number.
 * - datetime: text with an offset, and moments with a zone, become UTC.
 * - json: text must be JSON; anything else becomes the JSON of its value.
 * - binary: text is taken as it is, in UTF-8; hexadecimal behind `\x` are the bytes themselves.
 * - string: ISO for dates and moments; the rest as DuckDB writes it.
 */
export function castExpression(cast: CastTarget): string {
  const { column, from, type, to } = cast
  const value = name(column)
  const rounding = cast.rounding ?? null
  if (cast.format && (from === 'VARCHAR' || from === 'JSON')) {
    const written = from === 'JSON' ? scalarOfJson(value) : `trim(${value})`
    return ofFormat(written, cast, cast.format)
  }
  if (cast.inferred) return usually(cast, inferredOf(`trim(${value})`, type, to))
  if (castsExactly(from, to)) return from === to ? value : `CAST(${value} AS ${to})`
  if (type === 'string') return textOf(value, from)
  if (type === 'json') return jsonOf(value, from)
  if (type === 'binary' && from === 'VARCHAR')
    return `CASE WHEN regexp_full_match(${value}, '\\\\x([0-9a-fA-F]{2})*') THEN unhex(substr(${value}, 3)) ELSE encode(${value}) END`
  // JSON is taken apart as the text that it holds.
  if (from === 'JSON' && type !== 'binary') return fromText(scalarOfJson(value), type, to, rounding)
  if (from === 'VARCHAR') return usually(cast, fromText(`trim(${value})`, type, to, rounding))
  return fromValue(value, from, type, to, rounding)
}

/** Types of moments: what they don't keep is cut off. */
export const isCut = (type: ColumnType): boolean => ['date', 'time', 'datetime'].includes(type)

/** Integers that floating point keeps. */
const small = new Set(['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER'])
const isFloat = (type: string): boolean => type === 'DOUBLE' || type === 'FLOAT'

/** Whether no value can be lost, so that none needs to be looked at. Types are DuckDB's. */
export function castsExactly(from: string, to: string): boolean {
  if (from === to) return true
  if (to === 'BIGINT') return small.has(from) || from === 'BOOLEAN'
  if (to === 'DOUBLE') {
    const decimal = decimalOf(from)
    return (
      small.has(from) || from === 'FLOAT' || from === 'BOOLEAN' || (decimal !== null && decimal.digits <= exactDigits)
    )
  }
  const [before, after] = [decimalOf(from), decimalOf(to)]
  if (after && before)
    return after.places >= before.places && after.digits - after.places >= before.digits - before.places
  return to === 'TIMESTAMP' && from === 'TIMESTAMP WITH TIME ZONE'
}

/** Decimal digits that tell every floating-point number from the others. */
const mostDigits = 17
/** Between these floating point has its full precision. */
const normal = (value: string): string => `abs(${value}) BETWEEN 2.3e-308 AND 1.7976931348623157e308`

function textOf(value: string, from: string): string {
  if (from === 'DATE' || from.startsWith('TIMESTAMP')) return momentWords(from, value)
  // A JSON text is its content, not the quotes around it.
  if (from === 'JSON')
    return `CASE WHEN json_type(${value}) = 'VARCHAR' THEN ${value} ->> '$' ELSE CAST(${value} AS VARCHAR) END`
  return from === 'BLOB' ? `TRY(decode(${value}))` : wordsOf(from, value)
}

/** SQL of a value as a document; NULL: it is none. */
export function jsonOf(value: string, from: string): string {
  if (from === 'VARCHAR') {
    // DuckDB takes NaN, infinities and a comma behind the last value for JSON, which has none of them. In texts they may stand.
    const outside = `regexp_replace(${value}, '"(\\\\.|[^"\\\\])*"', '""', 'g')`
    const foreign = `'(?i)nan|inf|,\\s*[\\]}]'`
    const isForeign = `regexp_matches(${value}, ${foreign}) AND regexp_matches(${outside}, ${foreign})`
    return `CASE WHEN json_valid(${value}) AND NOT (${isForeign}) THEN CAST(${value} AS JSON) END`
  }
  if (isFloat(from)) return `CASE WHEN isfinite(${value}) THEN to_json(${value}) END`
  const isNumber = decimalOf(from) !== null || /^U?(BIGINT|HUGEINT)$/.test(from)
  // DuckDB would write them by way of floating point.
  if (isNumber) return `CAST(${wordsOf(from, value)} AS JSON)`
  return `to_json(${from === 'DATE' || from.startsWith('TIMESTAMP') ? isoYears(from, value) : value})`
}

/** A text that is written in a form of its own. */
function ofFormat(value: string, cast: CastTarget, format: ValueFormat): string {
  const { type, to } = cast
  const rounding = cast.rounding ?? null
  if (format.kind === 'number') {
    const number = plainNumber(value, format)
    return cast.inferred ? inferredOf(number, type, to) : fromText(number, type, to, rounding)
  }
  const moment = patternMoment(value, format.pattern)
  return type === 'date' ? dateOfMoment(moment, rounding) : `CAST(${moment} AS ${to})`
}

function scalarOfJson(value: string): string {
  return `trim(CASE WHEN json_type(${value}) = 'VARCHAR' THEN ${value} ->> '$' ELSE CAST(${value} AS VARCHAR) END)`
}

function fromText(value: string, type: ColumnType, to: string, rounding: Rounding | null): string {
  if (type === 'integer') return decimalOfText(value, 0, to, rounding, exactDigits)
  if (type === 'number') return numberOfText(value, rounding)
  const decimal = decimalOf(to)
  if (decimal) return decimalOfText(value, decimal.places, to, rounding, exactDigits)
  if (type === 'datetime') return momentOfText(value, rounding !== null)
  if (type === 'date') {
    const midnight = dateOfMoment(momentOfText(value, rounding !== null), rounding)
    return `CASE WHEN ${startsLike(value, '____-__-__')} THEN TRY_CAST(${value} AS DATE) ELSE ${midnight} END`
  }
  if (type === 'time') {
    const places = rounding === null ? '{0,6}0*' : '*'
    return `CASE WHEN regexp_full_match(${value}, '[0-9]{1,2}:[0-9]{1,2}(:[0-9]{1,2}(\\.[0-9]${places})?)?') THEN TRY_CAST(${value} AS TIME) END`
  }
  return `TRY_CAST(${value} AS ${to})`
}

/** A digit goes first: behind a blank or a sign DuckDB takes more for a date than the language does, `-024-01-02` for one. */
const startsLike = (value: string, form: string): string =>
  `${value} LIKE '${form}' AND ${value} >= '0' AND ${value} < ':'`

/** The form that nearly all values have is found without a pattern, and without cutting blanks off: either takes longer than the cast. */
function usually(cast: CastTarget, others: string): string {
  const { column, to, inferred } = cast
  const value = name(column)
  const forms = usualForms(cast).map((form) => `WHEN ${form} THEN ${made(cast)}`)
  if (forms.length > 0) return `CASE ${forms.join(' ')} ELSE ${others} END`
  const narrow = narrowDecimal(to)
  if (narrow !== null)
    return `CASE WHEN CAST(TRY_CAST(${value} AS ${narrow}) AS VARCHAR) = ${value} THEN ${decimalText(value, to)} ELSE ${others} END`
  return to === 'BOOLEAN' && !inferred ? `coalesce(${made(cast)}, ${others})` : others
}

/** Forms of texts that say: the value is what DuckDB makes of the text. As conditions, each for those that have none of the forms before. */
export function usualForms(cast: CastTarget): string[] {
  const value = name(cast.column)
  const asWritten = `CAST(${made(cast)} AS VARCHAR) = ${value}`
  if (cast.to === 'DATE') return [startsLike(value, '____-__-__')]
  if (cast.to === 'TIMESTAMP') return [startsLike(value, '____-__-_____:__:__')]
  // One digit needs no look at how it would be written, which takes longer where the cast is at hand.
  const digit = `strlen(${value}) = 1 AND ${made(cast)} BETWEEN 0 AND 9`
  if (cast.to === 'BIGINT') return cast.tried === undefined ? [asWritten] : [digit, asWritten]
  return cast.to === 'DOUBLE' ? [...plainNumbers(value, made(cast)), asWritten] : []
}

/** SQL of what DuckDB makes of the text; NULL: it does not read as that type. */
export function made(cast: CastTarget): string {
  return cast.tried === undefined ? tryCast(cast) : name(cast.tried)
}

/**
 * The most frequent first, with so few digits that floating point holds them. An underscore is no digit. The range goes first: below other
 * conditions DuckDB takes a cast several times as long.
 */
function plainNumbers(value: string, number: string): string[] {
  const isShort = (length: number): string => `strlen(${value}) <= ${length} AND NOT contains(${value}, '_')`
  const begins = (from: string, below: string): string => `${value} >= '${from}' AND ${value} < '${below}'`
  return [
    `${number} BETWEEN 1 AND 1e${exactDigits} AND ${begins('1', ':')} AND ${isShort(exactDigits)}`,
    `${number} BETWEEN -1e${exactDigits} AND -1 AND ${begins('-1', '-:')} AND ${isShort(exactDigits + 1)}`,
    `${number} BETWEEN 1e-${exactDigits} AND 1 AND ${begins('0.', '0/')} AND ${isShort(exactDigits)}`,
    `${number} BETWEEN -1 AND -1e-${exactDigits} AND ${begins('-0.', '-0/')} AND ${isShort(exactDigits + 1)}`,
    // Five values would become a join, which takes five times as long.
    `${value} IN ('0', '0.0', '0.00')`,
  ]
}

/**
 * As such values are written and nothing else is: without zeros or a sign in front that a number would lose (then it is a code, or the number
 * of a telephone), and no `f`, `no`, `2:10`, or `1-2-3`, which are words, results, and versions.
 */
function inferredOf(value: string, type: ColumnType, to: string): string {
  const isNamed = `lower(ltrim(${value}, '-')) IN ('nan', 'inf', 'infinity')`
  const isNumber = `(${value} >= '1' AND ${value} < ':') OR regexp_full_match(${value}, '-?(0|[1-9][0-9]*)?([.eE].*)?')`
  if (to === 'BIGINT') {
    const number = `TRY_CAST(${value} AS BIGINT)`
    const isWhole = `regexp_full_match(${value}, '0|-?[1-9][0-9]*(\\.0*)?')`
    return `CASE WHEN ${isWhole} THEN ${number} END`
  }
  if (to === 'DOUBLE') return `CASE WHEN ${isNumber} OR ${isNamed} THEN ${numberOfText(value, null)} END`
  if (decimalOf(to)) return `CASE WHEN ${isNumber} THEN ${fromText(value, type, to, null)} END`
  if (to === 'BOOLEAN') return `CASE lower(${value}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END`
  if (to === 'TIME') return `CASE WHEN ${value} LIKE '__:__%' THEN ${fromText(value, type, to, null)} END`
  const isDay = `regexp_matches(${value}, '^[0-9]{4,}[-/][0-9]{2}[-/][0-9]{2}($|[ T])')`
  if (type === 'date') return `CASE WHEN ${isDay} THEN ${fromText(value, type, to, null)} END`
  const zone = `regexp_matches(${value}, ':[0-9.]+ ?([zZ]|UTC|[+-][0-9]{2}(:?[0-9]{2})?)$')`
  if (to === 'TIMESTAMP WITH TIME ZONE')
    return `CASE WHEN ${isDay} AND ${zone} THEN ${momentOfText(value)} AT TIME ZONE 'UTC' END`
  if (to === 'TIMESTAMP') return `CASE WHEN ${isDay} AND NOT ${zone} THEN ${momentOfText(value)} END`
  return fromText(value, type, to, null)
}

function numberOfText(value: string, rounding: Rounding | null): string {
  const number = `TRY_CAST(${value} AS DOUBLE)`
  const isNumber = `regexp_full_match(${value}, '[+-]?[0-9]*\\.?[0-9]*([eE][+-]?[0-9]+)?')`
  const isNamed = `lower(ltrim(${value}, '+-')) IN ('nan', 'inf', 'infinity')`
  const kept = rounding === null ? sameDigits(value, number) : `isfinite(${number})`
  // Nearly all: short enough to need no second look. An underscore is no digit.
  const short = `strlen(${value}) <= ${exactDigits} AND ${normal(number)} AND NOT contains(${value}, '_')`
  const shortest = `CAST(${number} AS VARCHAR) = ${value}`
  return `CASE WHEN ${short} THEN ${number} WHEN ${shortest} THEN ${number} WHEN ${isNumber} AND (${kept}) THEN ${number} WHEN ${isNamed} THEN ${number} END`
}

/** Whether a number of the text's digits is what floating point makes of it. */
function sameDigits(value: string, number: string): string {
  const digitsOf = (written: string): string =>
    `trim(replace(ltrim(split_part(lower(${written}), 'e', 1), '+-'), '.', ''), '0')`
  const digits = digitsOf(value)
  const printed = [exactDigits, mostDigits - 1].map((places) => digitsOf(`format('{:.${places}e}', ${number})`))
  const shortest = digitsOf(`CAST(${number} AS VARCHAR)`)
  return `${digits} = '' OR (strlen(${digits}) <= ${exactDigits} AND ${normal(number)}) OR ${digits} IN (${[shortest, ...printed].join(', ')})`
}

/**
 * A text as a moment in UTC; NULL where it is none, or is finer than a microsecond (`cuts`: that is cut off). DuckDB reads past an offset
 * when it makes a TIMESTAMP of a text, and when it makes a TIMESTAMPTZ, a text without a zone takes over the one that a text before it has
 * named: each is read by the one that does it right.
 */
export function momentOfText(value: string, cuts = false): string {
  // A year of two digits may be a day or a version.
  const day = '[-+]?[0-9]{4,}[-/][0-9]{1,2}[-/][0-9]{1,2}( \\(BC\\))?'
  const bare = `${day}([ T][0-9]{1,2}:[0-9:.]*)?`
  const isMoment = `(regexp_matches(${value}, '^${day}') OR lower(${value}) IN ('infinity', '-infinity'))`
  const finer = cuts ? '' : `WHEN regexp_matches(${value}, '\\.[0-9]{6}[0-9]*[1-9]') THEN NULL `
  return `CASE WHEN ${startsLike(value, '____-__-_____:__:__')} THEN TRY_CAST(${value} AS TIMESTAMP) ${finer}WHEN regexp_full_match(${value}, '${bare}') THEN TRY_CAST(${value} AS TIMESTAMP) WHEN ${isMoment} THEN TRY_CAST(${value} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END`
}

function dateOfMoment(moment: string, rounding: Rounding | null): string {
  const day = `CAST(${moment} AS DATE)`
  return rounding === null ? `CASE WHEN CAST(${day} AS TIMESTAMP) = ${moment} THEN ${day} END` : day
}

function fromValue(value: string, from: string, type: ColumnType, to: string, rounding: Rounding | null): string {
  const fits = `TRY_CAST(${value} AS ${to})`
  const before = decimalOf(from)
  const decimal = type === 'integer' ? { digits: 18, places: 0 } : decimalOf(to)
  if (decimal && isFloat(from)) {
    const written = decimalOfText(`CAST(${value} AS VARCHAR)`, decimal.places, to, rounding, mostDigits)
    // Few digits tell by themselves that nothing was lost.
    const few = `abs(${value}) < 1e${exactDigits - decimal.places} AND CAST(${fits} AS DOUBLE) = ${value}`
    return `CASE WHEN ${few} THEN ${fits} ELSE ${written} END`
  }
  if (decimal && before) {
    const cut = `TRY_CAST(trunc(${value}${decimal.places === 0 ? '' : `, ${decimal.places}`}) AS ${to})`
    if (before.places <= decimal.places) return fits
    if (rounding === 'round') return fits
    if (rounding === 'truncate') return cut
    return `CASE WHEN TRY_CAST(${fits} AS ${from}) = ${value} THEN ${fits} END`
  }
  if (type === 'number' && (before || /^(U?BIGINT|U?HUGEINT|BIGNUM)$/.test(from))) {
    const written = numberOfText(`CAST(${value} AS VARCHAR)`, rounding)
    // So many places are a power of ten that floating point holds: divided by it, few digits give the nearest number.
    if (before && before.places > 22) return written
    const limit = 10n ** BigInt(exactDigits)
    const small = before
      ? `abs(${value}) < 1e${exactDigits - before.places}`
      : `${value} BETWEEN -${limit} AND ${limit}`
    return `CASE WHEN ${small} THEN CAST(${value} AS DOUBLE) ELSE ${written} END`
  }
  if (type === 'boolean' && (isFloat(from) || before || from.endsWith('INT') || from.endsWith('INTEGER')))
    return `CASE WHEN ${value} IN (0, 1) THEN ${fits} END`
  if (from.startsWith('TIMESTAMP') && (type === 'date' || type === 'time' || type === 'datetime')) {
    const moment = from === 'TIMESTAMP WITH TIME ZONE' ? `(${value} AT TIME ZONE 'UTC')` : value
    if (type === 'date') return dateOfMoment(moment, rounding)
    if (rounding !== null) return `TRY_CAST(${moment} AS ${to})`
    // As a time of day it has lost its day.
    return type === 'time' ? 'CAST(NULL AS TIME)' : `CASE WHEN TRY_CAST(${fits} AS ${from}) = ${value} THEN ${fits} END`
  }
  const isNumber = (one: string): boolean =>
    isFloat(one) || one === 'BOOLEAN' || /INT/.test(one) || one.startsWith('DECIMAL(')
  if ((isNumber(from) && isNumber(to)) || (from === 'DATE' && type === 'datetime')) return fits
  // No number is a moment: of inf DuckDB would make the moment at the end of time.
  if (isNumber(from) && isCut(type)) return `CAST(NULL AS ${to})`
  // DuckDB has no cast for the others; what their text says may still fit.
  return type === 'binary' ? 'CAST(NULL AS BLOB)' : fromText(`CAST(${value} AS VARCHAR)`, type, to, rounding)
}
