import type { ReadContext } from '../shape/shape.types.ts'
import { joinPath, type YamlNode } from '../yaml/yaml-tree.ts'
import type { Json } from './task.types.ts'

/** What a read may not hold, and why. */
export const refusedOperators: Readonly<Record<string, string>> = {
  $where: 'runs JavaScript in the server',
  $function: 'runs JavaScript in the server',
  $accumulator: 'runs JavaScript in the server',
  $code: 'is JavaScript',
  $out: 'writes, and a source only reads',
  $merge: 'writes, and a source only reads',
  $changeStream: 'never ends',
}

export function refusalOf(operator: string): { message: string; hint: string } | null {
  const reason = Object.hasOwn(refusedOperators, operator) ? refusedOperators[operator] : undefined
  if (reason === undefined) return null
  const writes = operator === '$out' || operator === '$merge'
  return {
    message: `\`${operator}\` ${reason}.`,
    hint: writes
      ? 'Write the rows with a target `collection`.'
      : operator === '$changeStream'
        ? 'Read the collection with a `state.cursor` instead.'
        : 'Use query operators, or a step of the task.',
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
export function checkCollectionName(name: string): { code: 'invalid_value'; message: string; hint: string } | null {
  const problem = (message: string, hint: string): ReturnType<typeof checkCollectionName> => ({
    code: 'invalid_value',
    message,
    hint,
  })
  const shown = name.slice(0, 80)
  if (name.includes('\0') || name.includes('$'))
    return problem(`A collection cannot be called \`${shown}\`.`, 'Leave out `$` and NUL characters.')
  if (name.startsWith('system.'))
    return problem(`\`${shown}\` is one of MongoDB’s own collections.`, 'Name a collection of yours.')
  if (name.startsWith('.') || name.endsWith('.'))
    return problem(`\`${shown}\` starts or ends with a point.`, 'Remove the point.')
  return null
}
