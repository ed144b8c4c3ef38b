import { binaryOperators, type BinaryOperator, type Expression, type PathStep } from './expression.types.ts'
import { functionNames } from './functions.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** What JSONata's parser gives, as far as it is read here. Positions are offsets just after the token. */
export interface RawNode {
  type?: string
  value?: unknown
  position?: number
  steps?: RawNode[]
  stages?: RawNode[]
  predicate?: RawNode[]
  expr?: RawNode
  expression?: RawNode
  expressions?: RawNode[]
  arguments?: RawNode[]
  procedure?: RawNode
  lhs?: RawNode | [RawNode, RawNode][]
  rhs?: RawNode
  condition?: RawNode
  then?: RawNode
  else?: RawNode
  group?: unknown
  focus?: unknown
  index?: unknown
  tuple?: unknown
  consarray?: boolean
  keepArray?: boolean
  keepSingletonArray?: boolean
}

/** Something outside the profile. */
export class ForbiddenNode extends Error {
  readonly functionName: string | null
  readonly start: number
  readonly end: number
  readonly what: Message
  constructor(what: Message, node: RawNode, functionName: string | null = null) {
    super(what.message)
    this.what = what
    const end = node.position ?? 1
    const length = functionName === null ? 1 : functionName.length + 1
    this.functionName = functionName
    this.start = end - length
    this.end = end
  }
}

const forbidden: Record<string, Message> = {
  lambda: msg('a_function_definition'),
  partial: msg('a_partial_call'),
  apply: msg('the_function_chain'),
  transform: msg('the_transform_operator'),
  bind: msg('a_variable_assignment'),
  regex: msg('a_regular_expression'),
  descendant: msg('the_descendant_operator'),
  parent: msg('the_parent_operator'),
  sort: msg('the_order_by_operator'),
}

const known = new Set<string>(functionNames)
const operators = new Set<string>(binaryOperators)

/** Allow-list: every node kind that may pass is named here. Throws ForbiddenNode for any other. */
export function convertNode(node: RawNode, text: string): Expression {
  if (node.group !== undefined) throw new ForbiddenNode(msg('grouping'), node)
  if (node.focus !== undefined || node.index !== undefined || node.tuple !== undefined) {
    throw new ForbiddenNode(msg('a_variable_binding'), node)
  }
  const converted = convertKind(node, text)
  // A path knows itself that `[]` stands after it.
  const keepList = node.keepArray === true && converted.kind !== 'path'
  if (!node.predicate && !keepList) return converted
  return { kind: 'filtered', subject: converted, predicates: predicates(node.predicate, text), keepList }
}

function predicates(stages: RawNode[] | undefined, text: string): Expression[] {
  return (stages ?? []).map((stage) => {
    if (stage.type !== 'filter' || !stage.expr) throw new ForbiddenNode(msg('a_variable_binding'), stage)
    return convertNode(stage.expr, text)
  })
}

function convertKind(node: RawNode, text: string): Expression {
  switch (node.type) {
    case 'string':
    case 'number':
    case 'value':
      return convertLiteral(node)
    case 'path':
      return {
        kind: 'path',
        steps: (node.steps ?? []).map((step) => convertStep(step, text)),
        keepList: node.keepSingletonArray === true,
      }
    case 'name':
      return convertName(node, text)
    case 'wildcard':
      return { kind: 'wildcard' }
    case 'variable':
      if (node.value === '') return { kind: 'context' }
      if (node.value === '$') return { kind: 'scope' }
      throw new ForbiddenNode(msg('the_variable', { name: String(node.value) }), node)
    case 'function':
      return convertCall(node, text)
    case 'binary':
      return convertBinary(node, text)
    case 'unary':
      return convertUnary(node, text)
    case 'condition':
      return {
        kind: 'condition',
        condition: child(node.condition, node, text),
        whenTrue: child(node.then, node, text),
        otherwise: node.else ? convertNode(node.else, text) : null,
      }
    case 'block':
      if ((node.expressions?.length ?? 0) > 1) throw new ForbiddenNode(msg('a_sequence_of_expressions'), node)
      return { kind: 'group', inner: node.expressions?.[0] ? convertNode(node.expressions[0], text) : null }
    case undefined:
    default:
      throw new ForbiddenNode(forbidden[node.type ?? ''] ?? msg('this_part'), node)
  }
}

function child(node: RawNode | [RawNode, RawNode][] | undefined, parent: RawNode, text: string): Expression {
  if (!node || Array.isArray(node)) throw new ForbiddenNode(msg('this_part'), parent)
  return convertNode(node, text)
}

function convertLiteral(node: RawNode): Expression {
  const { value } = node
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') {
    return { kind: 'literal', value }
  }
  throw new ForbiddenNode(msg('this_part'), node)
}

function convertName(node: RawNode, text: string): Expression {
  const name = String(node.value)
  const end = node.position ?? 0
  const quoted = text[end - 1] === '`' || text[end - 1] === '"' || text[end - 1] === "'"
  return { kind: 'name', name, start: Math.max(0, end - name.length - (quoted ? 2 : 0)), end }
}

function convertStep(step: RawNode, text: string): PathStep {
  const { stages, ...rest } = step
  return {
    expression: convertNode(rest, text),
    predicates: predicates(stages, text),
  }
}

function convertCall(node: RawNode, text: string): Expression {
  const name = node.procedure?.type === 'variable' ? String(node.procedure.value) : null
  if (name === null) throw new ForbiddenNode(msg('a_call_of_no_function'), node)
  if (!known.has(name)) throw new ForbiddenNode(msg('this_function'), node.procedure ?? node, name)
  const end = node.procedure?.position ?? 0
  return {
    kind: 'call',
    function: name,
    arguments: (node.arguments ?? []).map((argument) => convertNode(argument, text)),
    start: Math.max(0, end - name.length - 1),
    end,
  }
}

function convertBinary(node: RawNode, text: string): Expression {
  const operator = String(node.value)
  if (!operators.has(operator)) throw new ForbiddenNode(msg('the_operator', { operator }), node)
  // Just checked to be one of them.
  return {
    kind: 'binary',
    operator: operator as BinaryOperator,
    left: child(node.lhs, node, text),
    right: child(node.rhs, node, text),
    start: Math.max(0, (node.position ?? 0) - operator.length),
    end: node.position ?? 0,
  }
}

function convertUnary(node: RawNode, text: string): Expression {
  if (node.value === '-') return { kind: 'negate', operand: child(node.expression, node, text) }
  if (node.value === '[')
    return {
      kind: 'array',
      items: (node.expressions ?? []).map((item) => convertNode(item, text)),
      step: node.consarray === true,
    }
  if (node.value === '{' && Array.isArray(node.lhs)) {
    return { kind: 'object', pairs: node.lhs.map(([key, value]) => [convertNode(key, text), convertNode(value, text)]) }
  }
  throw new ForbiddenNode(msg('this_part'), node)
}
