/** A form made from the JSON Schema of a connector type. Pure: the subset that connector types use, and no code from text. */

export type FieldKind = 'text' | 'integer' | 'number' | 'boolean' | 'select' | 'file' | 'folder' | 'multiline' | 'map'

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
  /** The smallest value is above this one. */
  above?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  /** The pattern in words: what is wanted. */
  wanted?: string
  /** Counts only while another field has one of these values; shown only then. */
  when?: { field: string; values: readonly string[] }
  /** Of a map: what its names must match. */
  namePattern?: string
}

/** One line of a map of texts while it is edited: names may be empty or double for a while. */
export interface MapEntry {
  name: string
  value: string
}

/** What a field holds while it is edited. Numbers stay text until they are sent, so that nothing typed is lost. */
export type FieldValue = string | boolean | readonly MapEntry[]
export type FieldValues = Readonly<Record<string, FieldValue>>

interface JsonSchema {
  type?: string
  title?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  format?: string
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  required?: string[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  'x-wanted'?: string
  'x-required'?: boolean
  'x-when'?: Record<string, string[]>
}

const titleOf = (name: string) => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function kindOf(schema: JsonSchema): FieldKind {
  if (schema.enum) return 'select'
  if (schema.type === 'object') return 'map'
  if (schema.type === 'boolean') return 'boolean'
  if (schema.type === 'integer') return 'integer'
  if (schema.type === 'number') return 'number'
  if (schema.format === 'file-path') return 'file'
  if (schema.format === 'folder-path') return 'folder'
  // Tokens may be long, too, but stand on one line.
  return schema.format === 'pem' ? 'multiline' : 'text'
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

const textOr = (value: unknown) => (isPlain(value) ? String(value) : undefined)

function whenOf(schema: JsonSchema): FieldSpec['when'] {
  const [condition] = Object.entries(schema['x-when'] ?? {})
  return condition && { field: condition[0], values: condition[1] }
}

/** The fields of an object schema, in the order it lists them. */
export function fieldsOf(schema: object): FieldSpec[] {
  // Schemas come from GET /api/connector-types; every key read here is optional.
  const { properties = {}, required = [] } = schema as JsonSchema
  return Object.entries(properties).map(([name, field]) => ({
    name,
    kind: kindOf(field),
    title: field.title ?? titleOf(name),
    description: field.description,
    required: required.includes(name) || field['x-required'] === true,
    placeholder: textOr(field.examples?.[0]),
    default: isPlain(field.default) ? field.default : undefined,
    options: field.enum?.map(String),
    minimum: field.minimum,
    maximum: field.maximum,
    above: field.exclusiveMinimum,
    minLength: field.minLength,
    maxLength: field.maxLength,
    pattern: field.pattern,
    wanted: field['x-wanted'],
    when: whenOf(field),
    namePattern: Object.keys(field.patternProperties ?? {})[0],
  }))
}

const isTextMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the form starts with: the stored value, else the default, else nothing. */
export function initialValues(
  fields: readonly FieldSpec[],
  stored: Readonly<Record<string, unknown>> = {},
): FieldValues {
  return Object.fromEntries(
    fields.map((field): [string, FieldValue] => {
      const value = stored[field.name] ?? field.default
      if (field.kind === 'boolean') return [field.name, value === true]
      if (field.kind === 'map') {
        const entries = isTextMap(value) ? Object.entries(value) : []
        return [field.name, entries.map(([name, text]) => ({ name, value: textOr(text) ?? '' }))]
      }
      return [field.name, isPlain(value) ? String(value) : '']
    }),
  )
}

/** Whether a field counts with these values of the others; one that does not is neither shown, judged nor sent. */
export function isWanted(field: Pick<FieldSpec, 'when'>, values: FieldValues): boolean {
  if (!field.when) return true
  const other = values[field.when.field]
  return typeof other === 'string' && field.when.values.includes(other)
}

/** The configuration as the server takes it: empty optional fields are left out, so that their default holds. */
export function toConfig(fields: readonly FieldSpec[], values: FieldValues): Record<string, unknown> {
  const config: Record<string, unknown> = {}
  for (const field of fields) {
    if (!isWanted(field, values)) continue
    const value = values[field.name]
    if (typeof value === 'boolean') config[field.name] = value
    else if (typeof value === 'object') {
      const filled = value.filter((entry) => entry.name.trim() !== '')
      if (filled.length > 0)
        config[field.name] = Object.fromEntries(filled.map((entry) => [entry.name.trim(), entry.value]))
    } else {
      const text = (value ?? '').trim()
      const isNumber = field.kind === 'integer' || field.kind === 'number'
      if (text !== '') config[field.name] = isNumber ? Number(text) : text
    }
  }
  return config
}
