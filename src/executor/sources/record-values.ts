import { shortened } from '../../language/shortened.ts'
import { EngineError } from '../engine/errors.ts'
import { deepestJson } from '../formats/json/scan.ts'
import { runMessage } from '../../contract/run-messages.ts'

/**
 * A value that JSON has no word for, as its text: `decimal` keeps every digit, `number` is floating point even where it is whole,
 * `datetime` is ISO 8601 in UTC.
 */
export class TypedText {
  readonly type: 'decimal' | 'number' | 'datetime' | 'date' | 'time' | 'uuid'
  readonly text: string

  constructor(type: TypedText['type'], value: string) {
    this.type = type
    this.text = value
  }
}

/** A field of a record: what JSON has, and what drivers of document stores give beyond it. Nested values become JSON. */
export type FieldValue = null | undefined | boolean | number | bigint | string | Uint8Array | TypedText | object

/** A nested value as the text of a document: every digit of a number, bytes in base64, what JSON has no word for as text. */
export function documentText(value: object | string): string {
  return JSON.stringify(documentOf(value, 1))
}

/** Newer than the types of this TypeScript. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

function documentOf(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString())
  if (value instanceof TypedText) return jsonNumber.test(value.text) ? rawJSON(value.text) : value.text
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepestJson) throw tooDeep()
  if (Array.isArray(value)) return value.map((item) => documentOf(item, depth + 1))
  // Without a prototype: a key may be called `__proto__`.
  const made = Object.create(null) as Record<string, unknown>
  for (const [key, item] of Object.entries(value)) made[key] = documentOf(item, depth + 1)
  return made
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A record that is nested deeper than documents may be. */
export function tooDeep(): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('record_too_deep', { most: deepestJson }), {
    hint: runMessage('record_too_deep_fix'),
  })
}

/** A nested value as JSON has it: what JSON cannot hold is text, as drivers' own extended forms are not for readers of data. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
  if (value instanceof TypedText) return plainText(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** Floating point is a number of JSON's wherever it is finite: `1.0` is no text. */
function plainText({ type, text: written }: TypedText): string | number {
  const number = type === 'number' ? Number(written) : NaN
  return Number.isFinite(number) ? number : written
}

/** For messages: the start of a record as JSON. */
export function shownRecord(record: unknown): string {
  return shortened(JSON.stringify(plain(record)) ?? 'nothing', 200)
}
