import { findReferences } from '../expressions/references.ts'
import { compileTemplate, evaluateTemplate, hasExpression } from '../expressions/template.ts'
import type { ScopeValues } from '../expressions/evaluate.ts'
import { joinPath } from '../yaml/yaml-tree.ts'
import type { Binds, Json } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

export interface ResolveProblem extends Message {
  /** Dotted path inside the normalised document. */
  path: string
}

type TextCheck = (value: string) => { message: Message } | null

/** Evaluates the templates of a document for one run; what cannot be evaluated is a problem and keeps its text. */
export interface Resolver {
  /** Text stays text: numbers and booleans are written out, anything else, and empty text unless that is allowed, is a problem. */
  text(value: string, path: string, check?: TextCheck, options?: { empty: boolean }): string
  texts(values: readonly string[], path: string): string[]
  /** Keeps the type; "nothing" is null. */
  json(value: Json, path: string): Json
  binds(binds: Binds, path: string): Binds
  readonly problems: ResolveProblem[]
}

export interface ResolverOptions {
  /** Steps that each expression may take. */
  budget?: number
  /** Texts that refer to something that is not in the scope yet keep their expressions, and are no problem. */
  partial?: boolean
}

export function createResolver(
  scope: ScopeValues,
  now: string | null,
  { budget, partial = false }: ResolverOptions = {},
): Resolver {
  const problems: ResolveProblem[] = []
  const evaluate = (value: string, path: string): Json | undefined => {
    if (partial && !isKnown(value, scope)) return undefined
    const result = evaluateTemplate(value, scope, now, budget)
    if (result.ok) return result.value ?? null
    problems.push({ path, ...result.problem })
    return undefined
  }
  const resolver: Resolver = {
    problems,
    text(value, path, check, options) {
      const result = evaluate(value, path)
      if (result === undefined) return value
      if (typeof result === 'object') {
        const what: Message =
          result === null ? msg('nothing') : Array.isArray(result) ? msg('a_list') : msg('an_object')
        problems.push({ path, ...msg('expression_not_a_text', { what }) })
        return value
      }
      const text = String(result)
      const empty = text === '' && options?.empty !== true
      const problem = empty ? msg('expression_gives_empty_text') : check?.(text)?.message
      if (problem) problems.push({ path, ...problem })
      return text
    },
    texts: (values, path) => values.map((value, index) => resolver.text(value, joinPath(path, index))),
    json(value, path) {
      if (typeof value === 'string') return evaluate(value, path) ?? null
      if (Array.isArray(value)) return value.map((item, index) => resolver.json(item, joinPath(path, index)))
      if (value === null || typeof value !== 'object') return value
      return Object.fromEntries(
        Object.entries(value).map(([key, field]) => [key, resolver.json(field, joinPath(path, key))]),
      )
    },
    binds: (binds, path) =>
      Object.fromEntries(
        Object.entries(binds).map(([name, value]) => [name, resolver.json(value, joinPath(path, name))]),
      ),
  }
  return resolver
}

/** Every field that the text refers to has its value. `run` as a whole, and all of the scope, only have theirs in the end. */
function isKnown(text: string, scope: ScopeValues): boolean {
  const compiled = hasExpression(text) ? compileTemplate(text) : null
  if (!compiled?.ok) return true
  return compiled.parts
    .flatMap((part) => ('text' in part ? [] : findReferences(part.expression)))
    .every(({ names: [root, field] }) => {
      const known = root && Object.hasOwn(scope, root.name) ? scope[root.name] : undefined
      return typeof known === 'object' && known !== null && field !== undefined && Object.hasOwn(known, field.name)
    })
}
