import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

export type ValueKind =
  | 'kind_numbers'
  | 'kind_texts'
  | 'kind_booleans'
  | 'kind_moments'
  | 'kind_times'
  | 'kind_uuids'
  | 'kind_bytes'
  | 'kind_documents'

/** Says that values of several kinds become one type, so that a number arrives as text; null where there is one kind only. */
export function kindsMixed(column: string, kinds: Iterable<ValueKind>, type: string): Message | null {
  const all = [...new Set(kinds)].map((kind) => runMessage(kind))
  return all.length < 2 ? null : runMessage('kinds_mixed', { column, kinds: all, type })
}
