import type { Column } from '../../../contract/common.ts'
import { type ColumnType, declaredTypeOf } from '../../../language/task/column-types.ts'
import type { CsvFormats, FilesSource } from '../../../language/task/sources/source.types.ts'
import { castText } from '../../engine/cast-decimals.ts'
import { plainNumber } from '../../engine/cast-formats.ts'
import { castReason } from '../../engine/cast-faults.ts'
import type { CastTarget } from '../../engine/casts.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { duckDbType, name } from '../../engine/sql-text.ts'
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

/** As many rows as DuckDB looks at to find the types. */
const sampleRows = 20_480

/**
 * `found`: columns with the types that DuckDB takes them for; `reader`: the same rows as text. A type that would change one of the first
 * rows, or make two of them equal, is not taken: a column of numbers with more digits than floating point holds is decimal, any other stays text.
 */
export async function csvColumns(
  source: FilesSource,
  found: readonly Column[],
  reader: string,
  { session }: StageContext,
): Promise<CsvColumns> {
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
  const looks = open.flatMap((cast) => {
    const fits = `bool_and(${castReason(cast)} IS NULL)${cast.format ? ` AND count(nullif(${name(cast.column)}, '')) > 0` : ''}`
    return cast.to === 'DOUBLE' ? [fits, cast.format ? 'TRUE' : areApart(cast), decimalOf(cast)] : [fits]
  })
  const first = `(SELECT * FROM ${reader} LIMIT ${sampleRows})`
  const looked = withNulls(source, first, [...new Set(open.map(({ column }) => column))])
  const [row = []] = await session.rows(`SELECT count(*)${looks.map((look) => `, ${look}`).join('')} FROM ${looked}`)
  const values = row.slice(1)
  for (const cast of open) {
    const fits = values.shift() !== false
    const [isApart, decimal] = cast.to === 'DOUBLE' ? values.splice(0, 2) : []
    if (casts.has(cast.column) || isApart === false) continue
    if (fits) casts.set(cast.column, cast)
    else if (typeof decimal === 'string')
      casts.set(cast.column, { ...cast, to: decimal, type: decimal.toLowerCase() as ColumnType }) // decimal(38,s)
  }
  const texts = found.map((column) => ({ name: column.name, type: 'VARCHAR' }))
  const untyped = Number(row[0]) === 0 && found.some(({ name: one }) => !declared.has(one.toLowerCase()))
  return { texts, reader: withNulls(source, reader, [...casts.keys()]), casts, untyped }
}

/** What columns without a declared type may hold that is written in another way, the narrowest first. */
function writtenTypes({ numbers, date, datetime }: CsvFormats): ColumnType[] {
  return [
    ...(numbers === null ? [] : (['integer', 'number'] as const)),
    ...(date === null ? [] : (['date'] as const)),
    ...(datetime === null ? [] : (['datetime'] as const)),
  ]
}

/** Whether texts that differ are numbers that differ: `1.1` and `1.10` are sections or versions, which would become one. As SQL. */
function areApart({ column }: CastTarget): string {
  const written = `trim(${name(column)})`
  const number = castText(written, 'DECIMAL(38,15)', 'TRY_CAST')
  // Where it is too long for that, floating point will do: its digits are looked at by the cast.
  const value = `coalesce(CAST(${number} AS VARCHAR), CAST(TRY_CAST(${written} AS DOUBLE) AS VARCHAR))`
  // Zeros are written in many ways, and are none the less nothing.
  const other = `TRY_CAST(${written} AS DOUBLE) <> 0`
  return `count(DISTINCT ${written}) FILTER (${other}) = count(DISTINCT ${value}) FILTER (${other})`
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
