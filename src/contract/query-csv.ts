/** Values of a query's rows as CSV, as exports write them: NULL is an empty field, empty text is `""`, bytes are hexadecimal. Pure. */
import { guarded } from './formula.ts'
import type { Cell } from './query-cells.ts'

// Browsers and Node have it; this layer has the types of neither.
declare function atob(base64: string): string

/** `\x` and hexadecimal digits, as databases write them. */
export function hexOf(base64: string): string {
  const bytes = atob(base64)
  let hex = ''
  for (let at = 0; at < bytes.length; at++) hex += bytes.charCodeAt(at).toString(16).padStart(2, '0')
  return `\\x${hex}`
}

/** The text of a value; NULL is empty. */
export const plain = (cell: Cell | undefined): string =>
  cell?.text === null || cell?.text === undefined ? '' : cell.type === 'bytes' ? hexOf(cell.text) : cell.text

const quoted = (text: string, guard: boolean): string => {
  const safe = guard ? guarded(text) : text
  return safe === '' || /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Without the end of the line. `guard`: see `FormulaGuard`. */
export const csvHeader = (names: readonly string[], guard: boolean): string =>
  names.map((name) => quoted(name, guard)).join(',')
export const csvRow = (cells: readonly Cell[], guard: boolean): string =>
  cells.map((cell) => (cell.text === null || cell.text === undefined ? '' : quoted(plain(cell), guard))).join(',')
