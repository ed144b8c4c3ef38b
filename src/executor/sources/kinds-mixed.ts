import { runMessage } from '../../contract/run-messages.ts'
import type { ValueChange } from '../../contract/value-change.ts'

export type ValueKind =
  | 'kind_numbers'
  | 'kind_texts'
  | 'kind_booleans'
  | 'kind_moments'
  | 'kind_times'
  | 'kind_uuids'
  | 'kind_bytes'
  | 'kind_documents'

/**
 * Says that values of several kinds become one type, so that a number arrives as text; nothing where there is one kind only. `count`: values
 * that are of another kind than the type.
 */
export function kindsMixed(column: string, kinds: Iterable<ValueKind>, type: string, count: number): ValueChange[] {
  const all = [...new Set(kinds)].map((kind) => runMessage(kind))
  if (all.length < 2) return []
  const { code, params, message } = runMessage('change_kinds_mixed', { kinds: all, type })
  return [{ column, change: message, code, params, count }]
}
