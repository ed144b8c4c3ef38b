import type { Column } from '../../../contract/common.ts'
import { type ColumnType, declaredTypeOf } from '../../../language/task/column-types.ts'
import type { CsvFormats, FilesSource } from '../../../language/task/sources/source.types.ts'
import { plainNumber } from '../../engine/cast-formats.ts'
import { isThere } from '../../engine/cast-faults.ts'
import { triedFirst } from '../../engine/cast-columns.ts'
import { castExpression, made, usualForms, type CastTarget } from '../../engine/casts.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { duckDbType, name } from '../../engine/sql-text.ts'
import type { HeadedSource } from './head.types.ts'
import { columnsPastFaults, sampleRows } from './joined.ts'
import { withNulls } from '../../sources/files-sql.ts'
import { formatOf, typesSet } from '../../sources/files-types.ts'

/** What becomes of the columns of CSV files, all of which are read as text: DuckDB's reader would round, cut and guess. */
export interface CsvColumns {
  /** As they are read. */
  texts: Column[]
  /** The rows, as SQL. */
  reader: string
  /** What the texts are made into; absent: they stay text. */
  casts: Map<string, CastTarget>
  /** There is not one row to tell the types of the columns that the task does not name. */
  untyped: boolean
}

export interface CsvRowsRead {
  /** All of them as text, as SQL: where the first are read, and where all are. */
  first: string
  all: string
  files: readonly string[]
  /** Those of one file that has these columns. */
  of: (file: string, columns: readonly Column[]) => string
}

/** Files that are asked for the type of a column, if the first rows say nothing: each takes some 20 ms of processor time. */
const mostAsked = 4

/** Files that DuckDB looks at to find the types, unless it is told to look at more. */
const usuallyLookedAt = 10

/** Columns in one short question: the parts of each keep a hundred kilobytes. */
const usualAtOnce = 300
/** Columns in one long question: each keeps some megabytes for the values that it tells apart, however few there are. */
const lookedAtOnce = 8

/**
 * `found`: columns with the types that DuckDB takes them for. A type that would
 * change one of the first rows, or make two of them equal, is not taken: a column of numbers with more digits than floating point holds is
 * decimal, any other stays text.
 */
export async function csvColumns(
  source: HeadedSource,
  found: readonly Column[],
  rows: CsvRowsRead,
  context: StageContext,
): Promise<CsvColumns> {
  const declared = typesSet(source)
  const { casts, empty, unclear, seen } = await decide(source, found, rows.first, rows.files.length > 1, context)
  if (unclear.size > 0 && rows.files.length > usuallyLookedAt) {
    // As many as have the first rows.
    const more = await columnsPastFaults(source, rows.files, context, ', files_to_sniff = -1')
    const open = more.filter(({ name: column, type }) => unclear.has(column) && type !== 'VARCHAR')
    if (open.length > 0)
      for (const [column, cast] of (await decide(source, open, rows.first, false, context)).casts)
        casts.set(column, cast)
  }
  for (const file of seen < sampleRows ? [] : spread(rows.files)) {
    if (empty.size === 0) break
    const there = await columnsPastFaults(source, [file], context)
    const open = there.filter(({ name: column }) => empty.has(column))
    const own = await decide(source, open, rows.of(file, there), true, context)
    for (const { name: column } of open) {
      const cast = own.casts.get(column)
      if (cast) casts.set(column, cast)
      if (!own.empty.has(column)) empty.delete(column)
    }
  }
  const texts = found.map((column) => ({ name: column.name, type: 'VARCHAR' }))
  const untyped = seen === 0 && found.some(({ name: one }) => !declared.has(one.toLowerCase()))
  return { texts, reader: withNulls(source, rows.all, [...casts.keys()]), casts, untyped }
}

interface Decided {
  casts: Map<string, CastTarget>
  /** Columns without a declared type that have no value in these rows: they say nothing of the type. Only where that is asked. */
  empty: Set<string>
  /** Those that become text, though all of their values may be of another type. Only where that is asked. */
  unclear: Set<string>
  /** Rows; fewer than are looked at: there are no more. */
  seen: number
}

