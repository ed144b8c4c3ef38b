import { diagnosticCodes, type DiagnosticCode } from './diagnostic-codes.ts'
import { sortDiagnostics, type Diagnostic } from './diagnostics.ts'
import { indexLines } from './yaml/line-index.ts'
import type { Span } from './yaml/yaml-tree.ts'
import { reasonParams, type Message } from './message.ts'

/** What a reader reports; the collector adds severity, line and column. */
export interface Finding {
  code: DiagnosticCode
  message: Message
  hint?: Message
  path: string
  at: Span
}

export type Report = (finding: Finding) => void

export interface DiagnosticCollector {
  report: Report
  /** In order of appearance, without repetitions. */
  list(): Diagnostic[]
}

/** More than anybody reads; keeps a document of nothing but errors from costing memory. Warnings never take the place of errors. */
const MAX_DIAGNOSTICS = 200

export function collectDiagnostics(text: string): DiagnosticCollector {
  const position = indexLines(text)
  const errors = new Map<string, Diagnostic>()
  const others = new Map<string, Diagnostic>()
  return {
    report({ code, message, hint, path, at }) {
      const found = diagnosticCodes[code] === 'error' ? errors : others
      if (found.size >= MAX_DIAGNOSTICS) return
      const start = position(at.start)
      const end = position(Math.max(at.end, at.start))
      const diagnostic: Diagnostic = {
        severity: diagnosticCodes[code],
        code,
        params: reasonParams(message, hint),
        message: message.message,
        ...(hint && { hint: hint.message }),
        path,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
      }
      // Nodes reached through several aliases would repeat what was already said about them.
      const identity = `${at.start}:${at.end}:${code}:${message.message}`
      if (!found.has(identity)) found.set(identity, diagnostic)
    },
    list: () => sortDiagnostics([...errors.values(), ...others.values()].slice(0, MAX_DIAGNOSTICS)),
  }
}
