import { checkItemCount, ExpressionError, typeName, type Machine, type Value } from './machine.ts'

/* What the operators do with values already evaluated, as JSONata defines it: with nothing on one side the result is nothing. */

export function negate(value: Value): Value {
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new ExpressionError(`\`-\` takes a number, not ${typeName(value)}`)
  return -value
}

export function compare(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): Value {
  for (const side of [left, right]) {
    if (side !== undefined && typeof side !== 'string' && typeof side !== 'number') {
      throw new ExpressionError(`\`${operator}\` compares numbers or texts, not ${typeName(side)}`)
    }
  }
  if (left === undefined || right === undefined) return undefined
  if (typeof left !== typeof right)
    throw new ExpressionError(`\`${operator}\` cannot compare ${typeName(left)} with ${typeName(right)}`)
  // Both are known to be of one comparable type.
  const [a, b] = [left as number, right as number]
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b
}

export function calculate(operator: '+' | '-' | '*' | '/' | '%', left: Value, right: Value): Value {
  for (const side of [left, right]) {
    if (side !== undefined && typeof side !== 'number') {
      const hint = operator === '+' && typeof side === 'string' ? '; texts are joined with `&`' : ''
      throw new ExpressionError(`\`${operator}\` takes numbers, not ${typeName(side)}${hint}`)
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
  if (!Number.isFinite(result)) throw new ExpressionError(`\`${operator}\` gives no finite number`)
  return result
}

export function range(from: Value, to: Value, machine: Machine): Value {
  if (from === undefined || to === undefined) return undefined
  if (!Number.isInteger(from) || !Number.isInteger(to)) throw new ExpressionError('`..` takes whole numbers')
  const [first, last] = [from as number, to as number] // just checked
  if (first > last) return undefined
  checkItemCount(last - first + 1)
  machine.spend(last - first + 1)
  return machine.sequence(Array.from({ length: last - first + 1 }, (_, index) => first + index))
}
