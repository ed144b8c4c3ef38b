import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { ChangeTest } from '../../engine/change-test.ts'
import { everyValueTest, singlePrecisionTest } from '../../engine/changes.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { jsonOf } from '../../engine/casts.ts'
import { isoYears, name } from '../../engine/sql-text.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { textValueOf } from '../../targets/encode.ts'
import { placeOf } from '../../formats/json/text.ts'
import { minusZeroInside } from '../../targets/nested-type.ts'
import { refusal, type RowsOf } from '../../targets/refusal.ts'
import { isMoment, isNested, valueKindOf } from '../../targets/type-map.ts'

/** The type that holds what either holds; null: there is none. */
export async function commonType(session: DuckSession, one: string, other: string): Promise<string | null> {
  try {
    const [list] = await session.describe(`SELECT [CAST(NULL AS ${one}), CAST(NULL AS ${other})] AS both`)
    return list?.type.endsWith('[]') ? list.type.slice(0, -2) : null
  } catch (error) {
    if (error instanceof EngineError && error.code !== 'CANCELLED') return null
    throw error
  }
}

/** A column's values as the table is to have them: what is nested becomes JSON where it goes into text, as in every other database. */
export function valueAs({ name: column, type }: Column, wanted: string): string {
  const value = name(column)
  if (type === wanted) return value
  if (wanted === 'JSON')
    return isNested(type) || valueKindOf(type) === 'decimal'
      ? `CAST(${textValueOf(type, value, placeOf(column))} AS JSON)`
      : type === 'VARCHAR'
        ? jsonOf(value, type)
        : `to_json(${isMoment(type) ? isoYears(type, value) : value})`
  if (wanted === 'VARCHAR' && isNested(type)) return textValueOf(type, value, placeOf(column))
  return `CAST(${castable(value, type)} AS ${wanted})`
}

/**
 * The same, with what the column cannot hold refused, by its row: DuckDB would round it, or end the run without saying which row it was.
 * (`FLOAT` rounds doubles, which is told: `duckDbChanges`.)
 */
export function exactValueAs(from: Column, to: { name: string; type: string }, rows: RowsOf): string {
  const cast = valueAs(from, to.type)
  const fits = from.type === to.type ? null : fitsOf(from, to.type)
  if (fits === null) return cast
  const value = name(from.name)
  const words = `CAST(${value} AS VARCHAR)`
  const refused = refusal(to.name, `is ${to.type}, which cannot hold`, rows, { words })
  return `CASE WHEN ${fits} THEN ${cast} WHEN ${value} IS NOT NULL THEN ${refused} END`
}

/** Whether a value is still the same in the column; null: every one is, or DuckDB refuses it as we would. */
function fitsOf({ name: column, type }: Column, wanted: string): string | null {
  const value = name(column)
  if (wanted === 'JSON' && type === 'VARCHAR') return `${jsonOf(value, type)} IS NOT NULL`
  const wide = /^(U?(BIG|HUGE)INT|BIGNUM)$/
  if (wanted === 'BIGNUM' && wide.test(type)) return null
  if (wanted === 'FLOAT') return /^U?INTEGER$/.test(type) || wide.test(type) ? sameAgain(value, type, wanted) : null
  if (wanted === 'TIMESTAMP_NS' && (type === 'DATE' || type.startsWith('TIMESTAMP'))) {
    // Outside of these years DuckDB fails, also where it is only to try.
    const within = `${value} BETWEEN '1677-09-21 00:12:43.145225' AND '2262-04-11 23:47:16.854775'`
    return `CASE WHEN ${within} OR NOT isfinite(${value}) THEN ${sameAgain(value, type, wanted)} ELSE false END`
  }
  const isExact = /^(DECIMAL|DOUBLE$|TIMESTAMP|U?HUGEINT$|UBIGINT$|BIGNUM$)/.test(wanted)
  return isExact && (/^(DECIMAL|DOUBLE$|FLOAT$|TIME)/.test(type) || wide.test(type))
    ? sameAgain(value, type, wanted)
    : null
}

function sameAgain(value: string, type: string, wanted: string): string {
  return `TRY_CAST(TRY_CAST(${castable(value, type)} AS ${wanted}) AS ${type}) = ${value}`
}

/** Of a BIGNUM that is too large even TRY_CAST fails, and some types it cannot become. */
function castable(value: string, type: string): string {
  return type === 'BIGNUM' ? `CAST(${value} AS VARCHAR)` : value
}

/** Values that the table's columns change. */
export function duckDbChanges(
  writes: ColumnPlan['writes'],
  columns: readonly { name: string; type: string }[],
): ChangeTest[] {
  return writes.flatMap(({ from, to }): ChangeTest[] => {
    const type = columns.find((column) => column.name === to)?.type
    if (type === undefined) return []
    if (/^TIMESTAMP(_S|_MS|_NS)?$/.test(type) && from.type === 'TIMESTAMP WITH TIME ZONE')
      return [everyValueTest(from.name, runMessage('change_without_zone'))]
    // DuckDB compresses equal values into one, and takes both zeros for equal.
    const zeros = minusZeroInside(from, runMessage('change_minus_zero_either'))
    if (isNested(from.type)) return isNested(type) ? zeros : []
    if (type === 'FLOAT' && from.type === 'DOUBLE') return [singlePrecisionTest(from.name, type), ...zeros]
    return type === 'DOUBLE' || type === 'FLOAT' ? zeros : []
  })
}
