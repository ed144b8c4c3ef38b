import { EngineError } from './errors.ts'

/** Two counts of the same rows. Where they differ, rows were lost or doubled on the way: nothing may be committed. */
export function requireSameRows(given: number, found: number, where: string): void {
  if (given === found) return
  throw new EngineError(
    'ROWS_UNACCOUNTED',
    `${where}: ${given.toLocaleString('en')} rows were handed on and ${found.toLocaleString('en')} arrived`,
    { hint: 'Nothing was written. Run again; if it stays, report it with the log of the run.' },
  )
}
