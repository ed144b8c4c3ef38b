import type { Json } from '../task/task.types.ts'
import type { Span } from '../yaml/yaml-tree.ts'
import type { Expression, PathExpression, PathStep } from './expression.types.ts'
import { callFunction } from './functions.ts'
import { append, lookup } from './list-functions.ts'
import { calculate, compare, negate, range } from './operators.ts'
import {
  checkItemCount,
  checkTextLength,
  createMachine,
  deepEqual,
  DEFAULT_STEP_BUDGET,
  ExhaustedError,
  ExpressionError,
  isRecord,
  toBoolean,
  toText,
  typeName,
  type Machine,
  type Value,
} from './machine.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** What `${{ }}` may refer to: `args.day`, `run.logical_date`. Plain JSON data. */
export type ScopeValues = Record<string, unknown>

export type Evaluation = { ok: true; value: Json | undefined } | { ok: false; problem: Message }

/**
 * Evaluates with JSONata's meaning. Never throws, ends within the budget, reads own fields only. `undefined` is "nothing":
 * a path that leads nowhere. `now` (ISO 8601) is what `$now()` gives.
 */
export function evaluateExpression(
  expression: Expression,
  scope: ScopeValues,
  options: { now?: string | null; budget?: number } = {},
): Evaluation {
  const machine = createMachine(options.budget ?? DEFAULT_STEP_BUDGET, options.now ?? null)
  // Like JSONata, a list as the scope is one value.
  const input = Array.isArray(scope) ? machine.sequence([scope]) : scope
  try {
    return { ok: true, value: toJson(evaluate(expression, input, { machine, scope, input }), machine) }
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, problem: error.reason }
    if (error instanceof RangeError) return { ok: false, problem: msg('nested_too_deep') }
    throw error
  }
}

interface Frame {
  machine: Machine
  scope: ScopeValues
  /** What the expression as a whole is evaluated with. */
  input: Value
}

/** What `$` is. */
function contextOf(input: Value, frame: Frame): Value {
  return input === frame.input ? frame.scope : input
}

/** Steps that a constant part may take while a text is checked. */
const CONSTANT_BUDGET = 2_000

/** Why a part that refers to nothing can never be evaluated, and which call or operator in it; null: it can, or that takes too long to find out. */
export function whyConstantFails(expression: Expression): { problem: Message; at: Span } | null {
  const machine = createMachine(CONSTANT_BUDGET, null)
  try {
    evaluate(expression, {}, { machine, scope: {}, input: {} })
    return null
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error instanceof ExhaustedError || machine.at === null ? null : { problem: error.reason, at: machine.at }
  }
}

/** A copy as plain JSON: what leaves an expression shares nothing with the scope. */
function toJson(value: Value, machine: Machine): Json | undefined {
  machine.spend(1)
  if (typeof value === 'string') machine.spendResult(value.length)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ExpressionError(msg('result_not_finite'))
    return value
  }
  if (Array.isArray(value)) return value.map((item) => toJson(item, machine) ?? null)
  if (!isRecord(value)) return undefined
  const copy: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    machine.spendResult(key.length)
    const field = toJson(value[key], machine)
    if (field !== undefined && key !== '__proto__') copy[key] = field
  }
  return copy
}

function evaluate(node: Expression, input: Value, frame: Frame): Value {
  const { machine } = frame
  machine.spend(1)
  const result = evaluateKind(node, input, frame)
  // JSONata reduces what a path or predicate found to its item when there is just one.
  if (!Array.isArray(result) || !machine.sequences.has(result)) return result
  if (node.kind === 'filtered' && node.keepList) machine.kept.add(result)
  if (result.length === 0) return undefined
  return result.length > 1 || machine.kept.has(result) ? result : result[0]
}

