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
 * Says that values of several kinds become one type, so that a number arrives as text, or numbers because no type of theirs keeps all of them;
 * else nothing where there is one kind only. `count`: values that are of another kind than the type.
 */
export function kindsMixed(column: string, kinds: Iterable<ValueKind>, type: string, count: number): ValueChange[] {
  const found = [...new Set(kinds)]
  const asTexts = found.length === 1 && found[0] === 'kind_numbers' && type === 'VARCHAR'
  if (found.length < 2 && !asTexts) return []
  const { code, params, message } = asTexts
    ? runMessage('change_numbers_as_text')
    : runMessage('change_kinds_mixed', { kinds: found.map((kind) => runMessage(kind)), type })
  return [{ column, change: message, code, params, count }]
}
