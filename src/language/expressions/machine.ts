import type { Span } from '../yaml/yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/**
 * What evaluation may cost. Every node, item and kilobyte of made text takes a step: 10,000 records, which a `for_each` may have,
 * can be filtered by a few of their fields.
 */
export const DEFAULT_STEP_BUDGET = 500_000
/** Characters of one text, items of one list. */
export const MAX_TEXT = 262_144
export const MAX_ITEMS = 20_000

/** A value in an expression; undefined is JSONata's "nothing". */
export type Value = unknown

export class ExpressionError extends Error {
  readonly reason: Message
  constructor(reason: Message) {
    super(reason.message)
    this.reason = reason
  }
}
/** The budget is used up. */
export class ExhaustedError extends ExpressionError {}

export interface Machine {
  /** Takes steps off the budget; throws ExpressionError when it is used up. */
  spend(steps: number): void
  /** The run's logical time as ISO 8601, what `$now()` gives; null where there is none. */
  readonly now: string | null
  /** Lists made by paths and predicates, which JSONata reduces to their item when there is one. */
  readonly sequences: WeakSet<Value[]>
  sequence(items: Value[]): Value[]
  /** Sequences that stay a list with one item, too: `[]` was written after them. */
  readonly kept: WeakSet<Value[]>
  /** Lists that a `[…]` as a step of a path made: wherever they go, paths leave them as they are. */
  readonly constructed: WeakSet<Value[]>
  /** The call or operator that is carried out. */
  at: Span | null
}

export function createMachine(budget: number, now: string | null): Machine {
  let left = budget
  const sequences = new WeakSet<Value[]>()
  return {
    now,
    sequences,
    kept: new WeakSet(),
    constructed: new WeakSet(),
    at: null,
    spend(steps) {
      left -= steps
      if (left < 0) throw new ExhaustedError(msg('too_many_steps'))
    },
    sequence(items) {
      sequences.add(items)
      return items
    },
  }
}

export function checkTextLength(length: number): void {
  if (length > MAX_TEXT) throw new ExpressionError(msg('text_too_long', { limit: MAX_TEXT }))
}

export function checkItemCount(count: number): void {
  if (count > MAX_ITEMS) throw new ExpressionError(msg('list_too_long', { limit: MAX_ITEMS }))
}

export function isRecord(value: Value): value is Record<string, Value> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** JSONata's casts, as its own functions `$boolean` and `$string` do them. */
export function toBoolean(value: Value): boolean {
  if (Array.isArray(value)) return value.some(toBoolean)
  if (isRecord(value)) return Object.keys(value).length > 0
  return value !== null && value !== undefined && value !== '' && value !== 0 && value !== false && !Number.isNaN(value)
}

export function toText(value: Value, machine: Machine, indent = 0): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ExpressionError(msg('number_infinite'))
  const text = JSON.stringify(
    value,
    (_key, part: Value) => (typeof part === 'number' && !Number.isInteger(part) ? Number(part.toPrecision(15)) : part),
    indent,
  )
  checkTextLength(text.length)
  machine.spend(Math.ceil(text.length / 1000))
  return text
}

export function typeName(value: Value): Message {
  if (value === undefined) return msg('nothing')
  if (value === null) return msg('null')
  if (Array.isArray(value)) return msg('a_list')
  if (typeof value === 'object') return msg('an_object')
  if (typeof value === 'string') return msg('text')
  return typeof value === 'number' ? msg('a_number') : msg('true_or_false')
}

export function deepEqual(a: Value, b: Value, machine: Machine): boolean {
  machine.spend(1)
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index], machine))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key], machine))
  )
}
