import { runMessage } from '../../contract/run-messages.ts'
import type { Column } from '../../contract/common.ts'
import type { FileTarget } from '../../language/task/targets/target.types.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { name } from '../engine/sql-text.ts'
import { anyInside } from './nested-type.ts'
import { isNested, valueKindOf } from './type-map.ts'

/** Digits of a number that Excel and the readers of JSON keep. */
export const mostDigits = 15

/** Values that a format changes. CSV keeps the text of every value. */
export function fileChanges({ format }: Pick<FileTarget, 'format'>, columns: readonly Column[]): ChangeTest[] {
  return columns.flatMap((column) => {
    switch (format) {
      case 'parquet':
        return inParquet(column)
      case 'json':
      case 'jsonl':
        return [...nonFinite(column), ...longNumbers(column, /^DECIMAL\([\d,]+\)$/)]
      case 'xlsx':
        // Lists and objects are documents there, as in a database.
        if (isNested(column.type)) return []
        return [
          ...nonFinite(column),
          ...longNumbers(column, /^(DECIMAL\([\d,]+\)|U?BIGINT|U?HUGEINT|BIGNUM)$/),
          ...inExcel(column),
        ]
      case 'csv':
        return []
    }
  })
}

/** Also of the bodies of requests. */
export function nonFinite({ name: column, type }: Column): ChangeTest[] {
  const when = anyInside(type, name(column), (of, value) =>
    of === 'DOUBLE' || of === 'FLOAT' ? `NOT isfinite(${value})` : null,
  )
  return when === null ? [] : [{ column, change: runMessage('change_non_finite_text'), when }]
}

function longNumbers({ name: column, type }: Column, types: RegExp): ChangeTest[] {
  const when = anyInside(type, name(column), (of, value) => {
    const [, digits, places = '0'] = /^DECIMAL\((\d+),(\d+)\)$/.exec(of) ?? []
    if (!types.test(of) || (digits !== undefined && Number(digits) <= mostDigits)) return null
    const limit = digits === undefined ? String(10n ** BigInt(mostDigits)) : `1e${mostDigits - Number(places)}`
    return `${value} >= ${limit} OR ${value} <= -${limit}`
  })
  return when === null ? [] : [{ column, change: runMessage('change_long_number_text'), when }]
}

function inParquet({ name: column, type }: Column): ChangeTest[] {
  const value = name(column)
  if (type === 'INTERVAL')
    return [
      { column, change: runMessage('change_milliseconds'), when: `date_part('microseconds', ${value}) % 1000 <> 0` },
    ]
  if (type !== 'TIME WITH TIME ZONE') return []
  return [{ column, change: runMessage('change_time_in_utc'), when: `date_part('timezone', ${value}) <> 0` }]
}

function inExcel(column: Column): ChangeTest[] {
  const kind = valueKindOf(column.type)
  const value = name(column.name)
  if (kind !== 'date' && kind !== 'time' && kind !== 'timestamp' && kind !== 'timestamptz') return []
  // Finer than milliseconds, or outside of the years that every program counts alike.
  const finer = kind === 'date' ? 'false' : `regexp_matches(CAST(${value} AS VARCHAR), '\\.[0-9]{3}[0-9]*[1-9]')`
  const moment =
    kind === 'timestamptz'
      ? `(${value} AT TIME ZONE 'UTC')`
      : kind === 'timestamp'
        ? `CAST(${value} AS TIMESTAMP)`
        : value
  const outside = kind === 'time' ? 'false' : `${moment} < '1900-03-01' OR ${moment} >= '9999-12-31'::DATE + 1`
  const asText: ChangeTest = {
    column: column.name,
    change: runMessage('change_excel_date_text'),
    when: `${finer} OR ${outside}`,
  }
  if (kind !== 'timestamptz') return [asText]
  // A text keeps its zone.
  return [{ column: column.name, change: runMessage('change_without_zone'), when: `NOT (${asText.when})` }, asText]
}
