import { checkItemCount, ExpressionError, typeName, type Machine, type Value } from './machine.ts'
import { msg } from '../messages.ts'

/* What the operators do with values already evaluated, as JSONata defines it: with nothing on one side the result is nothing. */

export function negate(value: Value): Value {
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new ExpressionError(msg('minus_takes_number', { found: typeName(value) }))
  return -value
}

export function compare(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value, machine: Machine): Value {
  for (const side of [left, right]) {
    if (side !== undefined && typeof side !== 'string' && typeof side !== 'number') {
      throw new ExpressionError(msg('operator_compares', { operator, found: typeName(side) }))
    }
  }
  if (left === undefined || right === undefined) return undefined
  if (typeof left !== typeof right)
    throw new ExpressionError(
      msg('operator_cannot_compare', { operator, left: typeName(left), right: typeName(right) }),
    )
  if (typeof left === 'string') machine.spendText(left.length)
  // Both are known to be of one comparable type.
  const [a, b] = [left as number, right as number]
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b
}

export function calculate(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  for (const side of [left, right]) {
    if (side !== undefined && typeof side !== 'number') {
      const found = typeName(side)
      throw new ExpressionError(
        operator === '+' && typeof side === 'string'
          ? msg('join_texts', { found })
          : msg('operator_takes_numbers', { operator, found }),
      )
    }
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  const result =
    operator === '+'
      ? left + right
      : operator === '-'
        ? left - right
        : operator === '*'
          ? left * right
          : operator === '/'
            ? left / right
            : left % right
  if (!Number.isFinite(result)) throw new ExpressionError(msg('operator_not_finite', { operator }))
  return result
}

export function range(from: Value, to: Value, machine: Machine): Value {
  if (from === undefined || to === undefined) return undefined
  if (!Number.isInteger(from) || !Number.isInteger(to)) throw new ExpressionError(msg('range_takes_integers'))
  const [first, last] = [from as number, to as number] // just checked
  if (first > last) return undefined
  checkItemCount(last - first + 1)
  machine.spend(last - first + 1)
  return machine.sequence(Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