/** Of the files behind the first, as far from each other as they can be: those next to it may have been looked at. */
function spread(files: readonly string[]): string[] {
  const last = files.length - 1
  const asked = Math.min(mostAsked, last)
  return Array.from({ length: asked }, (_, at) => files[Math.ceil(((at + 1) * last) / asked)] ?? '')
}

/** From the first of some rows. `asksMore`: other files may say more. */
async function decide(
  source: FilesSource,
  found: readonly Column[],
  rows: string,
  asksMore: boolean,
  { session }: StageContext,
): Promise<Decided> {
  const declared = typesSet(source)
  const casts = new Map<string, CastTarget>()
  const open: CastTarget[] = []
  const from = 'VARCHAR'
  const emptyIsNull = source.csv?.null_values.includes('') === true
  const formats = source.csv?.formats
  for (const { name: column, type: to } of found) {
    const type = declared.get(column.toLowerCase())
    const guess = to === from ? null : declaredTypeOf(to)
    if (type !== undefined && type !== 'string')
      casts.set(column, {
        column,
        from,
        type,
        to: duckDbType(type),
        emptyIsNull,
        format: formatOf(source, column, type),
      })
    if (type !== undefined) continue
    for (const written of formats ? writtenTypes(formats) : []) {
      const format = formatOf(source, column, written)
      open.push({ column, from, type: written, to: duckDbType(written), inferred: true, emptyIsNull, format })
    }
    // Where numbers are written in another way, `1.234` is not what DuckDB takes it for.
    if (guess !== null && !(formats?.numbers && guess === 'number'))
      open.push({ column, from, type: guess, to, inferred: true, emptyIsNull })
  }
  const first = `(SELECT * FROM ${rows} LIMIT ${sampleRows})`
  const plain = asksMore
    ? found.filter(({ name: column, type }) => type === from && !declared.has(column.toLowerCase()))
    : []
  const looking = [...open.map(({ column }) => column), ...plain.map(({ name: column }) => column)]
  const texted = withNulls(source, first, [...new Set(looking)])
  const { casts: tried, relation: looked } = triedFirst(open, texted, found)
  const look = async (questions: string[][], atOnce: number) => {
    const answers: unknown[] = []
    for (let at = 0; at < questions.length; at += atOnce) {
      const some = questions.slice(at, at + atOnce).flat()
      answers.push(...((await session.rows(`SELECT ${some.join(', ')} FROM ${looked}`))[0] ?? []))
    }
    return answers
  }
  const valuesOf = ({ name: column }: Column): string[] => [
    `bool_or(${name(column)} ${emptyIsNull ? "<> ''" : 'IS NOT NULL'})`,
    // What begins numbers and dates is less than a colon.
    `bool_or(${name(column)} >= ':' AND lower(${name(column)}) NOT IN ('true', 'false'))`,
  ]
  const [count, ...known] = await look([['count(*)'], ...tried.map(areUsual), ...plain.map(valuesOf)], usualAtOnce)
  const sure = known.splice(0, tried.length)
  const empty = new Set(plain.filter((_, at) => known[2 * at] !== true).map(({ name: column }) => column))
  const unclear = new Set(plain.filter((_, at) => known[2 * at + 1] === false).map(({ name: column }) => column))
  const unsure = tried.filter((_, at) => sure[at] !== true)
  const answers = await look(unsure.map(looksOf), lookedAtOnce)
  for (const [at, cast] of open.entries()) {
    const [fits, isApart, decimal] = sure[at] === true ? [] : answers.splice(0, 3)
    if (casts.has(cast.column)) continue
    // `fits` may be NULL: there is no value.
    if (fits !== false && isApart !== false) casts.set(cast.column, cast)
    else if (fits === false && typeof decimal === 'string')
      casts.set(cast.column, { ...cast, to: decimal, type: decimal.toLowerCase() as ColumnType }) // decimal(38,s)
  }
  for (const { column } of asksMore ? open : []) if (!casts.has(column)) unclear.add(column)
  return { casts, empty, unclear, seen: Number(count) }
}

