import type { Column } from '../../contract/common.ts'
import { hintMark } from '../engine/duckdb-errors.ts'
import { name, text } from '../engine/sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** Where rows are written, and the columns by which a person finds one. */
export interface RowsOf {
  /** null: they are those of a query. */
  table: string | null
  key: readonly string[]
  columns: readonly Column[]
}

/** Columns shown of a row that has no key. */
const mostShown = 3

/**
 * SQL of an error that names column, table, value and row. `is`: what follows on the name of the column, up to the value: `is real, which
 * cannot hold`. `words`: SQL of the value's text; by default what DuckDB writes.
 */
export function refusal(column: string, is: string, rows: RowsOf, of: { words: string; hint?: string }): string {
  const hint = of.hint === undefined ? '' : ` || ${text(hintMark + of.hint)}`
  return `error(${text(`Column \`${column}\` ${is} `)} || left(${of.words}, 200) || ' (' || ${rowWords(rows, column)} || ')'${hint})`
}

/** SQL of `table orders, id = 5`. */
export function rowWords({ table, key, columns }: RowsOf, column: string): string {
  const keys = new Set(key.map((one) => one.toLowerCase()))
  const keyed = columns.filter((one) => keys.has(one.name.toLowerCase()))
  const shown = keyed.length > 0 ? keyed : columns.filter((one) => one.name !== column).slice(0, mostShown)
  const fields = shown.map(
    (one) => `${text(`, ${one.name} = `)} || coalesce(left(CAST(${name(one.name)} AS VARCHAR), 60), 'NULL')`,
  )
  return [text(table === null ? 'row' : `table ${table}`), ...fields].join(' || ')
}

/** What to do about rows that a constraint of a table refuses. `isKey`: it is a key, which an upsert finds rows by. */
export const constraintHint = (isKey: boolean): Message =>
  runMessage(isKey ? 'reject_or_upsert' : 'reject_before_target_quarantine')