function evaluateKind(node: Expression, input: Value, frame: Frame): Value {
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'context':
      return contextOf(input, frame)
    case 'scope':
      return frame.scope
    case 'name':
      return lookup(input, node.name, frame.machine)
    case 'wildcard':
      return wildcard(input, frame.machine)
    case 'path':
      return evaluatePath(node, input, frame)
    case 'filtered':
      return node.predicates.reduce<Value>(
        (value, predicate) => filter(predicate, value, frame),
        evaluateKind(node.subject, input, frame),
      )
    case 'group':
      return node.inner ? evaluate(node.inner, input, frame) : undefined
    case 'call':
      return call(node, input, frame)
    case 'negate':
      return negate(evaluate(node.operand, input, frame))
    case 'condition':
      if (toBoolean(evaluate(node.condition, input, frame), frame.machine)) return evaluate(node.whenTrue, input, frame)
      return node.otherwise ? evaluate(node.otherwise, input, frame) : undefined
    case 'array':
      return constructList(node, input, frame)
    case 'object':
      return constructObject(node.pairs, input, frame)
    case 'binary':
      break
  }
  return evaluateBinary(node, input, frame)
}

function call(node: Extract<Expression, { kind: 'call' }>, input: Value, frame: Frame): Value {
  const given = node.arguments.map((argument) => evaluate(argument, input, frame))
  frame.machine.at = node
  return callFunction(node.function, given, contextOf(input, frame), frame.machine)
}

function evaluatePath(path: PathExpression, input: Value, frame: Frame): Value {
  const { machine } = frame
  const first = path.steps[0]?.expression.kind
  let current: Value[] =
    // Like JSONata, nothing counts as one item here, too: a mistake in what follows is one whatever the data.
    Array.isArray(input) && first !== 'context' && first !== 'scope' ? input : machine.sequence([input])
  for (const [index, step] of path.steps.entries()) {
    const last = index === path.steps.length - 1
    if (index === 0 && step.expression.kind === 'array' && step.expression.step) {
      const built = evaluate(step.expression, current, frame)
      current = Array.isArray(built) ? built : [built]
    } else {
      current = evaluateStep(step, current, last, frame)
    }
    if (current.length === 0) break
  }
  if (!path.keepList) return current
  // A list of the data stays what it is; one that the expression makes counts as one item.
  if (machine.constructed.has(current) && !machine.sequences.has(current)) current = machine.sequence([current])
  machine.kept.add(current)
  return current
}

function evaluateStep(step: PathStep, items: Value[], last: boolean, frame: Frame): Value[] {
  const { machine } = frame
  const results: Value[] = []
  for (const item of items) {
    machine.spend(1)
    let result = evaluate(step.expression, item, frame)
    for (const predicate of step.predicates) result = filter(predicate, result, frame)
    if (result !== undefined) results.push(result)
  }
  const only = results[0]
  if (last && results.length === 1 && Array.isArray(only) && !machine.sequences.has(only)) return only
  const flat: Value[] = []
  for (const result of results) {
    const inner: Value[] = Array.isArray(result) && !machine.constructed.has(result) ? result : [result]
    machine.spend(inner.length)
    checkItemCount(flat.length + inner.length)
    for (const one of inner) flat.push(one)
  }
  return machine.sequence(flat)
}

/** `value[predicate]`: a number picks by position (from the end when negative), anything else keeps what it is true for. */
function filter(predicate: Expression, value: Value, frame: Frame): Value {
  const { machine } = frame
  // Like JSONata, nothing counts as one item here: a predicate that is true for nothing keeps it.
  const items: Value[] = Array.isArray(value) ? value : [value]
  if (predicate.kind === 'literal' && typeof predicate.value === 'number') {
    const position = Math.floor(predicate.value)
    const item = items[position < 0 ? items.length + position : position]
    if (Array.isArray(item)) return item
    return machine.sequence(item === undefined ? [] : [item])
  }
  const kept: Value[] = []
  for (const [index, item] of items.entries()) {
    machine.spend(1)
    const result = evaluate(predicate, item, frame)
    const positions: Value[] | null = typeof result === 'number' ? [result] : Array.isArray(result) ? result : null
    if (positions !== null && positions.every((position) => typeof position === 'number')) {
      machine.spend(positions.length)
      for (const position of positions) {
        const floor = Math.floor(position)
        if ((floor < 0 ? items.length + floor : floor) === index) kept.push(item)
      }
    } else if (toBoolean(result, machine)) {
      kept.push(item)
    }
  }
  return machine.sequence(kept)
}