/** What columns without a declared type may hold that is written in another way, the narrowest first. */
function writtenTypes({ numbers, date, datetime }: CsvFormats): ColumnType[] {
  return [
    ...(numbers === null ? [] : (['integer', 'number'] as const)),
    ...(date === null ? [] : (['date'] as const)),
    ...(datetime === null ? [] : (['datetime'] as const)),
  ]
}

/** Whether all texts are written as such values mostly are, and different ones stay different: a short question, which most columns answer. */
function areUsual(cast: CastTarget): [string] {
  const value = name(cast.column)
  const forms = cast.format ? [] : usualForms(cast)
  if (forms.length === 0) return ['FALSE']
  // A CASE stops at the form that a text has; OR would look for all of them.
  const isUsual = forms.map((form) => `WHEN ${form} THEN ${made(cast)} IS NOT NULL`).join(' ')
  const isNone = cast.emptyIsNull ? `${value} IS NULL OR ${value} = ''` : `${value} IS NULL`
  const fit = `bool_and(CASE ${isUsual} ELSE ${isNone} END)`
  return [cast.to === 'DOUBLE' ? `${fit} AND (${areSurelyApart(value)})` : fit]
}

/** Whether all values fit, whether different texts stay different values, and the decimal type that has more digits than floating point. */
function looksOf(cast: CastTarget): string[] {
  const { column, to, format } = cast
  const andAny = format ? ` AND count(nullif(${name(column)}, '')) > 0` : ''
  const fits = `bool_and((${castExpression(cast)}) IS NOT NULL OR NOT (${isThere(cast)}))${andAny}`
  if (to !== 'DOUBLE') return [fits, 'NULL', 'NULL']
  const decimal = `CASE WHEN ${areApart(cast, plainDigits(cast))} THEN ${decimalOf(cast)} END`
  return [fits, areApart(cast, made(cast)), decimal]
}

/** Texts of numbers differ like the numbers where all have as many places, or none ends with a zero behind the point. */
function areSurelyApart(value: string): string {
  const places = `strlen(${value}) - strpos(${value}, '.')`
  const allHave = (form: string): string => `bool_and(regexp_full_match(${value}, '-?[0-9]+${form}'))`
  return `(${allHave(String.raw`\.[0-9]+`)} AND min(${places}) = max(${places})) OR ${allHave(String.raw`(\.[0-9]*[1-9])?`)}`
}

/**
 * Whether texts that differ are numbers that differ: `1.1` and `1.10` are sections or versions, which would become one. As SQL. `number`:
 * SQL that is the same for two texts of one number.
 */
function areApart(cast: CastTarget, number: string): string {
  if (cast.format) return 'TRUE'
  const written = `trim(${name(cast.column)})`
  // Zeros are written in many ways, and are none the less nothing.
  const other = (one: string): string => `count(DISTINCT CASE WHEN ${made(cast)} <> 0 THEN ${one} END)`
  return `${other(written)} = ${other(number)}`
}

/** A number without an exponent, without the zeros that say nothing. */
function plainDigits({ column }: CastTarget): string {
  const written = `trim(${name(column)})`
  const digits = `ltrim(${written}, '-0')`
  const short = `CASE WHEN contains(${digits}, '.') THEN rtrim(rtrim(${digits}, '0'), '.') ELSE ${digits} END`
  return `concat(starts_with(${written}, '-'), ${short})`
}

/** The decimal type that all values of a column fit into, as SQL; NULL: there is none. */
function decimalOf({ column, format }: CastTarget): string {
  const written = `trim(${name(column)})`
  const value = format?.kind === 'number' ? plainNumber(written, format) : written
  const places = `max(strlen(split_part(${value}, '.', 2)))`
  const whole = `max(strlen(ltrim(split_part(${value}, '.', 1), '-')))`
  const plain = `bool_and(${written} IS NULL OR coalesce(regexp_full_match(${value}, '-?(0|[1-9][0-9]*)?(\\.[0-9]*)?'), false))`
  return `CASE WHEN ${plain} AND ${whole} + ${places} <= 38 THEN 'DECIMAL(38,' || ${places} || ')' END`
}
