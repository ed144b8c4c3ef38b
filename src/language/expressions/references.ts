import type { Expression } from './expression.types.ts'
import type { Message } from '../message.ts'

/** What expressions may refer to at one place of a document: root name → field name → what it is. null: any field. */
export type ScopeDescription = Readonly<Record<string, ScopeRoot>>

export interface ScopeRoot {
  description: string
  fields: Readonly<Record<string, string>> | null
  /** Instead of looking a name up in `fields`, which may be dear to make. */
  has?(name: string): boolean
  /** What each field has in its turn; absent: anything. */
  inner?: Readonly<Record<string, string>>
  /** What to say of a field that is not there. */
  missing?(name: string): { code: 'unknown_reference' | 'not_upstream'; message: Message; hint: Message }
}

/** A path as far as its names are literal: `args.day` of `args.day[0].x` gives ['args', 'day']; none: all of the scope. */
export interface Reference {
  names: { name: string; start: number; end: number }[]
}

/**
 * Every path that starts at the scope itself. Inside a predicate or a later step names are relative to the value at hand,
 * so nothing is said about those.
 */
export function findReferences(expression: Expression): Reference[] {
  const found: Reference[] = []
  visit(expression, true, found)
  return found
}

function visit(node: Expression, atScope: boolean, found: Reference[]): void {
  switch (node.kind) {
    case 'path':
      visitPath(node.steps, atScope, found)
      return
    case 'filtered':
      visit(node.subject, atScope, found)
      for (const predicate of node.predicates) visit(predicate, false, found)
      return
    case 'group':
      if (node.inner) visit(node.inner, atScope, found)
      return
    case 'call':
      for (const argument of node.arguments) visit(argument, atScope, found)
      return
    case 'negate':
      visit(node.operand, atScope, found)
      return
    case 'condition':
      visit(node.condition, atScope, found)
      visit(node.whenTrue, atScope, found)
      if (node.otherwise) visit(node.otherwise, atScope, found)
      return
    case 'array':
      for (const item of node.items) visit(item, atScope, found)
      return
    case 'object':
      for (const pair of node.pairs) for (const part of pair) visit(part, atScope, found)
      return
    case 'binary':
      visit(node.left, atScope, found)
      visit(node.right, atScope, found)
      return
    case 'name':
      if (atScope) found.push({ names: [node] })
      return
    case 'context':
    case 'wildcard':
      if (atScope) found.push({ names: [] })
      return
    case 'scope':
      found.push({ names: [] })
      return
    case 'literal':
  }
}

function visitPath(
  steps: readonly { expression: Expression; predicates: Expression[] }[],
  atScope: boolean,
  found: Reference[],
): void {
  const names: Reference['names'] = []
  let literal = true
  for (const [index, step] of steps.entries()) {
    for (const predicate of step.predicates) visit(predicate, false, found)
    const { expression } = step
    const root = index === 0 && (expression.kind === 'scope' || (expression.kind === 'context' && atScope))
    if (literal && expression.kind === 'name' && (atScope || steps[0]?.expression.kind === 'scope'))
      names.push(expression)
    else if (!root) {
      if (expression.kind !== 'name') visit(expression, index === 0 && atScope, found)
      literal = false
    }
    if (step.predicates.length > 0) literal = false
  }
  const whole = steps[0]?.expression.kind === 'scope' || (steps[0]?.expression.kind === 'context' && atScope)
  if (names.length > 0 || whole) found.push({ names })
}
