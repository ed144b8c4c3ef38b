import type { Message } from '../message.ts'
/**
 * The core profile of JSONata as this language's own tree: paths, literals, operators, conditionals, constructors, predicates
 * and pure functions. What has no node here cannot be evaluated.
 */
export type Expression =
  | { kind: 'literal'; value: null | boolean | number | string }
  | PathExpression
  /** `$` is the value at hand, `$$` the whole scope. */
  | { kind: 'context' }
  | { kind: 'scope' }
  | { kind: 'wildcard' }
  | { kind: 'name'; name: string; start: number; end: number }
  | { kind: 'call'; function: string; arguments: Expression[]; start: number; end: number }
  /** `start`/`end`: the operator. */
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression; start: number; end: number }
  | { kind: 'negate'; operand: Expression }
  | { kind: 'condition'; condition: Expression; whenTrue: Expression; otherwise: Expression | null }
  /** `step`: of a path, which gives one array an item instead of flattening them. */
  | { kind: 'array'; items: Expression[]; step: boolean }
  | { kind: 'object'; pairs: [key: Expression, value: Expression][] }
  | { kind: 'group'; inner: Expression | null }
  | { kind: 'filtered'; subject: Expression; predicates: Expression[]; keepList: boolean }

export interface PathStep {
  expression: Expression
  predicates: Expression[]
}

export interface PathExpression {
  kind: 'path'
  steps: PathStep[]
  /** `[]` after a step: the result stays a list even with one item. */
  keepList: boolean
}

export const binaryOperators = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'and',
  'or',
  'in',
  '..',
] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export interface ExpressionProblem {
  code: 'expression_syntax' | 'expression_forbidden' | 'unknown_function' | 'wrong_arguments' | 'expression_fails'
  message: Message
  hint: Message
  /** Offsets within the expression's text. */
  start: number
  end: number
}
