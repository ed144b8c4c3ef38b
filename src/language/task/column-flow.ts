import { suggest } from '../nearest.ts'
import { sameColumn } from './column-types.ts'
import type { FlowReport, KnownColumns } from './definitions.ts'
import { msg } from '../messages.ts'

/** Reports a column that is known not to be there. */
export function expectColumn(
  column: string,
  columns: KnownColumns,
  candidates: (string | number)[][],
  report: FlowReport,
  input?: string,
): void {
  if (columns === null || columns.some((known) => sameColumn(known, column))) return
  report({
    code: 'unknown_column',
    message: input === undefined ? msg('no_column', { column }) : msg('no_column_in_input', { column, input }),
    hint: suggest(column, columns, 'columns'),
    candidates,
  })
}

/** Reports names that differ in capitals only: databases do not tell such columns apart. */
export function expectDistinct(
  columns: readonly string[],
  candidates: (column: string) => (string | number)[][],
  report: FlowReport,
): void {
  const seen = new Set<string>()
  for (const column of columns) {
    if (seen.has(column.toLowerCase())) reportExisting(column, candidates(column), report)
    seen.add(column.toLowerCase())
  }
}

export function reportExisting(column: string, candidates: (string | number)[][], report: FlowReport): void {
  report({
    code: 'column_exists',
    message: msg('column_exists', { column }),
    hint: msg('rename_or_drop'),
    candidates,
  })
}
