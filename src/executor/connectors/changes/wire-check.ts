import { type QueryField, type ValueType, type WireValue, valueTypes } from '../../../contract/query-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError } from '../../engine/errors.ts'

const special = '-?Infinity|NaN'
const texts: Partial<Record<ValueType, RegExp>> = {
  bigint: /^-?\d+$/,
  decimal: new RegExp(`^(-?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?|${special})$`),
  bytes: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
}
const double = new RegExp(`^(${special}|-0)$`)

function isOf(type: ValueType, value: unknown): value is WireValue {
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  if (type === 'double') return typeof value === 'number' || (typeof value === 'string' && double.test(value))
  return typeof value === 'string' && !value.includes('\0') && (texts[type]?.test(value) ?? true)
}

/** Where a column takes values of other types than its own, they say which: `{"text": "n/a"}`. */
function isTagged(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const [first, ...more] = Object.entries(value)
  if (!first) return false
  const [type, inner]: [string, unknown] = first
  // The test of the key makes it one.
  return more.length === 0 && Object.hasOwn(valueTypes, type) && type !== 'any' && isOf(type as ValueType, inner)
}

/** The value in the form of its column's type; refuses what would have to be guessed. */
export function checkedWire(value: unknown, field: QueryField, anyType: boolean): WireValue {
  if (value === null || (field.type !== 'any' && isOf(field.type, value))) return value
  if (anyType && isTagged(value)) return value as WireValue // by the test
  throw new EngineError(
    'VALUE_INVALID',
    runMessage('change_value_form', { column: field.name, type: field.type, value: shown(value) }),
    { hint: runMessage('change_value_form_fix', { form: valueTypes[field.type] }) },
  )
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 100)
}

/** A value that somebody typed, in the form of its column. `auto`: the column says what it is. */
export function wireOfText(text: string, valueType: string, field: QueryField): unknown {
  if (valueType === 'null') return null
  const { type } = field
  if (type === 'any') {
    if (valueType === 'number' || (valueType === 'auto' && /^-?\d+(\.\d+)?$/.test(text)))
      return /^-?\d+$/.test(text) ? { bigint: text } : { double: Number(text) }
    return { text }
  }
  if (type === 'boolean') return /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : text
  if ((type === 'integer' || type === 'double') && text.trim() !== '' && Number.isFinite(Number(text))) {
    return Number(text)
  }
  return text
}

/** The same value exactly: the forms of types have one way to write each. */
export const sameWire = (one: WireValue, other: WireValue): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A count; SQLite says of computed values which type they are. */
export function countIn(value: unknown): number {
  const number = Number(typeof value === 'object' && value !== null ? Object.values(value)[0] : value)
  if (!Number.isSafeInteger(number)) throw new Error('The system gave no count')
  return number
}
