import { findReferences, type ScopeRoot } from '../expressions/references.ts'
import { compileTemplate, hasExpression, splitTemplate } from '../expressions/template.ts'
import { nearest, suggest } from '../nearest.ts'
import type { Span, YamlScalar } from '../yaml/yaml-tree.ts'
import { locateInScalar } from './locate.ts'
import type { ReadContext } from './shape.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** `{{ name` that is neither `${{` nor a part of it. */
const BARE_BRACES = /(?<!\$)\{\{\s*([A-Za-z_$][^{}\n]*?)\s*\}\}/

/** Checks the expressions in a text and that they refer to what is there. true: usable. */
export function checkTemplate(node: YamlScalar, value: string, path: string, context: ReadContext): boolean {
  if (!hasExpression(value)) return checkBareBraces(node, value, path, context)
  const compiled = compileTemplate(value)
  if (!compiled.ok) {
    const { code, message, hint, start, end } = compiled.problem
    context.report({ code, message, hint, path, at: locateInScalar(context.text, node, start, end) })
    return false
  }
  let usable = checkBareBraces(node, value, path, context)
  for (const part of compiled.parts) {
    if ('text' in part) continue
    for (const { names } of findReferences(part.expression)) {
      const [root, field] = names
      if (root?.name === 'args' || root?.name === 'parameters' || root?.name === 'filters')
        noteUsed(root.name, field?.name, context)
      if (root?.name === 'state') context.used.state = true
      const problem = checkReference(names, context)
      if (!problem) continue
      usable = false
      const at = locateNames(context, node, part.offset, names.slice(0, problem.depth))
      const { code, message, hint } = problem
      context.report({ code, message, hint, path, at })
    }
  }
  return usable
}

/** `$keys(args)` uses all of them. */
function noteUsed(root: string, field: string | undefined, { used, scope, dashboard }: ReadContext): void {
  const noted = root === 'filters' ? dashboard?.used.filters : used.arguments
  const all = field === undefined && Object.hasOwn(scope, root) ? Object.keys(scope[root]?.fields ?? {}) : []
  for (const name of field === undefined ? all : [field]) noted?.add(name)
}

/** Line ends instead of expressions and of `${{` that stands for itself, so that every other character keeps its place. */
function withoutExpressions(value: string): string {
  const split = splitTemplate(value)
  if (!split.ok) return value
  let rest = value.replaceAll('$${{', () => '\n'.repeat(4))
  for (const part of split.parts) {
    if (part.kind === 'text') continue
    rest = rest.slice(0, part.start) + '\n'.repeat(part.end - part.start) + rest.slice(part.end)
  }
  return rest
}

export function checkBareBraces(node: YamlScalar, value: string, path: string, context: ReadContext): boolean {
  const bare = BARE_BRACES.exec(withoutExpressions(value))
  if (!bare) return true
  context.report({
    code: 'bare_braces',
    message: msg('braces_without_dollar', { written: bare[0] }),
    hint: msg('write_as_expression', { expression: bare[1] ?? '' }),
    path,
    at: locateInScalar(context.text, node, bare.index, bare.index + bare[0].length),
  })
  return false
}

interface ReferenceProblem {
  code: 'unknown_reference' | 'not_upstream'
  message: Message
  hint: Message
  /** How many of the names are at fault. */
  depth: number
}

function checkReference(
  names: readonly { name: string }[],
  { scope, elsewhere }: Pick<ReadContext, 'scope' | 'elsewhere'>,
): ReferenceProblem | null {
  const [root, field] = names
  if (!root) return null
  const known = Object.hasOwn(scope, root.name) ? scope[root.name] : undefined
  if (!known) {
    const hint = Object.hasOwn(elsewhere, root.name) ? elsewhere[root.name] : undefined
    return {
      code: 'unknown_reference',
      message: msg('unknown_root', { name: root.name }),
      hint: hint ?? suggest(root.name, Object.keys(scope), 'names'),
      depth: 1,
    }
  }
  return field ? (checkField(root.name, field.name, known) ?? checkInner(names, known)) : null
}

function checkField(root: string, field: string, known: ScopeRoot): ReferenceProblem | null {
  if (known.has ? known.has(field) : known.fields === null || Object.hasOwn(known.fields, field)) return null
  const problem = known.missing?.(field)
  if (problem) return { ...problem, depth: 2 }
  return {
    code: 'unknown_reference',
    message: msg('unknown_field', { root, field }),
    hint:
      root === 'args' || root === 'parameters'
        ? hintForDeclared(field, Object.keys(known.fields ?? {}), root)
        : suggest(field, Object.keys(known.fields ?? {}), 'fields'),
    depth: 2,
  }
}

function checkInner(names: readonly { name: string }[], { inner }: ScopeRoot): ReferenceProblem | null {
  const [root, field, part] = names
  if (!root || !field || !part || !inner || Object.hasOwn(inner, part.name)) return null
  return {
    code: 'unknown_reference',
    message: msg('unknown_part', { root: root.name, field: field.name, part: part.name }),
    hint: suggest(part.name, Object.keys(inner), 'fields'),
    depth: 3,
  }
}

function hintForDeclared(name: string, known: readonly string[], section: string): Message {
  const near = nearest(name, known)
  return near === null ? msg('declare_under', { name, section }) : msg('did_you_mean', { near })
}

/** `offset`: where the expression begins in the value. */
function locateNames(
  context: ReadContext,
  node: YamlScalar,
  offset: number,
  names: readonly { start: number; end: number }[],
): Span {
  const [first, last] = [names[0], names.at(-1)]
  return first && last ? locateInScalar(context.text, node, offset + first.start, offset + last.end) : node.mark
}