function wildcard(input: Value, machine: Machine): Value {
  const found: Value[] = []
  // Like JSONata, what a list has contributed to stays a list, even with one item.
  let sequence = true
  const collect = (value: Value): void => {
    machine.spend(1)
    if (Array.isArray(value)) value.forEach(collect)
    else found.push(value)
  }
  const fields: Value[] = Array.isArray(input) ? input : isRecord(input) ? Object.values(input) : []
  machine.spend(fields.length)
  for (const field of fields) {
    if (Array.isArray(field)) sequence = false
    collect(field)
  }
  return sequence ? machine.sequence(found) : found
}

function constructList({ items, step }: Extract<Expression, { kind: 'array' }>, input: Value, frame: Frame): Value[] {
  let list: Value[] = []
  for (const item of items) {
    const value = evaluate(item, input, frame)
    if (value === undefined) continue
    if (item.kind === 'array') list.push(value)
    else list = append(list, value, frame.machine) as Value[] // a list and a value give a list
    checkItemCount(list.length)
  }
  if (step) frame.machine.constructed.add(list)
  return list
}

function constructObject(pairs: [Expression, Expression][], input: Value, frame: Frame): Value {
  const object: Record<string, Value> = {}
  for (const [keyNode, valueNode] of pairs) {
    const key = evaluate(keyNode, input, frame)
    if (key === undefined) continue
    if (typeof key !== 'string') throw new ExpressionError(msg('key_not_text_but', { found: typeName(key) }))
    if (key === '__proto__') throw new ExpressionError(msg('proto_key'))
    if (Object.hasOwn(object, key)) throw new ExpressionError(msg('key_twice_in_object', { key: key.slice(0, 60) }))
    const value = evaluate(valueNode, input, frame)
    if (value !== undefined) object[key] = value
  }
  return object
}

function evaluateBinary(node: Extract<Expression, { kind: 'binary' }>, input: Value, frame: Frame): Value {
  const { operator } = node
  const left = evaluate(node.left, input, frame)
  const { machine } = frame
  if (operator === 'and') return toBoolean(left, machine) && toBoolean(evaluate(node.right, input, frame), machine)
  if (operator === 'or') return toBoolean(left, machine) || toBoolean(evaluate(node.right, input, frame), machine)
  const right = evaluate(node.right, input, frame)
  machine.at = node
  switch (operator) {
    case '=':
      return left !== undefined && right !== undefined && deepEqual(left, right, machine)
    case '!=':
      return left !== undefined && right !== undefined && !deepEqual(left, right, machine)
    case 'in':
      if (left === undefined || right === undefined) return false
      return isIn(left, Array.isArray(right) ? right : [right], machine)
    case '&': {
      const text = toText(left, machine) + toText(right, machine)
      checkTextLength(text.length)
      machine.spendText(text.length)
      return text
    }
    case '..':
      return range(left, right, machine)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, left, right, machine)
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      break
  }
  return calculate(operator, left, right)
}

function isIn(value: Value, list: readonly Value[], machine: Machine): boolean {
  machine.spend(Math.ceil(list.length / ITEMS_OF_STEP))
  if (typeof value !== 'string') return list.includes(value)
  // Only texts of the same length are read.
  return list.some((item) => {
    if (typeof item !== 'string' || item.length !== value.length) return false
    machine.spendText(value.length)
    return item === value
  })
}

/** That one step looks at, where looking is all. */
const ITEMS_OF_STEP = 100
