/** A document as a record to choose. Pure. */
import type { PickedRecord } from '../../../contract/records.ts'
import { type RecordSource, labelFieldOf, valueFieldOf } from '../../../language/query/record-query.ts'

/** `document`: canonical Extended JSON, or its text where it is too long for a page. */
export function recordOf(source: RecordSource, document: unknown): PickedRecord {
  const at = (field: string) => valueAt(document, field)
  const value = textOf(at(valueFieldOf(source)))
  const shown = (field: string): string | null => {
    const found = at(field)
    return found === undefined || found === null ? null : (textOf(found) ?? JSON.stringify(found)).slice(0, mostShown)
  }
  return {
    value,
    label: shown(labelFieldOf(source)) ?? value ?? '',
    description: (source.descriptionFields ?? []).flatMap((field) => {
      const text = shown(field)
      return text === null ? [] : [{ field, text }]
    }),
  }
}

/** Characters of a label. */
const mostShown = 500

/** Fields with a dot lead into objects, unless a field has that very name. */
function valueAt(document: unknown, field: string): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined
  if (Object.hasOwn(document, field)) return (document as Record<string, unknown>)[field]
  const dot = field.indexOf('.')
  return dot < 0 ? undefined : valueAt(valueAt(document, field.slice(0, dot)), field.slice(dot + 1))
}

/** As a parameter takes it; null: a list, an object, or nothing. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const [[kind, inner] = ['', undefined], second] = Object.entries(value)
  if (second !== undefined) return null
  if (kind === '$date') return dateText(inner)
  return plain.has(kind) && typeof inner === 'string' ? inner : null
}

const plain: ReadonlySet<string> = new Set([
  '$oid',
  '$numberInt',
  '$numberLong',
  '$numberDouble',
  '$numberDecimal',
  '$symbol',
])

function dateText(inner: unknown): string | null {
  const ms = Number(textOf(inner) ?? NaN)
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
