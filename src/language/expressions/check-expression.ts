import { whyConstantFails } from './evaluate.ts'
import type { Expression, ExpressionProblem } from './expression.types.ts'
import { alignArguments, functions, UNKNOWN } from './functions.ts'
import { ExpressionError, type Value } from './machine.ts'
import { readPicture } from './time-picture.ts'
import { msg } from '../messages.ts'

/** What is wrong whatever the data: arguments that no function takes, constants that cannot be evaluated. The first one, or null. */
export function checkExpression(expression: Expression): ExpressionProblem | null {
  const checked = findProblem(expression, true)
  return checked.problem ?? (checked.constant ? checkConstant(expression) : null)
}

interface Checked {
  problem: ExpressionProblem | null
  /** It refers to nothing, so that it always gives the same. */
  constant: boolean
}

/** Constants are evaluated as a whole: by whoever holds one and is none itself. */
function findProblem(node: Expression, atScope: boolean): Checked {
  const constants: Expression[] = []
  let constant = constantKinds.has(node.kind)
  for (const [index, part] of partsOf(node).entries()) {
    // What follows in a path, and predicates, have another value at hand than the scope.
    const checked = findProblem(part, atScope && (index === 0 || (node.kind !== 'path' && node.kind !== 'filtered')))
    if (checked.problem) return checked
    if (checked.constant) constants.push(part)
    else constant = false
  }
  if (node.kind === 'call') {
    const checked = checkCall(node, atScope ? {} : UNKNOWN)
    if (checked.problem) return checked
    constant &&= checked.constant
  }
  if (constant) return { problem: null, constant }
  for (const part of constants) {
    const problem = checkConstant(part)
    if (problem) return { problem, constant }
  }
  return { problem: null, constant }
}

/** Names, paths and predicates depend on something. */
const constantKinds = new Set<Expression['kind']>([
  'literal',
  'call',
  'binary',
  'negate',
  'condition',
  'array',
  'object',
  'group',
])

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'path':
      return node.steps.flatMap((step) => [step.expression, ...step.predicates])
    case 'filtered':
      return [node.subject, ...node.predicates]
    case 'call':
      return node.arguments
    case 'binary':
      return [node.left, node.right]
    case 'negate':
      return [node.operand]
    case 'condition':
      return [node.condition, node.whenTrue, ...(node.otherwise ? [node.otherwise] : [])]
    case 'array':
      return node.items
    case 'object':
      return node.pairs.flat()
    case 'group':
      return node.inner ? [node.inner] : []
    case 'literal':
    case 'context':
    case 'scope':
    case 'name':
    case 'wildcard':
  }
  return []
}

function checkCall(node: Extract<Expression, { kind: 'call' }>, context: Value): Checked {
  const definition = functions.get(node.function)
  if (!definition) return { problem: null, constant: false }
  const given = node.arguments.map((argument) => (argument.kind === 'literal' ? argument.value : UNKNOWN))
  try {
    const shift = alignArguments(definition, given, context)
    for (const [index, value] of given.entries()) {
      if (definition.parameters[index + shift] === 'picture' && typeof value === 'string') readPicture(value)
    }
    // `$now()` depends on the run, and with a shift the value at hand is an argument.
    return { problem: null, constant: shift === 0 && definition.required > 0 }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const problem: ExpressionProblem = {
      code: 'wrong_arguments',
      message: msg('wrong_arguments', { problem: error.reason }),
      hint: definition.contextual
        ? msg('call_as_after_point', { signature: definition.signature })
        : msg('call_as', { signature: definition.signature }),
      start: node.start,
      end: node.end,
    }
    return { problem, constant: false }
  }
}

function checkConstant(node: Expression): ExpressionProblem | null {
  if (node.kind === 'literal') return null
  const failed = whyConstantFails(node)
  if (failed === null) return null
  return {
    code: 'expression_fails',
    message: msg('expression_fails', { problem: failed.problem }),
    hint: msg('change_constants'),
    start: failed.at.start,
    end: failed.at.end,
  }
}
