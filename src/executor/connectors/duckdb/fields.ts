import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { ChangeTest } from '../../engine/change-test.ts'
import { everyValueTest, singlePrecisionTest } from '../../engine/changes.ts'
import type { DuckSession } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { textValueOf } from '../../targets/encode.ts'
import { placeOf } from '../../formats/json/text.ts'
import { minusZeroInside } from '../../targets/nested-type.ts'
import { refusal, type RowsOf } from '../../targets/refusal.ts'
import { isNested, valueKindOf } from '../../targets/type-map.ts'

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
        ? `CAST(${value} AS JSON)`
        : `to_json(${value})`
  if (wanted === 'VARCHAR' && isNested(type)) return textValueOf(type, value, placeOf(column))
  return `CAST(${value} AS ${wanted})`
}

/** The same, with what DuckDB would round on the way refused: a value must come back as it was. (`FLOAT` rounds doubles, which is told: `duckDbChanges`.) */
export function exactValueAs(from: Column, to: { name: string; type: string }, rows: RowsOf): string {
  const cast = valueAs(from, to.type)
  const numbers = /^(DECIMAL|DOUBLE$|TIMESTAMP)/
  const exact =
    to.type === 'FLOAT'
      ? /^(U?INTEGER|U?(BIG|HUGE)INT)$/.test(from.type)
      : numbers.test(to.type) && /^(DECIMAL|DOUBLE$|FLOAT$|U?(BIG|HUGE)INT$|TIME)/.test(from.type)
  if (from.type === to.type || !exact) return cast
  const value = name(from.name)
  const fits = `TRY_CAST(TRY_CAST(${value} AS ${to.type}) AS ${from.type}) = ${value}`
  const refused = refusal(to.name, `is ${to.type}, which cannot hold`, rows, { words: `CAST(${value} AS VARCHAR)` })
  return `CASE WHEN ${fits} THEN ${cast} WHEN ${value} IS NOT NULL THEN ${refused} END`
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
