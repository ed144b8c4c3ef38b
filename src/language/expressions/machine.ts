import type { Span } from '../yaml/yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/**
 * What evaluation may cost. Every node, item and piece of text takes a step: 10,000 records, which a `for_each` may have, can be
 * filtered by a few of their fields.
 */
export const DEFAULT_STEP_BUDGET = 500_000
/** Characters that one step reads or makes; shorter texts cost no more than the node that they are in. */
const CHARACTERS_OF_STEP = 16
/** Characters of a result: those are neither read nor made again, but many results may have the same text. */
const CHARACTERS_OF_RESULT_STEP = 128
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
  /** The same for a text that is read or made. */
  spendText(length: number): void
  spendResult(length: number): void
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
  function spend(steps: number): void {
    left -= steps
    if (left < 0) throw new ExhaustedError(msg('too_many_steps'))
  }
  return {
    now,
    sequences,
    kept: new WeakSet(),
    constructed: new WeakSet(),
    at: null,
    spend,
    spendText: (length) => spend(Math.floor(length / CHARACTERS_OF_STEP)),
    spendResult: (length) => spend(Math.floor(length / CHARACTERS_OF_RESULT_STEP)),
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
export function toBoolean(value: Value, machine: Machine): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => {
      machine.spend(1)
      return toBoolean(item, machine)
    })
  }
  if (isRecord(value)) return keysOf(value, machine).length > 0
  return value !== null && value !== undefined && value !== '' && value !== 0 && value !== false && !Number.isNaN(value)
}

/** The names of an object's fields: listing them takes time with their number. */
export function keysOf(value: Record<string, Value>, machine: Machine): string[] {
  const keys = Object.keys(value)
  machine.spend(keys.length)
  return keys
}

export function toText(value: Value, machine: Machine, indent = 0): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ExpressionError(msg('number_infinite'))
  checkTextLength(lengthIn(value, machine))
  const text = JSON.stringify(
    value,
    (_key, part: Value) => (typeof part === 'number' && !Number.isInteger(part) ? Number(part.toPrecision(15)) : part),
    indent,
  )
  checkTextLength(text.length)
  machine.spendText(text.length)
  return text
}

/** At least how long it is as JSON, up to what a text may have: a value may hold the same long text thousands of times. */
function lengthIn(value: Value, machine: Machine): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 1
  machine.spend(1)
  let length = 0
  const parts = Array.isArray(value) ? value : Object.values(value as Record<string, Value>)
  if (isRecord(value)) for (const key of keysOf(value, machine)) length += key.length
  for (const part of parts) {
    if (length > MAX_TEXT) break
    length += lengthIn(part, machine)
  }
  return length
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
  if (typeof a === 'string' && typeof b === 'string') return equalTexts(a, b, machine)
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index], machine))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = keysOf(a, machine)
  return (
    keys.length === keysOf(b, machine).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(a[key], b[key], machine))
  )
}

function equalTexts(a: string, b: string, machine: Machine): boolean {
  if (a.length !== b.length) return false
  machine.spendText(a.length)
  return a === b
}
