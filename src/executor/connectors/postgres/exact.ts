import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { ChangeTest } from '../../engine/change-test.ts'
import { everyValueTest, singlePrecisionTest } from '../../engine/changes.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'
import { name, text } from '../../engine/sql-text.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { repeatsNoKey } from '../../targets/repeated-keys.ts'
import { withItsBlanks } from '../../targets/encode.ts'
import { minusZeroInside } from '../../targets/nested-type.ts'
import { refusal, type RowsOf } from '../../targets/refusal.ts'
import { isNested, valueKindOf } from '../../targets/type-map.ts'
import { intervalFits, momentTexts, type MomentTexts } from './moments.ts'

/**
 * The SQL of a column's field in COPY, with what PostgreSQL would round or cut off without a word refused: digits behind the point that the
 * table's column has no place for, fractions of a second, integers that floating point does not hold, blanks at the end of a text, a key
 * that a document repeats. (`real` rounds floating point, which is told: `postgresChanges`. Types whose text says too little are asked for
 * what they have made of it: `requireReadBack`.)
 */
export function exactField(
  from: StreamColumn,
  to: { name: string; type: string },
  field: string,
  rows: RowsOf,
): string {
  const fits = originOf(from, 'postgres')?.type === to.type ? null : fitsOf(from, to.type)
  if (fits === null) return field
  const value = name(from.name)
  const words = from.type === 'VARCHAR' ? withItsBlanks(value) : `CAST(${value} AS VARCHAR)`
  const hint = runMessage(to.type === 'jsonb' ? 'jsonb_repeated_key_fix' : 'cast_or_widen').message
  const refused = refusal(to.name, `is ${to.type}, which cannot hold`, rows, { words, hint })
  return `CASE WHEN ${fits} THEN ${field} WHEN ${value} IS NOT NULL THEN ${refused} END`
}

/** Values that the table's columns change. */
export function postgresChanges(
  writes: ColumnPlan['writes'],
  columns: readonly { name: string; type: string }[],
): ChangeTest[] {
  return writes.flatMap(({ from, to }): ChangeTest[] => {
    const type = columns.find((column) => column.name === to)?.type ?? ''
    if (originOf(from, 'postgres')?.type === type) return []
    if (type === 'jsonb' && isNested(from.type)) return minusZeroInside(from, runMessage('change_minus_zero'))
    if (type === 'real' && from.type === 'DOUBLE') return [singlePrecisionTest(from.name, type)]
    if (/^timestamp(?!.* with time)/.test(type) && from.type === 'TIMESTAMP WITH TIME ZONE')
      return [everyValueTest(from.name, runMessage('change_without_zone'))]
    if (/^time(?:\(\d\))? with time zone$/.test(type) && from.type === 'TIME')
      return [everyValueTest(from.name, runMessage('change_zone_utc'))]
    const moments = from.type === 'VARCHAR' ? momentTexts(type, name(from.name)) : null
    if (moments) return zoneTests(from.name, moments)
    const length = /^character\((\d+)\)$/.exec(type)?.[1]
    return length !== undefined && from.type === 'VARCHAR'
      ? [
          {
            column: from.name,
            change: runMessage('change_padded', { type }),
            when: `length(${name(from.name)}) < ${length}`,
          },
        ]
      : []
  })
}

function zoneTests(column: string, { lacksZone, dropsUtc }: MomentTexts): ChangeTest[] {
  if (lacksZone !== null) return [{ column, change: runMessage('change_zone_utc'), when: lacksZone }]
  return dropsUtc === null ? [] : [{ column, change: runMessage('change_without_zone'), when: dropsUtc }]
}

/** Bytes that a text may have in types that cut it off. */
const mostBytes: Readonly<Record<string, number>> = { '"char"': 1, name: 63 }

/** Whether a value stays what it is; null: every one does. */
function fitsOf({ name: column, type }: Column, declared: string): string | null {
  const value = name(column)
  const kind = valueKindOf(type)
  const words = type === 'VARCHAR' ? value : `CAST(${value} AS VARCHAR)`
  const interval = intervalFits(declared, words)
  if (interval !== null) return interval
  if (type === 'VARCHAR' || (type.startsWith('TIMESTAMP') && /^(?:date|time)\b/.test(declared))) {
    const moments = momentTexts(declared, words)
    if (moments) return moments.fits
  }
  const shown =
    declared === 'money' ? '2' : type === 'VARCHAR' ? /^numeric\(\d+,(\d+)\)/.exec(declared)?.[1] : undefined
  if (shown !== undefined) return `NOT regexp_matches(${words}, ${text(String.raw`\.\d{${shown}}\d*[1-9]|\d[eE]-`)})`
  const bytes = mostBytes[declared]
  if (bytes !== undefined) return type === 'VARCHAR' ? `strlen(${value}) <= ${bytes}` : null
  if (declared === 'jsonb') return type === 'VARCHAR' || type === 'JSON' ? repeatsNoKey(value) : null
  const places = /^numeric\(\d+,(-?\d+)\)$/.exec(declared)?.[1]
  if (places !== undefined) {
    const given = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1] ?? 0
    if (kind === 'float') return `(NOT isfinite(${value}) OR ${value} = round(${value}, ${places}))`
    return (kind === 'decimal' || kind === 'integer') && Number(given) > Number(places)
      ? `${value} = round(${value}, ${places})`
      : null
  }
  const length = /^character(?: varying)?\((\d+)\)$/.exec(declared)?.[1]
  // Blanks beyond the length would be cut off; any other text that is too long is refused by the server, which tells the row.
  if (length !== undefined)
    return type === 'VARCHAR'
      ? `(strlen(${value}) <= ${length} OR length(${value}) <= ${length} OR length(rtrim(${value}, ' ')) > ${length})`
      : null
  const moment = /^time(?:stamp)?(?:\((\d)\))? with/.exec(declared)
  if (moment && type.startsWith('TIME')) {
    const kept = Number(moment[1] ?? 6)
    const fraction = String.raw`regexp_extract(CAST(${value} AS VARCHAR), '\.(\d*?)0*(\D|$)', 1)`
    return kept === 6 && type !== 'TIMESTAMP_NS' ? null : `length(${fraction}) <= ${kept}`
  }
  const float = declared === 'real' ? 'FLOAT' : declared === 'double precision' ? 'DOUBLE' : null
  return float !== null && /^(U?INTEGER|BIGINT|HUGEINT)$/.test(type)
    ? `CAST(CAST(${value} AS ${float}) AS HUGEINT) = ${value}`
    : null
}
