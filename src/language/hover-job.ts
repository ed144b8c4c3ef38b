import { expressionStart } from './editor/complete-embedded.ts'
import { find, hoverValue, keysOf, type Found } from './editor/find-node.ts'
import { argumentMarkdown, hoverExpression } from './editor/hover-expression.ts'
import type { Hover } from './editor/hover.types.ts'
import { jobPlace, type JobPlace, type JobWorld } from './editor/job-world.ts'
import { alternatives, schemaMarkdown, schemasAt } from './editor/schema-walk.ts'
import { jobSchema } from './job/job-schema.ts'
import { parseJobTree } from './job/parse-job.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import type { ConnectorSlot } from './task/task.types.ts'
import type { YamlScalar } from './yaml/yaml-tree.ts'

/** What the key, value, name or function at an offset of a job template means. Never throws. */
export function hoverJob(text: string, offset: number, world: JobWorld = {}): Hover | null {
  const parsed = parseJobTree(text)
  const { root } = parsed
  const found = root ? find(root, offset, []) : null
  if (!root || !found) return null
  const place = jobPlace(parsed, found.path, world)
  const schemas = schemasAt(jobSchema, found.path, (path) => keysOf(root, path))
  const name = String(found.path.at(-1) ?? '')
  if (found.scalar) {
    const start = expressionStart(text, offset)
    if (start !== -1) return hoverExpression(text, offset, start, place.scope, { parameters: place.parsed.parameters })
    return hoverName(found.scalar, schemas, place, world) ?? hoverValue(found.scalar, schemas, name)
  }
  if (!found.key) return null
  const { start: from, end: to } = found.key
  const own = markdownOfKey(found, place)
  if (own !== null) return { markdown: own, from, to }
  const [schema] = schemas
  return schema ? { markdown: schemaMarkdown(name, schema), from, to } : null
}

/** A name of something else: a task, a connector of the template, another task of the DAG. */
function hoverName(scalar: YamlScalar, schemas: JsonSchema[], place: JobPlace, world: JobWorld): Hover | null {
  if (typeof scalar.value !== 'string') return null
  for (const form of schemas.flatMap(alternatives)) {
    const markdown = markdownOfName(form['x-complete'], scalar.value, place, world)
    if (markdown !== null) return { markdown, from: scalar.start, to: scalar.end }
  }
  return null
}

function markdownOfName(what: JsonSchema['x-complete'], name: string, place: JobPlace, world: JobWorld): string | null {
  if (what === 'task') return markdownOfTask(name, place, world)
  if (what === 'task-key') return markdownOfNode(name, place)
  if (what !== 'connector') return null
  const slot = own(place.parsed.connector_refs, name)
  return slot ? slotMarkdown(name, slot, 'connector of the template') : null
}

function markdownOfTask(name: string, { version }: JobPlace, world: JobWorld): string | null {
  const task = world.tasks?.find((one) => one.name === name)
  if (!task && !version) return null
  const lines = [`**${name}** — task`]
  if (task?.description) lines.push('', task.description)
  const slots = Object.entries(version?.connectors ?? {}).map(
    ([slot, { types, access }]) => `- slot \`${slot}\`: ${types.join(' or ')}, ${access}`,
  )
  const specs = Object.entries(version?.arguments ?? {}).map(
    ([argument, spec]) => `- argument \`${argument}\`: ${spec.type}${spec.required ? ', required' : ''}`,
  )
  if (slots.length + specs.length > 0) lines.push('', ...slots, ...specs)
  return lines.join('\n')
}

function markdownOfNode(key: string, { parsed }: JobPlace): string | null {
  const node = parsed.nodes.find((one) => one.key === key)
  if (!node) return null
  const lines = [`**${key}** — ${node.kind === 'gate' ? 'gate' : `task \`${node.task ?? ''}\``}`]
  if (node.description) lines.push('', node.description)
  if (node.message !== null) lines.push('', node.message)
  if (node.depends_on.length > 0) lines.push('', `After ${node.depends_on.map((one) => `\`${one}\``).join(', ')}`)
  return lines.join('\n')
}

/** Keys that are names themselves: of a task in the DAG, a slot, an argument, a parameter, a connector. */
function markdownOfKey({ path }: Found, place: JobPlace): string | null {
  const [section, key, part, name] = path.map(String)
  if (path.length === 2 && key !== undefined) {
    if (section === 'tasks') return markdownOfNode(key, place)
    const spec = section === 'parameters' ? own(place.parsed.parameters, key) : undefined
    if (spec) return argumentMarkdown(key, spec, 'parameter')
    const slot = section === 'connectors' ? own(place.parsed.connector_refs, key) : undefined
    if (slot) return slotMarkdown(key, slot, 'connector of the template')
  }
  if (section !== 'tasks' || path.length !== 4 || name === undefined || !place.version) return null
  const slot = part === 'connectors' ? own(place.version.connectors, name) : undefined
  if (slot) return slotMarkdown(name, slot, 'slot of the task')
  const spec = part === 'args' ? own(place.version.arguments, name) : undefined
  return spec ? argumentMarkdown(name, spec) : null
}

const own = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

function slotMarkdown(name: string, { types, access, description }: ConnectorSlot, noun: string): string {
  return [`**${name}** — ${noun}: ${types.join(' or ')}, ${access}`, ...(description ? ['', description] : [])].join(
    '\n',
  )
}
