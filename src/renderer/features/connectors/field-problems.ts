/** What is wrong with a field before the server sees it. Pure; the words are the form's. */
import type { FieldSpec, FieldValue, MapEntry } from './schema-form.ts'

export type FieldProblem =
  | { code: 'required' }
  | { code: 'not_integer' }
  | { code: 'not_number' }
  | { code: 'range'; minimum: number | string; maximum: number | string }
  | { code: 'too_short'; least: number }
  | { code: 'too_long'; most: number }
  | { code: 'not_absolute' }
  | { code: 'pattern'; wanted: string }
  | { code: 'entry_name'; name: string }
  | { code: 'entry_twice'; name: string }

const absolutePath = /^(\/|[A-Za-z]:[\\/]|\\\\)/

export function problemOf(field: FieldSpec, value: FieldValue | undefined): FieldProblem | null {
  if (typeof value === 'boolean') return null
  if (typeof value === 'object') return entriesProblem(field, value)
  const text = (value ?? '').trim()
  if (text === '') return field.required ? { code: 'required' } : null
  if (field.kind === 'integer' || field.kind === 'number') return numberProblem(field, text)
  if (field.minLength !== undefined && text.length < field.minLength)
    return { code: 'too_short', least: field.minLength }
  if (field.maxLength !== undefined && text.length > field.maxLength) return { code: 'too_long', most: field.maxLength }
  if ((field.kind === 'file' || field.kind === 'folder') && !absolutePath.test(text)) return { code: 'not_absolute' }
  if (field.pattern !== undefined && !matches(field.pattern, text))
    return { code: 'pattern', wanted: field.wanted ?? field.placeholder ?? field.pattern }
  return null
}

function numberProblem(field: FieldSpec, text: string): FieldProblem | null {
  if (field.kind === 'integer' && !/^-?\d+$/.test(text)) return { code: 'not_integer' }
  const number = Number(text)
  if (!Number.isFinite(number)) return { code: 'not_number' }
  const { minimum, maximum, above } = field
  const outside =
    (minimum !== undefined && number < minimum) ||
    (maximum !== undefined && number > maximum) ||
    (above !== undefined && number <= above)
  return outside ? { code: 'range', minimum: minimum ?? above ?? '…', maximum: maximum ?? '…' } : null
}

/** A line that is wholly empty is no line yet. */
function entriesProblem(field: FieldSpec, entries: readonly MapEntry[]): FieldProblem | null {
  const seen = new Set<string>()
  for (const entry of entries) {
    const name = entry.name.trim()
    if (name === '' && entry.value === '') continue
    if (name === '' || (field.namePattern !== undefined && !matches(field.namePattern, name)))
      return { code: 'entry_name', name }
    if (seen.has(name.toLowerCase())) return { code: 'entry_twice', name }
    seen.add(name.toLowerCase())
  }
  return null
}

/** Patterns are the contract's own; one that this browser cannot read is left to the server. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
