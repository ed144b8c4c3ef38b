import type { ArgumentSpec } from '../../../language/task/task.types.ts'

export type ReadProblem = 'integer' | 'number' | 'json' | 'list'
export type ReadValue = { ok: true; value: unknown } | { ok: false; problem: ReadProblem }

const given = (value: unknown): ReadValue => ({ ok: true, value })
const refused = (problem: ReadProblem): ReadValue => ({ ok: false, problem })

/** Whole numbers that JavaScript would round stay text, so that the language refuses them by name instead of running with another number. */
function readNumber(text: string, integer: boolean): ReadValue {
  const trimmed = text.trim()
  if (integer && !/^[+-]?\d+$/.test(trimmed)) return refused('integer')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return refused('number')
  const number = Number(trimmed)
  return given(integer && !Number.isSafeInteger(number) ? trimmed : number)
}

function readJson(text: string): ReadValue {
  try {
    return given(JSON.parse(text))
  } catch {
    return refused('json')
  }
}

/** Items one a line, or a JSON array. */
function readList(text: string, items: ArgumentSpec['items']): ReadValue {
  if (text.trim().startsWith('[')) {
    const read = readJson(text)
    return read.ok && !Array.isArray(read.value) ? refused('list') : read
  }
  const values: unknown[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const read = readValue({ type: items ?? 'string' }, line.trim())
    if (!read.ok) return read
    values.push(read.value)
  }
  return given(values)
}

/** The value that a filled field stands for; the language then checks it against the spec. */
export function readValue(spec: Pick<ArgumentSpec, 'type' | 'items'>, text: string): ReadValue {
  switch (spec.type) {
    case 'integer':
      return readNumber(text, true)
    case 'number':
      return readNumber(text, false)
    case 'boolean':
      return given(text === 'true')
    case 'json':
      return readJson(text)
    case 'list':
      return readList(text, spec.items)
    case 'string':
    case 'date':
    case 'datetime':
    case 'duration':
      return given(text)
  }
}

/** The field's text for a value that was remembered or stands in the spec. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  // What could be read as something else on a line of its own is written as JSON.
  const plain = (item: unknown) =>
    typeof item === 'string' && item !== '' && item.trim() === item && !item.includes('\n') && !item.startsWith('[')
  if (Array.isArray(value) && value.length > 0 && value.every(plain)) return value.join('\n')
  return JSON.stringify(value)
}

/** JSON with spaces between its parts, so that lines break there and not within a name. */
const spaced = (value: unknown): string => JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')

/** What is used when the field stays empty, for its placeholder, as the field reads it; null where there is no default. */
export function defaultText(spec: Pick<ArgumentSpec, 'default'>): string | null {
  const { default: standard } = spec
  if (standard === undefined) return null
  return typeof standard === 'object' && standard !== null ? spaced(standard) : showValue(standard)
}
