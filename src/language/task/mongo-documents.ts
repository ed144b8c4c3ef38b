import type { ReadContext } from '../shape/shape.types.ts'
import { joinPath, type YamlNode } from '../yaml/yaml-tree.ts'
import type { Json } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

/** What a read may not hold, and why. */
export const refusedOperators: Readonly<Record<string, Message>> = {
  $where: msg('runs_javascript'),
  $function: msg('runs_javascript'),
  $accumulator: msg('runs_javascript'),
  $code: msg('is_javascript'),
  $out: msg('writes'),
  $merge: msg('writes'),
  $changeStream: msg('never_ends'),
}

export function refusalOf(operator: string | null): { message: Message; hint: Message } | null {
  const reason = operator !== null && Object.hasOwn(refusedOperators, operator) ? refusedOperators[operator] : undefined
  if (operator === null || reason === undefined) return null
  const writes = operator === '$out' || operator === '$merge'
  return {
    message: msg('operator_not_allowed', { operator, problem: reason }),
    hint: writes
      ? msg('use_collection_target')
      : operator === '$changeStream'
        ? msg('use_cursor')
        : msg('use_query_operators'),
  }
}

/** The same in a document whose templates are resolved: the first refused operator, wherever it stands. */
export function findRefused(document: Json): string | null {
  if (Array.isArray(document)) {
    for (const item of document) {
      const found = findRefused(item)
      if (found !== null) return found
    }
    return null
  }
  if (typeof document !== 'object' || document === null) return null
  for (const [key, value] of Object.entries(document)) {
    const found = Object.hasOwn(refusedOperators, key) ? key : findRefused(value)
    if (found !== null) return found
  }
  return null
}

/** Reports the refused operators of a document, each at its place. false: there are some. */
export function checkOperators(node: YamlNode, path: string, context: ReadContext): boolean {
  if (node.kind === 'scalar') return true
  let allowed = true
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      if (!checkOperators(item, joinPath(path, index), context)) allowed = false
    }
    return allowed
  }
  for (const { key, keySpan, value } of node.entries) {
    const refusal = refusalOf(key)
    if (refusal) context.report({ code: 'operator_not_allowed', ...refusal, path: joinPath(path, key), at: keySpan })
    if (refusal || !checkOperators(value, joinPath(path, key), context)) allowed = false
  }
  return allowed
}

/** A collection's name by MongoDB's rules. */
export function checkCollectionName(name: string): TextProblem | null {
  const problem = (message: Message, hint: Message): ReturnType<typeof checkCollectionName> => ({
    code: 'invalid_value',
    message,
    hint,
  })
  const shown = name.slice(0, 80)
  if (name.includes('\0') || name.includes('$'))
    return problem(msg('not_a_collection_name', { name: shown }), msg('remove_dollar_and_nul'))
  if (name.startsWith('system.')) return problem(msg('system_collection', { name: shown }), msg('name_own_collection'))
  if (name.startsWith('.') || name.endsWith('.'))
    return problem(msg('outer_point', { name: shown }), msg('remove_point'))
  return null
}
