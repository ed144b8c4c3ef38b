import type { ArgumentSpec, Json } from '../../../language/task/task.types.ts'

/** What a field of the argument form holds: text, or the choice of a switch. Empty text means: not given. */
export type FieldValue = string | boolean

export type ReadValue = { ok: true; value: unknown } | { ok: false; message: 'integer' | 'number' | 'json' | 'list' }

const given = (value: unknown): ReadValue => ({ ok: true, value })

/** Long numbers stay text: the language reads `"9007199254740993"` exactly where a JSON number would be rounded. */
function readNumber(text: string, integer: boolean): ReadValue {
  const trimmed = text.trim()
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return { ok: false, message: integer ? 'integer' : 'number' }
  const number = Number(trimmed)
  if (integer && !/^[+-]?\d+$/.test(trimmed)) return { ok: false, message: 'integer' }
  return given(integer && !Number.isSafeInteger(number) ? trimmed : number)
}

function readJson(text: string): ReadValue {
  try {
    return given(JSON.parse(text))
  } catch {
    return { ok: false, message: 'json' }
  }
}

/** Items one a line, or a JSON array. */
function readList(text: string, items: ArgumentSpec['items']): ReadValue {
  if (text.trim().startsWith('[')) {
    const read = readJson(text)
    return read.ok && !Array.isArray(read.value) ? { ok: false, message: 'list' } : read
  }
  const values: unknown[] = []
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const read = readValue({ type: items ?? 'string', required: false }, line.trim())
    if (!read.ok) return read
    values.push(read.value)
  }
  return given(values)
}

/** The value that a filled field stands for; the language then checks it against the spec. */
export function readValue(spec: Pick<ArgumentSpec, 'type' | 'required' | 'items'>, field: FieldValue): ReadValue {
  if (typeof field === 'boolean') return given(field)
  switch (spec.type) {
    case 'integer':
      return readNumber(field, true)
    case 'number':
      return readNumber(field, false)
    case 'boolean':
      return given(field === 'true')
    case 'json':
      return readJson(field)
    case 'list':
      return readList(field, spec.items)
    default:
      return given(field)
  }
}

/** The field's text for a value that was remembered or stands in the spec. */
export function showValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value)
}

/** What is used when the field stays empty, in words for its placeholder. */
export function defaultText(spec: ArgumentSpec): string | null {
  return spec.default === undefined ? null : showDefault(spec.default)
}

const showDefault = (value: Json): string =>
  Array.isArray(value) ? value.map((item) => showValue(item)).join(', ') : showValue(value)
