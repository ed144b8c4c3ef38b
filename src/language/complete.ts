import { completeBinds, completeExpression, expressionStart } from './editor/complete-embedded.ts'
import { completeBySchema, newSlots, type Offer } from './editor/complete-schema.ts'
import type { Completion, CompletionContext } from './editor/completion.types.ts'
import { findCursor, type Cursor } from './editor/cursor.ts'
import { scopeAt } from './editor/scope-at.ts'
import { alternatives, schemasAt } from './editor/schema-walk.ts'
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
  const schema = schemaOfKind(known.kind)
  const binds = cursor.position === 'value' ? bindsAt(schema, text, cursor, offset, known) : []
  if (binds.length > 0) return binds
  return completeBySchema(schema, {
    cursor,
    offset,
    offers: (form) => offersOf(form, context, known),
    entries: (written) =>
      cursor.path.length === 1 && cursor.path[0] === 'connectors'
        ? newSlots(context.connectors ?? [], written, { cursor, offset }, 'A slot')
        : [],
  })
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

function bindsAt(root: JsonSchema, text: string, cursor: Cursor, offset: number, known: Known): Completion[] {
  const forms = schemasAt(root, cursor.path, cursor.keysAt).flatMap(alternatives)
  if (!forms.some((schema) => schema['x-language'])) return []
  const beside = cursor.keysAt([...cursor.path.slice(0, -1), 'params'])
  const above = cursor.keysAt([...cursor.path.slice(0, -2), 'params'])
  return completeBinds(text, offset, known.arguments, [...new Set([...beside, ...above])])
}

function offersOf(schema: JsonSchema, context: CompletionContext, known: Known): Offer[] {
  if (schema['x-complete'] === 'slot')
    return slotNames(schema, known).map(([label, detail]) => ({
      label,
      kind: 'slot',
      detail,
      documentation: 'A connector slot of this task.',
    }))
  if (schema['x-complete'] === 'input')
    return known.inputs.map((label) => ({
      label,
      kind: 'value',
      detail: 'input',
      documentation: 'One of the inputs of this task.',
    }))
  if (schema['x-complete'] !== 'column') return []
  return (context.columns ?? []).map((label) => ({ label, kind: 'column', detail: 'column', documentation: '' }))
}

function slotNames(schema: JsonSchema, known: Known): [name: string, detail: string][] {
  return Object.entries(known.slots)
    .filter(([, slot]) => slot === null || slot.types.every((type) => schema['x-slot-types']?.includes(type)))
    .map(([name, slot]) => [name, slot ? `${slot.types.join(' or ')}, ${slot.access}` : ''])
}
