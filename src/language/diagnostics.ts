import type { DiagnosticCode, Severity } from './diagnostic-codes.ts'

/**
 * One finding about a document, with its place in the text.
 * Lines and columns are 1-based, columns count UTF-16 code units (what editors count), the end is exclusive.
 */
export interface Diagnostic {
  severity: Severity
  code: DiagnosticCode
  /** What the message was made with, by name. `reason` is the code of its text in the catalog, `fix` the hint as a message of its own. */
  params: Readonly<Record<string, unknown>>
  /** What is wrong, in one or two sentences. */
  message: string
  /** What to do about it. */
  hint?: string
  /** Dotted path inside the document, e.g. `steps[1].cast.id`; empty for the document as a whole. */
  path: string
  line: number
  column: number
  end_line: number
  end_column: number
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error')
}

/** Order of appearance in the text; at one place errors come first. */
export function sortDiagnostics<Found extends Omit<Diagnostic, 'code'> & { code: string }>(
  diagnostics: readonly Found[],
): Found[] {
  const rank: Record<Severity, number> = { error: 0, warning: 1, info: 2 }
  return diagnostics.toSorted(
    (a, b) =>
      a.line - b.line ||
      a.column - b.column ||
      rank[a.severity] - rank[b.severity] ||
      (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  )
}
