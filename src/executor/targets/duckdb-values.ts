import type { Column } from '../../contract/common.ts'
import type { DuckSession } from '../engine/duckdb.ts'
import { EngineError } from '../engine/errors.ts'
import { name, text } from '../engine/sql-text.ts'
import { textValueOf } from './encode.ts'
import { valueKindOf } from './type-map.ts'

export function isNested(type: string): boolean {
  return type !== 'JSON' && valueKindOf(type) === 'json'
}

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
    return isNested(type)
      ? `CAST(${textValueOf(type, value)} AS JSON)`
      : type === 'VARCHAR'
        ? `CAST(${value} AS JSON)`
        : `to_json(${value})`
  if (wanted === 'VARCHAR' && isNested(type)) return textValueOf(type, value)
  return `CAST(${value} AS ${wanted})`
}

/** The same, with what DuckDB would round on the way refused: a value must come back as it was. (`FLOAT` rounds: so it says.) */
export function exactValueAs(from: Column, to: { name: string; type: string }): string {
  const cast = valueAs(from, to.type)
  const numbers = /^(DECIMAL|DOUBLE$|TIMESTAMP)/
  if (
    from.type === to.type ||
    !numbers.test(to.type) ||
    !/^(DECIMAL|DOUBLE$|FLOAT$|U?(BIG|HUGE)INT$|TIME)/.test(from.type)
  )
    return cast
  const value = name(from.name)
  const fits = `TRY_CAST(TRY_CAST(${value} AS ${to.type}) AS ${from.type}) = ${value}`
  const refusal = `${text(`Column \`${to.name}\` is ${to.type}: it cannot hold `)} || CAST(${value} AS VARCHAR)`
  return `CASE WHEN ${fits} THEN ${cast} WHEN ${value} IS NOT NULL THEN error(${refusal}) END`
}
