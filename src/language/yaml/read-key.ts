import { isScalar, type Pair, type ParsedNode } from 'yaml'
import { fail, isSound, reportBareBraces, reportTag, reportUnsound, type Conversion } from './conversion.ts'
import { resolvePlain } from './plain-scalar.ts'
import type { Span } from './yaml-tree.ts'
import { msg } from '../messages.ts'

export function readKey(
  state: Conversion,
  pair: Pair<ParsedNode, ParsedNode | null>,
  path: string,
): { name: string; span: Span } | null {
  const { key } = pair
  const span = { start: key.range[0], end: key.range[1] }
  if (state.text.startsWith('{{', span.start) && !isScalar(key)) return reportBareBraces(state, span, path)
  if (isScalar(key) && key.tag !== undefined) return reportTag(state, span, path)
  const name = isScalar(key) && typeof key.value === 'string' ? key.value : null
  if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
    return fail(state, {
      code: 'merge_key',
      message: msg('merge_key'),
      hint: msg('write_keys_out'),
      path,
      at: span,
    })
  }
  if (name !== null && !isSound(name)) return reportUnsound(state, span, path)
  if (name === '__proto__') {
    return fail(state, {
      code: 'reserved_key',
      message: msg('reserved_key'),
      hint: msg('use_other_name'),
      path,
      at: span,
    })
  }
  const isText =
    name !== null && isScalar(key) && (key.type !== 'PLAIN' || typeof resolvePlain(name).value === 'string')
  if (isText && name !== '') return { name, span }
  const written = state.text.slice(span.start, span.end)
  return fail(state, {
    code: 'key_not_text',
    message: written === '' ? msg('key_missing') : msg('key_not_text'),
    hint:
      written !== '' && written.length <= 60 && isScalar(key)
        ? msg('write_in_quotes', { text: written })
        : msg('write_key'),
    path,
    at: span,
  })
}
