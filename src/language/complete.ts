import { completeBinds, completeExpression, expressionStart } from './editor/complete-embedded.ts'
import type { Completion, CompletionContext } from './editor/completion.types.ts'
import { findCursor, type Cursor } from './editor/cursor.ts'
import { scopeAt } from './editor/scope-at.ts'
import {
  alternatives,
  fittingAlternatives,
  schemaMarkdown,
  schemasAt,
  jsonText,
  typeLabel,
} from './editor/schema-walk.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import { parseTask, type ParsedTask } from './task/parse-task.ts'
import { schemaOfKind } from './task/task-schema.ts'
import type { ArgumentSpec, ConnectorSlot } from './task/task.types.ts'
import { MAX_TEXT_BYTES } from './yaml/text-limits.ts'

export type { Completion, CompletionContext } from './editor/completion.types.ts'

interface Known {
  kind: ParsedTask['kind']
  arguments: Record<string, ArgumentSpec>
  slots: Record<string, ConnectorSlot | null>
  inputs: readonly string[]
}

/** What may stand at an offset of a task, also while the text is half-typed. Never throws. */
export function completeTask(text: string, offset: number, context: CompletionContext = {}): Completion[] {
  if (text.length > MAX_TEXT_BYTES || offset < 0 || offset > text.length) return []
  const cursor = findCursor(text, offset)
  const known = readKnown(text, cursor)
  const expression = expressionStart(text, offset)
  if (expression !== -1) {
    const hasCursor = cursor.keysAt(['state']).includes('cursor')
    return completeExpression(text, expression, offset, scopeAt(cursor.path, known, hasCursor))
  }
  const schemas = schemasAt(schemaOfKind(known.kind), cursor.path, cursor.keysAt)
  const all =
    cursor.position === 'key'
      ? completeKey(schemas, cursor, offset, context, known)
      : completeValue(schemas, text, cursor, offset, context, known)
  const prefix = cursor.prefix.replace(/^["']/, '').toLowerCase()
  return all.filter(
    (completion) => completion.kind === 'bind' || completion.label.toLowerCase().replace(/^- /, '').startsWith(prefix),
  )
}

function readKnown(text: string, cursor: Cursor): Known {
  const parsed = parseTask(text)
  const slots: Known['slots'] = {}
  for (const name of cursor.keysAt(['connectors'])) slots[name] = null
  return {
    kind: parsed.kind,
    arguments: parsed.arguments,
    slots: { ...slots, ...parsed.connector_refs },
    inputs: cursor.keysAt(['inputs']),
  }
}

function completeKey(
  schemas: JsonSchema[],
  cursor: Cursor,
  offset: number,
  context: CompletionContext,
  known: Known,
): Completion[] {
  const written = cursor.keysAt(cursor.path)
  const fitting = fittingAlternatives(schemas, written)
  const keys = new Map<string, JsonSchema>()
  for (const schema of fitting) {
    // A map of one key, as a step is, has no further ones.
    if (schema.maxProperties === 1 && written.length > 0) continue
    for (const [key, property] of Object.entries(schema.properties ?? {}))
      if (!written.includes(key) && !keys.has(key)) keys.set(key, property)
  }
  const completions = [...keys].map(([key, schema]) => keyCompletion(key, schema, cursor, offset, ''))
  for (const schema of fitting) {
    if (schema.items && !cursor.flow) completions.push(...completeItems(schema.items, cursor, offset, context, known))
    if (schema.propertyNames?.['x-complete'] === 'column')
      completions.push(...completeColumns(cursor, offset, context, ': '))
  }
  if (cursor.path.length === 1 && cursor.path[0] === 'connectors')
    completions.push(...completeNewSlots(written, cursor, offset, context))
  // A list item may be a plain value: `- |`.
  if (cursor.item) completions.push(...schemas.flatMap((schema) => valuesOf(schema, cursor, offset, context, known)))
  return completions
}

/** Below a key that holds a list, before the dash is written. */
function completeItems(
  items: JsonSchema,
  cursor: Cursor,
  offset: number,
  context: CompletionContext,
  known: Known,
): Completion[] {
  const keys = alternatives(items).flatMap((schema) => Object.entries(schema.properties ?? {}))
  if (keys.length > 0) return keys.map(([key, schema]) => keyCompletion(key, schema, cursor, offset, '- '))
  const values = valuesOf(items, cursor, offset, context, known)
  for (const one of values) Object.assign(one, { label: `- ${one.label}`, insert: `- ${one.insert}` })
  return values
}

function keyCompletion(key: string, schema: JsonSchema, cursor: Cursor, offset: number, dash: string): Completion {
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

function completeNewSlots(
  written: readonly string[],
  cursor: Cursor,
  offset: number,
  context: CompletionContext,
): Completion[] {
  return (context.connectors ?? []).flatMap(({ name, type }) => {
    const slot = name.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_')
    if (slot === '' || written.includes(slot)) return []
    return [
      {
        label: slot,
        kind: 'slot' as const,
        detail: type,
        documentation: `A slot for the connector **${name}**.`,
        insert: `${slot}: {type: ${type}}`,
        from: cursor.from,
        to: offset,
      },
    ]
  })
}

function completeColumns(cursor: Cursor, offset: number, context: CompletionContext, after: string): Completion[] {
  return (context.columns ?? []).map((column) => ({
    label: column,
    kind: 'column' as const,
    detail: 'column',
    documentation: '',
    insert: `${quoteIfNeeded(column)}${after}`,
    from: cursor.from,
    to: offset,
  }))
}

function completeValue(
  schemas: JsonSchema[],
  text: string,
  cursor: Cursor,
  offset: number,
  context: CompletionContext,
  known: Known,
): Completion[] {
  const forms = schemas.flatMap(alternatives)
  if (forms.some((schema) => schema['x-language'])) {
    const beside = cursor.keysAt([...cursor.path.slice(0, -1), 'params'])
    const above = cursor.keysAt([...cursor.path.slice(0, -2), 'params'])
    const binds = completeBinds(text, offset, known.arguments, [...new Set([...beside, ...above])])
    if (binds.length > 0) return binds
  }
  return schemas.flatMap((schema) => valuesOf(schema, cursor, offset, context, known))
}

function valuesOf(
  schema: JsonSchema,
  cursor: Cursor,
  offset: number,
  context: CompletionContext,
  known: Known,
): Completion[] {
  const value = (
    label: string,
    detail: string,
    documentation: string,
    kind: Completion['kind'] = 'value',
  ): Completion => ({
    label,
    kind,
    detail,
    documentation,
    insert: kind === 'slot' || detail === 'example' ? quoteIfNeeded(label) : label,
    from: cursor.from,
    to: offset,
  })
  return alternatives(schema).flatMap((form) => {
    if (form.enum)
      return form.enum.map((one, index) => value(jsonText(one), '', form['x-enum-descriptions']?.[index] ?? ''))
    if (form.const !== undefined) return [value(jsonText(form.const), '', form.description ?? '')]
    if (form.type === 'boolean') return [value('true', '', ''), value('false', '', '')]
    if (form['x-complete'] === 'slot')
      return slotNames(form, known).map(([name, detail]) =>
        value(name, detail, 'A connector slot of this task.', 'slot'),
      )
    if (form['x-complete'] === 'input')
      return known.inputs.map((name) => value(name, 'input', 'One of the inputs of this task.'))
    if (form['x-complete'] === 'column') return completeColumns(cursor, offset, context, '')
    if (form['x-language']) return []
    return (form.examples ?? [])
      .filter((example) => typeof example === 'string')
      .map((example) => value(example, 'example', form.description ?? ''))
  })
}

function slotNames(schema: JsonSchema, known: Known): [name: string, detail: string][] {
  return Object.entries(known.slots)
    .filter(([, slot]) => slot === null || slot.types.every((type) => schema['x-slot-types']?.includes(type)))
    .map(([name, slot]) => [name, slot ? `${slot.types.join(' or ')}, ${slot.access}` : ''])
}

/** Plain where YAML reads it as that text, else in double quotes. */
function quoteIfNeeded(text: string): string {
  const plain =
    /^[A-Za-z_][\w ./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n|~)$/i.test(text) && !text.endsWith(' ')
  return plain ? text : JSON.stringify(text)
}
