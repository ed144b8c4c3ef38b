import type { TargetResult } from '../engine/lane.types.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'

export interface WriteCounts {
  rows: number
  inserted: number
  /** Inserted and updated. */
  changed: number
  /** Rows of the table that had to go: all of them, or those whose keys came in. */
  before: number
}

const number = (value: number): string => value.toLocaleString('en')
const rowsOf = (value: number): string => `${number(value)} ${value === 1 ? 'row' : 'rows'}`

/** What a target of rows did. */
export function resultOf(target: Pick<TableTarget, 'mode' | 'table'>, counts: WriteCounts): TargetResult {
  const { rows, changed, inserted } = counts
  const result = { rows, changed, bytes: null, summary: summarise(target, counts) }
  return target.mode === 'upsert' ? { ...result, inserted } : result
}

/** The same for the log. */
function summarise(
  target: Pick<TableTarget, 'mode' | 'table'>,
  { rows, inserted, changed, before }: WriteCounts,
): string {
  if (target.mode === 'append') return `Appended ${rowsOf(rows)} to ${target.table}`
  if (target.mode === 'replace') return `Replaced the ${rowsOf(before)} of ${target.table} with ${number(rows)}`
  if (target.mode === 'delete_insert')
    return `Deleted the ${rowsOf(before)} of ${target.table} whose keys came in, inserted ${number(rows)}`
  return `Upserted ${rowsOf(rows)} into ${target.table}: ${number(inserted)} inserted, ${number(changed - inserted)} updated, ${number(rows - changed)} unchanged`
}

/** What a target without transactions still holds of a failed run; rows sent without an answer may or may not be there. */
export function keptRows(confirmed: number, inDoubt: number, unit: 'batch' | 'request'): string {
  return `${rowsOf(confirmed)}${inDoubt === 0 ? '' : `, and up to ${number(inDoubt)} of the ${unit} that failed`}`
}
