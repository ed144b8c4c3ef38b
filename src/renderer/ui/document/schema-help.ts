import { jsonText } from '../../../language/editor/schema-walk.ts'
import type { JsonSchema } from '../../../language/shape/json-schema.ts'

/** A key of the language, for reading. */
export interface HelpEntry {
  /** `source.files.glob`, `steps[].expect[].check`; `*` stands for a name of one's own. */
  path: string
  type: string
  /** The type is the only value that is allowed. */
  only: boolean
  required: boolean
  description: string
  default?: string
  choices?: readonly string[]
  example?: string
}

function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return jsonText(schema.const)
  if (schema.enum) return 'choice'
  if (schema.type === 'array') return schema.items ? `list of ${itemsOf(schema.items)}` : 'list'
  if (schema.type === 'object') return 'map'
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  return schema['x-language'] === 'sql' || schema['x-language'] === 'sql-expression' ? 'SQL' : (schema.type ?? 'any')
}

const plurals: Readonly<Record<string, string>> = { choice: 'values', any: 'values', SQL: 'SQL texts' }

/** `strings`, `strings or maps`, `lists of values`: what a list is of. */
function itemsOf(schema: JsonSchema): string {
  const forms = (schema.anyOf ?? [schema]).map((one) => {
    if (one.const !== undefined) return typeOf(one)
    const type = typeOf(one)
    return plurals[type] ?? type.replace(/^\w+/, '$&s')
  })
  return [...new Set(forms)].join(' or ')
}

function entryOf(path: string, schema: JsonSchema, required: boolean): HelpEntry {
  const example = schema.examples?.[0]
  return {
    path,
    type: typeOf(schema),
    only: schema.const !== undefined,
    required,
    description: schema.description ?? '',
    ...(schema.default === undefined ? {} : { default: jsonText(schema.default) }),
    ...(schema.enum ? { choices: schema.enum.map(jsonText) } : {}),
    ...(example === undefined || schema.const !== undefined ? {} : { example: jsonText(example) }),
  }
}

/** Deeper than any document of ours: guards against a schema that holds itself. */
const deepest = 12

/** Every key of a schema in reading order, each once. */
export function helpEntries(schema: JsonSchema): HelpEntry[] {
  const found = new Map<string, HelpEntry>()
  const walk = (node: JsonSchema, path: string, depth: number) => {
    if (depth > deepest) return
    for (const variant of node.anyOf ?? []) walk(variant, path, depth + 1)
    for (const [key, child] of Object.entries(node.properties ?? {})) {
      const at = path === '' ? key : `${path}.${key}`
      if (!found.has(at)) found.set(at, entryOf(at, child, node.required?.includes(key) ?? false))
      walk(child, at, depth + 1)
    }
    if (typeof node.additionalProperties === 'object') walk(node.additionalProperties, `${path}.*`, depth + 1)
    if (node.items) walk(node.items, `${path}[]`, depth + 1)
  }
  walk(schema, '', 0)
  return [...found.values()]
}

/** Entries whose key or description has every word that was typed. */
export function findHelp(entries: readonly HelpEntry[], search: string): HelpEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = `${entry.path} ${entry.description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
