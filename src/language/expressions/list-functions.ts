import type { FunctionTable } from './function.types.ts'
import {
  checkItemCount,
  deepEqual,
  ExpressionError,
  isRecord,
  keysOf,
  typeName,
  type Machine,
  type Value,
} from './machine.ts'
import { msg } from '../messages.ts'

/* The casts below hold because every argument was checked against `parameters` before the call. */
export const listFunctions: FunctionTable = {
  count: {
    signature: '$count(list)',
    description: 'Number of items; 0 for nothing.',
    parameters: ['list'],
    required: 1,
    contextual: false,
    mayBeNothing: [0],
    call: ([list]) => (list === undefined ? 0 : (list as Value[]).length),
  },
  append: {
    signature: '$append(first, second)',
    description: 'Both lists as one.',
    parameters: ['any', 'any'],
    required: 2,
    contextual: false,
    mayBeNothing: [0, 1],
    call: ([first, second], machine) => append(first, second, machine),
  },
  reverse: {
    signature: '$reverse(list)',
    description: 'The items in reverse order.',
    parameters: ['list'],
    required: 1,
    contextual: false,
    call: ([list], machine) => {
      machine.spend((list as Value[]).length)
      return (list as Value[]).toReversed()
    },
  },
  distinct: {
    signature: '$distinct(list)',
    description: 'Each distinct value once.',
    parameters: ['any'],
    required: 1,
    contextual: false,
    call: ([list], machine) => (Array.isArray(list) ? distinct(list, machine) : list),
  },
  sort: {
    signature: '$sort(list)',
    description: 'Texts or numbers in ascending order.',
    parameters: ['list'],
    required: 1,
    contextual: false,
    call: ([list], machine) => sort(list as Value[], machine),
  },
  keys: {
    signature: '$keys(object)',
    description: 'The names of the object’s fields.',
    parameters: ['any'],
    required: 1,
    contextual: true,
    call: ([value], machine) => {
      const names = new Set<string>()
      const collect = (item: Value): void => {
        machine.spend(1)
        if (Array.isArray(item)) item.forEach(collect)
        else if (isRecord(item)) for (const name of keysOf(item, machine)) names.add(name)
      }
      collect(value)
      return machine.sequence([...names])
    },
  },
  lookup: {
    signature: '$lookup(object, key)',
    description: 'The value of a field by its name.',
    parameters: ['any', 'text'],
    required: 2,
    contextual: true,
    mayBeNothing: [1],
    call: ([value, key], machine) => (key === undefined ? undefined : lookup(value, key as string, machine)),
  },
  merge: {
    signature: '$merge(objects)',
    description: 'One object with the fields of all; later values win.',
    parameters: ['objects'],
    required: 1,
    contextual: false,
    call: ([objects], machine) => {
      const merged: Record<string, Value> = {}
      for (const item of objects as Record<string, Value>[]) {
        keysOf(item, machine)
        // Scope values are plain data without `__proto__`, so assigning cannot reach a prototype.
        Object.assign(merged, item)
      }
      return merged
    },
  },
  exists: {
    signature: '$exists(value)',
    description: 'Whether the value exists; null counts as existing.',
    parameters: ['any'],
    required: 1,
    contextual: false,
    mayBeNothing: [0],
    call: ([value]) => value !== undefined,
  },
  type: {
    signature: '$type(value)',
    description: '"null", "number", "string", "boolean", "array", or "object".',
    parameters: ['any'],
    required: 1,
    contextual: false,
    call: ([value]) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value),
  },
}

export function append(first: Value, second: Value, machine: Machine): Value {
  if (first === undefined) return second
  if (second === undefined) return first
  const left: Value[] = Array.isArray(first) ? first : [first]
  const right: Value[] = Array.isArray(second) ? second : [second]
  checkItemCount(left.length + right.length)
  machine.spend(left.length + right.length)
  // Never a sequence: what has been put together stays a list, even with one item.
  return [...left, ...right]
}

function distinct(list: Value[], machine: Machine): Value[] {
  const kept: Value[] = []
  const seen = new Set<Value>()
  for (const item of list) {
    machine.spend(1)
    if (typeof item === 'string') machine.spendText(item.length)
    if (
      typeof item === 'object' && item !== null ? kept.some((other) => deepEqual(item, other, machine)) : seen.has(item)
    )
      continue
    seen.add(item)
    kept.push(item)
  }
  return machine.sequences.has(list) ? machine.sequence(kept) : kept
}

function sort(list: Value[], machine: Machine): Value[] {
  if (list.length <= 1) return list
  machine.spend(list.length * Math.ceil(Math.log2(list.length)))
  if (list.every((item) => typeof item === 'number')) return list.toSorted((a, b) => a - b)
  if (list.every((item) => typeof item === 'string')) {
    for (const text of list) machine.spendText(text.length * Math.ceil(Math.log2(list.length)))
    return list.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  }
  throw new ExpressionError(msg('sort_takes'))
}

/** Own fields of plain data only: nothing is ever read from a prototype. */
export function lookup(value: Value, key: string, machine: Machine): Value {
  machine.spend(1)
  if (Array.isArray(value)) {
    const found: Value[] = []
    for (const item of value) {
      const result = lookup(item, key, machine)
      if (result === undefined) continue
      const inner: Value[] = Array.isArray(result) ? result : [result]
      machine.spend(inner.length)
      checkItemCount(found.length + inner.length)
      for (const one of inner) found.push(one)
    }
    return machine.sequence(found)
  }
  if (!isRecord(value) || !Object.hasOwn(value, key)) return undefined
  const result = value[key]
  if (typeof result === 'function' || typeof result === 'symbol')
    throw new ExpressionError(msg('result_is', { key, found: typeName(result) }))
  return result
}
