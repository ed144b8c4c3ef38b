import type { Severity } from './diagnostics.ts'

/**
 * Every code a diagnostic may carry, with its severity. Codes are stable: scripts and tests match on them.
 * Each has at least one fixture under test/language/fixtures (a test fails when one is missing).
 */
export const diagnosticCodes = {
  // The text itself
  document_too_large: 'error',
  document_empty: 'error',
  invalid_character: 'error',
  hidden_character: 'warning',
} as const satisfies Record<string, Severity>

export type DiagnosticCode = keyof typeof diagnosticCodes
