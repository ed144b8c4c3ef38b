import type { JsonSchema } from '../shape/json-schema.ts'
import type { Json } from '../task/task.types.ts'

export type Segment = string | number

/** The alternatives a schema stands for: the branches of `anyOf`, or itself. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
  return schema.anyOf ? schema.anyOf.flatMap(alternatives) : [schema]
}

/** Every schema that may describe what stands at a path. Where a level's keys are known they rule alternatives out. */
export function schemasAt(
  root: JsonSchema,
  path: readonly Segment[],
  keysAt: (path: readonly Segment[]) => readonly string[],
): JsonSchema[] {
  let current: JsonSchema[] = [root]
  for (const [index, segment] of path.entries()) {
    const fitting = fittingAlternatives(current, keysAt(path.slice(0, index)))
    current = fitting.flatMap((schema) => child(schema, segment))
    if (current.length === 0) break
  }
  return current
}

/** The alternatives that allow all keys already there; all of them when none does. */
export function fittingAlternatives(schemas: readonly JsonSchema[], keys: readonly string[]): JsonSchema[] {
  const all = schemas.flatMap(alternatives)
  const fitting = all.filter((schema) => keys.every((key) => child(schema, key).length > 0))
  return fitting.length > 0 ? fitting : all
}

function child(schema: JsonSchema, segment: Segment): JsonSchema[] {
  if (typeof segment === 'number') return schema.items ? [schema.items] : []
  const property =
    schema.properties && Object.hasOwn(schema.properties, segment) ? schema.properties[segment] : undefined
  if (property) return [property]
  return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []
}

/** "string", "integer", "list", … for one line of detail. `write`: how a value stands there. */
export function typeLabel(schema: JsonSchema, write = (value: string) => value): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeLabel(one, write)))].join(' or ')
  if (schema['x-language'] === 'sql') return 'SQL query'
  if (schema['x-language'] === 'sql-expression') return 'SQL expression'
  if (schema['x-complete'] === 'slot') return 'connector slot'
  if (schema.enum) return schema.enum.map((one) => write(jsonText(one))).join(' | ')
  if (schema.const !== undefined) return write(jsonText(schema.const))
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
      return 'integer'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return 'list'
    case 'object':
      return 'map'
    case 'null':
    case undefined:
    default:
      return 'any value'
  }
}

/** What YAML reads as the text that it is, also within lists and maps. */
const isPlain = (text: string) =>
  /^(?:[a-z_][\w./*-]*|\d+[a-z]+)$/i.test(text) && !/^(?:true|false|null|yes|no|on|off)$/i.test(text)

/** A value on one line, as one writes it in YAML. */
function flowText(value: Json): string {
  if (typeof value === 'string') return isPlain(value) ? value : JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, of]) => `${flowText(key)}: ${flowText(of)}`)
    .join(', ')}}`
}

/** A value as one writes it in YAML: text without quotes. */
export const jsonText = (value: Json): string => (typeof value === 'string' ? value : flowText(value))

/** Description, type, default and examples as Markdown. */
export function schemaMarkdown(title: string, schema: JsonSchema): string {
  const lines = [`**${title}** — ${typeLabel(schema)}`]
  if (schema.description) lines.push('', schema.description)
  const values = enumLines(schema)
  if (values.length > 0) lines.push('', ...values)
  if (schema.default !== undefined) lines.push('', `Default: \`${JSON.stringify(schema.default)}\``)
  const [example] = schema.examples ?? []
  if (example !== undefined) lines.push('', `Example: \`${jsonText(example)}\``)
  return lines.join('\n')
}

function enumLines(schema: JsonSchema): string[] {
  return alternatives(schema).flatMap((one) =>
    (one.enum ?? []).flatMap((value, index) => {
      const meaning = one['x-enum-descriptions']?.[index]
      return meaning ? [`- \`${jsonText(value)}\`: ${meaning}`] : []
    }),
  )
}
