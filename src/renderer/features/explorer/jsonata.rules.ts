/** JSONata over rows of a result. Pure apart from time; stands in a worker, which whoever has no more patience ends. */
import jsonata from 'jsonata'
import { WrittenNumber, isBranch } from '../../ui/json/exact-json.ts'
import {
  type JsonataAnswer,
  type JsonataProblem,
  type JsonataQuestion,
  mostResult,
  mostSeconds,
} from './jsonata.types.ts'
import { rowDocument, uniqueNames } from './row-documents.rules.ts'

/** Values and characters that may be made on the way: a few hundred MB at most. */
const mostMade = 50_000_000
class TooMuch extends Error {}
class TooLong extends Error {}

export async function runJsonata({ expression, fields, rows }: JsonataQuestion): Promise<JsonataAnswer> {
  const names = uniqueNames(fields)
  try {
    const parsed = jsonata(expression, { timeout: mostSeconds * 1000, stack: 1_000 })
    let made = 0
    const count = (_expr: unknown, _input: unknown, _environment: unknown, result: unknown) => {
      if (typeof result === 'string' || Array.isArray(result)) made += result.length
      made += 1
      if (made > mostMade) throw new TooMuch()
    }
    // The hook is named by a symbol, which the types don't have.
    parsed.assign(Symbol.for('jsonata.__evaluate_exit') as unknown as string, count)
    const input = rows.map((row) => plain(rowDocument(names, fields, row)))
    return { kind: 'result', json: written(await parsed.evaluate(input)) }
  } catch (error) {
    return problemOf(error)
  }
}

function problemOf(error: unknown): JsonataProblem {
  if (error instanceof TooMuch) return { kind: 'tooMuch' }
  if (error instanceof TooLong) return { kind: 'tooLong', characters: mostResult }
  const { code, message, position } = error as { code?: unknown; message?: unknown; position?: unknown } // JSONata throws objects of its own
  if (code === 'D1012') return { kind: 'late', seconds: mostSeconds }
  return {
    kind: 'mistake',
    message: typeof message === 'string' ? message : String(error),
    position: typeof position === 'number' ? position : null,
  }
}

/** As JSONata takes it, and as steps of tasks give it rows: NULL is what isn't there, and numbers that would be rounded are text. */
function plain(value: unknown): unknown {
  if (value instanceof WrittenNumber) return numberOf(value.text)
  if (Array.isArray(value)) return value.map(plain)
  if (!isBranch(value)) return value
  const entries = value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(value)
  const [[only, inner] = []] = entries
  if (entries.length === 1 && only?.startsWith('$')) {
    if (typeof inner === 'string' && only.startsWith('$number')) return numberOf(inner)
    if (only === '$oid') return inner
    if (only === '$date') return momentOf(inner)
  }
  return Object.fromEntries(
    entries.flatMap(([key, one]) => (one === null || one === undefined ? [] : [[key, plain(one)] as const])),
  )
}

function numberOf(text: string): number | string {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return text
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : text
  const digits = text.replace(/e.*$/i, '').replace(/\D/g, '').replace(/^0+/, '')
  return digits.length <= 15 ? value : text
}

function momentOf(inner: unknown): unknown {
  const { $numberLong } = (inner ?? {}) as { $numberLong?: unknown } // of Extended JSON
  const at = new Date(typeof $numberLong === 'string' ? Number($numberLong) : Number.NaN)
  return Number.isNaN(at.getTime()) ? inner : at.toISOString()
}

/** Functions can't be shown. A result that shares parts with itself can be far longer than what was made. */
function written(result: unknown): string | undefined {
  let characters = 0
  const json = JSON.stringify(result, (key, value: unknown) => {
    if (isFunction(value)) return undefined
    characters += key.length + (typeof value === 'string' ? value.length : 4)
    if (characters > mostResult) throw new TooLong()
    return value
  })
  return json
}

const isFunction = (value: unknown): boolean =>
  typeof value === 'function' || (isBranch(value) && ('_jsonata_lambda' in value || '_jsonata_function' in value))
