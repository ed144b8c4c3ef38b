import { describeNode, type YamlNode, type YamlScalar } from '../yaml/yaml-tree.ts'
import { ambiguity, writtenText } from '../yaml/plain-scalar.ts'
import type { ReadContext } from './shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** The name a value goes by in messages: its key, or its place in a list. */
export function nameOf(path: string): Message {
  if (path === '') return msg('the_document')
  const quoted = /\["((?:[^"\\]|\\.)*)"\]$/.exec(path)
  if (quoted) return msg('named', { name: quoted[1] ?? '' })
  const item = /([^.\]]+)?((?:\[\d+\])+)$/.exec(path)
  if (item) return msg('named', { name: `${item[1] ?? ''}${item[2] ?? ''}` })
  return msg('named', { name: path.slice(path.lastIndexOf('.') + 1) })
}

/** Reports that `node` is not what belongs here; `wanted` reads like "text", "a whole number". Gives undefined. */
export function reportType(
  node: YamlNode,
  path: string,
  context: ReadContext,
  wanted: Message,
  hint?: Message,
): undefined {
  if (node.kind === 'scalar' && node.value === null) {
    context.report({
      code: 'wrong_type',
      message: msg('value_missing', { name: nameOf(path), wanted }),
      hint: hint ?? hintForNothing(context.text.slice(node.start, node.end), wanted),
      path,
      at: node.mark,
    })
    return undefined
  }
  context.report({
    code: 'wrong_type',
    message: msg('value_of_wrong_type', { name: nameOf(path), wanted, found: describeNode(node) }),
    hint: hint ?? hintForType(node, wanted),
    path,
    at: node.mark,
  })
  return undefined
}

/** `NULL` and `~` are YAML's null, also where the word itself was meant. */
function hintForNothing(source: string, wanted: Message): Message {
  if (/^(null|~)$/i.test(source) && wanted.code.startsWith('text')) return msg('quote_if_text_meant', { text: source })
  return msg('write_value_or_remove_key')
}

function hintForType(node: YamlNode, wanted: Message): Message {
  if (node.kind === 'scalar') {
    if (wanted.code.startsWith('text')) return msg('write_in_quotes', { text: String(node.value) })
    if (wanted.code.startsWith('a_list')) return msg('write_as_list', { text: writtenText(String(node.value)) })
    if (wanted.code.startsWith('a_map')) return msg('write_as_map')
    const twofold = typeof node.value === 'string' && node.style === 'plain' ? ambiguity(node.value) : null
    if (twofold && wanted.code === 'true_or_false' && twofold.flag !== undefined)
      return msg('write_value', { value: String(twofold.flag) })
    if (typeof node.value === 'string' && node.style !== 'plain') return msg('remove_quotes', { wanted })
  }
  return msg('give_value', { wanted })
}

/** Says once that a plain scalar means something else to YAML 1.1 readers. */
export function warnAmbiguous(node: YamlScalar, path: string, context: ReadContext): void {
  if (node.style !== 'plain') return
  const source = context.text.slice(node.start, node.end)
  const twofold = ambiguity(source)
  if (!twofold) return
  context.report({
    code: 'ambiguous_scalar',
    message: msg('ambiguous_scalar', { text: source, read: twofold.read }),
    hint: twofold.hint,
    path,
    at: node.mark,
  })
}

/** Reports whole numbers beyond 2^53 and `.inf`, `.nan`; true when the number is usable. */
export function checkExact(node: YamlScalar, path: string, context: ReadContext): boolean {
  if (node.exact) return true
  const source = context.text.slice(node.start, node.end)
  const finite = typeof node.value === 'number' && Number.isFinite(node.value)
  context.report({
    code: 'number_not_exact',
    message: finite ? msg('number_too_large', { number: source }) : msg('number_not_finite', { number: source }),
    hint: finite ? msg('quote_number', { number: source }) : msg('write_number_or_null'),
    path,
    at: node.mark,
  })
  return false
}
