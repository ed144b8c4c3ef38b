import type { JsonSchema } from '../shape/json-schema.ts'
import type { Completion } from './completion.types.ts'
import type { Cursor } from './cursor.ts'
import { alternatives, fittingAlternatives, jsonText, schemaMarkdown, schemasAt, typeLabel } from './schema-walk.ts'

/** A name that may stand at the cursor. */
export type Offer = Pick<Completion, 'label' | 'kind' | 'detail' | 'documentation'>

/** Where completion is asked for, and what the document and the world around it offer there. */
export interface Place {
  cursor: Cursor
  offset: number
  /** The names that a schema's `x-complete` stands for. */
  offers(schema: JsonSchema): readonly Offer[]
  /** Whole entries for the map at the cursor, whose keys are the author's own. */
  entries(written: readonly string[]): readonly Completion[]
}

/** Keys and values that the schema of the document allows at the cursor and that go on with what is written. */
export function completeBySchema(root: JsonSchema, place: Place): Completion[] {
  const { cursor } = place
  const schemas = schemasAt(root, cursor.path, cursor.keysAt)
  const all =
    cursor.position === 'key' ? completeKey(schemas, place) : schemas.flatMap((schema) => valuesOf(schema, place))
  const prefix = cursor.prefix.replace(/^["']/, '').toLowerCase()
  return all.filter((completion) => completion.label.toLowerCase().replace(/^- /, '').startsWith(prefix))
}

function completeKey(schemas: JsonSchema[], place: Place): Completion[] {
  const { cursor } = place
  const written = cursor.keysAt(cursor.path)
  const fitting = fittingAlternatives(schemas, written)
  const keys = new Map<string, JsonSchema>()
  for (const schema of fitting) {
    // A map of one key, as a step is, has no further ones.
    if (schema.maxProperties === 1 && written.length > 0) continue
    for (const [key, property] of Object.entries(schema.properties ?? {}))
      if (!written.includes(key) && !keys.has(key)) keys.set(key, property)
  }
  const completions = [...keys].map(([key, schema]) => keyCompletion(key, schema, place, ''))
  for (const schema of fitting) {
    if (schema.items && !cursor.flow) completions.push(...completeItems(schema.items, place))
    if (schema.propertyNames) completions.push(...named(place.offers(schema.propertyNames), place, ': '))
  }
  completions.push(...place.entries(written))
  // A list item may be a plain value: `- |`.
  if (cursor.item) completions.push(...schemas.flatMap((schema) => valuesOf(schema, place)))
  return completions
}

/** Below a key that holds a list, before the dash is written. */
function completeItems(items: JsonSchema, place: Place): Completion[] {
  const keys = alternatives(items).flatMap((schema) => Object.entries(schema.properties ?? {}))
  if (keys.length > 0) return keys.map(([key, schema]) => keyCompletion(key, schema, place, '- '))
  const values = valuesOf(items, place)
  for (const one of values) Object.assign(one, { label: `- ${one.label}`, insert: `- ${one.insert}` })
  return values
}

function keyCompletion(key: string, schema: JsonSchema, { cursor, offset }: Place, dash: string): Completion {
  return {
    label: `${dash}${key}`,
    kind: 'key',
    detail: typeLabel(schema),
    documentation: schemaMarkdown(key, schema),
    insert: `${dash}${key}:${afterKey(schema, cursor, dash.length)}`,
    from: cursor.from,
    to: offset,
  }
}

/** A map starts on the next line, a list with its first dash, anything else on this one. */
function afterKey(schema: JsonSchema, cursor: Cursor, dash: number): string {
  if (cursor.flow) return ' '
  const forms = alternatives(schema)
  const indent = ' '.repeat(cursor.column + dash + 2)
  if (forms.every((form) => form.type === 'object')) return `\n${indent}`
  if (forms.every((form) => form.type === 'array'))
    return forms.every((form) => form.items?.type === 'string') ? ' [' : `\n${indent}- `
  return ' '
}

function valuesOf(schema: JsonSchema, place: Place): Completion[] {
  const value = (label: string, detail: string, documentation: string): Completion => ({
    label,
    kind: 'value',
    detail,
    documentation,
    insert: detail === 'example' ? quoteIfNeeded(label) : label,
    from: place.cursor.from,
    to: place.offset,
  })
  return alternatives(schema).flatMap((form) => {
    if (form.enum)
      return form.enum.map((one, index) => value(jsonText(one), '', form['x-enum-descriptions']?.[index] ?? ''))
    if (form.const !== undefined) return [value(jsonText(form.const), '', form.description ?? '')]
    if (form.type === 'boolean') return [value('true', '', ''), value('false', '', '')]
    if (form['x-complete']) return named(place.offers(form), place, '')
    if (form['x-language']) return []
    return (form.examples ?? [])
      .filter((example) => typeof example === 'string')
      .map((example) => value(example, 'example', form.description ?? ''))
  })
}

function named(offers: readonly Offer[], { cursor, offset }: Place, after: string): Completion[] {
  return offers.map((offer) => ({
    ...offer,
    insert: `${quoteIfNeeded(offer.label)}${after}`,
    from: cursor.from,
    to: offset,
  }))
}

/** Plain where YAML reads it as that text, else in double quotes. */
export function quoteIfNeeded(text: string): string {
  const plain =
    /^[A-Za-z_][\w ./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n|~)$/i.test(text) && !text.endsWith(' ')
  return plain ? text : JSON.stringify(text)
}

/** Entries of `connectors` for the connectors that the user has. */
export function newSlots(
  connectors: readonly { name: string; type: string }[],
  written: readonly string[],
  { cursor, offset }: Pick<Place, 'cursor' | 'offset'>,
  noun: string,
): Completion[] {
  return connectors.flatMap(({ name, type }) => {
    const slot = nameFrom(name)
    if (slot === '' || written.includes(slot)) return []
    return [
      {
        label: slot,
        kind: 'slot' as const,
        detail: type,
        documentation: `${noun} for the connector **${name}**.`,
        insert: `${slot}: {type: ${type}}`,
        from: cursor.from,
        to: offset,
      },
    ]
  })
}

/** A name of the language that is like any name. */
export function nameFrom(name: string): string {
  return name
    .replaceAll(/\W+/g, '_')
    .replace(/^(?=\d)/, '_')
    .slice(0, 63)
}
