import { completeExpression, expressionStart } from './editor/complete-embedded.ts'
import { completeBySchema, nameFrom, newSlots, quoteIfNeeded, type Offer } from './editor/complete-schema.ts'
import type { Completion } from './editor/completion.types.ts'
import { findCursor, type Cursor } from './editor/cursor.ts'
import { jobPlace, type JobPlace, type JobWorld } from './editor/job-world.ts'
import type { CatalogueVersion } from './job/job.types.ts'
import { jobSchema } from './job/job-schema.ts'
import { parseJobTree } from './job/parse-job.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import { MAX_TEXT_BYTES } from './yaml/text-limits.ts'

export type { JobWorld } from './editor/job-world.ts'

/** What may stand at an offset of a job template, also while the text is half-typed. Never throws. */
export function completeJob(text: string, offset: number, world: JobWorld = {}): Completion[] {
  if (text.length > MAX_TEXT_BYTES || offset < 0 || offset > text.length) return []
  const cursor = findCursor(text, offset)
  const place = jobPlace(parseJobTree(text), cursor.path, world)
  const expression = expressionStart(text, offset)
  if (expression !== -1) return completeExpression(text, expression, offset, place.scope)
  return completeBySchema(jobSchema, {
    cursor,
    offset,
    offers: (schema) => offersOf(schema, cursor, place, world),
    entries: (written) => entriesAt(cursor, offset, written, world),
  })
}

function offersOf(schema: JsonSchema, cursor: Cursor, place: JobPlace, world: JobWorld): Offer[] {
  const value = (label: string, detail: string, documentation = ''): Offer => ({
    label,
    kind: 'value',
    detail,
    documentation,
  })
  switch (schema['x-complete']) {
    case 'task':
      return (world.tasks ?? []).map(({ name, description }) => value(name, 'task', description ?? ''))
    case 'pool':
      return (world.pools ?? []).map((name) => value(name, 'pool'))
    case 'channel':
      return (world.channels ?? []).map((name) => value(name, 'channel'))
    case 'task-key':
      return dependencies(cursor, place).map((key) => value(key, describeNode(place, key)))
    case 'connector':
      return connectorNames(cursor, place)
    case 'task-slot':
      return Object.entries(place.version?.connectors ?? {}).flatMap(([label, { types, access, description }]) =>
        written(cursor, label)
          ? []
          : [{ label, kind: 'slot', detail: `${types.join(' or ')}, ${access}`, documentation: description ?? '' }],
      )
    case 'task-argument':
      return argumentNames(cursor, place.version)
    // Names of the other languages.
    case 'job-template':
    case 'job-connector':
    case 'job-task':
    case 'job-parameter':
    case 'filter':
    case 'data':
    case 'form':
    case 'field_mapping':
    case 'option':
    case 'slot':
    case 'column':
    case 'argument':
    case 'input':
    case undefined:
  }
  return []
}

const written = (cursor: Cursor, key: string): boolean => cursor.keysAt(cursor.path).includes(key)

/** Others that do not wait for this one and are not named already. */
function dependencies({ path, keysAt }: Cursor, { graph, node }: JobPlace): string[] {
  const own = String(path[1] ?? '')
  return keysAt(['tasks']).filter(
    (key) => key !== own && node?.depends_on.includes(key) !== true && !graph.isUpstream(own, key),
  )
}

function describeNode({ parsed }: JobPlace, key: string): string {
  const node = parsed.nodes.find((one) => one.key === key)
  return node?.kind === 'gate' ? 'gate' : (node?.task ?? '')
}

/** Connectors of the template that the slot takes. */
function connectorNames({ path, keysAt }: Cursor, { parsed, version }: JobPlace): Offer[] {
  const name = String(path[3] ?? '')
  const slot = version && Object.hasOwn(version.connectors, name) ? version.connectors[name] : undefined
  return keysAt(['connectors']).flatMap((label): Offer[] => {
    const connector = Object.hasOwn(parsed.connector_refs, label) ? parsed.connector_refs[label] : undefined
    const types = connector?.types ?? []
    if (slot && !types.every((type) => slot.types.includes(type))) return []
    return [{ label, kind: 'slot', detail: types.join(' or '), documentation: connector?.description ?? '' }]
  })
}

function argumentNames(cursor: Cursor, version: CatalogueVersion | undefined): Offer[] {
  return Object.entries(version?.arguments ?? {}).flatMap(([label, spec]) =>
    written(cursor, label)
      ? []
      : [
          {
            label,
            kind: 'argument',
            detail: `${spec.type}${spec.required ? ', required' : ''}`,
            documentation: spec.description ?? '',
          },
        ],
  )
}

/** New entries of `connectors`, for the user's connectors, and of `tasks`, for the tasks that there are. */
function entriesAt(cursor: Cursor, offset: number, keys: readonly string[], world: JobWorld): Completion[] {
  const [section, ...further] = cursor.path
  if (further.length > 0) return []
  if (section === 'connectors')
    return newSlots(world.connectors ?? [], keys, { cursor, offset }, 'A connector of the template')
  if (section !== 'tasks') return []
  return (world.tasks ?? []).map(({ name, description }) => {
    const key = freeKey(nameFrom(name.slice(name.lastIndexOf('.') + 1)), keys)
    return {
      label: key,
      kind: 'value',
      detail: name,
      documentation: description ?? '',
      insert: `${key}: {task: ${quoteIfNeeded(name)}}`,
      from: cursor.from,
      to: offset,
    }
  })
}

function freeKey(wanted: string, taken: readonly string[]): string {
  const key = wanted === '' ? 'task' : wanted
  if (!taken.includes(key)) return key
  let number = 2
  while (taken.includes(`${key}_${number}`)) number++
  return `${key}_${number}`
}
