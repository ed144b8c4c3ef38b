/** A form made from the JSON Schema of a connector type. Pure: the subset that connector types use, and no code from text. */

export type FieldKind = 'text' | 'integer' | 'boolean' | 'select' | 'file' | 'folder' | 'multiline'

export interface FieldSpec {
  name: string
  kind: FieldKind
  title: string
  description?: string
  required: boolean
  placeholder?: string
  /** What an empty field means; shown, and sent when the field is required. */
  default?: string | number | boolean
  options?: readonly string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** What a field holds while it is edited. Numbers stay text until they are sent, so that nothing typed is lost. */
export type FieldValue = string | boolean
export type FieldValues = Readonly<Record<string, FieldValue>>

export type FieldProblem =
  | { code: 'required' }
  | { code: 'not_integer' }
  | { code: 'range'; minimum: number | string; maximum: number | string }
  | { code: 'too_short'; least: number }
  | { code: 'too_long'; most: number }
  | { code: 'not_absolute' }

interface JsonSchema {
  type?: string
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  format?: string
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

const titleOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function kindOf(schema: JsonSchema): FieldKind {
  if (schema.enum) return 'select'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer' || schema.type === 'number') return 'integer'
  if (schema.format === 'file-path') return 'file'
  if (schema.format === 'folder-path') return 'folder'
  return (schema.maxLength ?? 0) > 10_000 ? 'multiline' : 'text'
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const textOr = (value: unknown) => (isPlain(value) ? String(value) : undefined)

/** The fields of an object schema, in the order it lists them. */
export function fieldsOf(schema: object): FieldSpec[] {
  // Schemas come from GET /api/connector-types; every key read here is optional.
  const { properties = {}, required = [] } = schema as JsonSchema
  return Object.entries(properties).map(([name, field]) => ({
    name,
    kind: kindOf(field),
    title: field.title ?? titleOf(name),
    description: field.description,
    required: required.includes(name),
    placeholder: textOr(field.examples?.[0]),
    default: isPlain(field.default) ? field.default : undefined,
    options: field.enum?.map(String),
    minimum: field.minimum,
    maximum: field.maximum,
    minLength: field.minLength,
    maxLength: field.maxLength,
  }))
}

/** What the form starts with: the stored value, else the default, else nothing. */
export function initialValues(
  fields: readonly FieldSpec[],
  stored: Readonly<Record<string, unknown>> = {},
): FieldValues {
  return Object.fromEntries(
    fields.map((field): [string, FieldValue] => {
      const value = stored[field.name] ?? field.default
      if (field.kind === 'boolean') return [field.name, value === true]
      return [field.name, isPlain(value) ? String(value) : '']
    }),
  )
}

const absolutePath = /^(\/|[A-Za-z]:[\\/]|\\\\)/

export function problemOf(field: FieldSpec, value: FieldValue | undefined): FieldProblem | null {
  if (typeof value === 'boolean') return null
  const text = (value ?? '').trim()
  if (text === '') return field.required ? { code: 'required' } : null
  if (field.kind === 'integer') {
    if (!/^-?\d+$/.test(text)) return { code: 'not_integer' }
    const { minimum, maximum } = field
    const number = Number(text)
    const outside = (minimum !== undefined && number < minimum) || (maximum !== undefined && number > maximum)
    return outside ? { code: 'range', minimum: minimum ?? '…', maximum: maximum ?? '…' } : null
  }
  if (field.minLength !== undefined && text.length < field.minLength)
    return { code: 'too_short', least: field.minLength }
  if (field.maxLength !== undefined && text.length > field.maxLength) return { code: 'too_long', most: field.maxLength }
  if ((field.kind === 'file' || field.kind === 'folder') && !absolutePath.test(text)) return { code: 'not_absolute' }
  return null
}

/** The configuration as the server takes it: empty optional fields are left out, so that their default holds. */
export function toConfig(fields: readonly FieldSpec[], values: FieldValues): Record<string, string | number | boolean> {
  const config: Record<string, string | number | boolean> = {}
  for (const field of fields) {
    const value = values[field.name]
    if (typeof value === 'boolean') {
      config[field.name] = value
      continue
    }
    const text = (value ?? '').trim()
    if (text !== '') config[field.name] = field.kind === 'integer' ? Number(text) : text
  }
  return config
}
