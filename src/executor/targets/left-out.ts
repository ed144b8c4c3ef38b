import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { rowsUnaccounted } from '../engine/row-accounts.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

export interface Taking {
  table: string
  sent: number
  /** By the database's own count. */
  taken: number
  /** What of the table may leave out rows: `a trigger`; null: nothing does. */
  leavesOut: string | null
}

const count = (rows: number): string => rows.toLocaleString('en')
const rowsOf = (rows: number): string => `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`

/** A table may leave out rows by a rule of its own: that is reported. Any other difference stops the run before the commit. */
export function requireTaken({ table, sent, taken, leavesOut }: Taking, warn: StageContext['warn']): void {
  if (taken === sent) return
  if (taken > sent || leavesOut === null) throw rowsUnaccounted(runMessage('table_took_fewer', { table, taken, sent }))
  warn(`Table ${table} left out ${count(sent - taken)} of ${rowsOf(sent)}: it has ${leavesOut}`)
}

/** A table that keeps rows that the mode deletes would hold old and new ones. `rule`: what of it may have kept them. */
export function requireDeleted({ table, mode }: Pick<TableTarget, 'table' | 'mode'>, kept: number, rule: string): void {
  if (kept === 0) return
  throw new EngineError('CONSTRAINT_VIOLATED', runMessage('rows_kept', { table, rows: rowsOf(kept), mode, rule }), {
    hint: runMessage('rows_kept_fix'),
  })
}

/** What a trigger of the table says of a row: its own words would not tell where they come from. */
export function refused(table: string, row: 'it' | 'a row', words: string): Message {
  return runMessage(row === 'it' ? 'table_refused_it' : 'table_refused_row', { table, cause: words })
}
