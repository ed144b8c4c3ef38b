import { describeNode, type YamlNode, type YamlScalar } from '../yaml/yaml-tree.ts'
import { ambiguity, writtenText } from '../yaml/plain-scalar.ts'
import type { ReadContext } from './shape.types.ts'

/** The name a value goes by in messages: its key, or its place in a list. */
export function nameOf(path: string): string {
  if (path === '') return 'The document'
  const quoted = /\["((?:[^"\\]|\\.)*)"\]$/.exec(path)
  if (quoted) return `\`${quoted[1] ?? ''}\``
  const item = /([^.\]]+)?((?:\[\d+\])+)$/.exec(path)
  if (item) return `\`${item[1] ?? ''}${item[2] ?? ''}\``
  return `\`${path.slice(path.lastIndexOf('.') + 1)}\``
}

/** Reports that `node` is not what belongs here; `wanted` reads like "text", "a whole number". Gives undefined. */
export function reportType(
  node: YamlNode,
  path: string,
  context: ReadContext,
  wanted: string,
  hint?: string,
): undefined {
  if (node.kind === 'scalar' && node.value === null) {
    context.report({
      code: 'wrong_type',
      message: `${nameOf(path)} has no value; it must be ${wanted}.`,
      hint: hint ?? hintForNothing(context.text.slice(node.start, node.end), wanted),
      path,
      at: node.mark,
    })
    return undefined
  }
  context.report({
    code: 'wrong_type',
    message: `${nameOf(path)} must be ${wanted}, not ${describeNode(node)}.`,
    hint: hint ?? hintForType(node, wanted),
    path,
    at: node.mark,
  })
  return undefined
}

/** `NULL` and `~` are YAML's null, also where the word itself was meant. */
function hintForNothing(source: string, wanted: string): string {
  if (/^(null|~)$/i.test(source) && wanted.startsWith('text'))
    return `Write "${source}" in quotes if that text is meant.`
  return 'Write the value after the `:`, or remove the key.'
}

function hintForType(node: YamlNode, wanted: string): string {
  if (node.kind === 'scalar') {
    if (wanted.startsWith('text')) return `Write "${JSON.stringify(String(node.value)).slice(1, -1)}" in quotes.`
    if (wanted.startsWith('a list'))
      return `Write [${writtenText(String(node.value))}], or start each item with \`- \` on its own line.`
    if (wanted.startsWith('a map')) return 'Write `key: value` pairs below it, indented by two spaces.'
    const twofold = typeof node.value === 'string' && node.style === 'plain' ? ambiguity(node.value) : null
    if (twofold && wanted === 'true or false') return twofold.hint.replace(/,? or .*$/, '.')
    if (typeof node.value === 'string' && node.style !== 'plain') return `Remove the quotes if ${wanted} is meant.`
  }
  return `Give ${wanted}.`
}

/** Says once that a plain scalar means something else to YAML 1.1 readers. */
export function warnAmbiguous(node: YamlScalar, path: string, context: ReadContext): void {
  if (node.style !== 'plain') return
  const source = context.text.slice(node.start, node.end)
  const twofold = ambiguity(source)
  if (!twofold) return
  context.report({
    code: 'ambiguous_scalar',
    message: `\`${source}\` is read as ${twofold.read}; other YAML readers may see something else.`,
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
    message: finite
      ? `${source} is beyond ±9007199254740991, so it cannot be held exactly.`
      : `${source} is not a finite number.`,
    hint: finite ? `Write "${source}" in quotes and give the column or bind a type.` : 'Write a number, or null.',
    path,
    at: node.mark,
  })
  return false
}
