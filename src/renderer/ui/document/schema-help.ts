import { jsonText } from '../../../language/editor/schema-walk.ts'
import type { JsonSchema } from '../../../language/shape/json-schema.ts'

export type HelpTypeName = 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'map' | 'choice' | 'any' | 'sql'

/** One of the types that a key can have: the value itself, or a name that the window translates. */
export type HelpType = { value: string } | { name: HelpTypeName } | { listOf: readonly HelpTypeName[] }

/** A key of the language, for reading. */
export interface HelpEntry {
  /** `source.files.glob`, `steps[].expect[].check`; `*` stands for a name of one's own. */
  path: string
  types: readonly HelpType[]
  required: boolean
  description: string
  default?: string
  choices?: readonly string[]
  example?: string
}

function typesOf(schema: JsonSchema): HelpType[] {
  if (schema.const !== undefined) return [{ value: jsonText(schema.const) }]
  if (schema.enum) return [{ name: 'choice' }]
  if (schema.type === 'array') return [schema.items ? { listOf: namesOf(schema.items) } : { name: 'list' }]
  if (schema.type === 'object') return [{ name: 'map' }]
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf)
  if (schema['x-language'] === 'sql' || schema['x-language'] === 'sql-expression') return [{ name: 'sql' }]
  return [{ name: schema.type === undefined || schema.type === 'null' ? 'any' : schema.type }]
}

/** What a list is of: a list within it is a list, a value stands for what it is one of. */
const namesOf = (items: JsonSchema): HelpTypeName[] =>
  unique(typesOf(items).map((type) => ('name' in type ? type.name : 'listOf' in type ? 'list' : 'choice')))

const unique = <Item>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]

function entryOf(path: string, schema: JsonSchema, required: boolean): HelpEntry {
  const example = schema.examples?.[0]
  return {
    path,
    types: unique(typesOf(schema)),
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
