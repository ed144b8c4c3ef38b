import type { StageContext } from '../engine/lane.types.ts'
import { rowsUnaccounted } from '../engine/row-accounts.ts'

export interface Taking {
  table: string
  sent: number
  /** By the database's own count. */
  taken: number
  /** What of the table may leave out rows: `a trigger`; null: nothing does. Asked only where rows are missing. */
  leavesOut: () => string | null | Promise<string | null>
}

/** A table may leave out rows by a rule of its own: that is reported. Any other difference stops the run before the commit. */
export async function requireTaken(
  { table, sent, taken, leavesOut }: Taking,
  warn: StageContext['warn'],
): Promise<void> {
  if (taken === sent) return
  const missing = (sent - taken).toLocaleString('en')
  const rule = taken < sent ? await leavesOut() : null
  if (rule === null)
    throw rowsUnaccounted(`Table ${table} took ${taken.toLocaleString('en')} of ${sent.toLocaleString('en')} rows`)
  warn(`Table ${table} left out ${missing} of ${sent.toLocaleString('en')} rows: it has ${rule}`)
}
