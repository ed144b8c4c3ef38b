import { type Cell, cellOf } from '../../../contract/query-cells.ts'
import { hexOf } from '../../../contract/query-csv.ts'
import { isNumber } from '../../../contract/widget-columns.ts'
import type { SqlDialect } from '../../../language/sql/scan-sql.ts'

export { type Cell, cellOf, hexOf, isNumber }

/** What a cell shows: bytes in hexadecimal, the first of many. */
export function shownText({ type, text }: Cell & { text: string }): string {
  if (type !== 'bytes') return text
  return text.length > 400 ? `${hexOf(text.slice(0, 400))}…` : hexOf(text)
}

/** How statements and values in copied text are written. */
export type SqlStyle = SqlDialect
